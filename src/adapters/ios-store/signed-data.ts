// Verification of ios-store signed data: notifications with their contents, transactions, renewal info. Every JWS, inner ones too, passes
// the same steps: format, signature of the leaf, chain trust, dates, fields. No environment skips a step.
import { X509Certificate, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { z } from 'zod';
import { createChainTrust, type ChainTrust, type TrustedChain, type TrustOptions } from './chain.js';
import type { UntrustedChain } from './chain-verifier.js';
import { appTransactionSchema, notificationSchema, renewalInfoSchema, transactionSchema } from './payloads.js';
import { verifyAppReceipt } from './app-receipt-signature.js';
import type { IosNotification, IosSignedData, VerifiedData } from './port.js';
import type { TrustedRoots } from './root-certificates.js';
import { InvalidSignedData, RetryLater } from '../../domain/errors.js';

type WireNotification = z.infer<typeof notificationSchema>;

/** Runs on the thread pool: signatures are most of the work, and the caller's thread must stay free. */
const verifySignature = promisify<string, Buffer, VerificationKey, Buffer, boolean>(verify);
type VerificationKey = { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' };

/** Maximum length in characters. The largest notifications are about 20,000; every accepted one is stored in the inbox. */
const MAX_LENGTH = 262_144;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/** Maximum length of a certificate in Base64. The store's have about 1,400 characters; libraries read those of a sender before they are trusted. */
const MAX_CERTIFICATE = 8_192;
/** Maximum time of a verification with all requests to the responder. */
const VERIFICATION_TIMEOUT_MS = 10_000;
const RETRY_AFTER_S = 10;

const certificate = z
  .string()
  .max(MAX_CERTIFICATE)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headerSchema = z.object({
  alg: z.literal('ES256'),
  x5c: z.tuple([certificate, certificate, certificate]),
  // RFC 7515 section 4.1.11: a recipient must reject a header with critical extensions that it does not support.
  crit: z.never().optional(),
});
const dateSchema = z.object({ signedDate: z.int().optional(), receiptCreationDate: z.int().optional() });

/** Certificates of the header in Base64 DER. The root that was sent along is omitted: it proves nothing. */
type EncodedChain = { readonly leaf: string; readonly intermediate: string };

type Jws = {
  /** Signed bytes. */
  readonly signed: Buffer;
  /** First and third segment as received. */
  readonly header: string;
  readonly signature: string;
  readonly payload: unknown;
  /** Time of signing by the store's clock, ms since the epoch; undefined when the payload has none. */
  readonly signedAt: number | undefined;
};

/** Tolerance for the dates of certificates. */
const DATE_TOLERANCE_MS = 60_000;

/** Creates the verifier, which trusts the given roots only; `receiptRoots` are the same by default. Callers check with `checkBelongsToApp` that data belongs to their app. */
export function createIosSignedData(
  options: TrustOptions & Partial<Pick<TrustedRoots, 'receiptRoots'>>,
): IosSignedData & Pick<ChainTrust, 'prepare'> {
  const trust = createChainTrust(options);
  // Without the responder: a receipt counts by the time of its creation.
  const receiptTrust = createChainTrust({
    ...options,
    roots: options.receiptRoots ?? options.roots,
    onlineChecks: false,
  });

  /** Throws {@link RetryLater} if the verification takes too long. */
  async function inTime<T>(verification: Promise<T>): Promise<T> {
    const done = new AbortController();
    const limit = options.runtime.sleep(VERIFICATION_TIMEOUT_MS, done.signal).then(() => {
      if (done.signal.aborted) return verification;
      throw new RetryLater('The signature could not be verified in time. Retry in 10 seconds.', RETRY_AFTER_S);
    });
    return Promise.race([verification, limit]).finally(() => done.abort());
  }

  async function verifyJws<T extends object>(text: string, schema: z.ZodType<T>): Promise<VerifiedData<T>> {
    const jws = readJws(text);
    const at = options.onlineChecks ? options.runtime.now() : (jws.signedAt ?? options.runtime.now());
    const cached = trust.findCached(jws.header);
    const chain = cached === undefined ? await verifySigner(jws, at) : await checkSignature(jws, cached);
    const isInDate = chain.validFrom - DATE_TOLERANCE_MS <= at && at <= chain.validTo + DATE_TOLERANCE_MS;
    if (!isInDate) throw badSignature('the certificates were not valid at the time of signing');
    if (cached === undefined) trust.cache(jws.header, chain);
    return { ...decode(schema, jws.payload), revocationChecked: chain.revocationChecked };
  }

  // The signature is checked first: it costs a thirtieth of the chain, and forged data then cannot trigger requests to the responder.
  async function verifySigner(jws: Jws, at: number): Promise<TrustedChain> {
    return trust.verify(await checkSignature(jws, readCertificates(readHeader(jws.header))), at);
  }

  async function verifyInner<T extends object>(text: string | undefined, schema: z.ZodType<T>) {
    return text === undefined ? undefined : verifyJws(text, schema);
  }

  async function verifyData({
    signedTransactionInfo,
    signedRenewalInfo,
    ...data
  }: NonNullable<WireNotification['data']>) {
    const [transaction, renewal] = await Promise.all([
      verifyInner(signedTransactionInfo, transactionSchema),
      verifyInner(signedRenewalInfo, renewalInfoSchema),
    ]);
    return { ...data, ...(transaction && { transaction }), ...(renewal && { renewal }) };
  }

  async function verifyAppData({ signedAppTransactionInfo, ...appData }: NonNullable<WireNotification['appData']>) {
    const appTransaction = await verifyInner(signedAppTransactionInfo, appTransactionSchema);
    return { ...appData, ...(appTransaction && { appTransaction }) };
  }

  async function verifyNotification(signedPayload: string): Promise<VerifiedData<IosNotification>> {
    const { data: signedData, appData: signedAppData, ...outer } = await verifyJws(signedPayload, notificationSchema);
    const data = signedData && (await verifyData(signedData));
    const appData = signedAppData && (await verifyAppData(signedAppData));
    const parts = [outer, data?.transaction, data?.renewal, appData?.appTransaction];
    return {
      ...outer,
      ...(data && { data }),
      ...(appData && { appData }),
      revocationChecked: parts.every((part) => part === undefined || part.revocationChecked),
    };
  }

  return {
    prepare: trust.prepare,
    verifyNotification: (signedPayload) => inTime(verifyNotification(signedPayload)),
    verifyTransaction: (signed) => inTime(verifyJws(signed, transactionSchema)),
    verifyRenewalInfo: (signed) => inTime(verifyJws(signed, renewalInfoSchema)),
    verifyAppTransaction: (signed) => inTime(verifyJws(signed, appTransactionSchema)),
    async isSignedAppReceipt(receipt, createdAt) {
      const at = Date.parse(createdAt ?? '');
      if (Number.isNaN(at)) return false;
      return inTime(verifyAppReceipt(Buffer.from(receipt, 'base64'), receiptTrust, at));
    },
  };
}
function readCertificates({ leaf, intermediate }: EncodedChain): UntrustedChain {
  try {
    const certificate = new X509Certificate(Buffer.from(leaf, 'base64'));
    const issuer = new X509Certificate(Buffer.from(intermediate, 'base64'));
    return { leaf: certificate, intermediate: issuer, leafKey: certificate.publicKey };
  } catch {
    // OpenSSL's codes do not help: the data is not a certificate, or has an unsupported key type.
    throw badSignature('the certificates cannot be read');
  }
}

/** Returns the chain if its leaf made the signature; throws otherwise. */
async function checkSignature<C extends { readonly leafKey: KeyObject }>(jws: Jws, chain: C): Promise<C> {
  const { leafKey: key } = chain;
  const signature = Buffer.from(jws.signature, 'base64url');
  // Only ES256 is allowed, so only its curve, and only the canonical encoding of a signature: base64url would decode several.
  const isCurve = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  const isForm = signature.length === 64 && signature.toString('base64url') === jws.signature;
  const isOwn =
    isCurve && isForm && (await verifySignature('sha256', jws.signed, { key, dsaEncoding: 'ieee-p1363' }, signature));
  if (!isOwn) throw badSignature('the signature was not made by the leaf certificate');
  return chain;
}

function decode<T>(schema: z.ZodType<T>, payload: unknown): T {
  const read = schema.safeParse(payload);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => issue.path.join('.') || issue.message);
  const isEnvironment = faults.every((fault) => /(^|\.)(environment|receiptType)$/.test(fault));
  throw new InvalidSignedData(
    isEnvironment ? 'wrong_environment' : 'unreadable',
    `invalid fields: ${faults.join(', ')}`,
  );
}

function badSignature(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}

/**
 * Splits a JWS without parsing its header: see {@link readHeader}. Surrounding whitespace, which clients and files add, is ignored. Throws
 * {@link InvalidSignedData}, and nothing else, for any text.
 */
function readJws(untrimmed: string): Jws {
  if (untrimmed.length > MAX_LENGTH) throw unreadable(`longer than ${MAX_LENGTH} characters`);
  const text = untrimmed.trim();
  const headerEnd = text.indexOf('.');
  const payloadEnd = text.indexOf('.', headerEnd + 1);
  const [header, payloadPart] = [text.slice(0, headerEnd), text.slice(headerEnd + 1, payloadEnd)];
  const signature = text.slice(payloadEnd + 1);
  // Node reads only the lower byte of each character, both when decoding and for the signed bytes.
  const isAscii = Buffer.byteLength(text) === text.length;
  const hasParts = headerEnd > 0 && payloadEnd > headerEnd + 1 && BASE64URL.test(signature);
  if (!isAscii || !hasParts) throw unreadable('not three base64url parts');
  const payload = readJson(payloadPart);
  const dated = dateSchema.safeParse(payload);
  if (!dated.success) throw unreadable('the payload is not an object with a date in milliseconds');

  return {
    signed: Buffer.from(text.slice(0, text.length - signature.length - 1), 'latin1'),
    header,
    signature,
    payload,
    signedAt: dated.data.signedDate ?? dated.data.receiptCreationDate,
  };
}

/** Returns the certificates of the header. Throws {@link InvalidSignedData} for any header except ES256 with three certificates. */
function readHeader(part: string): EncodedChain {
  const header = headerSchema.safeParse(readJson(part));
  if (!header.success) throw unreadable('the header is not ES256 with three certificates');
  const [leaf, intermediate] = header.data.x5c;
  return { leaf, intermediate };
}

/** Decoder used instead of Buffer.toString, which replaces malformed UTF-8 silently. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Shared buffer: each use ends before other code can run, and allocating a buffer per part costs more than decoding. */
const decodeBuffer = Buffer.allocUnsafeSlow(MAX_LENGTH);

function readJson(part: string): unknown {
  const bytes = decodeBuffer.subarray(0, decodeBuffer.write(part, 'base64url'));
  // Node also accepts the other alphabet and skips invalid characters; checking by a pattern takes twice as long.
  const isWhole = part.length % 4 !== 1 && bytes.length === Math.floor((part.length * 3) / 4);
  if (!isWhole || part.includes('+') || part.includes('/')) throw unreadable('a part is not base64url');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The errors of decoder and parser contain at most an offset, which does not help the caller.
    throw unreadable('a part is not JSON in UTF-8');
  }
}

function unreadable(detail: string): InvalidSignedData {
  return new InvalidSignedData('unreadable', detail);
}
