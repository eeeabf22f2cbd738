// How one personal field is encrypted at rest. What a ciphertext belongs to is part of its authentication, so that it opens nowhere else.
import { createCipheriv, createDecipheriv } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** The data keys, 32 bytes each, by subject (whose data they protect). */
export interface DataKeys {
  /** The subject's key, made on first use. */
  forSealing(subject: string): Promise<Buffer>;
  /** A subject that is missing from the response has had its key erased. */
  forOpening(subjects: readonly string[]): Promise<ReadonlyMap<string, Buffer>>;
}

/** Ends keys for good. The guard names one key of a subject: a key made later has another. */
export interface KeyEraser {
  /** The guard of the key that the subject has now; null: none. */
  guardOf(subject: string): Promise<string | null>;
  /** Nothing when the subject has another key by now, or none. */
  erase(subject: string, guard: string): Promise<void>;
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
