// Verifies what the ios-store signs: notifications with all they contain, transactions, renewal infos. Every JWS, inner ones
// too, passes the same steps: form, signature of the leaf, trust in the chain, dates, fields. No environment skips one.
import { X509Certificate, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { z } from 'zod';
import { createChainTrust, type ChainTrust, type TrustedChain, type TrustOptions } from './chain.js';
import type { UntrustedChain } from './chain-verifier.js';
import { readHeader, readJws, type ChainClaim, type Jws } from './jws.js';
import { appTransactionSchema, notificationSchema, renewalInfoSchema, transactionSchema } from './payloads.js';
import type { IosSignedData, Verified } from './port.js';
import { InvalidSignedData } from '../../domain/errors.js';

type Wire = z.infer<typeof notificationSchema>;

/** On a thread of the pool: the signatures are most of the work, and the caller's thread has everything else to do. */
const fits = promisify<string, Buffer, SigningKey, Buffer, boolean>(verify);
type SigningKey = { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' };

/** How far the dates of certificates may be missed. */
const DATE_SLACK_MS = 60_000;

/** The roots are the only trust. Whether data belongs to an app is for the caller to ask: `checkBelongsToApp`. */
export function createIosSignedData(options: TrustOptions): IosSignedData & Pick<ChainTrust, 'prepare'> {
  const trust = createChainTrust(options);

  async function open<T extends object>(text: string, schema: z.ZodType<T>): Promise<Verified<T>> {
    const jws = readJws(text);
    const at = options.onlineChecks ? options.runtime.now() : (jws.signedAt ?? options.runtime.now());
    const known = trust.recall(jws.header);
    const chain = known === undefined ? await judgeSigner(jws, at) : await checkSignature(jws, known);
    const isInDate = chain.validFrom - DATE_SLACK_MS <= at && at <= chain.validTo + DATE_SLACK_MS;
    if (!isInDate) throw badSignature('the certificates were not valid at the date of signing');
    if (known === undefined) trust.keep(jws.header, chain);
    return { ...decode(schema, jws.payload), revocationChecked: chain.revocationChecked };
  }

  // The signature first: it costs a thirtieth of the chain, and a forger cannot make us ask the responder.
  async function judgeSigner(jws: Jws, at: number): Promise<TrustedChain> {
    return trust.judge(await checkSignature(jws, readCertificates(readHeader(jws.header))), at);
  }

  async function openInner<T extends object>(text: string | undefined, schema: z.ZodType<T>) {
    return text === undefined ? undefined : open(text, schema);
  }

  async function openData({ signedTransactionInfo, signedRenewalInfo, ...data }: NonNullable<Wire['data']>) {
    const [transaction, renewal] = await Promise.all([
      openInner(signedTransactionInfo, transactionSchema),
      openInner(signedRenewalInfo, renewalInfoSchema),
    ]);
    return { ...data, ...(transaction && { transaction }), ...(renewal && { renewal }) };
  }

  async function openAppData({ signedAppTransactionInfo, ...appData }: NonNullable<Wire['appData']>) {
    const appTransaction = await openInner(signedAppTransactionInfo, appTransactionSchema);
    return { ...appData, ...(appTransaction && { appTransaction }) };
  }

  return {
    prepare: trust.prepare,
    async verifyNotification(signedPayload) {
      const { data: signedData, appData: signedAppData, ...outer } = await open(signedPayload, notificationSchema);
      const data = signedData && (await openData(signedData));
      const appData = signedAppData && (await openAppData(signedAppData));
      const parts = [outer, data?.transaction, data?.renewal, appData?.appTransaction];
      return {
        ...outer,
        ...(data && { data }),
        ...(appData && { appData }),
        revocationChecked: parts.every((part) => part === undefined || part.revocationChecked),
      };
    },
    verifyTransaction: (signed) => open(signed, transactionSchema),
    verifyRenewalInfo: (signed) => open(signed, renewalInfoSchema),
  };
}

function readCertificates({ leaf, intermediate }: ChainClaim): UntrustedChain {
  try {
    const certificate = new X509Certificate(Buffer.from(leaf, 'base64'));
    const issuer = new X509Certificate(Buffer.from(intermediate, 'base64'));
    return { leaf: certificate, intermediate: issuer, leafKey: certificate.publicKey };
  } catch {
    // OpenSSL's codes add nothing of use: these are no certificates, or contain a kind of key it does not know.
    throw badSignature('the certificates cannot be read');
  }
}

/** Returns the chain whose leaf has signed. */
async function checkSignature<C extends { readonly leafKey: KeyObject }>(jws: Jws, chain: C): Promise<C> {
  const { leafKey: key } = chain;
  const signature = Buffer.from(jws.signature, 'base64url');
  // Only ES256 is allowed, so only its curve; and one spelling of a signature, where base64url would decode several.
  const isCurve = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
  const isForm = signature.length === 64 && signature.toString('base64url') === jws.signature;
  const isOwn = isCurve && isForm && (await fits('sha256', jws.signed, { key, dsaEncoding: 'ieee-p1363' }, signature));
  if (!isOwn) throw badSignature('the signature is not the leaf certificate’s');
  return chain;
}

function decode<T>(schema: z.ZodType<T>, payload: unknown): T {
  const read = schema.safeParse(payload);
  if (read.success) return read.data;
  const faults = read.error.issues.map((issue) => issue.path.join('.') || issue.message);
  const isEnvironment = faults.every((fault) => /(^|\.)(environment|receiptType)$/.test(fault));
  throw new InvalidSignedData(isEnvironment ? 'wrong_environment' : 'unreadable', `look at ${faults.join(', ')}`);
}

function badSignature(detail: string): InvalidSignedData {
  return new InvalidSignedData('bad_signature', detail);
}
