// `subledger timeline` and `subledger explain`: read one customer from the log, with or without a running service.
import { systemRuntime } from '../../adapters/runtime.js';
import { deliveriesOf, deliveryCollection } from '../../commands/webhooks/deliveries.js';
import { findEntitlement } from '../../domain/catalog/entitlements.js';
import { isoFromMs } from '../../domain/time.js';
import { presentTimelineEntry } from '../../http/customers/present.js';
import { explainAccess, type AccessExplanation } from '../../projections/queries/access-explanation.js';
import { readCustomerEvents } from '../../projections/queries/customer-events.js';
import { requireInstant } from '../support/arguments.js';
import { Failure, printResult } from '../support/outcome.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import {
  readCustomerTimeline,
  type CustomerTimeline,
  timelineText,
  currentCatalog,
  findCustomer,
  minute,
  wrapText,
} from './customer-timeline.js';

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
    const sent = await deliveriesOf({ docs }, entry.id);
    return presentTimelineEntry(entry, { cause, actor: entry.actor, sent });
  });
  return { ...customer, items: await Promise.all(items) };
}

/** `at`: a day or an instant; now by default. Without an entitlement, all are explained. */
export async function explain(
  projectId: string,
  customer: string,
  entitlement: string | undefined,
  o: { readonly at?: string },
): Promise<void> {
  const asOf = isoFromMs(systemRuntime().now());
  const at = o.at === undefined ? asOf : requireInstant('--at', o.at);
  await withReading(async (reading) => {
    const { catalog, rules } = await currentCatalog(reading.log, projectId);
    const { id } = await findCustomer(reading, projectId, customer);
    const found = entitlement === undefined ? undefined : findEntitlement(catalog, entitlement);
    if (entitlement !== undefined && !found) {
      const all = catalog.entitlements.map((e) => e.lookupKey).join(', ');
      throw new Failure(`entitlement ${entitlement} not found in this project; it has ${all || 'none'}`);
    }
    const histories = await readCustomerEvents(reading.log, projectId, id, asOf);
    for (const { entitlementId, lookupKey } of found ? [found] : catalog.entitlements) {
      const explanation = explainAccess(histories, { entitlementId, lookupKey }, { at, asOf }, rules);
      process.stdout.write(`${explanationText(explanation).join('\n')}\n`);
    }
  });
}

/** Formats lines of at most 120 columns. */
function explanationText({ sentence, because, sources }: AccessExplanation): readonly string[] {
  const events = because.flatMap((e) => wrapText(minute(e.at), e.summary, ' '));
  const others = sources.slice(1).flatMap((s) => wrapText('', `${s.why}: ${s.sentence}`, ' '));
  const next = sources.flatMap((s) => s.next.map((c) => `${c.at === null ? 'any time' : minute(c.at)}: ${c.sentence}`));
  return [
    ...wrapText('', sentence, ' ').map((line) => line.trimStart()),
    ...(events.length > 0 ? ['', 'because', ...events] : []),
    ...(others.length > 0 ? ['', 'other sources', ...others] : []),
    ...(next.length > 0 ? ['', 'next', ...next.flatMap((line) => wrapText('', line, ' '))] : []),
    '',
  ];
}
