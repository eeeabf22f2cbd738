// Compares what the ios-store pays for a group of equal sales with ours.
import { amountsOf, grossOf, type Amounts, type Cause, type EntryKind, type EntryLabel } from './entries.js';
import type { GroupLine } from './lines.js';
import { smallestUnit } from './report-values.js';

type GroupComparison = { readonly cause: Cause; readonly store: Amounts; readonly labels: readonly EntryLabel[] };

/**
 * Compares what the store pays with ours. Reports state the price and the proceeds: what is between is tax and fee. The part that explains
 * the difference takes it, and the other stands as ours.
 */
export function compareGroup(
  line: GroupLine,
  kind: EntryKind,
  count: number,
  paid: number,
  ours: Amounts,
  known: Cause | null,
): GroupComparison {
  const gross = line.priceMicros * count;
  const ourGross = grossOf(ours);
  const tax = Math.abs(ours.tax);
  if (line.paidCurrency !== line.currency) {
    const ratio = gross / Math.max(1, ourGross);
    const same = amountsOf(kind, gross, Math.round(tax * ratio), Math.round(Math.abs(ours.fee) * ratio));
    return { cause: known ?? 'matched', store: same, labels: ['paid_in_other_currency'] };
  }
  const withOurTax = amountsOf(kind, gross, tax, gross - paid - tax);
  if (known !== null) return { cause: known, store: withOurTax, labels: [] };
  if (Math.abs(ours.proceeds) === paid && ourGross === gross)
    return { cause: 'matched', store: withOurTax, labels: [] };
  if (ourGross !== gross)
    return { cause: kind === 'charge' ? 'price' : 'partial_refund', store: withOurTax, labels: [] };
  if (isCommission(line, paid, count)) return { cause: 'commission', store: withOurTax, labels: [] };
  const fee = Math.abs(ours.fee);
  return { cause: 'tax', store: amountsOf(kind, gross, gross - paid - fee, fee), labels: [] };
}

/** The shares of the price that the ios-store leaves without a tax: 70 %, and 85 % in the second year and for small businesses. */
const SHARES = [0.7, 0.85];

/** The store rounds the share, or what it keeps: either may be a smallest unit apart for each sale. */
function isCommission({ priceMicros, currency }: GroupLine, paid: number, count: number): boolean {
  return SHARES.some((share) => Math.abs(priceMicros * share * count - paid) < smallestUnit(currency) * count);
}
