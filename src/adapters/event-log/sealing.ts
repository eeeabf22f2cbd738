// Encryption of one personal field at rest. The place of a ciphertext is part of its authentication, so that it decrypts nowhere else.
import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Data keys of 32 bytes each, by subject (whose data they protect). */
export interface DataKeys {
  /** Returns the subject's current key, created on first use. Never one that was rotated before the call. */
  forSealing(subject: string): Promise<Buffer>;
  /**
   * Returns all keys that decrypt data of the subjects, newest first. The keys of a subject missing from the result were erased. `isFresh`
   * bypasses the cache, so that keys just created by another process are included and keys that it erased are not.
   */
  forOpening(
    subjects: readonly string[],
    o?: { readonly isFresh?: boolean },
  ): Promise<ReadonlyMap<string, readonly Buffer[]>>;
}

/** Erases keys permanently, in two steps: between them the old keys still decrypt what they encrypted. */
export interface KeyEraser {
  /** Rotates the subject's key. Returns a name for all keys until then; null when there are none. */
  rotate(subject: string): Promise<string | null>;
  /** Erases the keys of that name; no-op when already erased. Keys created later stay. */
  erase(subject: string, name: string): Promise<void>;
}

export type FieldPlace = { readonly subject: string; readonly type: string; readonly field: string };

/** Stored form of an encrypted value. */
export type SealedValue = { readonly $sealed: string };

export function isSealed(value: unknown): value is SealedValue {
  return typeof value === 'object' && value !== null && '$sealed' in value && typeof value.$sealed === 'string';
}

/** Encrypts a value that JSON can represent. */
export function sealValue(
  value: unknown,
  key: Buffer,
  place: FieldPlace,
  randomBytes: (size: number) => Buffer,
): SealedValue {
  // Must be unique: using one twice with the same key reveals the plain text.
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(key), iv, { authTagLength: TAG_BYTES }).setAAD(associatedData(place));
  const sealed = Buffer.concat([iv, cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
  return { $sealed: Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64') };
}

/** Decrypts a value; undefined if none of the keys opens it: key or place differ from those of encryption, or the bytes were changed. */
export function openValue({ $sealed }: SealedValue, keys: readonly Buffer[], place: FieldPlace): unknown {
  const bytes = Buffer.from($sealed, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  for (const key of keys) {
    const text = openText(bytes, key, place);
    if (text !== undefined) return JSON.parse(text);
  }
  return undefined;
}

function openText(bytes: Buffer, key: Buffer, place: FieldPlace): string | undefined {
  const decipher = createDecipheriv(CIPHER, keyOf(key), bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    // Only the authentication can fail here; a replay then treats the field like one whose key was erased.
    return undefined;
  }
}

/** Node takes three times as long for a key that is given as bytes. */
function keyOf(bytes: Buffer): KeyObject {
  return createSecretKey(bytes);
}

function associatedData({ subject, type, field }: FieldPlace): Buffer {
  return Buffer.from(`${subject}|${type}|${field}`);
}
