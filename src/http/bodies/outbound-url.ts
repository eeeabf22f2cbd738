// Addresses that users give for us to send to, refused when they are saved if their form alone shows that they will not be sent to.
import { faultOfUrl, type Egress } from '../../adapters/outbound/address-rules.js';
import { HttpError } from './errors.js';

/** Throws {@link HttpError} 400 for what must not be sent to. `field` is where the user wrote it. */
export function checkOutboundUrl(field: string, url: string, egress: Egress): void {
  const fault = faultOfUrl(url, egress);
  if (fault !== null) throw new HttpError(400, `${field} ${fault}`);
}
