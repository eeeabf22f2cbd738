// Every value of one bucket, counted anew, by the letter of the definitions.
import { isPaid, ledgerOf, windowEnd, type Piece, type Sub, type Txn, type ReferenceData } from './reference-data.js';
import { partOf, perOne, rate, sum, usd } from './numbers.js';
import type { Options, Values } from './options.js';
import { DAY, type Bucket } from './time.js';

export const inside = (t: number, { a, till }: Bucket) => a <= t && t < till;
export const liveAt = (t: number) => (p: Piece) => p.s < t && t <= p.e;
export const paidOf = (s: Sub) => s.pieces.filter((p) => p.period.periodType !== 'trial');
const trialsOf = (s: Sub) => s.pieces.filter((p) => p.period.periodType === 'trial');

/** Borders of stays: where one begins without another ending there, and the other way round. */
function bordersOf(pieces: Piece[]) {
  const entries = pieces.filter((p) => !pieces.some((o) => o.e === p.s));
  const exits = pieces.filter((p) => !pieces.some((o) => o.s === p.e));
  return { first: entries.slice(0, 1), again: entries.slice(1), exits };
}

export function valuesOf(w: ReferenceData, whole: ReferenceData, id: string, k: Bucket, o: Options): Values {
  const actives = (t: number) => w.subs.filter((s) => paidOf(s).some(liveAt(t))).length;
  const moves = (pieces: (s: Sub) => Piece[]) => {
    const all = w.subs.map((s) => bordersOf(pieces(s)));
    const starts = (of: Piece[]) => of.filter((p) => inside(p.s, k)).length;
    return {
      fresh: sum(all.map((x) => starts(x.first))),
      gone: sum(all.map((x) => x.exits.filter((p) => inside(p.e, k)).length - starts(x.again))),
    };
  };
  const worth = (p: Piece) => monthly(p, w.txns, o.revenueType ?? 'revenue');
  const mrr = (t: number) => sum(w.subs.flatMap((s) => paidOf(s).filter(liveAt(t)).map(worth)));
  switch (id) {
    case 'actives':
      return { active_subscriptions: actives(k.till) };
    case 'actives_movement': {
      const { fresh, gone } = moves(paidOf);
      return { new_actives: fresh, churned_actives: gone, movement: actives(k.till) - actives(k.a) };
    }
    case 'actives_new': {
      const fresh = w.subs.filter((s) => bordersOf(paidOf(s)).first.some((p) => inside(p.s, k)));
      const way = (s: Sub) => {
        const [first] = paidOf(s);
        if (s.periods.some((p) => p.periodType === 'trial' && p.t < (first?.s ?? 0))) return 'trial';
        return first?.period.periodType === 'intro' ? 'intro' : 'direct';
      };
      const of = (name: string) => fresh.filter((s) => way(s) === name).length;
      return {
        trial_conversions: of('trial'),
        intro_offers: of('intro'),
        direct_subscriptions: of('direct'),
        total: fresh.length,
      };
    }
    case 'mrr':
      return { mrr: usd(mrr(k.till)) };
    case 'arr':
      return { arr: usd(12 * mrr(k.till)) };
    case 'mrr_movement': {
      const all = w.subs.map((s) => bordersOf(paidOf(s)));
      const starting = (of: Piece[]) => sum(of.filter((p) => inside(p.s, k)).map(worth));
      const fresh = sum(all.map((x) => starting(x.first)));
      const gone = sum(all.map((x) => sum(x.exits.filter((p) => inside(p.e, k)).map(worth)) - starting(x.again)));
      const steps = w.subs.flatMap((s) =>
        paidOf(s).flatMap((p) => {
          const before = paidOf(s).find((x) => x.e === p.s);
          return before && inside(p.s, k) ? [worth(p) - worth(before)] : [];
        }),
      );
      const up = sum(steps.filter((d) => d > 0));
      const down = -sum(steps.filter((d) => d < 0));
      const movement = usd(mrr(k.till) - mrr(k.a));
      return {
        new_mrr: usd(fresh),
        churned_mrr: usd(gone),
        expansion_mrr: usd(up),
        contraction_mrr: usd(down),
        movement,
      };
    }
    case 'churn': {
      const { gone } = moves(paidOf);
      return { actives: actives(k.a), churned_actives: gone, churn_rate: rate(gone, actives(k.a)) };
    }
    case 'revenue':
      return revenue(w, whole, k);
    case 'refund_rate': {
      const made = w.txns.filter((t) => isPaid(t) && inside(t.event.t, k));
      const refunded = made.filter((t) => ledgerOf(t).open).length;
      return { transactions: made.length, refunded_transactions: refunded, refund_rate: rate(refunded, made.length) };
    }
    case 'trials':
      return { active_trials: w.subs.filter((s) => trialsOf(s).some(liveAt(k.till))).length };
    case 'trials_movement': {
      const { fresh, gone } = moves(trialsOf);
      return { new_trials: fresh, expired_trials: gone, movement: fresh - gone };
    }
    case 'trials_new':
      return { new_trials: moves(trialsOf).fresh };
    case 'trial_conversion_rate':
      return outcomes(w, k, o.now);
    case 'customers_new':
      return { new_customers: w.customers.filter((c) => inside(c.seen, k)).length };
    case 'customers_active':
      return { active_customers: w.customers.filter((c) => c.active.some((t) => inside(t, k))).length };
    case 'subscription_status':
      return status(w, k, o, worth);
    default:
      return perCustomer(w, id, k, o);
  }
}

function monthly({ period, contractEnd }: Piece, txns: Txn[], type: string): number {
  const price = txns.find((t) => t.event === period)?.usd ?? 0;
  const [tax, fee] = [period.taxRate ?? 0, period.commissionRate ?? 0.3].map((r) => BigInt(Math.round(r * 1e6))) as [
    bigint,
    bigint,
  ];
  const share = 1_000_000n - (type === 'revenue' ? 0n : type === 'proceeds' ? tax + fee : tax);
  const [times, by] = factor(period.periodDuration ?? guess(Math.floor((contractEnd - period.t) / DAY)));
  const [n, d] = [BigInt(price) * share * times, 1_000_000n * by];
  return Number((2n * n + d) / (2n * d));
}

function factor(duration: string): [bigint, bigint] {
  const n = Number(/\d+/.exec(duration)?.[0]);
  if (duration.endsWith('Y')) return [1n, BigInt(12 * n)];
  if (duration.endsWith('M')) return [1n, BigInt(n)];
  const days = duration.endsWith('W') ? 7 * n : n;
  return days % 7 === 0 ? [28n, BigInt(days)] : [30n, BigInt(days)];
}

function guess(days: number): string {
  if (days >= 28 && days <= 31) return 'P1M';
  if (days >= 58 && days <= 62) return 'P2M';
  if (days >= 88 && days <= 93) return 'P3M';
  if (days >= 179 && days <= 186) return 'P6M';
  return days >= 360 && days <= 371 ? 'P1Y' : `P${Math.max(1, days)}D`;
}

function firstPaid(whole: ReferenceData, root: string): Txn | undefined {
  const mine = whole.txns.filter((t) => t.root === root && isPaid(t));
  return mine.sort(
    (a, b) => a.event.t - b.event.t || (String(a.event.transactionId) < String(b.event.transactionId) ? -1 : 1),
  )[0];
}

function revenue(w: ReferenceData, whole: ReferenceData, k: Bucket): Values {
  const paid = w.txns.filter(isPaid);
  const entries = paid.flatMap((t) => ledgerOf(t).entries.map((e) => ({ ...e, txn: t }))).filter((e) => inside(e.t, k));
  const total = sum(entries.map((e) => e.usd));
  const fresh = sum(entries.filter((e) => firstPaid(whole, e.txn.root)?.event === e.txn.event).map((e) => e.usd));
  const gross = sum(entries.filter((e) => e.kind === 'charge').map((e) => e.usd));
  const [tax, commission] = [sum(entries.map((e) => e.tax)), sum(entries.map((e) => e.fee))];
  const made = paid.filter((t) => inside(t.event.t, k));
  return {
    ...{ revenue: usd(total), new_revenue: usd(fresh), renewal_revenue: usd(total - fresh), gross_revenue: usd(gross) },
    ...{
      refunds: usd(gross - total),
      tax: usd(tax),
      commission: usd(commission),
      proceeds: usd(total - tax - commission),
    },
    ...{ transactions: made.length, unconverted_transactions: made.filter((t) => t.usd === null).length },
  };
}

function outcomes(w: ReferenceData, k: Bucket, now: number): Values {
  const started = w.subs.filter((s) => bordersOf(trialsOf(s)).first.some((p) => inside(p.s, k)));
  const paymentOf = (s: Sub) => s.periods.find((p) => p.periodType === 'intro' || p.periodType === 'normal');
  const conversions = started.filter((s) => {
    const txn = w.txns.find((t) => t.event === paymentOf(s));
    return txn && !ledgerOf(txn).full;
  });
  const isOn = (s: Sub) =>
    s.own.filter((e) => e.type.startsWith('SubscriptionAutoRenew')).at(-1)?.type !== 'SubscriptionAutoRenewDisabled';
  const pending = started.filter((s) => !paymentOf(s) && trialsOf(s).at(-1)!.e >= now && isOn(s)).length;
  const abandoned = started.length - conversions.length - pending;
  const conversion_rate = rate(conversions.length, started.length);
  return { trial_starts: started.length, conversions: conversions.length, pending, abandoned, conversion_rate };
}

function status(w: ReferenceData, { till }: Bucket, o: Options, worth: (p: Piece) => number): Values {
  const kind = o.statusMeasure ?? 'actives';
  const found: Values & Record<string, number> = { set_to_renew: 0, set_to_cancel: 0, billing_issue: 0 };
  for (const s of w.subs) {
    for (const p of (kind === 'active_trials' ? trialsOf(s) : paidOf(s)).filter(liveAt(till))) {
      const flag = s.own.filter((e) => e.type.startsWith('SubscriptionAutoRenew') && e.t < till).at(-1);
      const isOff = flag?.type === 'SubscriptionAutoRenewDisabled';
      const name = p.contractEnd < till ? 'billing_issue' : isOff ? 'set_to_cancel' : 'set_to_renew';
      found[name] = (found[name] ?? 0) + (kind === 'mrr' ? worth(p) : kind === 'arr' ? 12 * worth(p) : 1);
    }
  }
  const isMoney = kind === 'mrr' || kind === 'arr';
  return Object.fromEntries(Object.entries(found).map(([name, v]) => [name, isMoney ? usd(v) : v]));
}

function perCustomer(w: ReferenceData, id: string, k: Bucket, o: Options): Values {
  const cohort = w.customers.filter((c) => inside(c.seen, k));
  const days = (id === 'conversion_to_paying' ? o.conversionTimeframe : o.customerLifetime) ?? null;
  const bought = (root: string) => w.txns.filter((t) => t.root === root && isPaid(t));
  const paying = cohort.filter((c) => {
    const end = windowEnd(c.seen, days);
    return bought(c.root).some((t) => t.event.t < end && !ledgerOf(t, end).full);
  }).length;
  if (id === 'conversion_to_paying') {
    return { new_customers: cohort.length, paying_customers: paying, conversion_rate: rate(paying, cohort.length) };
  }
  const entries = cohort.flatMap((c) =>
    bought(c.root).flatMap((t) => ledgerOf(t).entries.filter((e) => e.t < windowEnd(c.seen, days))),
  );
  const ltv = sum(entries.map((e) => partOf(e, o.revenueType)));
  return id === 'ltv_per_customer'
    ? { new_customers: cohort.length, realized_ltv: usd(ltv), ltv_per_customer: perOne(ltv, cohort.length) }
    : { paying_customers: paying, realized_ltv: usd(ltv), ltv_per_paying_customer: perOne(ltv, paying) };
}
