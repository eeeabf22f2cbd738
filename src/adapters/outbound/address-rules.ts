// Which addresses may be sent to: one rule for what users save and for what is connected to. Pure; a name's addresses are known when
// it is resolved, and each of them is asked about then.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** `allowCidrs`: ranges that are not public and may be reached all the same. */
export type Egress = { readonly allowHttp: boolean; readonly allowCidrs: readonly string[] };

const MAX_LENGTH = 2048;
const GIVEN_OUT = ipaddr.IPv6.parseCIDR('2000::/3');

/** What is wrong with the form of an address, as the end of a sentence about it, or null. */
export function faultOfUrl(text: string, egress: Egress): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL such as https://example.com/notifications';
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const { protocol, username, password, hash, hostname, port } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && egress.allowHttp)) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment (#…)';
  // The parser leaves out the usual port of the scheme.
  if (port !== '' && Number(port) < 1024) return 'must use the usual port, or one from 1024 on';
  const host = bareHost(hostname);
  const address = isLocalName(host) ? '127.0.0.1' : host;
  return isIP(address) !== 0 && !isReachable(address, egress) ? 'must be a public address' : null;
}

/** True for public addresses and for those that the configuration allows. `text` is an IPv4 or IPv6 address. */
export function isReachable(text: string, { allowCidrs }: Egress): boolean {
  const address = parse(text);
  if (isPublic(address)) return true;
  return rangesOf(allowCidrs).some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

export function isPublicAddress(text: string): boolean {
  return isPublic(parse(text));
}

/** Without brackets and final dot; the URL parser has turned every spelling of an IPv4 address into its usual one. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** These name the machine itself, whatever a resolver returns (RFC 6761). */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** The library tries IPv6 first, and finds out that it is none by an exception. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return isIP(text) === 4 ? ipaddr.IPv4.parse(text) : ipaddr.process(text);
}

const ranges = new WeakMap<readonly string[], readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]>();

function rangesOf(cidrs: readonly string[]): readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  const parsed = ranges.get(cidrs) ?? cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  ranges.set(cidrs, parsed);
  return parsed;
}

/** The library calls `::7f00:1`, an IPv4 address in an old disguise, unicast: of IPv6 only what is given out counts as public. */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(...GIVEN_OUT));
}
