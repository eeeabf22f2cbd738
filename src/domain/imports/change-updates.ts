// Stated changes of a transaction as store updates, one for each, with the time of the change as that of the store's message.
import type { ImportedRow } from '../envelope.js';
import type { StoreUpdate } from '../subscriber/decide/commands.js';
import type { StoreCommand } from '../subscriber/decide/store-commands.js';
import type { ImportedChange } from './facts.js';

type ChangedTransaction = {
  readonly storeChainId: string;
  readonly transactionId: string;
  readonly from: ImportedRow;
};

export function changeUpdates(changes: readonly ImportedChange[], t: ChangedTransaction): readonly StoreUpdate[] {
  let refunded = 0;
  const inOrder = changes.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return inOrder.map((change) => {
    const command = commandOf(change, t, refunded);
    if (change.kind === 'refunded') refunded += change.share;
    if (change.kind === 'refund_reversed') refunded = 0;
    return { orderedAt: change.at, commands: [command], importedFrom: t.from };
  });
}

/** `refunded`: share that was refunded before. */
function commandOf(change: ImportedChange, t: ChangedTransaction, refunded: number): StoreCommand {
  const { storeChainId, transactionId } = t;
  const { at } = change;
  const of = { storeChainId, storeTime: at, shown: transactionId };
  const inferred = false;
  switch (change.kind) {
    case 'auto_renew_off':
      return { kind: 'recordAutoRenew', ...of, on: false, reason: 'unsubscribe', inferred };
    case 'auto_renew_on':
      return { kind: 'recordAutoRenew', ...of, on: true, reason: 'unsubscribe', inferred };
    case 'billing_issue':
      return { kind: 'recordBillingFailure', ...of, graceEndsAt: change.graceExpiresAt, inferred };
    case 'grace_expired':
      return { kind: 'recordGraceEnd', ...of };
    case 'extended':
      return { kind: 'recordExtension', ...of, expiresAt: change.expiresAt, inferred };
    case 'paused':
      return { kind: 'recordPause', ...of, pausedAt: at, autoResumeAt: change.autoResumeAt, inferred };
    case 'expired':
      return { kind: 'recordExpiry', ...of, reason: change.reason, endedAt: at };
    case 'revoked':
      return { kind: 'recordRevocation', ...of, transactionId, revokedAt: at, reason: 'store' };
    case 'refunded': {
      const { share, policy } = change;
      const shared = { storeChainId, storeTime: null, transactionId, refundedAt: at, policy };
      // A later part is given as the sum of all: a part by itself is taken for a repeat of the first.
      const total = { kind: 'prorated' as const, share: Math.min(1, refunded + share), isTotal: true as const };
      const first = { kind: share === 1 ? ('full' as const) : ('prorated' as const), share };
      return { kind: 'recordRefund', ...shared, refund: refunded > 0 ? total : first };
    }
    case 'refund_reversed':
      return { kind: 'recordRefundReversal', storeChainId, storeTime: null, transactionId, reversedAt: at };
  }
}
