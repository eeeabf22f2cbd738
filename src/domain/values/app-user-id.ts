// Schema of the app's own ID of a customer.
import { isCustomerId } from '../ids.js';
import { text } from './user-text.js';

/** Placeholders that client code sends without a user ID. Accepting them would merge strangers into one customer. */
const PLACEHOLDER_IDS = new Set([
  ...['null', 'undefined', 'nil', '(null)', 'NaN', '0', '-1', 'unknown', 'anonymous', 'guest'],
]);

export const appUserId = text(255)
  .refine((s) => !PLACEHOLDER_IDS.has(s), 'is a placeholder, not an app user ID')
  .refine((s) => !s.includes('/'), 'must not contain a slash')
  .refine((s) => s !== '.' && s !== '..', 'must not be . or .., which no URL can contain')
  // Otherwise an app user ID in `:cid` could be mistaken for the ID of another customer.
  .refine((s) => !isCustomerId(s), 'is a customer ID; send the app user ID');
