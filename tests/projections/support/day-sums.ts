// A projection made for the specs of the runner: what was charged per day, summed over all customers. Sums are the delicate kind of
// derived documents: an event that has its effect twice, or not at all, shows.
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerIdOf } from '../../../src/domain/streams.js';
import { utcDay } from '../../../src/domain/time.js';
import type { DerivedProjection, Projection, Sums } from '../../../src/projections/runtime/projection.js';
import { ofFamily } from '../../../src/domain/vocabulary.js';

type Charges = { readonly byDay: { readonly [day: string]: number } };
type DaySum = { readonly micros: number; readonly charges: number };

const daySum: DerivedProjection<Charges, DaySum> = {
  name: 'day_sums',
  indexes: [],
  of: (source) =>
    new Map(
      Object.entries(source?.byDay ?? {}).map(([day, micros]) => [day, { micros, charges: micros === 0 ? 0 : 1 }]),
    ),
  apply: (target = { micros: 0, charges: 0 }, before, after) => ({
    micros: target.micros - (before?.micros ?? 0) + (after?.micros ?? 0),
    charges: target.charges - (before?.charges ?? 0) + (after?.charges ?? 0),
  }),
};

/** The same by month, with a cell for each day. */
const monthSum: Sums<Charges> = {
  collections: [{ name: 'month_sums', indexes: [{ name: 'month', fields: ['month'] }] }],
  open: () => {
    const days = new Map<string, number>();
    const count = (doc: Charges | undefined, sign: 1 | -1) => {
      for (const [day, micros] of Object.entries(doc?.byDay ?? {})) days.set(day, (days.get(day) ?? 0) + sign * micros);
    };
    return {
      change: (before, after) => {
        count(before, -1);
        count(after, 1);
      },
      additions: () => {
        const months = new Set([...days.keys()].map((day) => day.slice(0, 7)));
        return [...months].map((month) => {
          const cells = [...days].filter(([day]) => day.startsWith(month));
          return { of: 'month_sums', id: month, fields: { month }, cells };
        });
      },
    };
  },
};

/** One document per customer, and per day the sum over all of them; also over both customers that a transfer names. */
export const charges: Projection<Charges> = {
  name: 'charges',
  version: 1,
  families: ['subscriber'],
  indexes: [],
  onPoison: 'halt',
  keys: (stored) => {
    const event = ofFamily(stored, 'subscriber');
    if (event?.type !== 'PurchaseTransferred') return [customerIdOf(stored.stream)];
    return event.data.direction === 'out' ? [event.data.fromCustomerId, event.data.toCustomerId] : [];
  },
  fold: (doc = { byDay: {} }, stored, id) => {
    const charged = chargeOf(stored, id);
    if (charged === 0) return doc;
    const day = utcDay(stored.meta.at);
    return { byDay: { ...doc.byDay, [day]: (doc.byDay[day] ?? 0) + charged } };
  },
  derived: [daySum],
  sums: monthSum,
};

/** A transfer charges both sides something, so that one event changes two sources and, through both, one sum. */
export function chargeOf(stored: RecordedEvent, customerId: string): number {
  const event = ofFamily(stored, 'subscriber');
  switch (event?.type) {
    case 'SubscriptionStarted':
    case 'SubscriptionRenewed':
      return event.data.money.usdMicros ?? 0;
    case 'PurchaseTransferred':
      return event.data.fromCustomerId === customerId ? 1 : 10;
    default:
      return 0;
  }
}

/** The sums as they must be, straight from the events. */
export function expectedSums(events: readonly RecordedEvent[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const event of events.filter((e) => e.stream.startsWith('subscriber-'))) {
    for (const id of charges.keys(event)) {
      const charged = chargeOf(event, id);
      const day = utcDay(event.meta.at);
      if (charged !== 0) sums[day] = (sums[day] ?? 0) + charged;
    }
  }
  return sums;
}
