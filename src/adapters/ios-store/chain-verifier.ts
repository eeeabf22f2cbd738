// Certificate verification by the store's library, in a module of its own because the library takes long to load.
import {
  Environment,
  SignedDataVerifier,
  VerificationException,
  VerificationStatus,
} from '@apple/app-store-server-library';
import type { KeyObject, X509Certificate } from 'node:crypto';
import { InvalidSignedData } from '../../domain/errors.js';
import type { Runtime } from '../runtime.js';

const OCSP_TIMEOUT_MS = 3_000;

/** Certificates from an unverified header, which may be forged. */
export type UntrustedChain = {
  readonly leaf: X509Certificate;
  readonly intermediate: X509Certificate;
  readonly leafKey: KeyObject;
};

type OcspResult = 'good' | 'bad' | 'none';

/**
 * Verifies certificates with the library, without its verification of JWS: that one returns data of the environments `Xcode` and
 * `LocalTesting` unverified, and caches chains without checking their dates again. Never call its public methods.
 */
export class ChainVerifier extends SignedDataVerifier {
  readonly #runtime: Pick<Runtime, 'sleep'>;

  constructor(roots: readonly Buffer[], runtime: Pick<Runtime, 'sleep'>) {
    // Only the public methods use environment and bundle ID.
    super([...roots], false, Environment.SANDBOX, '');
    this.#runtime = runtime;
  }

  async verifyChain({ leaf, intermediate }: UntrustedChain, at: number): Promise<void> {
    try {
      await this.verifyCertificateChainWithoutCaching(this.rootCertificates, leaf, intermediate, new Date(at));
    } catch {
      // Besides its own exception, the library throws those of its certificate parsers on malformed input.
      throw invalidChain('the certificates do not chain to a trusted root, lack a required extension or are expired');
    }
  }

  /**
   * Returns true when all certificates are reported as good, false when no response came in time. Throws {@link InvalidSignedData} for any
   * other response.
   */
  async isUnrevoked({ leaf, intermediate }: UntrustedChain, root: X509Certificate): Promise<boolean> {
    const done = new AbortController();
    const limit = this.#runtime.sleep(OCSP_TIMEOUT_MS, done.signal).then((): OcspResult => 'none');
    // Each check is raced with the timeout: a slow response for one certificate must not hide that the other is revoked.
    const checks = [this.checkOcsp(leaf, intermediate), this.checkOcsp(intermediate, root)];
    const responses = await Promise.all(checks.map((check) => Promise.race([check, limit])));
    done.abort();
    if (responses.includes('bad')) throw invalidChain('the OCSP responder does not report the certificates as good');
    return responses.every((response) => response === 'good');
  }

  private async checkOcsp(certificate: X509Certificate, issuer: X509Certificate): Promise<OcspResult> {
    try {
      await this.checkOCSPStatus(certificate, issuer);
      return 'good';
    } catch (error) {
      // An unreachable responder and an unparsable response ("try later" breaks the library's parser) count as no response.
      if (!(error instanceof VerificationException)) return 'none';
      return error.status === VerificationStatus.RETRYABLE_VERIFICATION_FAILURE ? 'none' : 'bad';
    }
  }
}

function invalidChain(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
