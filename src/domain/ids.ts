// Ids that are derived from their subject and not random, so that a repeat gets the same id.
import { hash } from 'node:crypto';
import { parse } from 'uuid';
import type { StreamName } from './envelope.js';

const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';
const EVENT_NAMESPACE = parse('6f1d1c5e-3c55-4a39-9a4a-6f0b6f0a7c11');

/** A function from parts to 26 characters of lower-case Crockford base32 (130 bits of HMAC-SHA256). */
export type KeyedHash = (...parts: readonly string[]) => string;

/** The naming key is created together with the log and never changes; every derived id and stream name depends on it. */
export function keyedHash(namingKey: Buffer): KeyedHash {
  const hmac = hmacSha256(namingKey);
  return (...parts) => base32(hmac(parts.join('\u0000')));
}

const BLOCK = 64;

/**
 * HMAC-SHA256 (RFC 2104) as two one-shot hashes: every request derives an id, and the one-shot form creates no object for the garbage
 * collector, which costs more than the hashing. A buffer costs the same, so bytes are passed as a text of one character each.
 */
function hmacSha256(key: Buffer): (text: string) => string {
  const block = Buffer.alloc(BLOCK);
  (key.length > BLOCK ? hash('sha256', key, 'buffer') : key).copy(block);
  const inner = block.map((byte) => byte ^ 0x36);
  const outer = Buffer.concat([block.map((byte) => byte ^ 0x5c), Buffer.alloc(32)]);
  return (text) => {
    outer.write(hash('sha256', appendText(inner, text), 'binary'), BLOCK, 'latin1');
    return hash('sha256', outer, 'binary');
  };
}

const sharedBuffer = Buffer.allocUnsafeSlow(4096);

/** Returns the bytes followed by the text in UTF-8. The result is valid until the next call. */
function appendText(begin: Uint8Array, text: string): Buffer {
  // No character takes more than three bytes.
  const message =
    begin.length + 3 * text.length <= sharedBuffer.length ? sharedBuffer : Buffer.alloc(begin.length + 3 * text.length);
  message.set(begin);
  return message.subarray(0, begin.length + message.write(text, begin.length));
}

export function customerId(keyed: KeyedHash, projectId: string, appUserId: string): string {
  return `cus_${keyed('customer', projectId, appUserId)}`;
}

const CUSTOMER_ID = /^cus_[0-9a-hjkmnp-tv-z]{26}$/;

/** Returns true for a text of the form of {@link customerId}, whether the customer exists or not. */
export function isCustomerId(text: string): boolean {
  return CUSTOMER_ID.test(text);
}

/** Returns the id of a subscription, which follows from its chain and the transaction that opened it. */
export function subscriptionId(keyed: KeyedHash, projectId: string, chainId: string, transactionId: string): string {
  return `sub_${keyed('subscription', projectId, chainId, transactionId)}`;
}

/**
 * Returns the anonymous customer of a purchase line whose owner the store does not name. Anyone with this name and a public key can read
 * the subscriber, so that it must not follow from a transaction id alone.
 */
export function anonymousAppUserId(keyed: KeyedHash, projectId: string, chainId: string): string {
  return `$anon:${derivedUuid(keyed('anonymous', projectId, chainId))}`;
}

/** Name that RevenueCat's SDKs generate for a user who has not logged in; contains 128 random bits. */
const GENERATED_BY_SDK = /^\$RCAnonymousID:[0-9a-f]{32}$/;

/** Returns true for a generated name, which cannot be guessed and identifies no user account. */
export function isAnonymous(appUserId: string): boolean {
  return appUserId.startsWith('$anon:') || GENERATED_BY_SDK.test(appUserId);
}

/** Returns the UUID of a text, always the same one: version 5 of RFC 9562, as one one-shot hash. */
export function derivedUuid(text: string): string {
  const hex = hash('sha1', appendText(EVENT_NAMESPACE, text), 'hex');
  const variant = ((parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Returns the id of the `index`-th event that `commandId` appends to `stream`. */
export function eventId(stream: StreamName, commandId: string, index: number): string {
  return derivedUuid(`${stream}|${commandId}|${index}`);
}

function base32(bytes: string): string {
  let bits = 0;
  let buffer = 0;
  let out = '';
  for (let i = 0; i < bytes.length; i++) {
    buffer = (buffer << 8) | bytes.charCodeAt(i);
    bits += 8;
    while (bits >= 5) {
      out += CROCKFORD.charAt((buffer >> (bits - 5)) & 31);
      if (out.length === 26) return out;
      bits -= 5;
    }
    buffer &= (1 << bits) - 1;
  }
  return out;
}
