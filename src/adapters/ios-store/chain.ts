// Trust in a chain of certificates. The store's library judges a chain once (pinned roots, names, marks, dates, revocation);
// then the chain is kept, bounded, under the exact text of the header that named it. Dates are the caller's to check on every use.
import { X509Certificate, type KeyObject } from 'node:crypto';
import { InvalidSignedData } from '../../domain/errors.js';
import { createRecalledCache } from '../bounded-cache.js';
import type { Runtime } from '../runtime.js';
import type { ChainVerifier, UntrustedChain } from './chain-verifier.js';

/** The store uses a handful of chains at a time; a chain that was pushed out is only judged again. */
const MAX_CHAINS = 256;
/** How long a response about revocation holds, and how long a silent responder is left alone. */
const CHECKED_FOR_MS = 15 * 60_000;
const UNCHECKED_FOR_MS = 60_000;

export type TrustOptions = {
  /** PEM or DER, one certificate each; nothing else is trusted. */
  readonly roots: readonly Buffer[];
  /** Asks the store's responder whether certificates were revoked, and takes their dates at the present. */
  readonly onlineChecks: boolean;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
};

export type TrustedChain = {
  readonly leafKey: KeyObject;
  /** Milliseconds since the epoch between which leaf, intermediate and root are all valid. */
  readonly validFrom: number;
  readonly validTo: number;
  readonly revocationChecked: boolean;
  /** Milliseconds since the epoch after which the chain is judged anew. */
  readonly validUntil: number;
};

export type ChainTrust = {
  /** Loads the library, so that the first chain need not wait for it. */
  prepare(): Promise<void>;
  /** A chain kept before, under exactly this header. */
  recall(header: string): TrustedChain | undefined;
  /** Judges a chain as of `at` (milliseconds since the epoch); throws {@link InvalidSignedData}. */
  judge(chain: UntrustedChain, at: number): Promise<TrustedChain>;
  /** For chains that were judged and whose signature fitted: whoever has no key of the store can push none out. */
  keep(header: string, chain: TrustedChain): void;
};

export function createChainTrust(options: TrustOptions): ChainTrust {
  const { onlineChecks, runtime } = options;
  if (options.roots.length === 0) throw new Error('no root certificate to trust: give at least one');
  const roots = options.roots.map((root) => new X509Certificate(root));
  let verifier: Promise<ChainVerifier> | null = null;
  // The library takes a tenth of a second to load: a service without this store never does.
  const openVerifier = () =>
    (verifier ??= import('./chain-verifier.js').then((module) => new module.ChainVerifier(options.roots, runtime)));
  const kept = createRecalledCache<TrustedChain>(MAX_CHAINS);
  const asking = new Map<string, Promise<boolean>>();

  // One request for each chain at a time, however many notifications wait for the response.
  const askResponder = (library: ChainVerifier, chain: UntrustedChain, root: X509Certificate): Promise<boolean> => {
    const name = chain.leaf.fingerprint256 + chain.intermediate.fingerprint256;
    const check = asking.get(name) ?? library.isUnrevoked(chain, root).finally(() => asking.delete(name));
    asking.set(name, check);
    return check;
  };

  return {
    prepare: async () => void (await openVerifier()),
    recall(header) {
      const chain = kept.get(header);
      if (chain === undefined || runtime.now() < chain.validUntil) return chain;
      kept.delete(header);
      return undefined;
    },

    async judge(chain, at) {
      const library = await openVerifier();
      await library.judge(chain, at);
      const root = roots.findLast(
        (r) => chain.intermediate.issuer === r.subject && chain.intermediate.verify(r.publicKey),
      );
      if (root === undefined) throw refused('the chain ends at no trusted root');
      const revocationChecked = onlineChecks && (await askResponder(library, chain, root));
      const certificates = [chain.leaf, chain.intermediate, root];
      return {
        leafKey: chain.leafKey,
        validFrom: Math.max(...certificates.map((c) => Date.parse(c.validFrom))),
        validTo: Math.min(...certificates.map((c) => Date.parse(c.validTo))),
        revocationChecked,
        validUntil: onlineChecks ? runtime.now() + (revocationChecked ? CHECKED_FOR_MS : UNCHECKED_FOR_MS) : Infinity,
      };
    },

    keep: (header, chain) => kept.set(header, chain),
  };
}

function refused(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
