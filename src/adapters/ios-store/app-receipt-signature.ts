// Verifies the signature of app receipts (CMS, PKCS #7) against the store's root certificate, in a module of its own because the library
// takes long to load.
import { webcrypto, X509Certificate } from 'node:crypto';
import { Certificate, ContentInfo, CryptoEngine, SignedData, setEngine } from 'pkijs';

setEngine('node', new CryptoEngine({ name: 'node', crypto: webcrypto }));

/** Extension of certificates that sign receipts. Certificates of developers have the same root, but not this extension. */
const RECEIPT_SIGNING = '1.2.840.113635.100.6.11.1';

/**
 * Returns whether one of the roots (PEM or DER) vouches for the receipt. `at`: time of its creation (ms since the epoch), at which the certificates
 * must be valid: devices present receipts for years.
 */
export async function verifyAppReceipt(receipt: Buffer, roots: readonly Buffer[], at: number): Promise<boolean> {
  try {
    const signedData = new SignedData({ schema: ContentInfo.fromBER(receipt).content as unknown });
    const result = await signedData.verify({
      signer: 0,
      checkChain: true,
      trustedCerts: roots.map((root) => Certificate.fromBER(new X509Certificate(root).raw)),
      checkDate: new Date(at),
      extendedMode: true,
    });
    const { signerCertificate, signatureVerified, signerCertificateVerified } = result;
    const maySign = signerCertificate?.extensions?.some(({ extnID }) => extnID === RECEIPT_SIGNING) === true;
    return maySign && signatureVerified === true && signerCertificateVerified === true;
  } catch {
    // The library throws for a wrong signature, an untrusted chain and for bytes that are not CMS.
    return false;
  }
}
