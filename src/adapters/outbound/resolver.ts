// Name resolution by direct requests to the name servers: the system's own lookup runs on the small thread pool that files and hashing also
// need, and one unresponsive name server would block all of it.
import { Resolver } from 'node:dns/promises';
import { isLocalName } from './address-rules.js';
import { fieldsOf } from '../../domain/values/json.js';

type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };

/** Returns all addresses of a host; empty when it has none. Throws when no name server responds. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const NO_ADDRESS_CODES = new Set(['ENOTFOUND', 'ENODATA']);

export function createSystemResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const query = async (family: 4 | 6, lookup: Promise<string[]>): Promise<ResolvedAddress[]> => {
    try {
      return (await lookup).map((address) => ({ address, family }));
    } catch (err) {
      if (NO_ADDRESS_CODES.has(String(fieldsOf(err)['code']))) return [];
      throw err;
    }
  };
  return async (host) => {
    if (isLocalName(host)) return [{ address: '127.0.0.1', family: 4 }];
    const [four, six] = await Promise.allSettled([
      query(4, resolver.resolve4(host)),
      query(6, resolver.resolve6(host)),
    ]);
    const addresses = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    // A name server may refuse one family and support the other.
    if (addresses.length === 0 && four.status === 'rejected') throw four.reason;
    return addresses;
  };
}
