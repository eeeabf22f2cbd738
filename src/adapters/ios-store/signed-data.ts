// Verification of ios-store signed data: notifications with their contents, transactions, renewal info. Every JWS, inner ones too, passes
// the same steps: format, signature of the leaf, chain trust, dates, fields. No environment skips a step.
import { X509Certificate, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { createChainTrust, type ChainTrust, type TrustedChain, type TrustOptions } from './chain.js';
import type { UntrustedChain } from './chain-verifier.js';
import { readHeader, readJws, type EncodedChain, type Jws } from './jws.js';
import { appTransactionSchema, notificationSchema, renewalInfoSchema, transactionSchema } from './payloads.js';
import type { IosSignedData, VerifiedData } from './port.js';
import type { TrustedRoots } from './root-certificates.js';
import { InvalidSignedData } from '../../domain/errors.js';

type WireNotification = z.infer<typeof notificationSchema>;

/** Runs on the thread pool: signatures are most of the work, and the caller's thread must stay free. */
const verifySignature = promisify<string, Buffer, VerificationKey, Buffer, boolean>(verify);
type VerificationKey = { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' };

/** Tolerance for the dates of certificates. */
const DATE_TOLERANCE_MS = 60_000;

/** Creates the verifier, which trusts the given roots only; `receiptRoots` are the same by default. Callers check with `checkBelongsToApp` that data belongs to their app. */
export function createIosSignedData(
  options: TrustOptions & Partial<Pick<TrustedRoots, 'receiptRoots'>>,
): IosSignedData & Pick<ChainTrust, 'prepare'> {
  const trust = createChainTrust(options);

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

  return {
    prepare: trust.prepare,
    async verifyNotification(signedPayload) {
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
    },
    verifyTransaction: (signed) => verifyJws(signed, transactionSchema),
    verifyRenewalInfo: (signed) => verifyJws(signed, renewalInfoSchema),
    async isSignedAppReceipt(receipt, createdAt) {
      const at = Date.parse(createdAt ?? '');
      if (Number.isNaN(at)) return false;
      const { verifyAppReceipt } = await import('./app-receipt-signature.js');
      return verifyAppReceipt(Buffer.from(receipt, 'base64'), options.receiptRoots ?? options.roots, at);
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
