// Translation of the ios-store's messages into store commands. Pure; store specifics stay here and in its adapter.
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../../adapters/ios-store/port.js';
import type { App } from '../../../../domain/project/events.js';
import type { StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { isoFromMs } from '../../../../domain/time.js';
import type { LineUpdate } from '../../line-update.js';
import { failureInSnapshot, plansInSnapshot } from './renewal.js';
import { purchaseCommands, type IosContext } from './transaction.js';
import { iosTypes, typeOfStatus, type IosType } from './types.js';

/** Returns null if there is nothing to apply to a customer (a test, or a type that this translator does not know). */
export function translateIosNotification(n: IosNotification, ctx: IosContext): LineUpdate | null {
  const { transaction, renewal } = n.data ?? {};
  const type = iosTypes.get(n.notificationType);
  return transaction && type ? updateOf(n, type, { transaction, renewal }, ctx) : null;
}

/** Translates the store's response about a chain: a snapshot without a notification. `readAtMs`: since the epoch. */
export function translateIosStatus(
  { transaction, renewal, status }: IosStatus,
  readAtMs: number,
  ctx: IosContext,
): LineUpdate {
  const { bundleId, environment } = transaction;
  const snapshot = {
    notificationType: NO_NOTIFICATION,
    notificationUUID: NO_NOTIFICATION,
    version: '2.0',
    signedDate: readAtMs,
  };
  const n = { ...snapshot, data: { environment, bundleId, status } };
  return updateOf(n, typeOfStatus(status), { transaction, renewal }, ctx);
}

/** Last transaction of a chain with its renewal info and the store's status number. */
export type IosStatus = {
  readonly transaction: IosTransaction;
  readonly renewal: IosRenewalInfo | undefined;
  readonly status: number;
};

/** Product type of a subscription that renews. */
export const SUBSCRIPTION = 'Auto-Renewable Subscription';

/** Placeholder for the type; no notification type is empty. */
const NO_NOTIFICATION = '';

function updateOf(
  n: IosNotification,
  type: IosType,
  { transaction, renewal }: Pick<IosStatus, 'transaction' | 'renewal'>,
  ctx: IosContext,
): LineUpdate {
  const { originalTransactionId: storeChainId, transactionId: shown } = transaction;
  const shared = { storeChainId, storeTime: isoFromMs(n.signedDate) };
  const withShown = { ...shared, shown };
  const commands = [
    ...migrationOf(transaction, shared),
    ...purchaseCommands(transaction, reportOf(n, type, shared.storeTime), ctx).map((c) =>
      c.kind === 'recordPeriod' && type.keepsEnd ? { ...c, keepsEnd: type.keepsEnd } : c,
    ),
    ...failureInSnapshot(n, { transaction, renewal }, withShown, ctx),
    ...withdrawal(n, transaction, shared, ctx.app),
    ...type.commands({ n, transaction, renewal, shared: withShown, ctx }),
    ...replacementOf(transaction, shared),
    ...plansInSnapshot(n, renewal, withShown, ctx),
  ];
  return { ...outline(transaction), commands };
}

function reportOf(n: IosNotification, { announces, reason }: IosType, storeTime: string) {
  return announces(n) ? { storeTime, inferred: false, reason } : { storeTime, inferred: true };
}

/** Translates a transaction from a device, which contains the purchase and no intents. */
export function translateIosTransaction(transaction: IosTransaction, ctx: IosContext): LineUpdate {
  const shared = { storeChainId: transaction.originalTransactionId, storeTime: null };
  const signedAt = isoFromMs(transaction.signedDate ?? transaction.purchaseDate);
  const commands = [
    ...purchaseCommands(transaction, { storeTime: null, inferred: false }, ctx).map((c) =>
      c.kind === 'recordPeriod' ? { ...c, signedAt } : c,
    ),
    ...withdrawal(null, transaction, shared, ctx.app),
    ...replacementOf(transaction, { ...shared, storeTime: signedAt }),
  ];
  return { ...outline(transaction), commands };
}

/** After an upgrade, every payload about the transaction contains the mark. */
function replacementOf({ isUpgraded, type, transactionId }: IosTransaction, shared: SharedFields): StoreCommand[] {
  if (!isUpgraded || type !== SUBSCRIPTION) return [];
  return [{ kind: 'recordReplacement', ...shared, transactionId }];
}

type SharedFields = { readonly storeChainId: string; readonly storeTime: string | null };

/** Returns the refund or the revoked family share; every later payload about the transaction still contains it. */
function withdrawal(n: IosNotification | null, t: IosTransaction, shared: SharedFields, app: App): StoreCommand[] {
  const isAnnounced = n?.notificationType === 'REFUND' || n?.notificationType === 'REVOKE';
  const withdrawnMs = t.revocationDate ?? (isAnnounced ? n.signedDate : undefined);
  if (withdrawnMs === undefined || n?.notificationType === 'REFUND_REVERSED') return [];
  const at = isoFromMs(withdrawnMs);
  const { transactionId } = t;
  const isFamily = t.inAppOwnershipType === 'FAMILY_SHARED' || t.revocationType === 'FAMILY_REVOKE';
  if (isFamily || n?.notificationType === 'REVOKE')
    return [{ kind: 'recordRevocation', ...shared, transactionId, revokedAt: at, reason: 'family_sharing' }];
  const policy = app.refundPolicy;
  return [{ kind: 'recordRefund', ...shared, transactionId, refundedAt: at, refund: refundedPart(t), policy }];
}

/**
 * `revocationPercentage` is in milliunits of percent: 50000 is half the price. It applies to every type except a full refund, also to an
 * unknown or missing type.
 */
function refundedPart(t: IosTransaction): { readonly kind: 'full' | 'prorated'; readonly share: number } {
  if (t.revocationType === 'REFUND_FULL' || t.revocationPercentage === undefined) return { kind: 'full', share: 1 };
  const share = Math.min(1, Math.max(0, t.revocationPercentage / 100_000));
  return share === 1 && t.revocationType !== 'REFUND_PRORATED' ? { kind: 'full', share } : { kind: 'prorated', share };
}

function migrationOf(t: IosTransaction, shared: SharedFields): StoreCommand[] {
  const fromChainId = formerChainOf(t);
  return fromChainId === undefined ? [] : [{ kind: 'recordMigration', ...shared, fromChainId }];
}

function formerChainOf({ previousOriginalTransactionId: former, originalTransactionId }: IosTransaction) {
  return former === originalTransactionId ? undefined : former;
}

function outline(t: IosTransaction): Omit<LineUpdate, 'commands'> {
  const formerChainId = formerChainOf(t);
  return {
    storeChainId: t.originalTransactionId,
    accountToken: t.appAccountToken ?? null,
    firstAt: isoFromMs(t.purchaseDate),
    ...(formerChainId !== undefined && { ownedWith: formerChainId }),
  };
}
