// Duration, offer and place in the subscription of an imported period, which its source may not state, and the name of its order.
import type { Product } from '../catalog/products.js';
import { addDuration } from '../time.js';
import type { ImportedPurchase } from './facts.js';

type NextPeriod = Pick<ImportedPurchase, 'storeProductId' | 'purchasedAt'>;

/** A period of an offer may be longer or shorter than those of its product. One that another product cut short was sold as usual. */
export function periodDurationOf(
  fact: ImportedPurchase,
  product: Product | null,
  next: NextPeriod | undefined,
): string | null {
  const { kind, offerType, purchasedAt, expiresAt } = fact;
  if (fact.periodDuration !== null) return fact.periodDuration;
  const usual = fact.productDuration ?? product?.duration ?? null;
  if (kind === 'trial') return product?.trialDuration ?? null;
  if (expiresAt === null || (kind !== 'intro' && offerType === null)) return usual;
  const isChanged = next !== undefined && next.storeProductId !== fact.storeProductId && next.purchasedAt <= expiresAt;
  const isCut = isChanged && usual !== null && expiresAt < addDuration(purchasedAt, usual);
  return isCut ? usual : lengthOf(purchasedAt, expiresAt, usual);
}

const MONTHS = Array.from({ length: 12 }, (_, n) => `P${n + 1}M`);
const DAY_MS = 86_400_000;

/** Returns the usual duration or the number of months that leads to the end, within a day; else the number of days. */
function lengthOf(from: string, to: string, usual: string | null): string {
  const ms = Date.parse(to);
  const fits = (duration: string) => Math.abs(Date.parse(addDuration(from, duration)) - ms) < DAY_MS;
  const days = Math.max(1, Math.round((ms - Date.parse(from)) / DAY_MS));
  return [...(usual === null ? [] : [usual]), ...MONTHS].find(fits) ?? `P${days}D`;
}

/** A source that states why a subscription began states its offer as well. */
export function offerOf({ offerType, offerId, kind, startReason }: ImportedPurchase) {
  const isIntroductory = startReason === null && (kind === 'trial' || kind === 'intro');
  const type = offerType ?? (isIntroductory ? 'introductory' : null);
  return { offerType: type, offerId, discountType: kind === 'trial' ? ('free_trial' as const) : null };
}

/** Order numbers of renewals end in `..0`, `..1` and so on. */
const RENEWAL_ORDER = /\.\.\d+$/;

/** Without a number of renewals, the first transaction of a subscription is the original one, or an order without a renewal number. */
export function isFirstPeriod({ renewals, transactionId, originalTransactionId }: ImportedPurchase): boolean {
  if (renewals !== null) return renewals === 0;
  return !RENEWAL_ORDER.test(transactionId) && transactionId === (originalTransactionId ?? transactionId);
}

/** Prefix of a purchase line whose purchase token is not known, before its first order ID. */
export const ORDER_CHAIN = 'order:';

/** Returns the first order of the subscription that an order belongs to. */
export function firstOrderOf(orderId: string): string {
  return orderId.replace(RENEWAL_ORDER, '');
}
