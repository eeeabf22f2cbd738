// App receipts in the store's form. They are unsigned until `signAppReceipt`: what is outside of their content is left empty.
import { createHash, webcrypto } from 'node:crypto';
import {
  Attribute,
  Certificate,
  ContentInfo,
  CryptoEngine,
  IssuerAndSerialNumber,
  setEngine,
  SignedAndUnsignedAttributes,
  SignedData,
  SignerInfo,
} from 'pkijs';
import { readAppReceipt } from '../../../src/adapters/ios-store/app-receipt.js';
import {
  issueCertificate,
  type CertificateAuthority,
  type IssuedCertificate,
} from '../../../simulator/ios-store/certificate-authority.js';

export type ReceiptFields = {
  readonly transactionId: string;
  readonly productId: string;
  /** ISO 8601, UTC. */
  readonly purchasedAt: string;
  readonly webOrderLineItemId?: string;
  /** Its own ID by default. */
  readonly originalTransactionId?: string;
};

const [INTEGER, OCTET_STRING, OBJECT, UTF8, IA5, SEQUENCE, SET, CONTEXT] = [2, 4, 6, 12, 22, 0x30, 0x31, 0xa0];
const SIGNED_DATA = Buffer.from('2a864886f70d010702', 'hex');
const MESSAGE_DIGEST = Buffer.from('2a864886f70d010904', 'hex');
const DATA = Buffer.from('2a864886f70d010701', 'hex');

export const CREATED_AT = '2026-11-15T10:00:00Z';

/** An element in DER. */
export function element(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  if (length < 0x80) return Buffer.concat([Buffer.from([tag, length]), content]);
  const size = length < 0x100 ? 1 : length < 0x10000 ? 2 : 3;
  const header = Buffer.alloc(2 + size, tag);
  header.writeUInt8(0x80 | size, 1);
  header.writeUIntBE(length, 2, size);
  return Buffer.concat([header, content]);
}

/** `attributes` replace all that the receipt would contain. */
export function appReceipt(
  bundleId: string,
  purchases: readonly ReceiptFields[],
  attributes: readonly Buffer[] = [
    attribute(0, text(UTF8, 'Production')),
    attribute(2, text(UTF8, bundleId)),
    attribute(12, text(IA5, CREATED_AT)),
    ...purchases.map((purchase) => attribute(17, purchaseSet(purchase))),
  ],
): string {
  const content = element(
    SEQUENCE,
    element(OBJECT, DATA),
    element(CONTEXT, element(OCTET_STRING, element(SET, ...attributes))),
  );
  const signedData = element(SEQUENCE, number(1), element(SET), content, element(SET));
  return element(SEQUENCE, element(OBJECT, SIGNED_DATA), element(CONTEXT, signedData)).toString('base64');
}

export function purchaseSet({
  transactionId,
  productId,
  purchasedAt,
  webOrderLineItemId,
  ...more
}: ReceiptFields): Buffer {
  const { originalTransactionId = transactionId } = more;
  const lineItem = webOrderLineItemId === undefined ? 0 : Number(webOrderLineItemId);
  return element(
    SET,
    attribute(1701, number(1)),
    attribute(1711, number(lineItem)),
    attribute(1702, text(UTF8, productId)),
    attribute(1703, text(UTF8, transactionId)),
    attribute(1705, text(UTF8, originalTransactionId)),
    attribute(1704, text(IA5, purchasedAt)),
    attribute(1708, text(IA5, '')),
  );
}

export function attribute(type: number, value: Buffer): Buffer {
  return element(SEQUENCE, number(type), number(1), element(OCTET_STRING, value));
}

function text(tag: number, value: string): Buffer {
  return element(tag, Buffer.from(value));
}

/** Not negative. */
function number(value: number): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return element(INTEGER, (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.alloc(1), bytes]));
}

export const RECEIPT_SIGNING = '1.2.840.113635.100.6.11.1';

/** Signs receipts with certificates of an authority; any other text stays as it is. `oid` null: with a certificate that is not for receipts, such as a developer's. */
export async function createReceiptSigner(
  { issuers: { root, intermediate } }: CertificateAuthority,
  oid: string | null = RECEIPT_SIGNING,
): Promise<(receipt: string) => Promise<string>> {
  setEngine('node', new CryptoEngine({ name: 'node', crypto: webcrypto }));
  const request = { name: 'Simulated Receipt Signing', curve: 'P-256', ca: false, issuer: intermediate } as const;
  const leaf = await issueCertificate({ ...request, ...(oid !== null && { oid }) });
  return (receipt) => signReceipt(receipt, { signer: leaf, others: [intermediate, root] });
}

/** `withAttributes`: the signature is of signed attributes, not of the content itself. `signers`: 1 by default. */
export type Signing = {
  readonly signer: IssuedCertificate;
  readonly others: readonly IssuedCertificate[];
  readonly withAttributes?: boolean;
  readonly signers?: number;
};

/** Signs a receipt; any other text stays as it is. */
export async function signReceipt(
  receipt: string,
  { signer, others, withAttributes = false, signers = 1 }: Signing,
): Promise<string> {
  if (!readAppReceipt(receipt)) return receipt;
  const certificates = [signer, ...others].map(({ certificate }) => Certificate.fromBER(certificate.rawData));
  const [own] = certificates;
  if (!own) throw new Error('no certificate');
  const unsigned = ContentInfo.fromBER(Buffer.from(receipt, 'base64'));
  const { encapContentInfo } = new SignedData({ schema: unsigned.content as unknown });
  const content = Buffer.from(encapContentInfo.eContent?.getValue() ?? new ArrayBuffer(0));
  const sid = new IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber });
  const signerInfos = Array.from({ length: signers }, () => {
    const info = new SignerInfo({ version: 1, sid });
    if (withAttributes) info.signedAttrs = digestAttributes(content);
    return info;
  });
  const signedData = new SignedData({ version: 1, encapContentInfo, certificates, signerInfos });
  for (const index of signerInfos.keys()) await signedData.sign(signer.keys.privateKey, index, 'SHA-256');
  const info = new ContentInfo({ contentType: ContentInfo.SIGNED_DATA, content: signedData.toSchema(true) });
  return Buffer.from(info.toSchema().toBER()).toString('base64');
}

function digestAttributes(content: Buffer): SignedAndUnsignedAttributes {
  const digest = createHash('sha256').update(content).digest();
  const attribute = element(SEQUENCE, element(OBJECT, MESSAGE_DIGEST), element(SET, element(OCTET_STRING, digest)));
  const attributes = [Attribute.fromBER(attribute)];
  return new SignedAndUnsignedAttributes({ type: 0, attributes });
}
