// Translation of the ios-store's messages into store commands: every payload contains the transaction and the renewal state, and each
// notification type adds its own effect. Pure; store specifics stay here and in its adapter.
// Types and subtypes: App Store Server Notifications V2, pages "notificationType" and "subtype".
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../../adapters/ios-store/port.js';
import type { Offer } from '../../../../domain/subscriber/events/blocks.js';
import type { RecordPeriod, StoreCommand } from '../../../../domain/subscriber/decide/store-commands.js';
import { isoFromMs } from '../../../../domain/time.js';
import type { LineUpdate } from '../../line-update.js';
import {
  autoRenew,
  billingFailure,
  expiryReasonOf,
  failureInSnapshot,
  nextProduct,
  plansInSnapshot,
  priceIncrease,
  type RenewalContext,
  type SharedFields,
} from './renewal.js';
import { renewsAfterTerm } from './commitment.js';
import { withdrawal } from './refunds.js';
import { migrationOf, offerOf, outline, purchaseCommands, replacementOf, type IosContext } from './transaction.js';

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

/** Placeholder for the type; no notification type is empty. */
const NO_NOTIFICATION = '';

function updateOf(
  n: IosNotification,
  type: IosType,
  { transaction, renewal }: Pick<IosStatus, 'transaction' | 'renewal'>,
  ctx: IosContext,
): LineUpdate {
  const { originalTransactionId: storeChainId, transactionId } = transaction;
  const shared = { storeChainId, storeTime: isoFromMs(n.signedDate) };
  const withShown = { ...shared, shown: transactionId };
  const commands = [
    ...migrationOf(transaction, shared),
    ...purchaseCommands(transaction, reportOf(n, type, shared.storeTime), ctx).map((c) =>
      c.kind === 'recordPeriod' && type.keepsEnd ? { ...c, keepsEnd: type.keepsEnd } : c,
    ),
    ...failureInSnapshot(n, { transaction, renewal }, withShown, ctx),
    ...withdrawal(n, transaction, shared, ctx.app),
    ...type.commands({ n, transaction, renewal, shared: withShown, ctx }),
    ...replacementOf(transaction, shared),
    ...plansInSnapshot(n, { transaction, renewal }, withShown, ctx),
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

/**
 * `announces`: whether the transaction itself is the news; else it is only part of the snapshot. `reason`: cause of the announced
 * transaction, if it does not contain one. `keepsEnd`: a separate command moves the end of a recorded transaction.
 */
type IosType = {
  readonly announces: (n: IosNotification) => boolean;
  readonly reason?: RecordPeriod['reason'];
  readonly keepsEnd?: true;
  readonly commands: (input: TypeInput) => readonly StoreCommand[];
};

type TypeInput = {
  readonly n: IosNotification;
  readonly transaction: IosTransaction;
  readonly renewal: IosRenewalInfo | undefined;
  readonly shared: SharedFields;
  readonly ctx: RenewalContext;
};

/** The store waits 12 hours for a response (its page "Send Consumption Information"). */
const RESPONSE_WINDOW_MS = 12 * 3_600_000;

const announcingType: IosType = { announces: () => true, commands: () => [] };
const typeWithCommands = (commands: IosType['commands']): IosType => ({ announces: () => false, commands });

/** Adds nothing to the snapshot. */
const snapshotType = typeWithCommands(() => []);

const iosTypes: ReadonlyMap<string, IosType> = new Map([
  ['SUBSCRIBED', { ...announcingType, reason: 'purchase' }],
  ['DID_RENEW', { ...announcingType, reason: 'renewal' }],
  ['ONE_TIME_CHARGE', announcingType],
  ['RENEWAL_EXTENDED', { ...typeWithCommands(extendPeriod), keepsEnd: true }],
  ['OFFER_REDEEMED', { announces: (n) => !isOfNextRenewal(n), reason: 'purchase', commands: offerRedeemed }],
  ['DID_CHANGE_RENEWAL_STATUS', typeWithCommands(renewalStatusChanged)],
  [
    'DID_CHANGE_RENEWAL_PREF',
    {
      announces: ({ subtype }) => subtype === 'UPGRADE',
      reason: 'purchase',
      commands: ({ shared, ctx, ...view }) => nextProduct(view, shared, false, ctx),
    },
  ],
  [
    'DID_FAIL_TO_RENEW',
    typeWithCommands(({ n, shared, ctx, ...shown }) => [billingFailure(n.subtype, shown, shared, ctx)]),
  ],
  ['GRACE_PERIOD_EXPIRED', typeWithCommands(({ shared }) => [{ kind: 'recordGraceEnd', ...shared }])],
  [
    'EXPIRED',
    typeWithCommands(({ n, renewal, shared }) => [
      { kind: 'recordExpiry', ...shared, reason: expiryReasonOf(n.subtype, renewal) },
    ]),
  ],
  [
    'PRICE_INCREASE',
    typeWithCommands(({ n, shared, ...view }) => [
      priceIncrease(view, shared, isConsentGiven(n, view.renewal) ? 'accepted' : 'requested', false),
    ]),
  ],
  ['PRICE_CHANGE', typeWithCommands(({ shared, ...view }) => [priceIncrease(view, shared, 'changed', false)])],
  ['REFUND', snapshotType],
  [
    'REFUND_REVERSED',
    typeWithCommands(({ transaction: { transactionId }, shared }) => [
      { kind: 'recordRefundReversal', ...shared, transactionId, reversedAt: shared.storeTime },
    ]),
  ],
  [
    'REFUND_DECLINED',
    typeWithCommands(({ transaction: { transactionId }, shared }) => [
      { kind: 'recordRefundDeclined', ...shared, transactionId },
    ]),
  ],
  ['CONSUMPTION_REQUEST', typeWithCommands(consumptionRequested)],
  ['RENEWAL_EXTENSION', typeWithCommands(extensionFailed)],
  ['REVOKE', snapshotType],
  ['METADATA_UPDATE', typeWithCommands(metadataChanged)],
  ['MIGRATION', announcingType],
  ['MIGRATE', announcingType],
]);

const EXPIRED = 2;

/** Returns the effect of a status. Failed payments and refunds follow from the payload; only the status shows an expired subscription. */
function typeOfStatus(status: number): IosType {
  if (status !== EXPIRED) return snapshotType;
  return typeWithCommands(({ renewal, shared }) => [
    { kind: 'recordExpiry', ...shared, reason: expiryReasonOf(undefined, renewal) },
  ]);
}

/** Without a subtype, the renewal info contains the new status. */
function renewalStatusChanged({ n, shared, ...view }: TypeInput): StoreCommand[] {
  const statuses: Readonly<Record<string, boolean | undefined>> = {
    AUTO_RENEW_ENABLED: true,
    AUTO_RENEW_DISABLED: false,
  };
  const on = statuses[n.subtype ?? ''] ?? renewsAfterTerm(view);
  return on === null ? [] : [autoRenew(view, shared, on, false)];
}

function isConsentGiven({ subtype }: IosNotification, renewal: IosRenewalInfo | undefined): boolean {
  return subtype === undefined ? renewal?.priceIncreaseStatus === 1 : subtype === 'ACCEPTED';
}

/** An offer on the running subscription applies to its next renewal; any other applies to the transaction. */
function offerRedeemed({ n, transaction, renewal, shared, ctx }: TypeInput): StoreCommand[] {
  const offer: Offer = offerOf(isOfNextRenewal(n) && renewal ? renewal : transaction);
  const redeemed = { kind: 'recordOffer' as const, ...shared, offer };
  if (n.subtype !== 'DOWNGRADE') return [redeemed];
  return [...nextProduct({ transaction, renewal }, shared, false, ctx), redeemed];
}

function isOfNextRenewal({ subtype }: IosNotification): boolean {
  return subtype === undefined || subtype === 'DOWNGRADE';
}

/** Arrives long after the charge that it prolongs, so the charge has its own position among the messages. */
function extendPeriod({ transaction: { expiresDate }, shared }: TypeInput): StoreCommand[] {
  if (expiresDate === undefined) return [];
  return [{ kind: 'recordExtension', ...shared, expiresAt: isoFromMs(expiresDate), inferred: false }];
}

function consumptionRequested({ n, transaction: { transactionId }, shared }: TypeInput): StoreCommand[] {
  const reason = n.data?.consumptionRequestReason ?? null;
  const respondBy = isoFromMs(n.signedDate + RESPONSE_WINDOW_MS);
  return [{ kind: 'recordConsumptionRequest', ...shared, transactionId, reason, respondBy, pendingRefundToken: null }];
}

/** The payload of a single failure does not contain the request ID, so that the notification's ID is used. */
function extensionFailed({ n, shared }: TypeInput): StoreCommand[] {
  if (n.subtype !== 'FAILURE') return [];
  return [{ kind: 'recordExtensionFailure', ...shared, requestIdentifier: n.notificationUUID }];
}

/** The payload does not contain the new metadata, which the developer has; it contains the affected products. */
function metadataChanged({ transaction, renewal, shared }: TypeInput): StoreCommand[] {
  const details = {
    storeProductId: transaction.productId,
    nextStoreProductId: renewal?.autoRenewProductId ?? null,
    appTransactionId: transaction.appTransactionId ?? null,
  };
  return [{ kind: 'recordMetadata', ...shared, details }];
}
