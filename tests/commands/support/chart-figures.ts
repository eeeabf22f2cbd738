// Contributions of one customer's events to the chart sums, without a log and read models.
import type { Measure } from '../../../src/domain/charts/measures.js';
import { emptyCustomerHistory, noHistory } from '../../../src/domain/charts/history/history.js';
import { knownHistoryOf } from '../../../src/domain/charts/history/known-history.js';
import { record } from '../../../src/domain/charts/history/record.js';
import { withdraw } from '../../../src/domain/charts/history/withdraw.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import type { SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { measureGroups, contribute, type MeasureGroup } from '../../../src/projections/charts/sums/contribute.js';
import { dayMs } from '../stores/ios/samples.js';

/** `mrr.new 2026-11-01T10:00:00.000Z: 9990000`, sorted. A customer that is introduced without a time came on the first day. */
export function figuresOf(
  events: readonly SubscriberEvent[],
  groups: readonly MeasureGroup[] = measureGroups,
): readonly string[] {
  const first = new Date(dayMs(0)).toISOString();
  const own = events.reduce((history, { type, data, at = first }) => {
    const event = { type, data, meta: { at, recordedAt: at } } as RecordedEvent<SubscriberEvent>;
    // A merged customer has a separate history: this event adds nothing to the customer's.
    if (event.type === 'CustomerMerged') return history;
    return event.type === 'PurchaseHistoryRevised' ? withdraw(history, event) : record(history, event);
  }, noHistory);
  const known = knownHistoryOf({ ...emptyCustomerHistory, own }, 'production');
  const sums = new Map<string, number>();
  const add = (measure: Measure, at: number, value: number, effective = at) => {
    const name = `${measure} ${new Date(at).toISOString()}${effective === at ? '' : ` from ${effective}`}`;
    sums.set(name, (sums.get(name) ?? 0) + value);
  };
  if (known) for (const group of groups) contribute(group, known, add);
  const named = [...sums].filter(([, value]) => value !== 0).map(([name, value]) => `${name}: ${value}`);
  return named.sort();
}
