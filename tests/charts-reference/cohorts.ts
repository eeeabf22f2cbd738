// The two charts that are matrices, row by row, by the letter of the definitions.
import { isPaid, ledgerOf, type ReferenceData } from './reference-data.js';
import type { NormalEvent } from '../domain/charts/normal-form.js';
import { partOf, perOne, rate, sum, usd } from './numbers.js';
import type { Options } from './options.js';
import { inside, liveAt, paidOf } from './series.js';
import { dayOf, plus, plusDuration, type Bucket } from './time.js';

export function retention(w: ReferenceData, k: Bucket, o: Options) {
  const duration = o.productDuration ?? 'P1M';
  const members = w.subs.flatMap((s) => {
    const q = s.periods.filter((p) => p.periodType === 'normal');
    return s.start.productDuration === duration && q[0] && inside(q[0].t, k) ? [{ s, q, first: q[0].t }] : [];
  });
  const columns: unknown[] = [];
  for (let n = 0; ; n++) {
    let [eligible, retained] = [0, 0];
    for (const { s, q, first } of members) {
      const due = (i: number) => {
        const [made, before] = [q[i], q[i - 1]];
        return made ? made.t : before ? s.contractEndOf(before) : plusDuration(first, i, duration);
      };
      const dues = Array.from({ length: n + 1 }, (_, i) => due(i));
      if (Math.max(...dues) >= o.now) continue;
      eligible++;
      const payment = q[n];
      if (payment && (n === 0 || !isTaken(w, payment))) retained++;
    }
    if (eligible === 0) break;
    const incomplete = plusDuration(k.b, n, duration) > o.now;
    columns.push({ index: n, eligible, retained, retention_rate: rate(retained, eligible), incomplete });
  }
  return { size: members.length, columns };
}

function isTaken(w: ReferenceData, payment: NormalEvent): boolean {
  const refunds = w.txns.find((t) => t.event === payment)?.refunds ?? [];
  const reversed = refunds.findLastIndex((r) => r.type === 'TransactionRefundReversed');
  return refunds.slice(reversed + 1).some((r) => r.accessRevoked ?? true);
}

export function explorer(w: ReferenceData, k: Bucket, o: Options) {
  const joined = (root: string, seen: number): number => {
    const mine = w.txns.filter((t) => t.root === root);
    if (o.cohort === 'initial_conversions') return Math.min(...mine.map((t) => t.event.t));
    if (o.cohort === 'new_paying_customers')
      return Math.min(...mine.filter((t) => isPaid(t) && !ledgerOf(t).full).map((t) => t.event.t));
    return seen;
  };
  const members = w.customers.map((c) => ({ root: c.root, at: joined(c.root, c.seen) })).filter((m) => inside(m.at, k));
  const columns: unknown[] = [];
  const measure = o.cohortMeasure ?? 'revenue';
  let total = 0;
  for (let n = 0; members.some((m) => plus(dayOf(m.at), n, o.interval) < o.now); n++) {
    let own = 0;
    for (const { root, at } of members) {
      const [from, to] = [plus(dayOf(at), n, o.interval), plus(dayOf(at), n + 1, o.interval)];
      if (measure === 'retained_subscriptions') {
        const live = w.subs
          .filter((s) => s.root === root)
          .flatMap((s) => paidOf(s).filter(liveAt(Math.min(to, o.now))));
        own += from < o.now ? live.length : 0;
      } else {
        const entries = w.txns.filter((t) => t.root === root && isPaid(t)).flatMap((t) => ledgerOf(t).entries);
        own += sum(entries.filter((e) => from <= e.t && e.t < to).map((e) => partOf(e, o.revenueType)));
      }
    }
    total += own;
    const values: Record<string, () => number | null> = {
      revenue: () => usd(own),
      realized_ltv: () => usd(total),
      realized_ltv_per_customer: () => perOne(total, members.length),
      retained_subscriptions: () => own,
    };
    const incomplete = plus(dayOf(k.b - 1), n + 1, o.interval) > o.now;
    columns.push({ index: n, value: values[measure]?.() ?? null, incomplete });
  }
  return { size: members.length, columns };
}
