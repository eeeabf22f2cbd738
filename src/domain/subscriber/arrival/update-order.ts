// The order in which a store made its updates about a purchase line, and what devices add to them.
import type { KeptUpdate } from '../../envelope.js';
import { latest } from '../../time.js';
import type { CorrectPrice, PassDeadline, StoreUpdate } from '../decide/commands.js';
import type { RecordOneTimePurchase, RecordPeriod, RecordReplacement, StoreCommand } from '../decide/store-commands.js';

/** What is decided on a purchase line. */
export type LineCommand = StoreCommand | PassDeadline | CorrectPrice;
/** An update with its commands read. */
export type Sorted = KeptUpdate & {
  readonly parsed: readonly LineCommand[];
  readonly isStoreRead?: true;
  readonly isCharge?: true;
};

export function keep({ saidAt, commands, isStoreRead }: StoreUpdate): Sorted {
  return { saidAt, commands: JSON.stringify(commands), parsed: commands, ...(isStoreRead && { isStoreRead }) };
}

export function parse(update: KeptUpdate): Sorted {
  const commands = JSON.parse(update.commands) as readonly (LineCommand | FormerPassDeadline)[];
  const parsed = commands.map((c) => (c.kind === 'settle' ? { ...c, kind: 'passDeadline' as const } : c));
  return { ...update, parsed };
}

/** A passed deadline as earlier versions stored it. */
type FormerPassDeadline = Omit<PassDeadline, 'kind'> & { readonly kind: 'settle' };

export function isSame(a: KeptUpdate, b: KeptUpdate): boolean {
  return a.saidAt === b.saidAt && a.commands === b.commands;
}

/** What a device shows: a transaction without the store's time. */
export function isReceipt({ parsed }: Sorted): boolean {
  return parsed.every((c) => 'storeTime' in c && c.storeTime === null);
}

/** In the text of an update. */
const REPLACEMENT: RecordReplacement['kind'] = 'recordReplacement';

/**
 * A single message newer than all that is kept, about a charge newer than all that devices showed: it comes last, without reading the
 * others. The check is cautious: false only means that they have to be read.
 */
export function isPlainlyNewest(update: Sorted, together: readonly Sorted[], known: readonly KeptUpdate[]): boolean {
  const begun = chargeOf(update.parsed)?.purchasedAt;
  if (together.length > 1 || begun === undefined || isReceipt(update)) return false;
  if (known.some(({ saidAt, commands }) => saidAt >= update.saidAt || commands.includes(REPLACEMENT))) return false;
  const receipts = known.filter(({ commands }) => commands.includes('"storeTime":null')).map(parse);
  return receipts.every(({ parsed }) => (chargeOf(parsed)?.purchasedAt ?? '~') < begun);
}

/**
 * By the store's time; of one instant, by the period that was shown, then purchases before intentions before ends. A transaction that only
 * a device showed comes behind every message that still shows an older one as the latest: a charge that was late begins where the former
 * period ended.
 */
export function inOrder(updates: readonly Sorted[]): Sorted[] {
  const messages = updates.filter((u) => !isReceipt(u) && !u.parsed.some((c) => LOOKS_BACK.has(c.kind)));
  const begun = new Map(
    updates.flatMap(({ parsed }) =>
      parsed.flatMap((c) => (isChargeCommand(c) ? [[c.purchase.transactionId, c.purchasedAt] as const] : [])),
    ),
  );
  const shown = messages.map(({ saidAt, parsed }) => ({ saidAt, begun: begun.get(shownIn(parsed) ?? '') ?? null }));
  const placeOf = (update: Sorted): string => {
    const replaced = replacedIn(update);
    if (replaced !== undefined) {
      const since = begun.get(replaced) ?? '';
      const announcing = shown.filter((m) => m.begun !== null && m.begun > since && m.begun <= update.saidAt);
      return announcing.reduce((at, m) => latest(at, m.saidAt), update.saidAt);
    }
    const own =
      (isReceipt(update) && !isRead(update)) || update.isCharge ? chargeOf(update.parsed)?.purchasedAt : undefined;
    if (own === undefined) return update.saidAt;
    return shown.reduce((at, m) => (m.begun !== null && m.begun < own ? latest(at, m.saidAt) : at), update.saidAt);
  };
  const placed = updates.map((update) => ({
    update,
    at: placeOf(update),
    tie: isRead(update) ? '' : tieBreak(update, begun.get(shownIn(update.parsed) ?? '')),
  }));
  placed.sort((a, b) => compare(a.at, b.at) || compare(a.tie, b.tie));
  return placed.map(({ update }) => update);
}

/** A response holds as of the instant at which it was read, whoever asked; those of one instant stay in the order in which they were read. */
export function isRead({ parsed }: Sorted): boolean {
  return parsed.some((c) => 'readAt' in c);
}

/** The charge that a device shows as replaced: the message that announces the next one may have been signed a little later. */
function replacedIn({ parsed }: Sorted): string | undefined {
  const [only, ...others] = parsed;
  return only?.kind === 'recordReplacement' && others.length === 0 ? only.transactionId : undefined;
}

function shownIn(parsed: readonly LineCommand[]): string | undefined {
  const withShown = parsed.find((c) => 'shown' in c && c.shown !== undefined);
  return chargeOf(parsed)?.purchase.transactionId ?? (withShown && 'shown' in withShown ? withShown.shown : undefined);
}

/** These show the transaction that they are about, whatever came after it. */
const LOOKS_BACK: ReadonlySet<LineCommand['kind']> = new Set([
  'recordRefund',
  'recordRefundReversal',
  'recordRefundDeclined',
  'recordRevocation',
  'recordReplacement',
  'recordConsumptionRequest',
  'passDeadline',
  'correctPrice',
]);

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function tieBreak({ parsed, commands }: Sorted, begun: string | undefined): string {
  const news = parsed.filter((c) => !('inferred' in c && c.inferred)).map((c) => RANKS.get(c.kind) ?? 1);
  return `${begun ?? ''}|${Math.max(0, ...news)}|${commands}`;
}

const RANKS: ReadonlyMap<LineCommand['kind'], number> = new Map([
  ['recordPeriod', 0],
  ['recordGraceEnd', 2],
  ['recordExpiry', 3],
  ['recordRefund', 4],
  ['recordRevocation', 4],
  ['recordReplacement', 4],
  ['recordRefundReversal', 5],
  ['correctPrice', 6],
]);

/** What was bought, as a store or a device shows it. */
export type ChargeCommand = RecordPeriod | RecordOneTimePurchase;

export function isChargeCommand(c: LineCommand): c is ChargeCommand {
  return c.kind === 'recordPeriod' || c.kind === 'recordOneTimePurchase';
}

export function chargeOf(commands: readonly LineCommand[]): ChargeCommand | undefined {
  return commands.find(isChargeCommand);
}
