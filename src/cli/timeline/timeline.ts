// `subledger timeline`: prints a customer's timeline from the log, with or without a running service.
import { deliveriesOf, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { presentTimelineEntry } from '../../http/customers/present.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { printResult } from '../support/print-result.js';
import { readCustomerTimeline, type CustomerTimeline } from './read-timeline.js';
import { timelineText } from './timeline-text.js';

export async function timeline(projectId: string, customer: string, o: { readonly json?: true }): Promise<void> {
  await withReading(async (reading) => {
    const customerTimeline = await readCustomerTimeline(reading, projectId, customer);
    printResult(o, o.json && (await asJson(reading, customerTimeline)), timelineText(customerTimeline));
  });
}

/** Returns the entries in the format of the HTTP endpoint, oldest first. */
async function asJson({ docs }: ReadOnlyData, { entries, ...customer }: CustomerTimeline) {
  await docs.ensure([deliveryCollection]);
  const items = entries.map(async ({ entry, cause }) => {
    return presentTimelineEntry(entry, cause, await deliveriesOf({ docs }, entry.id));
  });
  return { ...customer, items: await Promise.all(items) };
}
