// A raw body without the certificates of its signed texts. A store signs everything with the same few chains and sends the whole chain
// with each signed text, again inside those that contain others, so that the chains are larger than the content.
// The certificates are stored once for all notifications that use them.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';

/**
 * `before`, the first header, the payload (one character for each byte) in base64url and `after` make up the body. In the payload, `<n>`
 * stands for the header that entry `n` of `certificates` names; the first entry is the header of the body's own signed text.
 */
export const packedBody = z.strictObject({
  certificates: z.array(z.string()),
  before: z.string(),
  payload: z.string(),
  after: z.string(),
});
export type PackedBody = z.output<typeof packedBody>;
/** A packed body with the headers instead of their names. */
type BodyParts = Omit<PackedBody, 'certificates'> & { readonly headers: readonly string[] };

/** First characters of a JSON string that contains a JSON object in base64url. */
const HEADER_PREFIX = '"eyJ';
/** Minimum length of a header that contains certificates. */
const MIN_HEADER_LENGTH = 1000;

/** Splits a body into its parts. Returns null for a body without certificates and for one that would not be restored byte for byte. */
export function splitBody(rawBody: string): BodyParts | null {
  const own = findHeader(rawBody, 0);
  if (own === null) return null;
  const payloadEnd = rawBody.indexOf('.', own.end + 1);
  if (payloadEnd < 0) return null;
  const headers = [rawBody.slice(own.start, own.end)];
  const payload = replaceHeaders(fromBase64url(rawBody.slice(own.end + 1, payloadEnd)), headers);
  const [before, after] = [copyText(rawBody.slice(0, own.start)), copyText(rawBody.slice(payloadEnd))];
  const parts = { headers, before, payload, after };
  return joinBody(parts) === rawBody ? parts : null;
}

export function joinBody({ headers, before, payload, after }: BodyParts): string {
  const whole = payload.replace(/<(\d+)>/g, (mark, n: string) => headers[Number(n)] ?? mark);
  return `${before}${headers[0] ?? ''}.${toBase64url(whole)}${after}`;
}

/** Replaces headers with their index in `headers`, and appends those that are not in the list yet. */
function replaceHeaders(text: string, headers: string[]): string {
  let rest = '';
  let passed = 0;
  for (let found = findHeader(text, 0); found; found = findHeader(text, passed)) {
    const header = text.slice(found.start, found.end);
    const known = headers.indexOf(header);
    rest += `${text.slice(passed, found.start)}<${known < 0 ? headers.push(header) - 1 : known}>`;
    passed = found.end;
  }
  return rest + text.slice(passed);
}

/** Returns the first header that contains certificates, starting at `from`. */
function findHeader(text: string, from: number): { readonly start: number; readonly end: number } | null {
  for (let at = text.indexOf(HEADER_PREFIX, from); at >= 0; at = text.indexOf(HEADER_PREFIX, at + 1)) {
    const start = at + 1;
    const close = text.indexOf('"', start);
    const length = text.slice(start, close < 0 ? text.length : close).indexOf('.');
    if (length >= MIN_HEADER_LENGTH) return { start, end: start + length };
  }
  return null;
}

/** Copies a part of a text: a slice would keep the whole text in memory as long as the newest events are cached. */
function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** Buffer shared by all synchronous uses: allocating one of this size for each body costs more than the work. */
const sharedBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** Decodes to one character for each byte, so that any bytes are restored. */
function fromBase64url(text: string): string {
  if (text.length > sharedBuffer.length) return Buffer.from(text, 'base64url').toString('latin1');
  return sharedBuffer.toString('latin1', 0, sharedBuffer.write(text, 'base64url'));
}

function toBase64url(bytes: string): string {
  if (bytes.length > sharedBuffer.length) return Buffer.from(bytes, 'latin1').toString('base64url');
  return sharedBuffer.toString('base64url', 0, sharedBuffer.write(bytes, 'latin1'));
}

export const certificatesEvents = {
  /** `header`: the first part of a signed text, in base64url, character for character. */
  SigningCertificatesKept: defineEvent('SigningCertificatesKept', { header: z.string() }),
};
export type CertificatesEvent = EventOf<typeof certificatesEvents>;

/** The state is the header, or null. */
export const certificatesDecider: Decider<string | null, { readonly header: string }, CertificatesEvent> = {
  initial: () => null,
  evolve: (_, { data }) => data.header,
  decide: ({ header }, state) => (state === null ? [certificatesEvents.SigningCertificatesKept.of({ header })] : []),
};
