// A certificate authority like the ios-store's: generates root, intermediate and leaf, and signs JWS with the leaf. A server accepts them
// if it trusts `rootPem`. The flaws are for tests of what a server must reject.
import './metadata-polyfill.js';
import { createPrivateKey, sign as signBytes, webcrypto } from 'node:crypto';
import type { X509Certificate } from '@peculiar/x509';
import {
  AuthorityInfoAccessExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';

const LEAF_OID = '1.2.840.113635.100.6.11.1';
const INTERMEDIATE_OID = '1.2.840.113635.100.6.2.1';
const DER_NULL = new Uint8Array([5, 0]);
const NAMES = { root: 'Simulated Root CA', intermediate: 'Simulated Worldwide CA', leaf: 'Simulated Store Receipts' };

type Curve = 'P-256' | 'P-384';
export type IssuedCertificate = { readonly certificate: X509Certificate; readonly keys: webcrypto.CryptoKeyPair };

/** Deviations of one certificate from a valid one. */
export type CertificateFlaws = {
  /** Start of validity, 2020 by default. */
  readonly notBefore?: Date;
  /** End of validity, 2050 by default. */
  readonly notAfter?: Date;
  /** Omits the store's object identifier. */
  readonly omitsOid?: boolean;
  /** Replaces the name of the issuer. */
  readonly issuerName?: string;
};

export type AuthorityOptions = {
  readonly root?: CertificateFlaws;
  readonly intermediate?: CertificateFlaws & { readonly notCa?: boolean };
  /** P-384 makes every JWS an ES384 one. */
  readonly leaf?: CertificateFlaws & { readonly curve?: Curve };
  /** OCSP responder in leaf and intermediate; none by default. */
  readonly responderUrl?: string;
};

export type CertificateAuthority = {
  /** The certificate to trust. */
  readonly rootPem: string;
  /** Leaf, intermediate and root as base64 DER, as in the header of each JWS. */
  readonly x5c: readonly string[];
  /** Issuers for further certificates. */
  readonly issuers: { readonly root: IssuedCertificate; readonly intermediate: IssuedCertificate };
  /** Returns a compact JWS. `header` replaces or adds header fields, which the signature covers. */
  sign(payload: object, header?: object): string;
};

/** Creates a new authority with its own keys: two authorities do not trust each other. */
export async function createCertificateAuthority(options: AuthorityOptions = {}): Promise<CertificateAuthority> {
  const responder = options.responderUrl === undefined ? {} : { responderUrl: options.responderUrl };
  const root = await issueCertificate({ name: NAMES.root, curve: 'P-384', ca: true, ...options.root });
  const intermediate = await issueCertificate({
    name: NAMES.intermediate,
    curve: 'P-384',
    ca: !options.intermediate?.notCa,
    oid: INTERMEDIATE_OID,
    issuer: root,
    ...responder,
    ...options.intermediate,
  });
  const curve = options.leaf?.curve ?? 'P-256';
  const leaf = await issueCertificate({
    name: NAMES.leaf,
    ca: false,
    oid: LEAF_OID,
    issuer: intermediate,
    ...responder,
    ...options.leaf,
    curve,
  });

  const x5c = [leaf, intermediate, root].map((issued) => issued.certificate.toString('base64'));
  const pkcs8 = await webcrypto.subtle.exportKey('pkcs8', leaf.keys.privateKey);
  const key = createPrivateKey({ key: Buffer.from(pkcs8), format: 'der', type: 'pkcs8' });
  const [alg, digest] = curve === 'P-256' ? ['ES256', 'sha256'] : ['ES384', 'sha384'];

  const sign = (payload: object, header: object = {}): string => {
    const signed = `${encodeSegment({ alg, x5c, ...header })}.${encodeSegment(payload)}`;
    const signature = signBytes(digest, Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
    return `${signed}.${signature.toString('base64url')}`;
  };
  return { rootPem: root.certificate.toString('pem'), x5c, issuers: { root, intermediate }, sign };
}

type CertificateRequest = CertificateFlaws & {
  readonly name: string;
  readonly curve: Curve;
  readonly ca: boolean;
  readonly oid?: string;
  readonly responderUrl?: string;
  /** Object identifiers of the extended key usage; none by default. */
  readonly purposes?: readonly string[];
  /** Self-signed without an issuer. */
  readonly issuer?: IssuedCertificate;
};

export async function issueCertificate(order: CertificateRequest): Promise<IssuedCertificate> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: order.curve }, true, ['sign', 'verify']);
  const usage = order.ca ? KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign : KeyUsageFlags.digitalSignature;
  const extensions = [new BasicConstraintsExtension(order.ca, undefined, true), new KeyUsagesExtension(usage, true)];
  const mark = order.oid && !order.omitsOid ? [new Extension(order.oid, false, DER_NULL)] : [];
  const access = order.responderUrl ? [new AuthorityInfoAccessExtension({ ocsp: order.responderUrl })] : [];
  const purposes = order.purposes ? [new ExtendedKeyUsageExtension([...order.purposes])] : [];
  const certificate = await X509CertificateGenerator.create(
    {
      subject: `CN=${order.name}`,
      issuer: `CN=${order.issuerName ?? order.issuer?.certificate.subjectName.getField('CN')[0] ?? order.name}`,
      notBefore: order.notBefore ?? new Date('2020-01-01T00:00:00Z'),
      notAfter: order.notAfter ?? new Date('2050-01-01T00:00:00Z'),
      publicKey: keys.publicKey,
      signingKey: (order.issuer?.keys ?? keys).privateKey,
      signingAlgorithm: { name: 'ECDSA', hash: order.issuer ? 'SHA-384' : 'SHA-256' },
      extensions: [...extensions, ...mark, ...access, ...purposes],
    },
    webcrypto,
  );
  return { certificate, keys };
}

function encodeSegment(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
