// Commitments of the ios-store: a term of twelve months that is paid monthly. A cancellation ends the term, not the next payment, so that
// the end, the next product and the next price are those after the term. Pure.
// Fields: the store's article "Managing the life cycle of monthly subscriptions with a 12-month commitment".
import type { IosRenewalInfo, IosTransaction } from '../../../../adapters/ios-store/port.js';
import { isPlausible, microsFromMilli } from '../../../../domain/money.js';
import type { Price } from '../../../../domain/subscriber/events/blocks.js';
import { addDuration, isoFromMs } from '../../../../domain/time.js';

/** Transaction and renewal state in a message. */
export type SnapshotView = { readonly transaction: IosTransaction; readonly renewal: IosRenewalInfo | undefined };

/** Returns true for one of the monthly payments of a commitment. */
export function isCommitment({ billingPlanType, commitmentInfo }: IosTransaction): boolean {
  return billingPlanType === undefined ? commitmentInfo !== undefined : billingPlanType === 'MONTHLY';
}

/** Falls back to the number of remaining periods. `expiresAt`: end of the period. Null without a commitment. */
export function commitmentEndOf(t: IosTransaction, expiresAt: string): string | null {
  if (!isCommitment(t)) return null;
  const { commitmentExpiresDate, billingPeriodNumber, totalBillingPeriods } = t.commitmentInfo ?? {};
  if (commitmentExpiresDate !== undefined) return isoFromMs(commitmentExpiresDate);
  const remaining = (totalBillingPeriods ?? 0) - (billingPeriodNumber ?? 0);
  const isUsable = billingPeriodNumber !== undefined && remaining > 0 && remaining < MAX_PERIODS;
  return isUsable ? addDuration(expiresAt, `P${remaining}M`) : null;
}

/** Limit of periods in a commitment; the store has commitments of twelve. */
const MAX_PERIODS = 120;

/**
 * Returns whether the subscription is renewed at the end of its term; null if the payload does not show it. Within a commitment
 * `autoRenewStatus` is about the next monthly payment, which stays due after a cancellation.
 */
export function renewsAfterTerm({ transaction, renewal }: SnapshotView): boolean | null {
  const { autoRenewStatus: nextPeriod, commitmentInfo } = renewal ?? {};
  if (!isCommitment(transaction)) return nextPeriod === undefined ? null : nextPeriod === 1;
  if (nextPeriod === 0) return false;
  const term = commitmentInfo?.commitmentAutoRenewStatus;
  return term === undefined ? null : term === 1;
}

/** Returns the end of the commitment; null without one. */
export function termEndOf({ transaction: t, renewal }: SnapshotView): string | null {
  if (!isCommitment(t)) return null;
  const end = t.expiresDate === undefined ? null : commitmentEndOf(t, isoFromMs(t.expiresDate));
  return end ?? instantOf(renewal?.commitmentInfo?.commitmentRenewalDate);
}

/** Returns the time from which another product or price is charged; null if the payload does not show it. */
export function changesAt(view: SnapshotView): string | null {
  const { commitmentInfo, renewalDate } = view.renewal ?? {};
  const afterTerm = isCommitment(view.transaction) ? instantOf(commitmentInfo?.commitmentRenewalDate) : null;
  return afterTerm ?? termEndOf(view) ?? instantOf(renewalDate);
}

function instantOf(ms: number | undefined): string | null {
  return ms === undefined ? null : isoFromMs(ms);
}

/** Returns the price of one payment from the next renewal on; prices are in thousandths. Null if the payload does not show it. */
export function newPriceOf({ transaction, renewal }: SnapshotView): Price | null {
  const { renewalPrice, renewalBillingPlanType, commitmentInfo, currency } = renewal ?? {};
  const whole = isCommitment(transaction) ? commitmentInfo?.commitmentRenewalPrice : undefined;
  const plan = commitmentInfo?.commitmentRenewalBillingPlanType ?? renewalBillingPlanType ?? MONTHLY;
  const payments = plan === MONTHLY ? (transaction.commitmentInfo?.totalBillingPeriods ?? MONTHS) : 1;
  const afterTerm = whole === undefined || payments < 1 ? undefined : Math.round(whole / payments);
  const price = afterTerm ?? renewalPrice;
  if (price === undefined || currency?.length !== 3) return null;
  const amountMicros = microsFromMilli(price);
  return isPlausible(amountMicros) ? { currency, amountMicros } : null;
}

const MONTHLY = 'MONTHLY';
const MONTHS = 12;
