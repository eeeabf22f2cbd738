// Names to addresses, asked of the name servers directly: the system's own look-up runs on the few threads that files and hashing
// need as well, and one dead name server would hold them all.
import { Resolver } from 'node:dns/promises';
import { isLocalName } from './address-rules.js';

export type ResolvedAddress = { readonly address: string; readonly family: 4 | 6 };

/** All addresses of a host; empty when it has none. Throws when no name server responds. */
export type Resolve = (host: string) => Promise<readonly ResolvedAddress[]>;

const NOTHING_THERE = new Set(['ENOTFOUND', 'ENODATA']);

export function systemResolver(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  const ask = async (family: 4 | 6, query: Promise<string[]>): Promise<ResolvedAddress[]> => {
    try {
      return (await query).map((address) => ({ address, family }));
    } catch (err) {
      if (NOTHING_THERE.has((err as { code?: string }).code ?? '')) return [];
      throw err;
    }
  };
  return async (host) => {
    if (isLocalName(host)) return [{ address: '127.0.0.1', family: 4 }];
    const [four, six] = await Promise.allSettled([ask(4, resolver.resolve4(host)), ask(6, resolver.resolve6(host))]);
    const found = [four, six].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    // One family may be refused by a name server that knows the other.
    if (found.length === 0 && four.status === 'rejected') throw four.reason;
    return found;
  };
}
