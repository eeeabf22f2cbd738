// Trust in a chain of certificates. The store's library judges a chain once (pinned roots, names, marks, dates, revocation);
// then the chain is kept, bounded, under the exact text of the header that named it. Dates are the caller's to check on every use.
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import { hash, X509Certificate, type KeyObject } from 'node:crypto';
import { InvalidSignedData } from '../../domain/errors.js';

/** The store uses a handful of chains at a time; a chain that was pushed out is only judged again. */
const MOST_CHAINS = 256;
const RESPONDER_LIMIT_MS = 3_000;
/** How long an answer about revocation holds, and how long a silent responder is left alone. */
const CHECKED_FOR_MS = 15 * 60_000;
const UNCHECKED_FOR_MS = 60_000;

export type TrustOptions = {
  /** PEM or DER, one certificate each; nothing else is trusted. */
  readonly roots: readonly Buffer[];
  /** Asks the store's responder whether certificates were revoked, and takes their dates at `now`. */
  readonly onlineChecks: boolean;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
};

/** Certificates that anybody may have made. */
export type UntrustedChain = {
  readonly leaf: X509Certificate;
  readonly intermediate: X509Certificate;
  readonly leafKey: KeyObject;
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

type Answer = 'good' | 'bad' | 'none';

export type ChainTrust = {
  /** A chain kept before, under exactly this header. */
  recall(header: string): TrustedChain | undefined;
  /** Judges a chain as of `at` (milliseconds since the epoch); throws {@link InvalidSignedData}. */
  judge(chain: UntrustedChain, at: number): Promise<TrustedChain>;
  /** For chains that were judged and whose signature fitted: whoever has no key of the store can push none out. */
  keep(header: string, chain: TrustedChain): void;
};

export function createChainTrust(options: TrustOptions): ChainTrust {
  const { onlineChecks, now } = options;
  if (options.roots.length === 0) throw new Error('no root certificate to trust: give at least one');
  const roots = options.roots.map((root) => new X509Certificate(root));
  const library = new ChainVerifier(options.roots);
  const kept = new Map<string, TrustedChain>();
  const asking = new Map<string, Promise<boolean>>();

  // One question per chain at a time, however many notifications wait for the answer.
  const askResponder = (chain: UntrustedChain, root: X509Certificate): Promise<boolean> => {
    const name = chain.leaf.fingerprint256 + chain.intermediate.fingerprint256;
    const question = asking.get(name) ?? library.isUnrevoked(chain, root).finally(() => asking.delete(name));
    asking.set(name, question);
    return question;
  };

  return {
    recall(header) {
      const key = chainKey(header);
      const chain = kept.get(key);
      if (chain === undefined) return undefined;
      kept.delete(key);
      if (chain.validUntil <= now()) return undefined;
      kept.set(key, chain);
      return chain;
    },

    async judge(chain, at) {
      await library.judge(chain, at);
      const root = roots.findLast(
        (r) => chain.intermediate.issuer === r.subject && chain.intermediate.verify(r.publicKey),
      );
      if (root === undefined) throw refused('the chain ends at no trusted root');
      const revocationChecked = onlineChecks && (await askResponder(chain, root));
      const certificates = [chain.leaf, chain.intermediate, root];
      return {
        leafKey: chain.leafKey,
        validFrom: Math.max(...certificates.map((c) => Date.parse(c.validFrom))),
        validTo: Math.min(...certificates.map((c) => Date.parse(c.validTo))),
        revocationChecked,
        validUntil: onlineChecks ? now() + (revocationChecked ? CHECKED_FOR_MS : UNCHECKED_FOR_MS) : Infinity,
      };
    },

    keep(header, chain) {
      const key = chainKey(header);
      kept.delete(key);
      kept.set(key, chain);
      if (kept.size <= MOST_CHAINS) return;
      for (const oldest of kept.keys()) {
        kept.delete(oldest);
        break;
      }
    },
  };
}

/**
 * The library's judgement of certificates, without its verification of JWS: that one returns data of the environments `Xcode`
 * and `LocalTesting` unverified, and keeps chains without looking at their dates again. Never call its public methods.
 */
class ChainVerifier extends SignedDataVerifier {
  constructor(roots: readonly Buffer[]) {
    // Environment and bundle matter to the public methods alone.
    super([...roots], false, Environment.SANDBOX, '');
  }

  async judge({ leaf, intermediate }: UntrustedChain, at: number): Promise<void> {
    try {
      await this.verifyCertificateChainWithoutCaching(this.rootCertificates, leaf, intermediate, new Date(at));
    } catch {
      // Beside its own exception the library throws what its certificate parsers throw on odd input.
      throw refused('the certificates do not chain to a trusted root, lack a mark or are out of date');
    }
  }

  /** True: all called good. False: no answer in time. Throws {@link InvalidSignedData} for any other answer. */
  async isUnrevoked({ leaf, intermediate }: UntrustedChain, root: X509Certificate): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<Answer>((resolve) => {
      timer = setTimeout(() => resolve('none'), RESPONDER_LIMIT_MS);
    });
    // Each with the limit of its own: one silence must not hide that the other certificate was revoked.
    const questions = [this.ask(leaf, intermediate), this.ask(intermediate, root)];
    const answers = await Promise.all(questions.map((question) => Promise.race([question, silence])));
    clearTimeout(timer);
    if (answers.includes('bad')) throw refused('the responder does not call the certificates good');
    return answers.every((answer) => answer === 'good');
  }

  private async ask(certificate: X509Certificate, issuer: X509Certificate): Promise<Answer> {
    try {
      await this.checkOCSPStatus(certificate, issuer);
      return 'good';
    } catch (error) {
      // Unreachable, or an answer that is none ("try later" breaks the library's parser), is as good as silence.
      if (!(error instanceof VerificationException)) return 'none';
      return error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE ? 'none' : 'bad';
    }
  }
}

function chainKey(header: string): string {
  return hash('sha256', header, 'base64');
}

function refused(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
