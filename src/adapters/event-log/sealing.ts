// How one personal field is encrypted at rest. What a ciphertext belongs to is part of its authentication, so that it opens nowhere else.
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The data keys, 32 bytes each, by subject (whose data they protect). */
export interface DataKeys {
  /** The subject's key, made on first use. Never one that was turned before the call. */
  forSealing(subject: string): Promise<Buffer>;
  /**
   * All that open something of the subject, newest first. A subject that is missing from the response has had its keys erased. `isFresh`:
   * also those that another process made a moment ago, and none that it erased.
   */
  forOpening(
    subjects: readonly string[],
    o?: { readonly isFresh?: boolean },
  ): Promise<ReadonlyMap<string, readonly Buffer[]>>;
}

/** Ends keys for good, in two steps: between them the old keys still open what they sealed. */
export interface KeyEraser {
  /** From now on another key seals. Returns what names all keys until then; null: there are none. */
  turn(subject: string): Promise<string | null>;
  /** Ends the keys of that name. Nothing when they have ended; a key made later stays. */
  erase(subject: string, name: string): Promise<void>;
}

export type SealedPlace = { readonly subject: string; readonly type: string; readonly field: string };

/** `iv` must be fresh: twice the same one under one key gives the plain text away. */
export function sealText(text: string, key: Buffer, place: SealedPlace, iv: Buffer): string {
  const cipher = createCipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES }).setAAD(boundTo(place));
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([sealed, cipher.getAuthTag()]).toString('base64');
}

/** Undefined when this key and place are not those it was sealed with, or the bytes were changed. */
export function openText(sealed: string, key: Buffer, place: SealedPlace): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(boundTo(place)).setAuthTag(bytes.subarray(-TAG_BYTES));
  const plain = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]).toString('utf8');
  } catch {
    // Only the authentication can fail here; a replay reads such a field like one whose key is gone.
    return undefined;
  }
}

export function ivFrom(randomBytes: (size: number) => Buffer): Buffer {
  return randomBytes(IV_BYTES);
}

function boundTo({ subject, type, field }: SealedPlace): Buffer {
  return Buffer.from(`${subject}|${type}|${field}`);
}
