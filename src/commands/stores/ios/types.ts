// What each type of the ios-store's notifications adds to the transaction and the renewal state that every payload carries. Pure.
// Types and subtypes: App Store Server Notifications V2, pages "notificationType" and "subtype".
import type { IosNotification, IosRenewalInfo, IosTransaction } from '../../../adapters/ios-store/port.js';
import type { Offer } from '../../../domain/subscriber/events/blocks.js';
import type { StoreFactCommand } from '../../../domain/subscriber/decide/store-facts.js';
import { isoFromMs } from '../../../domain/time.js';
import {
  autoRenew,
  billingFailure,
  expiredBy,
  nextProduct,
  priceIncrease,
  type RenewalContext,
  type Shared,
} from './renewal.js';
import { offerOf } from './transaction.js';

/** `announces`: the transaction itself is the news; else it is only part of the snapshot. */
export type IosType = {
  readonly announces: boolean;
  readonly facts: (input: Input) => readonly StoreFactCommand[];
};

type Input = {
  readonly n: IosNotification;
  readonly transaction: IosTransaction;
  readonly renewal: IosRenewalInfo | undefined;
  readonly shared: Shared;
  readonly ctx: RenewalContext;
};

/** The store waits 12 hours for a response (its page "Send Consumption Information"). */
const RESPONSE_WINDOW_MS = 12 * 3_600_000;

const announced: IosType = { announces: true, facts: () => [] };
const tells = (facts: IosType['facts']): IosType => ({ announces: false, facts });

/** Tells nothing that the snapshot does not. */
const snapshot = tells(() => []);

export const iosTypes: ReadonlyMap<string, IosType> = new Map([
  ['SUBSCRIBED', announced],
  ['DID_RENEW', announced],
  ['ONE_TIME_CHARGE', announced],
  ['RENEWAL_EXTENDED', announced],
  ['OFFER_REDEEMED', { announces: true, facts: offerRedeemed }],
  [
    'DID_CHANGE_RENEWAL_STATUS',
    tells(({ n, shared }) => [autoRenew(shared, n.subtype === 'AUTO_RENEW_ENABLED', false)]),
  ],
  [
    'DID_CHANGE_RENEWAL_PREF',
    { announces: true, facts: ({ renewal, shared, ctx }) => nextProduct(renewal, shared, false, ctx) },
  ],
  ['DID_FAIL_TO_RENEW', tells(({ n, shared, ctx, ...shown }) => [billingFailure(n.subtype, shown, shared, ctx)])],
  ['GRACE_PERIOD_EXPIRED', tells(({ shared }) => [{ kind: 'recordGraceEnd', ...shared }])],
  [
    'EXPIRED',
    tells(({ n, renewal, shared }) => [{ kind: 'recordExpiry', ...shared, reason: expiredBy(n.subtype, renewal) }]),
  ],
  [
    'PRICE_INCREASE',
    tells(({ n, renewal, shared }) => [
      priceIncrease(renewal, shared, n.subtype === 'ACCEPTED' ? 'accepted' : 'requested', false),
    ]),
  ],
  ['PRICE_CHANGE', tells(({ renewal, shared }) => [priceIncrease(renewal, shared, 'changed', false)])],
  ['REFUND', snapshot],
  [
    'REFUND_REVERSED',
    tells(({ transaction: { transactionId }, shared }) => [
      { kind: 'recordRefundReversal', ...shared, transactionId, reversedAt: shared.storeTime },
    ]),
  ],
  [
    'REFUND_DECLINED',
    tells(({ transaction: { transactionId }, shared }) => [{ kind: 'recordRefundDeclined', ...shared, transactionId }]),
  ],
  ['CONSUMPTION_REQUEST', tells(consumptionRequested)],
  ['RENEWAL_EXTENSION', tells(extensionFailed)],
  ['REVOKE', snapshot],
  ['METADATA_UPDATE', tells(metadataChanged)],
  ['MIGRATION', announced],
  ['MIGRATE', announced],
]);

const EXPIRED = 2;

/** Renewal info and transaction tell failed payments and refunds by themselves; that all is over only the status tells. */
export function ofStatus(status: number): IosType {
  if (status !== EXPIRED) return snapshot;
  return tells(({ renewal, shared }) => [{ kind: 'recordExpiry', ...shared, reason: expiredBy(undefined, renewal) }]);
}

/** An offer on the running subscription is of its next renewal; any other is of the transaction. */
function offerRedeemed({ n, transaction, renewal, shared, ctx }: Input): StoreFactCommand[] {
  const isAhead = n.subtype === undefined || n.subtype === 'DOWNGRADE';
  const offer: Offer = offerOf(isAhead && renewal ? renewal : transaction);
  const redeemed = { kind: 'recordOffer' as const, ...shared, offer };
  return n.subtype === 'DOWNGRADE' ? [...nextProduct(renewal, shared, false, ctx), redeemed] : [redeemed];
}

function consumptionRequested({ n, transaction: { transactionId }, shared }: Input): StoreFactCommand[] {
  const reason = n.data?.consumptionRequestReason ?? null;
  const respondBy = isoFromMs(n.signedDate + RESPONSE_WINDOW_MS);
  return [{ kind: 'recordConsumptionRequest', ...shared, transactionId, reason, respondBy, pendingRefundToken: null }];
}

/** The payload of a single failure does not name the request; the notification does. */
function extensionFailed({ n, shared }: Input): StoreFactCommand[] {
  if (n.subtype !== 'FAILURE') return [];
  return [{ kind: 'recordExtensionFailure', ...shared, requestIdentifier: n.notificationUUID }];
}

/** The new metadata itself is the developer's own; the payload shows what the store sells by it. */
function metadataChanged({ transaction, renewal, shared }: Input): StoreFactCommand[] {
  const details = {
    storeProductId: transaction.productId,
    nextStoreProductId: renewal?.autoRenewProductId ?? null,
    appTransactionId: transaction.appTransactionId ?? null,
  };
  return [{ kind: 'recordMetadata', ...shared, details }];
}
