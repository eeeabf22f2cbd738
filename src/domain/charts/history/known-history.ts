// Customer history as known at an instant, in order. The measures are computed from it.
import { endsOf, piecesOf, type Piece } from './segments.js';
import { knownAt, type About, type Adjustment, type History, type Knowledge, type Line, type Mark } from './history.js';
import type { Period, CustomerHistory } from './history.js';
import { movement, movementsOf, priceOf, type Movement } from '../money.js';

export type Environment = 'production' | 'sandbox';

/** Transaction with its money movements. It is paid if it is neither a trial nor free; an unknown price counts as paid. */
export type Charge = {
  readonly period: Period;
  /** Price in USD micros; determines what counts as paid and as refunded. */
  readonly price: number | null;
  /** Price in micros of the display currency. */
  readonly worth: number | null;
  readonly contractEnd: number;
  readonly isPaid: boolean;
  readonly movements: readonly Movement[];
  readonly isRefunded: boolean;
  readonly isFullyRefunded: boolean;
};

export type LiveLine = {
  /** Subscription id, or transaction id of a one-time purchase. */
  readonly id: string;
  readonly about: About;
  readonly charges: readonly Charge[];
  readonly marks: readonly Mark[];
  readonly pieces: readonly Piece[];
  /** Refunds of transactions that another customer made, before the purchase was transferred. */
  readonly strays: readonly Movement[];
  readonly adjustmentsOf: (id: string) => readonly Adjustment[];
  /** UTC ms of each transaction whose amounts were omitted in the conversion because its rate is missing. */
  readonly unconverted?: readonly number[];
};

export type KnownHistory = {
  readonly country: string | null;
  readonly platform: string | null;
  /** First sighting or purchase; null if there is none yet. */
  readonly firstSeen: number | null;
  /** Instants of activity, unordered. */
  readonly active: readonly number[];
  /** Purchases of the environment, without those that are only shared with the customer. */
  readonly lines: readonly LiveLine[];
};

const NONE: readonly Adjustment[] = [];

/** Returns the history as of `asOf` (UTC ms; Infinity for all that is known); null for a customer that was merged into another by then. */
export function knownHistoryOf(
  customer: CustomerHistory,
  environment: Environment,
  asOf = Infinity,
): KnownHistory | null {
  return historyKnownBy(customer, environment, knownAt(asOf));
}

/** Returns the history of the entries that `known` selects. */
export function historyKnownBy(
  customer: CustomerHistory,
  environment: Environment,
  known: Knowledge,
): KnownHistory | null {
  if (customer.movedTo && known([customer.movedTo]).length > 0) return null;
  const histories: readonly History[] = [customer.own, ...known(customer.merged).map((m) => m.history)];
  const isSandbox = environment === 'sandbox';
  const created = known(histories.flatMap((h) => h.created ?? []));
  const active = created.map((s) => s.at);
  for (const h of histories) for (const s of known(h.seen)) active.push(s.at);
  const adjustments = new Map<string, readonly Adjustment[]>();
  for (const h of histories) {
    for (const [id, all] of Object.entries(h.adjustments)) {
      adjustments.set(id, [...(adjustments.get(id) ?? []), ...known(all)].sort(byAt));
    }
  }
  const adjustmentsOf = (id: string) => adjustments.get(id) ?? NONE;
  const lines: LiveLine[] = [];
  let firstSeen = Math.min(...active);
  const transactions = new Set<string>();
  for (const [id, line] of joined(histories)) {
    if (line.isSandbox !== isSandbox) continue;
    const periods = distinct(known(line.periods), transactions);
    for (const p of periods) firstSeen = Math.min(firstSeen, p.at);
    if (line.isShared || periods.length === 0) continue;
    lines.push(liveLine(id, line, periods, [...known(line.marks)].sort(byAt), adjustmentsOf));
  }
  for (const [id, all] of adjustments) if (!transactions.has(id)) lines.push(...strayLine(id, all, isSandbox));
  const { country: reported, platform } = customerAttributes(customer.own, created);
  const country = reported ?? latestCountry(histories, known);
  return { country, platform, firstSeen: Number.isFinite(firstSeen) ? firstSeen : null, active, lines };
}

type CreationRecord = NonNullable<History['created']>;

/** Returns the attributes of the customer's own creation, else of the first customer merged into it. */
function customerAttributes(
  { created }: History,
  known: readonly CreationRecord[],
): Pick<CreationRecord, 'country' | 'platform'> {
  const own = known.find((c) => c === created);
  return own ?? [...known].sort((a, b) => a.at - b.at)[0] ?? { country: null, platform: null };
}

/** Returns the country of the latest purchase in any environment, as in lists of customers. */
function latestCountry(histories: readonly History[], known: Knowledge): string | null {
  let [latest, country]: [number, string | null] = [-Infinity, null];
  for (const { lines } of histories) {
    for (const { about, periods } of Object.values(lines)) {
      if (about.country === null) continue;
      for (const { at } of known(periods)) if (at >= latest) [latest, country] = [at, about.country];
    }
  }
  return country;
}

/** Joins a purchase that merged customers share into one line. */
function joined(histories: readonly History[]): Iterable<readonly [string, Line]> {
  const [own] = histories;
  if (histories.length === 1 && own) return Object.entries(own.lines);
  const lines = new Map<string, Line>();
  for (const h of histories) {
    for (const [id, line] of Object.entries(h.lines)) {
      const earlier = lines.get(id);
      lines.set(id, earlier ? join(earlier, line) : line);
    }
  }
  return lines;
}

function join(a: Line, b: Line): Line {
  const first = earliestOf(a) <= earliestOf(b) ? a : b;
  const attributes = a.isStarted === b.isStarted ? first : a.isStarted ? a : b;
  return { ...attributes, periods: [...a.periods, ...b.periods], marks: [...a.marks, ...b.marks] };
}

function earliestOf({ periods }: Line): number {
  return Math.min(...periods.map((p) => p.at));
}

function distinct(periods: readonly Period[], ids: Set<string>): readonly Period[] {
  const fresh = periods.filter(({ id }) => !ids.has(id) && ids.add(id));
  return fresh.length < 2 ? fresh : fresh.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
}

function liveLine(
  id: string,
  { about }: Line,
  periods: readonly Period[],
  marks: readonly Mark[],
  adjustmentsOf: (id: string) => readonly Adjustment[],
): LiveLine {
  const charges = periods.map((period, i): Charge => {
    const adjustments = adjustmentsOf(period.id);
    const price = priceOf(period, adjustments);
    const isPaid = period.type !== 'trial' && price !== 0;
    const { contractEnd } = endsOf(period, periods[i + 1]?.at ?? Infinity, marks);
    return { period, price, worth: price, contractEnd, isPaid, ...movementsOf(period, price, adjustments) };
  });
  return { id, about, charges, marks, pieces: piecesOf(periods, marks, adjustmentsOf), strays: [], adjustmentsOf };
}

function strayLine(id: string, adjustments: readonly Adjustment[], isSandbox: boolean): LiveLine[] {
  const strays: Movement[] = [];
  let undone: Movement | null = null;
  let about: About | null = null;
  for (const a of adjustments) {
    if (a.kind === 'refund' && a.purchase?.isSandbox === isSandbox && !a.purchase.isShared) {
      about ??= a.purchase.about;
      strays.push((undone = movement('refund', a.at, -(a.usd ?? 0), a.purchase)));
    } else if (a.kind === 'reversal' && undone) {
      strays.push({ at: a.at, kind: 'reversal', usd: -undone.usd, tax: -undone.tax, fee: -undone.fee });
      undone = null;
    }
  }
  return about ? [{ id, about, charges: [], marks: [], pieces: [], strays, adjustmentsOf: () => NONE }] : [];
}

const RANK = {
  refund: 0,
  reversal: 1,
  corrected: 2,
  extended: 3,
  grace: 4,
  renew_on: 5,
  renew_off: 5,
  cut: 6,
} as const;

/**
 * Orders entries of one instant by kind, so that the order in which they were recorded makes no difference. Between auto-renewal turned off
 * and on, the one recorded last wins, as for access: a store queried about an old notification returns its current state.
 */
function byAt(a: Adjustment | Mark, b: Adjustment | Mark): number {
  return a.at - b.at || RANK[a.kind] - RANK[b.kind] || a.known - b.known;
}
