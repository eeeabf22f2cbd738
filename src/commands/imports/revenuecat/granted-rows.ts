// Rows of the export of transactions that are no purchases in a supported store: grants of the developer, and purchases in other stores, which
// give access as grants if the import is configured so.
import type { ImportContext } from '../../../domain/imports/context.js';
import type { ImportedFact } from '../../../domain/imports/facts.js';
import type { FileRow, ImportProblem, ReadRow } from '../../../domain/imports/problems.js';
import { latest } from '../../../domain/time.js';
import { booleanIn, listIn, requiredText, timeIn } from './cells.js';

export type TransactionNeeds = Pick<ImportContext, 'now' | 'options'>;

const PROMOTIONAL_PRODUCT =
  /^rc_promo_(.+?)_(?:daily|three_day|weekly|two_week|monthly|two_month|three_month|six_month|yearly|lifetime|custom)$/;

export function readPromotional({ from, values }: FileRow, about: ImportedFact): ReadRow {
  const product = requiredText(values, 'product_identifier');
  const [, entitlementInProduct] = PROMOTIONAL_PRODUCT.exec(product) ?? [];
  const entitlements =
    entitlementInProduct === undefined ? listIn(values, 'entitlement_identifiers') : [entitlementInProduct];
  const startsAt = requiredTime(values, 'start_time');
  const refundedAt = timeIn(values, 'refunded_at');
  const expiresAt = refundedAt ?? timeIn(values, 'effective_end_time') ?? timeIn(values, 'end_time');
  if (entitlements.length === 0) {
    return { facts: [about], problems: [{ code: 'unknown-entitlement', from, detail: product }] };
  }
  return { facts: entitlements.map((key) => grantFact(about, key, { startsAt, expiresAt })), problems: [] };
}

/** A purchase of a store without an integration gives access until its end if the import is told so. */
export function readOtherStore(
  { from, values }: FileRow,
  store: string,
  about: ImportedFact,
  { now, options }: TransactionNeeds,
): ReadRow {
  const startsAt = requiredTime(values, 'start_time');
  const end = timeIn(values, 'effective_end_time') ?? timeIn(values, 'end_time');
  const grace = timeIn(values, 'grace_period_end_time');
  const expiresAt = end === null || grace === null ? end : latest(end, grace);
  const isActive = (expiresAt === null || expiresAt > now) && timeIn(values, 'refunded_at') === null;
  const product = requiredText(values, 'product_identifier');
  const problem: ImportProblem = {
    code: isActive ? 'other-store-active' : 'other-store',
    from,
    detail: `${store} ${product}`,
  };
  const isGranted = isActive && options.otherStores === 'grant' && !booleanIn(values, 'is_sandbox');
  const entitlements = isGranted ? listIn(values, 'entitlement_identifiers') : [];
  const grants = entitlements.map((key) => grantFact(about, key, { startsAt, expiresAt }));
  return { facts: grants.length > 0 ? grants : [about], problems: grants.length > 0 ? [] : [problem] };
}

function grantFact(
  about: ImportedFact,
  entitlement: string,
  { startsAt, expiresAt }: { readonly startsAt: string; readonly expiresAt: string | null },
): ImportedFact {
  return { ...about, grant: { appUserId: about.customerKey, entitlement, startsAt, expiresAt } };
}

/** Throws if the cell is empty or contains no time. */
export function requiredTime(values: FileRow['values'], column: string): string {
  return timeIn(values, column) ?? requiredText(values, column);
}
