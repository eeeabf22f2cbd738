// The normal form in which the definitions of the charts are stated, and how it becomes the customer histories of the charts.
import type {
  Adjustment,
  History,
  Line,
  Mark,
  CustomerHistory,
  Period,
  Stamp,
} from '../../../src/domain/charts/history/history.js';
import { noHistory } from '../../../src/domain/charts/history/history.js';

/** One event; times are ISO texts. Which of the fields it has depends on its type. */
export type NormalEvent = {
  readonly type: string;
  readonly customerId: string;
  readonly at: string;
  readonly recordedAt?: string;
  readonly id?: string;
  readonly mergedCustomerId?: string;
  readonly subscriptionId?: string;
  readonly transactionId?: string;
  readonly periodType?: Period['type'];
  readonly periodDuration?: string | null;
  readonly productDuration?: string | null;
  readonly expiresAt?: string;
  readonly gracePeriodExpiresAt?: string;
  readonly revenueUsd?: number | null;
  readonly refundUsd?: number;
  readonly taxRate?: number;
  readonly commissionRate?: number;
  readonly startReason?: string | null;
  readonly store?: string;
  readonly appId?: string;
  readonly productId?: string | null;
  readonly offeringId?: string | null;
  readonly offerType?: string | null;
  readonly country?: string | null;
  readonly platform?: string | null;
  readonly environment?: string;
  readonly ownership?: string;
  readonly accessRevoked?: boolean;
  readonly reason?: string;
  readonly by?: string;
};

type Draft = {
  history: History;
  merged: { id: string; at: number; known: number }[];
  movedTo: CustomerHistory['movedTo'];
};

/** Customers by customer id; merged customers are there too, pointing to the survivor. */
export function historiesOf(events: readonly NormalEvent[]): Map<string, CustomerHistory> {
  const drafts = new Map<string, Draft>();
  const draftOf = (id: string): Draft => {
    const known = drafts.get(id) ?? { history: noHistory, merged: [], movedTo: null };
    drafts.set(id, known);
    return known;
  };
  const ids = new Set<string>();
  for (const e of events) {
    if (e.id !== undefined && ids.size === ids.add(e.id).size) continue;
    const draft = draftOf(e.customerId);
    const { at, known } = stampOf(e);
    if (e.type === 'CustomerMerged' && e.mergedCustomerId !== undefined) {
      draft.merged.push({ id: e.mergedCustomerId, at, known });
      draftOf(e.mergedCustomerId).movedTo = { at, known, customerId: e.customerId };
    } else {
      draft.history = take(draft.history, e);
    }
  }
  const mergedInto = ({ merged }: Draft): CustomerHistory['merged'] =>
    merged.flatMap(({ id, at, known }) => {
      const since = (s: Stamp) => ({ at: Math.max(at, s.at), known: Math.max(known, s.known) });
      const before = mergedInto(draftOf(id)).map((m) => ({ ...m, ...since(m) }));
      return [{ customerId: id, at, known, history: draftOf(id).history }, ...before];
    });
  const historyFrom = (draft: Draft): CustomerHistory => ({
    own: draft.history,
    merged: mergedInto(draft),
    movedTo: draft.movedTo,
  });
  return new Map([...drafts].map(([id, draft]) => [id, historyFrom(draft)]));
}

function stampOf(e: NormalEvent) {
  const at = Date.parse(e.at);
  return { at, known: e.recordedAt === undefined ? at : Date.parse(e.recordedAt) };
}

const micros = (usd: number): number => Math.round(usd * 1_000_000);

function take(h: History, e: NormalEvent): History {
  const stamp = stampOf(e);
  const mark = (m: Mark) => onLine(h, e.subscriptionId ?? '', (line) => ({ ...line, marks: [...line.marks, m] }));
  const adjust = (a: Adjustment) => {
    const id = e.transactionId ?? '';
    return { ...h, adjustments: { ...h.adjustments, [id]: [...(h.adjustments[id] ?? []), a] } };
  };
  switch (e.type) {
    case 'CustomerCreated':
      return { ...h, created: { ...stamp, country: e.country ?? null, platform: e.platform ?? null } };
    case 'CustomerSeen':
      return { ...h, seen: [...h.seen, stamp] };
    case 'SubscriptionStarted':
      return onLine(h, e.subscriptionId ?? '', (line) => ({
        ...line,
        ...originOf(e),
        isStarted: true,
        ...paid(line, e),
      }));
    case 'SubscriptionRenewed':
      return onLine(h, e.subscriptionId ?? '', (line) => ({ ...line, ...paid(line, e) }));
    case 'OneTimePurchaseCompleted':
      return onLine(h, e.transactionId ?? '', (line) => ({
        ...line,
        ...originOf(e),
        isStarted: true,
        ...paid(line, e),
      }));
    case 'SubscriptionAutoRenewDisabled':
      return mark({ ...stamp, kind: 'renew_off' });
    case 'SubscriptionAutoRenewEnabled':
      return mark({ ...stamp, kind: 'renew_on' });
    case 'SubscriptionGracePeriodEntered':
      return mark({ ...stamp, kind: 'grace', until: Date.parse(e.gracePeriodExpiresAt ?? '') });
    case 'SubscriptionExtended':
      return mark({ ...stamp, kind: 'extended', until: Date.parse(e.expiresAt ?? '') });
    case 'SubscriptionExpired':
      return e.reason === 'customer_support' || e.by === 'sweeper' ? h : mark({ ...stamp, kind: 'cut' });
    case 'SubscriptionPaused':
    case 'SubscriptionRevoked':
      return mark({ ...stamp, kind: 'cut', by: e.type });
    case 'TransactionRefunded': {
      const part = e.refundUsd === undefined ? { usd: null, share: 1 } : { usd: micros(e.refundUsd), share: null };
      const cuts = e.accessRevoked ?? true;
      const decided = { cuts, policy: 'revoke_immediately' as const, isLatest: cuts };
      return adjust({ ...stamp, kind: 'refund', ...part, ...decided, purchase: null });
    }
    case 'TransactionRefundReversed':
      return adjust({ ...stamp, kind: 'reversal' });
    case 'TransactionPriceCorrected':
      return adjust({ ...stamp, kind: 'corrected', usd: e.revenueUsd == null ? null : micros(e.revenueUsd) });
    default:
      return h;
  }
}

function onLine(h: History, id: string, change: (line: Line) => Line): History {
  const none = originOf({ type: '', customerId: '', at: '' });
  const known = h.lines[id] ?? { ...none, isStarted: false, periods: [], marks: [] };
  return { ...h, lines: { ...h.lines, [id]: change(known) } };
}

function originOf(e: NormalEvent) {
  const about = {
    store: e.store ?? 'null',
    appId: e.appId ?? 'null',
    productId: e.productId ?? null,
    productDuration: e.productDuration ?? null,
    offeringId: e.offeringId ?? null,
    offerType: e.offerType ?? null,
    startReason: e.startReason ?? null,
    country: e.country ?? null,
  };
  return { about, isSandbox: e.environment === 'sandbox', isShared: e.ownership === 'family_shared' };
}

function paid(line: Line, e: NormalEvent): Pick<Line, 'periods'> {
  const isGoods = e.type === 'OneTimePurchaseCompleted';
  const period: Period = {
    ...stampOf(e),
    id: e.transactionId ?? '',
    type: isGoods ? 'one_time' : (e.periodType ?? 'normal'),
    until: isGoods ? null : Date.parse(e.expiresAt ?? ''),
    duration: isGoods ? null : (e.periodDuration ?? null),
    usd: e.revenueUsd === null || e.revenueUsd === undefined ? null : micros(e.revenueUsd),
    tax: e.taxRate ?? 0,
    fee: e.commissionRate ?? 0.3,
    ...(e.type === 'SubscriptionStarted' && { by: e.type }),
  };
  return { periods: [...line.periods, period] };
}
