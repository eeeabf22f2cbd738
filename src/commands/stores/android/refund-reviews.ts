// Answers to the android-store's questions about a refund.
import { AndroidStoreRefusal } from '../../../domain/errors.js';
import type { AppOwner, RefundAnswerOfApp } from '../store-integration.js';
import { androidAppOf, type AndroidDeps } from './purchases/purchases.js';

/** The order is the transaction. The store takes no wish for a share of the price. Throws as the store's API does, and `NoCredentials`. */
export async function sendRefundReview(deps: AndroidDeps, owner: AppOwner, answer: RefundAnswerOfApp): Promise<void> {
  const { transactionId: orderId, pendingRefundToken, preference, sampleContentProvided } = answer;
  if (pendingRefundToken === null) throw new AndroidStoreRefusal('invalid', 'its question has no token to answer with');
  if (preference === 'grant_prorated') throw new AndroidStoreRefusal('invalid', 'it refunds whole orders only');
  const refundPreference = preference === 'decline' ? ('DECLINE' as const) : ('APPROVE' as const);
  const app = await androidAppOf(deps, owner.projectId, owner.app);
  await deps.androidStore.reviewRefund(app, orderId, { pendingRefundToken, sampleContentProvided, refundPreference });
}
