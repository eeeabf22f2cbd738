// The store's library where it judges certificates, apart from the rest because it takes long to load.
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import type { KeyObject, X509Certificate } from 'node:crypto';
import { InvalidSignedData } from '../../domain/errors.js';
import type { Runtime } from '../runtime.js';

const RESPONDER_LIMIT_MS = 3_000;

/** Certificates that anybody may have made. */
export type UntrustedChain = {
  readonly leaf: X509Certificate;
  readonly intermediate: X509Certificate;
  readonly leafKey: KeyObject;
};

type Response = 'good' | 'bad' | 'none';

/**
 * The library's judgement of certificates, without its verification of JWS: that one returns data of the environments `Xcode`
 * and `LocalTesting` unverified, and keeps chains without looking at their dates again. Never call its public methods.
 */
export class ChainVerifier extends SignedDataVerifier {
  readonly #runtime: Pick<Runtime, 'sleep'>;

  constructor(roots: readonly Buffer[], runtime: Pick<Runtime, 'sleep'>) {
    // Only the public methods use environment and bundle.
    super([...roots], false, Environment.SANDBOX, '');
    this.#runtime = runtime;
  }

  async judge({ leaf, intermediate }: UntrustedChain, at: number): Promise<void> {
    try {
      await this.verifyCertificateChainWithoutCaching(this.rootCertificates, leaf, intermediate, new Date(at));
    } catch {
      // Beside its own exception the library throws what its certificate parsers throw on odd input.
      throw refused('the certificates do not chain to a trusted root, lack a mark or are out of date');
    }
  }

  /** True: all called good. False: no response in time. Throws {@link InvalidSignedData} for any other response. */
  async isUnrevoked({ leaf, intermediate }: UntrustedChain, root: X509Certificate): Promise<boolean> {
    const done = new AbortController();
    const limit = this.#runtime.sleep(RESPONDER_LIMIT_MS, done.signal).then((): Response => 'none');
    // Each is raced with the limit: one that is silent must not hide that the other certificate was revoked.
    const checks = [this.ask(leaf, intermediate), this.ask(intermediate, root)];
    const responses = await Promise.all(checks.map((check) => Promise.race([check, limit])));
    done.abort();
    if (responses.includes('bad')) throw refused('the responder does not call the certificates good');
    return responses.every((response) => response === 'good');
  }

  private async ask(certificate: X509Certificate, issuer: X509Certificate): Promise<Response> {
    try {
      await this.checkOCSPStatus(certificate, issuer);
      return 'good';
    } catch (error) {
      // Unreachable, or a response that is none ("try later" breaks the library's parser), counts as no response.
      if (!(error instanceof VerificationException)) return 'none';
      return error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE ? 'none' : 'bad';
    }
  }
}

function refused(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
