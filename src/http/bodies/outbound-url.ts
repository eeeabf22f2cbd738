// Addresses that users give for us to send to. They receive personal fields and money, so whoever enters one must see these.
import { faultOfUrl, type Egress } from '../../adapters/outbound/address-rules.js';
import type { Sight } from '../../domain/values/field-groups.js';
import { HttpError } from './errors.js';

/** White space and control characters, which the URL parser drops or encodes in silence. */
const UNSEEN = /[\s\p{Cc}]/u;

/**
 * The address as it will be requested. Throws {@link HttpError}: 403 for a caller who does not see all that is sent, 400 for an address whose
 * form alone shows that nothing will be sent to it. `field` is where the user wrote it.
 */
export function receiverUrl(
  field: string,
  url: string,
  { sight, egress }: { readonly sight: Sight; readonly egress: Egress },
): string {
  if (!sight.personal || !sight.money) {
    throw new HttpError(403, `${field} receives personal fields; the API key needs the scopes config and pii`);
  }
  if (UNSEEN.test(url)) throw new HttpError(400, `${field} must not contain spaces or control characters; encode them`);
  const href = URL.canParse(url) ? new URL(url).href : url;
  const fault = faultOfUrl(href, egress);
  if (fault !== null) throw new HttpError(400, `${field} ${fault}`);
  return href;
}
