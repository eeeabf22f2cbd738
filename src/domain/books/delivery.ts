// Revenue of one charge over the days that it pays for. A period is delivered day by day, from the day of the purchase to the day before it
// ends; what is refunded is taken back, first from the days to come. Amounts are micros of whole smallest units.
import { addAmounts, NOTHING, ourShare, subtractAmounts, type Amounts, type OurCharge } from './entries.js';
import { smallestUnit } from './report-values.js';

/** `gross`: revenue is what buyers pay. `net`: what is left of it after tax and the store's fee. */
export const revenueBases = ['gross', 'net'] as const;
export type RevenueBasis = (typeof revenueBases)[number];

type ChargeTerms = Pick<
  OurCharge,
  'transactionId' | 'appId' | 'currency' | 'amountMicros' | 'taxRate' | 'commissionRate'
>;

/** A charge with its days, `yyyy-mm-dd`, in the time zone of the project. */
export type DeliveredCharge = ChargeTerms & {
  readonly startDay: string;
  /** First day that is not paid for; null if the purchase is delivered at once. */
  readonly endDay: string | null;
  /** Day on which an upgrade ended the period. */
  readonly replacedDay: string | null;
  /** Refunds and their reversals, in order. A reversal cancels all refunds before it. */
  readonly changes: readonly ChargeChange[];
};
export type ChargeChange =
  | { readonly kind: 'refund'; readonly day: string; readonly share: number }
  | { readonly kind: 'reversal'; readonly day: string };

/** Figures of one month. `recognised` is without `reversed`: what had been recognised of charges that were refunded. */
export type RevenueFigures = {
  readonly billed: number;
  readonly recognised: number;
  readonly reversed: number;
  readonly refunded: number;
  /** Parts of the amount that is billed. */
  readonly sold: Amounts;
  /** Parts of the amount that is refunded. */
  readonly returned: Amounts;
};

export const NO_REVENUE: RevenueFigures = {
  ...{ billed: 0, recognised: 0, reversed: 0, refunded: 0 },
  ...{ sold: NOTHING, returned: NOTHING },
};

export function addFigures(a: RevenueFigures, b: RevenueFigures): RevenueFigures {
  return {
    billed: a.billed + b.billed,
    recognised: a.recognised + b.recognised,
    reversed: a.reversed + b.reversed,
    refunded: a.refunded + b.refunded,
    sold: addAmounts(a.sold, b.sold),
    returned: addAmounts(a.returned, b.returned),
  };
}

export function subtractFigures(a: RevenueFigures, b: RevenueFigures): RevenueFigures {
  return {
    billed: a.billed - b.billed,
    recognised: a.recognised - b.recognised,
    reversed: a.reversed - b.reversed,
    refunded: a.refunded - b.refunded,
    sold: subtractAmounts(a.sold, b.sold),
    returned: subtractAmounts(a.returned, b.returned),
  };
}

/** Change of what is deferred. */
export function deferredChange({ billed, recognised, reversed, refunded }: RevenueFigures): number {
  return billed - recognised + reversed - refunded;
}

/** A period of more days is delivered at once: no store sells one. */
const MAX_DAYS = 3660;

/** Returns the figures of a charge by month, `yyyy-mm`; null if its price is unknown. */
export function deliver(charge: DeliveredCharge, basis: RevenueBasis): ReadonlyMap<string, RevenueFigures> | null {
  const sold = ourShare('charge', charge, 1);
  if (!sold || charge.currency === null) return null;
  const period = createPeriod(charge, basisOf(sold, basis), smallestUnit(charge.currency));
  period.add(charge.startDay, { billed: basisOf(sold, basis), sold });
  let share = 0;
  let returned = NOTHING;
  for (const change of withReplacement(charge)) {
    if (change.kind === 'replacement') {
      period.deliverRest(change.day);
      continue;
    }
    share = change.kind === 'refund' ? Math.min(1, share + change.share) : 0;
    const total = share === 0 ? NOTHING : (ourShare('refund', charge, share) ?? NOTHING);
    const difference = subtractAmounts(total, returned);
    const refunded = basisOf(difference, basis);
    period.add(change.day, { refunded, returned: difference });
    if (change.kind === 'refund') period.takeBack(change.day, refunded);
    else period.restore(change.day);
    returned = total;
  }
  period.deliverRest(null);
  return period.months;
}

type Change = ChargeChange | { readonly kind: 'replacement'; readonly day: string };

/** Orders the changes by day. A refund of the day of the upgrade comes first: an upgrade recognises only what is not refunded. */
function withReplacement({ startDay, replacedDay, changes }: DeliveredCharge): readonly Change[] {
  const all = changes.map((change) => (change.day < startDay ? { ...change, day: startDay } : change));
  if (replacedDay === null) return all;
  const isBefore = ({ day }: Change) => day <= replacedDay;
  const replacement: Change = { kind: 'replacement', day: replacedDay };
  return [...all.filter(isBefore), replacement, ...all.filter((change) => !isBefore(change))];
}

/** Returns the part of the amounts that counts: of a charge, or of a refund. */
function basisOf({ charged, refunded, proceeds }: Amounts, basis: RevenueBasis): number {
  if (basis === 'gross') return charged + refunded;
  return charged === 0 ? 0 - proceeds : proceeds;
}

function createPeriod({ startDay, endDay, replacedDay }: DeliveredCharge, amount: number, unit: number) {
  const start = dayNumber(startDay);
  const paidDays = endDay === null ? 1 : dayNumber(endDay) - start;
  const days = paidDays > MAX_DAYS ? 1 : Math.max(1, paidDays);
  const months = new Map<string, RevenueFigures>();
  /** Amount that is not delivered, over the days from `from`. */
  let rest = { from: 0, amount };
  let [delivered, reversed] = [0, 0];
  const add = (day: string, figures: Partial<RevenueFigures>): void => {
    const month = day.slice(0, 7);
    months.set(month, addFigures(months.get(month) ?? NO_REVENUE, { ...NO_REVENUE, ...figures }));
  };
  /** Delivers the days before a day of the period. */
  const advance = (day: string | null): void => {
    const until = day === null ? days : Math.min(days, Math.max(0, dayNumber(day) - start));
    while (rest.from < until) {
      const place = new Date((start + rest.from) * DAY_MS);
      const monthEnd = Date.UTC(place.getUTCFullYear(), place.getUTCMonth() + 1, 1) / DAY_MS - start;
      const next = Math.min(until, monthEnd);
      const part = shareOfDays(rest.amount, days - rest.from, next - rest.from, unit);
      add(place.toISOString(), { recognised: part });
      delivered += part;
      rest = { from: next, amount: rest.amount - part };
    }
  };
  return {
    months,
    add,
    /** Delivers what is left: on a day, or as planned. */
    deliverRest: (day: string | null): void => {
      advance(day);
      if (day === null) return;
      add(day, { recognised: rest.amount });
      delivered += rest.amount;
      rest = { from: days, amount: 0 };
    },
    takeBack: (day: string, refunded: number): void => {
      advance(day);
      const undelivered = Math.min(refunded, rest.amount);
      rest = { ...rest, amount: rest.amount - undelivered };
      add(day, { reversed: refunded - undelivered });
      reversed += refunded - undelivered;
    },
    /** Returns to what the days would be without any refund; those before the day are delivered on it. */
    restore: (day: string): void => {
      advance(day);
      const from = Math.min(days, Math.max(0, dayNumber(day) - start));
      const isOver = replacedDay !== null && replacedDay < day;
      const planned = isOver ? amount : shareOfDays(amount, days, from, unit);
      add(day, { recognised: planned - delivered, reversed: 0 - reversed });
      [delivered, reversed] = [planned, 0];
      rest = { from, amount: amount - planned };
    },
  };
}

/** Returns what the first of the days have of an amount. Days are equal by largest remainder: the first ones have a smallest unit more. */
function shareOfDays(amount: number, days: number, first: number, unit: number): number {
  if (first >= days) return amount;
  const units = Math.round(amount / unit);
  const each = Math.floor(units / days);
  return (each * first + Math.min(first, units - each * days)) * unit;
}

const DAY_MS = 86_400_000;

function dayNumber(day: string): number {
  return Math.round(Date.parse(day) / DAY_MS);
}
