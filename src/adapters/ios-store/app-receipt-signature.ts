// Verifies the signature of app receipts (CMS, PKCS #7) against the store's root certificate. Everything in a receipt comes from its sender,
// so nothing is searched for: one signer, few small certificates, keys of the sizes that the store uses, one issuer per certificate.
import { createHash, verify, X509Certificate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { InvalidSignedData } from '../../domain/errors.js';
import { childAt, childrenOf, contentOf, descend, type Element } from './der.js';
import type { ChainTrust } from './chain.js';

/** Runs on the thread pool: the content may have several megabytes. */
const verifySignature = promisify<string, Buffer, KeyObject, Buffer, boolean>(verify);

/** The store sends three certificates of at most 1.5 kB: leaf, intermediate and root. */
const MAX_CERTIFICATES = 4;
const MAX_CERTIFICATE_BYTES = 4096;
/** Keys of the store have 2048 bits, and the usual exponent. Larger ones of a sender would cost time. */
const MAX_RSA_BITS = 4096;
const MAX_RSA_EXPONENT = 65_537n;
const CURVES: ReadonlySet<string | undefined> = new Set(['prime256v1', 'secp384r1']);

const [OCTET_STRING, SEQUENCE, SET, CONTEXT] = [0x04, 0x30, 0x31, 0xa0];
/** Digest algorithms by the bytes of their object identifier. */
const DIGESTS: ReadonlyMap<string, string> = new Map([
  ['2b0e03021a', 'sha1'],
  ['608648016503040201', 'sha256'],
  ['608648016503040202', 'sha384'],
  ['608648016503040203', 'sha512'],
]);
const MESSAGE_DIGEST = '2a864886f70d010904';

/** Version, digest algorithms, content, certificates, revocation lists, signers. */
const MAX_MESSAGE_PARTS = 6;
/** Version, ID, digest algorithm, signed attributes, signature algorithm, signature, unsigned attributes. */
const MAX_SIGNER_PARTS = 7;
const MAX_SIGNED_ATTRIBUTES = 16;
/** Maximum length of object identifiers and serial numbers. */
const MAX_ID_BYTES = 32;

type SignedAttributes = { readonly contentDigest: Buffer; readonly signed: Buffer };
type Message = { readonly content: Buffer; readonly certificates: readonly Buffer[]; readonly signer: Signer };
/** `attributes`: the signed attributes; null where the signature is of the content itself, as in the store's receipts. */
type Signer = {
  readonly serialNumber: string;
  readonly digest: string;
  readonly attributes: SignedAttributes | null;
  readonly signature: Buffer;
};

/**
 * Returns whether a trusted root vouches for the receipt (DER). `at`: time of its creation (ms since the epoch), at which the certificates
 * must be valid: devices present receipts for years.
 */
export async function verifyAppReceipt(
  receipt: Buffer,
  trust: Pick<ChainTrust, 'verify'>,
  at: number,
): Promise<boolean> {
  try {
    const message = readMessage(receipt);
    const certificates = message.certificates.map((der) => new X509Certificate(der));
    const leaf = certificates.find((c) => withoutZeros(c.serialNumber) === message.signer.serialNumber);
    const intermediate = leaf && certificates.find((c) => c !== leaf && c.subject === leaf.issuer);
    if (!intermediate || !(await isSignedBy(leaf.publicKey, message))) return false;
    await trust.verify({ leaf, intermediate, leafKey: leaf.publicKey }, at);
    return true;
  } catch (err) {
    // RangeError: not DER. A code of OpenSSL: not a certificate, or not a signature of this key.
    const isOpenSsl = err instanceof Error && 'code' in err;
    if (err instanceof RangeError || err instanceof InvalidSignedData || isOpenSsl) return false;
    throw err;
  }
}

async function isSignedBy(key: KeyObject, { content, signer }: Message): Promise<boolean> {
  const { digest, attributes, signature } = signer;
  if (!isStoreKey(key)) return false;
  if (!attributes) return verifySignature(digest, content, key, signature);
  const isOfContent = attributes.contentDigest.equals(createHash(digest).update(content).digest());
  return isOfContent && verifySignature(digest, attributes.signed, key, signature);
}

function isStoreKey({ asymmetricKeyType, asymmetricKeyDetails: details }: KeyObject): boolean {
  if (asymmetricKeyType === 'ec') return CURVES.has(details?.namedCurve);
  const { modulusLength = Infinity, publicExponent = Infinity } = details ?? {};
  return asymmetricKeyType === 'rsa' && modulusLength <= MAX_RSA_BITS && publicExponent <= MAX_RSA_EXPONENT;
}

/** Throws `RangeError` for anything but a signed message with one signer, and few certificates. */
function readMessage(der: Buffer): Message {
  const [, , contentInfo, certificates, ...others] = childrenOf(der, descend(der, [0, 1, 0]), MAX_MESSAGE_PARTS);
  const signers = others.at(-1);
  if (contentInfo?.tag !== SEQUENCE || certificates?.tag !== CONTEXT || signers?.tag !== SET)
    throw new RangeError('a part of a signed message is missing');
  const content = childAt(der, childAt(der, contentInfo, 1));
  if (content.tag !== OCTET_STRING) throw new RangeError('the content of a receipt is an octet string');
  const [signer] = childrenOf(der, signers, 1);
  if (!signer) throw new RangeError('a signed message without a signer');
  return {
    content: contentOf(der, content),
    certificates: childrenOf(der, certificates, MAX_CERTIFICATES).map(({ at, end }) =>
      checkSize(der.subarray(at, end)),
    ),
    signer: readSigner(der, signer),
  };
}

function readSigner(der: Buffer, signer: Element): Signer {
  const [, id, digestAlgorithm, ...rest] = childrenOf(der, signer, MAX_SIGNER_PARTS);
  const attributes = rest[0]?.tag === CONTEXT ? rest[0] : null;
  const signature = rest[attributes ? 2 : 1];
  const digest = digestAlgorithm && DIGESTS.get(hexOf(der, childAt(der, digestAlgorithm)));
  if (id?.tag !== SEQUENCE || signature?.tag !== OCTET_STRING || digest === undefined)
    throw new RangeError('a signer of an unknown form');
  return {
    serialNumber: withoutZeros(hexOf(der, childAt(der, id, 1))),
    digest,
    attributes: attributes && readSignedAttributes(der, attributes),
    signature: contentOf(der, signature),
  };
}

function readSignedAttributes(der: Buffer, attributes: Element): SignedAttributes {
  const found = childrenOf(der, attributes, MAX_SIGNED_ATTRIBUTES).find(
    (attribute) => hexOf(der, childAt(der, attribute)) === MESSAGE_DIGEST,
  );
  if (!found) throw new RangeError('the signed attributes do not contain the digest');
  // The signature is of the attributes as a set: RFC 5652, section 5.4.
  const signed = Buffer.from(der.subarray(attributes.at, attributes.end));
  signed.writeUInt8(SET, 0);
  return { contentDigest: contentOf(der, childAt(der, childAt(der, found, 1))), signed };
}

function hexOf(der: Buffer, element: Element): string {
  if (element.end - element.begin > MAX_ID_BYTES) throw new RangeError('a number is too long');
  return contentOf(der, element).toString('hex');
}

function checkSize(certificate: Buffer): Buffer {
  if (certificate.length > MAX_CERTIFICATE_BYTES) throw new RangeError('a certificate is too large');
  return certificate;
}

function withoutZeros(hex: string): string {
  return hex.toLowerCase().replace(/^0+/, '');
}
