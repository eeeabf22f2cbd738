// Data as the reference calculator sees it: subscriptions, transactions, customers, read from the normal form exactly as the text defines.
import type { NormalEvent } from '../domain/charts/normal-form.js';
import { dayOf, DAY } from './time.js';

export type E = NormalEvent & { readonly t: number };
export type Piece = { readonly s: number; readonly e: number; readonly period: E; readonly contractEnd: number };
export type Txn = {
  readonly event: E;
  readonly root: string;
  readonly sub: Sub | null;
  /** Micros; null when unknown. */
  readonly usd: number | null;
  readonly start: E;
  readonly refunds: E[];
};
export type Sub = {
  readonly root: string;
  readonly start: E;
  readonly periods: E[];
  readonly own: E[];
  readonly pieces: Piece[];
  contractEndOf(period: E): number;
};
export type ReferenceData = {
  readonly now: number;
  readonly subs: Sub[];
  readonly txns: Txn[];
  readonly customers: {
    readonly root: string;
    readonly country: string;
    readonly platform: string;
    readonly seen: number;
    readonly active: number[];
  }[];
};

const PURCHASES = ['SubscriptionStarted', 'SubscriptionRenewed', 'OneTimePurchaseCompleted'];
const CUTS = ['SubscriptionExpired', 'SubscriptionPaused', 'SubscriptionRevoked'];
/** Sorts events by time; of the same instant the last recorded one counts. */
const inOrder = (a: E, b: E) =>
  a.t - b.t || recordedAtOf(a).localeCompare(recordedAtOf(b)) || ((a.id ?? '') < (b.id ?? '') ? -1 : 1);
const recordedAtOf = ({ at, recordedAt }: E): string => recordedAt ?? at;

export function readReferenceData(events: readonly NormalEvent[], now: number, environment: string): ReferenceData {
  const ids = new Set<string>();
  const bought = new Set<string>();
  const known: E[] = [];
  for (const event of events) {
    if (Date.parse(event.at) >= now || Date.parse(event.recordedAt ?? event.at) >= now) continue;
    if (event.id !== undefined && ids.has(event.id)) continue;
    if (event.id !== undefined) ids.add(event.id);
    if (PURCHASES.includes(event.type)) {
      if (bought.has(event.transactionId ?? '')) continue;
      bought.add(event.transactionId ?? '');
    }
    known.push({ ...event, t: Date.parse(event.at) });
  }
  known.sort(inOrder);
  const survivors = new Map(
    known.filter((e) => e.type === 'CustomerMerged').map((e) => [e.mergedCustomerId, e.customerId]),
  );
  const rootOf = (id: string): string => {
    const survivor = survivors.get(id);
    return survivor === undefined ? id : rootOf(survivor);
  };
  const purchases = known.filter((e) => PURCHASES.includes(e.type));
  const startOf = (e: E): E =>
    purchases.find(
      (p) =>
        p.type === 'SubscriptionStarted' &&
        p.subscriptionId === e.subscriptionId &&
        rootOf(p.customerId) === rootOf(e.customerId),
    ) ?? e;
  const ofEnvironment = purchases.filter((e) => (startOf(e).environment ?? 'production') === environment);
  const counted = ofEnvironment.filter((e) => startOf(e).ownership !== 'family_shared');

  const subs: Sub[] = [];
  for (const e of counted) {
    if (e.type === 'OneTimePurchaseCompleted') continue;
    const root = rootOf(e.customerId);
    if (subs.some((s) => s.root === root && s.start.subscriptionId === e.subscriptionId)) continue;
    const mine = known.filter((x) => x.subscriptionId === e.subscriptionId && rootOf(x.customerId) === root);
    subs.push(subOf(root, startOf(e), mine, known));
  }
  const txns = counted.map((event): Txn => {
    const about = known.filter((x) => x.transactionId === event.transactionId && !PURCHASES.includes(x.type));
    const corrections = about.filter((x) => x.type === 'TransactionPriceCorrected');
    corrections.sort((a, b) => recordedAtOf(a).localeCompare(recordedAtOf(b)));
    const usd = corrections.length > 0 ? corrections.at(-1)?.revenueUsd : event.revenueUsd;
    const root = rootOf(event.customerId);
    const sub = subs.find((s) => s.periods.includes(event)) ?? null;
    const micros = usd === null || usd === undefined ? null : Math.round(usd * 1e6);
    return {
      event,
      root,
      sub,
      usd: micros,
      start: startOf(event),
      refunds: about.filter((x) => x.type.startsWith('TransactionRefund')),
    };
  });
  const roots = [...new Set(known.map((e) => rootOf(e.customerId)))];
  const customers = roots.flatMap((root) => {
    const mine = known.filter((e) => rootOf(e.customerId) === root);
    const active = mine.filter((e) => e.type === 'CustomerCreated' || e.type === 'CustomerSeen').map((e) => e.t);
    const seen = Math.min(...active, ...ofEnvironment.filter((e) => rootOf(e.customerId) === root).map((e) => e.t));
    const created =
      mine.find((e) => e.type === 'CustomerCreated' && e.customerId === root) ??
      mine.find((e) => e.type === 'CustomerCreated');
    const bought = purchases.filter((e) => rootOf(e.customerId) === root);
    const from = bought.flatMap((e) => (startOf(e).country ? [{ t: e.t, country: startOf(e).country }] : []));
    const latest = Math.max(...from.map((e) => e.t));
    const ofPurchase = from.filter((e) => e.t === latest).at(-1)?.country;
    const about = { country: created?.country ?? ofPurchase ?? 'null', platform: created?.platform ?? 'null' };
    return Number.isFinite(seen) ? [{ root, ...about, seen, active }] : [];
  });
  return { now, subs, txns, customers };
}

function subOf(root: string, start: E, own: E[], known: E[]): Sub {
  const periods = own.filter((e) => e.type === 'SubscriptionStarted' || e.type === 'SubscriptionRenewed');
  const governs = (period: E, e: E) => periods.filter((p) => p.t <= e.t).at(-1) === period;
  const contractEndOf = (period: E) => {
    const extended = own.filter((e) => e.type === 'SubscriptionExtended' && governs(period, e)).at(-1);
    return Date.parse(extended?.expiresAt ?? period.expiresAt ?? '');
  };
  const pieces = periods.flatMap((period, i): Piece[] => {
    if (!['trial', 'intro', 'normal'].includes(period.periodType ?? '')) return [];
    const contractEnd = contractEndOf(period);
    const graces = own.filter((e) => e.type === 'SubscriptionGracePeriodEntered' && governs(period, e));
    const reach = Math.max(contractEnd, ...graces.map((g) => Date.parse(g.gracePeriodExpiresAt ?? '')));
    let end = Math.min(reach, periods[i + 1]?.t ?? Infinity);
    const cut = own.find(
      (e) =>
        CUTS.includes(e.type) && e.reason !== 'customer_support' && e.by !== 'sweeper' && e.t > period.t && e.t < end,
    );
    if (cut) end = cut.t;
    // Borders at which access goes and comes back, in turns.
    const turns: number[] = [];
    for (const e of known.filter((x) => x.transactionId === period.transactionId && x.t < end)) {
      if (e.type === 'TransactionRefunded' && (e.accessRevoked ?? true) && turns.length % 2 === 0) turns.push(e.t);
      if (e.type === 'TransactionRefundReversed' && turns.length % 2 === 1) turns.push(e.t);
    }
    const borders = [period.t, ...turns, ...(turns.length % 2 === 0 ? [end] : [])];
    const found: Piece[] = [];
    for (let k = 0; k + 1 < borders.length; k += 2) {
      const [s = 0, e = 0] = [borders[k], borders[k + 1]];
      if (s < e) found.push({ s, e, period, contractEnd });
    }
    return found;
  });
  return { root, start, periods, own, pieces, contractEndOf };
}

export const isPaid = ({ event, usd }: Txn): boolean => event.periodType !== 'trial' && usd !== 0;

export type Entry = {
  readonly t: number;
  readonly usd: number;
  readonly tax: number;
  readonly fee: number;
  readonly kind: string;
};

/** Money of a paid transaction: the charge, each refund, each reversal. */
export function ledgerOf(txn: Txn, until = Infinity): { entries: Entry[]; open: boolean; full: boolean } {
  const price = txn.usd ?? 0;
  const [tax, fee] = [txn.event.taxRate ?? 0, txn.event.commissionRate ?? 0.3];
  const entry = (kind: string, t: number, usd: number): Entry => ({
    kind,
    t,
    usd,
    tax: Math.round(usd * tax),
    fee: Math.round(usd * fee),
  });
  const entries = [entry('charge', txn.event.t, price)];
  let back = 0;
  let open = false;
  let whole = false;
  for (const e of txn.refunds.filter((r) => r.t < until)) {
    if (e.type === 'TransactionRefunded') {
      const amount = e.refundUsd === undefined ? Math.max(0, price - back) : Math.round(e.refundUsd * 1e6);
      entries.push(entry('refund', e.t, -amount));
      back += amount;
      open = true;
      whole ||= e.refundUsd === undefined;
    } else if (open) {
      entries.push(entry('reversal', e.t, back));
      back = 0;
      open = whole = false;
    }
  }
  return { entries, open, full: open && (txn.usd === null ? whole : back >= price) };
}

export function windowEnd(seen: number, days: number | null): number {
  return days === null ? Infinity : dayOf(seen) + (days + 1) * DAY;
}
