// Which addresses store notifications may be forwarded to, as far as their form tells. What a name resolves to is known at send time
// only, and is checked then.
import ipaddr from 'ipaddr.js';
import { HttpError } from './errors.js';

/** `allowCidrs`: ranges that are not public and may be reached all the same. */
export type Egress = { readonly allowHttp: boolean; readonly allowCidrs: readonly string[] };

/** Throws {@link HttpError} 400 for what must not be sent to. */
export function checkForwardingUrl(text: string, egress: Egress): void {
  if (!URL.canParse(text)) throw refused('must be an absolute URL such as https://example.com/notifications');
  const { protocol, username, password, hostname } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && egress.allowHttp)) throw refused('must begin with https://');
  if (username !== '' || password !== '') throw refused('must not contain a user name or password');
  // The parser has turned every spelling of an IPv4 address into its usual one.
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const isLocal = host === 'localhost' || host.endsWith('.localhost');
  const address = isLocal ? '127.0.0.1' : host;
  if (ipaddr.isValid(address) && !isReachable(address, egress)) throw refused('must be a public address');
}

function isReachable(text: string, { allowCidrs }: Egress): boolean {
  const address = ipaddr.process(text);
  if (isPublic(address)) return true;
  return allowCidrs.some((cidr) => {
    const [base, bits] = ipaddr.parseCIDR(cidr);
    return base.kind() === address.kind() && address.match(base, bits);
  });
}

/** The library calls `::7f00:1`, an IPv4 address in an old disguise, unicast: of IPv6 only what is given out counts as public. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  const [given, bits] = ipaddr.IPv6.parseCIDR('2000::/3');
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(given, bits));
}

function refused(why: string): HttpError {
  return new HttpError(400, `notificationForwardingUrl ${why}`);
}
