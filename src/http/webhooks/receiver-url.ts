// URLs of users that this service sends requests to. Receivers get personal fields and money, so whoever enters a URL must be allowed to
// see these.
import { findUrlFault, type Egress } from '../../adapters/outbound/address-rules.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { HttpError } from '../bodies/errors.js';

/** White space and control characters, which the URL parser drops or encodes silently. */
const INVISIBLE_CHARACTERS = /[\s\p{Cc}]/u;

/**
 * Returns the URL as it will be requested. Throws {@link HttpError}: 403 for a caller who may not see everything that is sent, 400 for a
 * URL whose form alone rules out a request. `field` is the name of the input field.
 */
export function parseReceiverUrl(
  field: string,
  url: string,
  { visibility, egress }: { readonly visibility: FieldVisibility; readonly egress: Egress },
): string {
  if (!visibility.personal || !visibility.money) {
    throw new HttpError(403, `${field} receives personal fields; the API key needs the scopes config and pii`);
  }
  if (INVISIBLE_CHARACTERS.test(url))
    throw new HttpError(400, `${field} must not contain spaces or control characters; encode them`);
  const href = URL.canParse(url) ? new URL(url).href : url;
  const fault = findUrlFault(href, egress);
  if (fault !== null) throw new HttpError(400, `${field} ${fault}`);
  return href;
}
