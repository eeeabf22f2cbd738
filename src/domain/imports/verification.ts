// Comparison of an imported purchase line with what its store reports about it.
import type { RetainedUpdate } from '../envelope.js';
import { accessEndsAt } from '../subscriber/access.js';
import type { RecordOneTimePurchase, RecordPeriod, StoreCommand } from '../subscriber/decide/store-commands.js';
import { parseUpdate } from '../subscriber/ordering/update-order.js';
import type { PurchaseLine, Transaction } from '../subscriber/state/state.js';

/**
 * Results of a verification; false: the difference has no explanation and must be resolved before a switch. `store_forgot`: stores delete
 * purchases some time after their end. `unknown_to_store`: the store should know the purchase.
 */
export const verificationClasses = {
  agrees: true,
  store_knew_more: true,
  store_forgot: true,
  store_contradicts: false,
  unknown_to_store: false,
  could_not_ask: false,
} as const;
export type VerificationClass = keyof typeof verificationClasses;

const verificationReasons = [
  ...(['access_end', 'price', 'purchase_time', 'refund', 'transaction'] as const),
  ...(['not_found', 'ended_long_ago'] as const),
  ...(['no_credentials', 'forbidden', 'no_token', 'unproven', 'app_deleted', 'moved'] as const),
] as const;
export type VerificationReason = (typeof verificationReasons)[number];

export type LineVerdict = { readonly class: VerificationClass; readonly reason: VerificationReason | null };

/** `commands`: what the store reported. `listsPast`: they contain every transaction of the line. */
export type ReportedLine = { readonly commands: readonly StoreCommand[]; readonly listsPast: boolean };

/** Ends and purchase times that differ by less are the same: services learn of them at different times. */
const TOLERANCE_MS = 86_400_000;

/** Stores keep a purchase for at least this long after its end. */
const STORED_FOR_MS = 60 * 86_400_000;

/**
 * Compares the imported line with the store's report, and with its state after the report was recorded. A fact that adds to what was
 * imported is news; one that differs from it is a contradiction.
 */
export function compareLine(before: PurchaseLine, after: PurchaseLine, reported: ReportedLine): LineVerdict {
  const contradiction = contradictionOf(before, reported);
  if (contradiction) return { class: 'store_contradicts', reason: contradiction };
  const isSame = JSON.stringify(factsOf(before)) === JSON.stringify(factsOf(after));
  return { class: isSame ? 'agrees' : 'store_knew_more', reason: null };
}

/** Returns the verdict for a line that the store does not know. `now`: ISO 8601 UTC. */
export function verdictOfUnknown(line: PurchaseLine, deletesEnded: boolean, now: string): LineVerdict {
  const ends = [...line.subscriptions.map(accessEndsAt), ...line.transactions.map(({ purchasedAt }) => purchasedAt)];
  const end = ends.reduce((a, b) => (a > b ? a : b), '');
  return deletesEnded && Date.parse(now) - Date.parse(end) > STORED_FOR_MS
    ? { class: 'store_forgot', reason: 'ended_long_ago' }
    : { class: 'unknown_to_store', reason: 'not_found' };
}

/** Order of a verification: what may have been renewed since its export, what gives access now, then the rest. */
export const verificationPhases = ['ended_since_export', 'active', 'past'] as const;
export type VerificationPhase = (typeof verificationPhases)[number];

/**
 * Returns the phase in which a line is verified. It follows from the imported updates alone, which the store's reports do not change, so
 * that each line has its turn once. `exportedAt`: time up to which the imports know renewals. `at`: begin of the verification.
 */
export function phaseOf(
  updates: readonly RetainedUpdate[],
  { exportedAt, at }: { readonly exportedAt: string | null; readonly at: string },
): VerificationPhase {
  const imported = updates.filter(({ importedFrom }) => importedFrom !== undefined);
  const ends = imported.flatMap((update) => parseUpdate(update).parsed.flatMap(endOf));
  if (ends.some((end) => end === null || end > at)) return 'active';
  return exportedAt !== null && ends.some((end) => end !== null && end > exportedAt) ? 'ended_since_export' : 'past';
}

/** Returns the end of access that a command gives; null for none. */
function endOf(command: { readonly kind: string }): readonly (string | null)[] {
  const c = command as StoreCommand;
  if (c.kind === 'recordPeriod' || c.kind === 'recordOneTimePurchase') return [c.expiresAt];
  return c.kind === 'recordBillingFailure' && c.graceEndsAt !== null ? [c.graceEndsAt] : [];
}

type ReportedCharge = RecordPeriod | RecordOneTimePurchase;

function contradictionOf(before: PurchaseLine, { commands, listsPast }: ReportedLine): VerificationReason | null {
  const charges = commands.filter(isCharge);
  const refunded = new Set(commands.flatMap((c) => (c.kind === 'recordRefund' ? [c.transactionId] : [])));
  for (const imported of before.transactions) {
    const { transactionId, refund, purchasedAt } = imported;
    const charge = charges.find(({ purchase }) => purchase.transactionId === transactionId);
    if (!charge) {
      if (listsPast) return 'transaction';
      continue;
    }
    if (isOtherPrice(imported, charge)) return 'price';
    if (!isDerived(charge) && differs(purchasedAt, charge.purchasedAt)) return 'purchase_time';
    if (listsPast && refund !== null && !refunded.has(transactionId)) return 'refund';
  }
  return endDiffers(before, commands) ? 'access_end' : null;
}

function isCharge(command: StoreCommand): command is ReportedCharge {
  return command.kind === 'recordPeriod' || command.kind === 'recordOneTimePurchase';
}

function isOtherPrice({ money }: Transaction, { money: reported }: ReportedCharge): boolean {
  if (money.amountMicros === null || reported.amountMicros === null) return false;
  return money.amountMicros !== reported.amountMicros || money.currency !== reported.currency;
}

/** Returns true if the store does not report when the period began. */
function isDerived(charge: ReportedCharge): boolean {
  return charge.kind === 'recordPeriod' && charge.followsOn !== undefined;
}

/** Returns true if the store reports another end of the latest imported period. Refunds, grace and further periods are news. */
function endDiffers({ subscriptions }: PurchaseLine, commands: readonly StoreCommand[]): boolean {
  const latest = subscriptions.at(-1);
  if (!latest || latest.refundedAt !== null || latest.revokedAt !== null) return false;
  const { transactionId } = latest.purchase;
  const period = commands.findLast((c) => c.kind === 'recordPeriod' && c.purchase.transactionId === transactionId);
  if (period?.kind !== 'recordPeriod' || period.keepsEnd) return false;
  return differs(period.expiresAt, latest.contractEndsAt);
}

function differs(a: string, b: string): boolean {
  return Math.abs(Date.parse(a) - Date.parse(b)) > TOLERANCE_MS;
}

/** Facts that both a store and an export contain. */
function factsOf({ subscriptions, owned, transactions }: PurchaseLine) {
  return {
    subscriptions: subscriptions.map((s) => [
      s.purchase.transactionId,
      accessEndsAt(s),
      s.autoRenew.on,
      s.billingIssueAt !== null,
      s.ended !== null,
      s.pause?.begun ?? null,
      s.nextProduct?.storeProductId ?? null,
    ]),
    owned: owned.map((o) => [o.purchase.transactionId, o.expiresAt, o.refundedAt, o.revokedAt]),
    transactions: transactions
      .map((t) => [t.transactionId, t.purchasedAt, t.money.amountMicros, t.money.currency, t.refund?.share ?? 0])
      .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
  };
}
