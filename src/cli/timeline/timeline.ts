// `subledger timeline`: prints a customer's timeline from the log, with or without a running service.
import { deliveriesOf, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { presentTimelineEntry } from '../../http/customers/present.js';
import { fail } from '../support/failure.js';
import { openForReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { readCustomerTimeline, type CustomerTimeline } from './read-timeline.js';
import { timelineText } from './timeline-text.js';

export async function timeline(projectId: string, customer: string, o: { readonly json?: true }): Promise<void> {
  try {
    const reading = await openForReading(process.env);
    try {
      const customerTimeline = await readCustomerTimeline(reading, projectId, customer);
      const text = o.json
        ? JSON.stringify(await asJson(reading, customerTimeline), null, 2)
        : timelineText(customerTimeline).join('\n');
      process.stdout.write(`${text}\n`);
    } finally {
      await reading.close();
    }
  } catch (err) {
    fail(err);
  }
}

/** Returns the entries in the format of the HTTP endpoint, oldest first. */
async function asJson({ docs }: ReadOnlyData, { entries, ...customer }: CustomerTimeline) {
  await docs.ensure([deliveryCollection]);
  const items = entries.map(async ({ entry, cause }) => {
    return presentTimelineEntry(entry, cause, await deliveriesOf({ docs }, entry.id));
  });
  return { ...customer, items: await Promise.all(items) };
}
