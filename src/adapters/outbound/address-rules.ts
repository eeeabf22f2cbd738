// Rules for allowed target addresses, used both for URLs that users save and for connections. Pure; the addresses of a host name are known
// and checked when it is resolved.
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Configured exceptions. `allowCidrs` are private ranges that may be reached nevertheless. */
export type Egress = { readonly allowHttp: boolean; readonly allowCidrs: readonly string[] };

const MAX_LENGTH = 2048;
/** Servers of cloud metadata with public addresses or names; the others have private ones. */
const METADATA_ADDRESSES: ReadonlySet<string> = new Set(['168.63.129.16']);
const METADATA_NAMES: ReadonlySet<string> = new Set([
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
]);
const ALLOCATED = ipaddr.IPv6.parseCIDR('2000::/3');

/** Returns what is wrong with a URL, as the end of a sentence about it, or null. */
export function findUrlFault(text: string, egress: Egress): string | null {
  if (!URL.canParse(text)) return 'must be an absolute URL such as https://example.com/notifications';
  if (text.length > MAX_LENGTH) return `must have at most ${MAX_LENGTH} characters`;
  const { protocol, username, password, hash, hostname, port } = new URL(text);
  if (protocol !== 'https:' && !(protocol === 'http:' && egress.allowHttp)) return 'must begin with https://';
  if (username !== '' || password !== '') return 'must not contain a user name or password';
  if (hash !== '') return 'must not contain a fragment (#…)';
  // The parser omits the default port of the scheme.
  if (port !== '' && Number(port) < 1024) return 'must use the usual port, or one from 1024 on';
  const host = bareHost(hostname);
  const address = isLocalName(host) || METADATA_NAMES.has(host) ? '127.0.0.1' : host;
  return isIP(address) !== 0 && !isReachable(address, egress) ? 'must be a public address' : null;
}

/** Returns true for public addresses and for those that the configuration allows. `text` is an IPv4 or IPv6 address. */
export function isReachable(text: string, { allowCidrs }: Egress): boolean {
  const address = parse(text);
  if (isPublic(address)) return true;
  return parseRanges(allowCidrs).some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

export function isPublicAddress(text: string): boolean {
  return isPublic(parse(text));
}

/** Returns true for an address that is not public, and for a name without a domain. */
export function isInternalHost(host: string): boolean {
  return isIP(host) === 0 ? !host.includes('.') : !isPublicAddress(host);
}

/** Removes brackets and the final dot; the URL parser has already normalized every notation of an IPv4 address. */
export function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** Returns whether the name is the machine itself, whatever a resolver returns (RFC 6761). */
export function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** Parses an address. The library would try IPv6 first and throw an exception for each IPv4 address. */
function parse(text: string): ipaddr.IPv4 | ipaddr.IPv6 {
  return isIP(text) === 4 ? ipaddr.IPv4.parse(text) : ipaddr.process(text);
}

const ranges = new WeakMap<readonly string[], readonly [ipaddr.IPv4 | ipaddr.IPv6, number][]>();

function parseRanges(cidrs: readonly string[]): readonly [ipaddr.IPv4 | ipaddr.IPv6, number][] {
  const parsed = ranges.get(cidrs) ?? cidrs.map((cidr) => ipaddr.parseCIDR(cidr));
  ranges.set(cidrs, parsed);
  return parsed;
}

/**
 * Returns whether an address is public. The library treats `::7f00:1`, an IPv4 address in an obsolete notation, as unicast: of IPv6 only
 * allocated ranges count as public.
 */
function isPublic(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (METADATA_ADDRESSES.has(address.toString())) return false;
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(...ALLOCATED));
}
