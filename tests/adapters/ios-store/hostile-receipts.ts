// App receipts that are made to cost time.
import { webcrypto } from 'node:crypto';
import { BasicConstraintsExtension, X509CertificateGenerator } from '@peculiar/x509';
import {
  issueCertificate,
  type CertificateAuthority,
  type IssuedCertificate,
} from '../../../simulator/ios-store/certificate-authority.js';
import { RECEIPT_SIGNING, signReceipt, type Signing } from './app-receipts.js';

type Deviations = Omit<Partial<Signing>, 'signer' | 'others'> & {
  /** Certificates in addition to leaf, intermediate and root. */
  readonly extraCertificates?: number;
  /** Length of the leaf's name. */
  readonly nameLength?: number;
};

/** Signs a receipt with certificates of an authority that differ from those of the store. */
export async function signUnusually(
  receipt: string,
  { issuers: { root, intermediate } }: CertificateAuthority,
  { extraCertificates = 0, nameLength = 10, ...deviations }: Deviations,
): Promise<string> {
  const issue = (name: string) =>
    issueCertificate({ name, curve: 'P-256', ca: false, issuer: intermediate, oid: RECEIPT_SIGNING });
  const signer = await issue('n'.repeat(nameLength));
  const extra = await Promise.all(Array.from({ length: extraCertificates }, () => issue('Extra')));
  return signReceipt(receipt, { signer, others: [intermediate, root, ...extra], ...deviations });
}

/** Signs a receipt with a certificate A that B issued, whose certificate A issued: a path from A to a root never ends. */
export async function signInCircle(receipt: string): Promise<string> {
  const first = await issueCertificate({ name: 'A', curve: 'P-256', ca: true, issuerName: 'B', oid: RECEIPT_SIGNING });
  const issuer = await issueCertificate({ name: 'B', curve: 'P-256', ca: true, issuer: first });
  const signer = await reissue(first, issuer);
  return signReceipt(receipt, { signer, others: [issuer] });
}

/** Returns the certificate with the same key and name, issued by another. */
async function reissue(
  { keys, certificate }: IssuedCertificate,
  issuer: IssuedCertificate,
): Promise<IssuedCertificate> {
  const reissued = await X509CertificateGenerator.create(
    {
      subject: certificate.subject,
      issuer: issuer.certificate.subject,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
      publicKey: keys.publicKey,
      signingKey: issuer.keys.privateKey,
      signingAlgorithm: { name: 'ECDSA', hash: 'SHA-256' },
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
    },
    webcrypto,
  );
  return { keys, certificate: reissued };
}
