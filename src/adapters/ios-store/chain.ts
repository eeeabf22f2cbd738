// Cache of trusted certificate chains. The store's library verifies a chain once (pinned roots, names, extensions, dates, revocation); the
// chain is then cached, bounded, under the exact text of its header. The caller checks dates on every use.
import { X509Certificate, type KeyObject } from 'node:crypto';
import { InvalidSignedData } from '../../domain/errors.js';
import { createLongKeyCache } from '../bounded-cache.js';
import type { Runtime } from '../runtime.js';
import type { ChainVerifier, UntrustedChain } from './chain-verifier.js';

/** The store uses a handful of chains at a time; an evicted chain is verified again. */
const MAX_CHAINS = 256;
/** Time until a revocation check is repeated: after a response, and after a timeout. */
const REVOCATION_TTL_MS = 15 * 60_000;
const RESPONDER_RETRY_MS = 60_000;

export type TrustOptions = {
  /** Trusted root certificates in PEM or DER, one each. */
  readonly roots: readonly Buffer[];
  /** Checks revocation with the store's responder, and compares certificate dates with the current time. */
  readonly onlineChecks: boolean;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
};

export type TrustedChain = {
  readonly leafKey: KeyObject;
  /** Period in which leaf, intermediate and root are all valid, ms since the epoch. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly revocationChecked: boolean;
  /** Time after which the chain is verified again, ms since the epoch. */
  readonly validUntil: number;
};

export type ChainTrust = {
  /** Loads the library in advance, so that the first chain does not wait for it. */
  prepare(): Promise<void>;
  /** Returns the chain cached under exactly this header. */
  findCached(header: string): TrustedChain | undefined;
  /** Verifies a chain as of `at` (ms since the epoch); throws {@link InvalidSignedData}. */
  verify(chain: UntrustedChain, at: number): Promise<TrustedChain>;
  /** Caches a chain that was verified and whose signature is valid, so that forged chains cannot evict others. */
  cache(header: string, chain: TrustedChain): void;
};

export function createChainTrust(options: TrustOptions): ChainTrust {
  const { onlineChecks, runtime } = options;
  if (options.roots.length === 0) throw new Error('at least one trusted root certificate is required');
  const roots = options.roots.map((root) => new X509Certificate(root));
  let verifier: Promise<ChainVerifier> | null = null;
  // The library takes a tenth of a second to load; a service without this store never loads it.
  const openVerifier = () =>
    (verifier ??= import('./chain-verifier.js').then((module) => new module.ChainVerifier(options.roots, runtime)));
  const cache = createLongKeyCache<TrustedChain>(MAX_CHAINS);
  const pendingChecks = new Map<string, Promise<boolean>>();

  // Concurrent notifications share one request per chain.
  const checkRevocation = (library: ChainVerifier, chain: UntrustedChain, root: X509Certificate): Promise<boolean> => {
    const name = chain.leaf.fingerprint256 + chain.intermediate.fingerprint256;
    const check = pendingChecks.get(name) ?? library.isUnrevoked(chain, root).finally(() => pendingChecks.delete(name));
    pendingChecks.set(name, check);
    return check;
  };

  return {
    prepare: async () => void (await openVerifier()),
    findCached(header) {
      const chain = cache.get(header);
      if (chain === undefined || runtime.now() < chain.validUntil) return chain;
      cache.delete(header);
      return undefined;
    },

    async verify(chain, at) {
      const library = await openVerifier();
      await library.verifyChain(chain, at);
      const root = roots.findLast(
        (r) => chain.intermediate.issuer === r.subject && chain.intermediate.verify(r.publicKey),
      );
      if (root === undefined) throw invalidChain('the chain does not end at a trusted root');
      const revocationChecked = onlineChecks && (await checkRevocation(library, chain, root));
      const certificates = [chain.leaf, chain.intermediate, root];
      return {
        leafKey: chain.leafKey,
        validFrom: Math.max(...certificates.map((c) => Date.parse(c.validFrom))),
        validTo: Math.min(...certificates.map((c) => Date.parse(c.validTo))),
        revocationChecked,
        validUntil: onlineChecks
          ? runtime.now() + (revocationChecked ? REVOCATION_TTL_MS : RESPONDER_RETRY_MS)
          : Infinity,
      };
    },

    cache: (header, chain) => cache.set(header, chain),
  };
}

function invalidChain(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
