// Parser of a compact JWS in the ios-store's format. Nothing here is trusted yet; any other format is `unreadable`.
import { z } from 'zod';
import { InvalidSignedData } from '../../domain/errors.js';

/** Maximum length in characters. The largest notifications are about 20,000; every accepted one is stored in the inbox. */
const MAX_LENGTH = 262_144;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

const certificate = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headerSchema = z.object({
  alg: z.literal('ES256'),
  x5c: z.tuple([certificate, certificate, certificate]),
  // RFC 7515 section 4.1.11: a recipient must reject a header with critical extensions that it does not support.
  crit: z.never().optional(),
});
const dateSchema = z.object({ signedDate: z.int().optional(), receiptCreationDate: z.int().optional() });

/** Certificates of the header in Base64 DER. The root that was sent along is omitted: it proves nothing. */
export type EncodedChain = { readonly leaf: string; readonly intermediate: string };

export type Jws = {
  /** Signed bytes. */
  readonly signed: Buffer;
  /** First and third segment as received. */
  readonly header: string;
  readonly signature: string;
  readonly payload: unknown;
  /** Time of signing by the store's clock, ms since the epoch; undefined when the payload has none. */
  readonly signedAt: number | undefined;
};

/**
 * Splits a JWS without parsing its header: see {@link readHeader}. Surrounding whitespace, which clients and files add, is ignored. Throws
 * {@link InvalidSignedData}, and nothing else, for any text.
 */
export function readJws(untrimmed: string): Jws {
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
export function readHeader(part: string): EncodedChain {
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
