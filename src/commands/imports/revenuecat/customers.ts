// Rows of RevenueCat's export of a customer list, which also contains customers without purchases; and of the token file that its support
// gives to teams: `user_id, google_purchase_token, google_product_id`.
import { importedToken, type ImportedCustomer } from '../../../domain/imports/facts.js';
import type { FileRow, ReadRow } from '../../../domain/imports/problems.js';
import { appUserId } from '../../../domain/values/user-text.js';
import { isCountry } from '../../../domain/values/iso-codes.js';
import { attributesOf, orProblem, unknownCustomer, requiredText, textIn, timeIn } from './cells.js';

export const requiredCustomerColumns = ['app_user_id'] as const;
export const knownCustomerColumns: ReadonlySet<string> = new Set([
  ...['app_user_id', 'first_seen_at', 'last_seen_at', 'last_seen_platform', 'ip_country', 'email', 'phone_number'],
  'custom_attributes',
]);
export const requiredTokenColumns = ['user_id', 'google_purchase_token', 'google_product_id'] as const;
export const knownTokenColumns: ReadonlySet<string> = new Set(requiredTokenColumns);

export function readCustomer({ from, values }: FileRow): ReadRow {
  return orProblem(from, () => {
    const name = appUserId.parse(requiredText(values, 'app_user_id'));
    const seenAt = timeIn(values, 'last_seen_at');
    const country = textIn(values, 'ip_country')?.toUpperCase() ?? null;
    const undatedAt = seenAt ?? undefined;
    const contact = { $email: textIn(values, 'email'), $phoneNumber: textIn(values, 'phone_number') };
    const customer: ImportedCustomer = {
      ...unknownCustomer(name),
      firstSeenAt: timeIn(values, 'first_seen_at'),
      lastSeenAt: seenAt,
      country: country !== null && isCountry(country) ? country : null,
      platform: textIn(values, 'last_seen_platform'),
      attributes: {
        ...Object.fromEntries(
          Object.entries(contact).flatMap(([key, value]) =>
            value === null ? [] : [[key, { value, updatedAt: undatedAt ?? '1970-01-01T00:00:00.000Z' }]],
          ),
        ),
        ...attributesOf(values, 'custom_attributes', undatedAt),
      },
    };
    const about = {
      customerKey: name,
      isOriginal: false,
      updatedAt: seenAt ?? '',
      from,
      purchase: null,
      grant: null,
      token: null,
    };
    return { facts: [{ ...about, customer }], problems: [] };
  });
}

export function readToken({ from, values }: FileRow): ReadRow {
  return orProblem(from, () => {
    const { type: _type, ...token } = importedToken.parse({
      type: 'token',
      appUserId: requiredText(values, 'user_id'),
      purchaseToken: requiredText(values, 'google_purchase_token'),
      storeProductId: requiredText(values, 'google_product_id'),
    });
    const about = { customerKey: token.appUserId, isOriginal: false, updatedAt: '', from, purchase: null, grant: null };
    return { facts: [{ ...about, customer: unknownCustomer(token.appUserId), token }], problems: [] };
  });
}
