// Takes a compact JWS of the ios-store's form apart. Nothing here is trusted yet; what has another form is `unreadable`.
import { z } from 'zod';
import { InvalidSignedData } from '../../domain/errors.js';

/** Characters. The largest notifications are about 20,000; the inbox keeps what it accepts. */
const MAX_LENGTH = 262_144;
const BASE64URL = /^[A-Za-z0-9_-]+$/;

const certificate = z.string().regex(/^[A-Za-z0-9+/]+={0,2}$/);
const headerSchema = z.object({
  alg: z.literal('ES256'),
  x5c: z.tuple([certificate, certificate, certificate]),
  // RFC 7515 section 4.1.11: a recipient that does not know the extensions named here must refuse.
  crit: z.never().optional(),
});
const datedSchema = z.object({ signedDate: z.int().optional(), receiptCreationDate: z.int().optional() });

/** Base64 DER. The root that was sent along is left out: it proves nothing. */
export type ChainClaim = { readonly leaf: string; readonly intermediate: string };

export type Jws = {
  /** The bytes under the signature. */
  readonly signed: Buffer;
  /** The first and the third segment as they came. */
  readonly header: string;
  readonly signature: string;
  readonly payload: unknown;
  /** When the store signed, by its own clock, in milliseconds since the epoch; undefined when the payload has no time. */
  readonly signedAt: number | undefined;
};

/**
 * The header is not looked into: see {@link readHeader}. Clients and files put blanks and line ends around a JWS; they mean nothing.
 * Throws {@link InvalidSignedData}, and only that, whatever the text is.
 */
export function readJws(untrimmed: string): Jws {
  if (untrimmed.length > MAX_LENGTH) throw unreadable(`longer than ${MAX_LENGTH} characters`);
  const text = untrimmed.trim();
  const headerEnd = text.indexOf('.');
  const payloadEnd = text.indexOf('.', headerEnd + 1);
  const [header, payloadPart] = [text.slice(0, headerEnd), text.slice(headerEnd + 1, payloadEnd)];
  const signature = text.slice(payloadEnd + 1);
  // Node reads only the lower byte of each character, in decoding as in the bytes under the signature.
  const isAscii = Buffer.byteLength(text) === text.length;
  const hasParts = headerEnd > 0 && payloadEnd > headerEnd + 1 && BASE64URL.test(signature);
  if (!isAscii || !hasParts) throw unreadable('not three base64url parts');
  const payload = readJson(payloadPart);
  const dated = datedSchema.safeParse(payload);
  if (!dated.success) throw unreadable('the payload is not an object with a date in milliseconds');

  return {
    signed: Buffer.from(text.slice(0, text.length - signature.length - 1), 'latin1'),
    header,
    signature,
    payload,
    signedAt: dated.data.signedDate ?? dated.data.receiptCreationDate,
  };
}

/** The signer that the header names. Throws {@link InvalidSignedData} for any header but one of ES256 with three certificates. */
export function readHeader(part: string): ChainClaim {
  const header = headerSchema.safeParse(readJson(part));
  if (!header.success) throw unreadable('the header is not one of ES256 with three certificates');
  const [leaf, intermediate] = header.data.x5c;
  return { leaf, intermediate };
}

/** Not Buffer.toString: it would turn broken UTF-8 into replacement characters. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Each use is over before anything else can run: a buffer of its own for each part costs more than the decoding. */
const room = Buffer.allocUnsafeSlow(MAX_LENGTH);

function readJson(part: string): unknown {
  const bytes = room.subarray(0, room.write(part, 'base64url'));
  // Node takes the other alphabet as well and passes over what is of neither; a pattern would take twice as long to find that.
  const isWhole = part.length % 4 !== 1 && bytes.length === Math.floor((part.length * 3) / 4);
  if (!isWhole || part.includes('+') || part.includes('/')) throw unreadable('a part is not base64url');
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch {
    // The errors of decoder and parser contain an offset at best, which is of no use to the caller.
    throw unreadable('a part is not JSON in UTF-8');
  }
}

function unreadable(detail: string): InvalidSignedData {
  return new InvalidSignedData('unreadable', detail);
}
