// Encryption of secrets at rest. A ring of master keys wraps data keys; data keys (one per project, customer or user) encrypt the rest.
// Encrypted text is `v1.<key id>.<iv>.<ciphertext>.<tag>`, AES-256-GCM; the purpose is authenticated, so that a text moved elsewhere does
// not decrypt.
import { createBoundedCache } from '../bounded-cache.js';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { CannotOpen } from '../../domain/errors.js';
import type { Doc, DocStore } from '../documents/port.js';
import { updateRecord } from '../documents/records.js';
import type { DataKeys, KeyEraser } from '../event-log/sealing.js';
import type { Runtime } from '../runtime.js';

export type MasterKey = { readonly id: string; readonly key: Buffer };

/** Ring of master keys: the first one encrypts, all of them decrypt. */
export type MasterKeys = readonly [MasterKey, ...MasterKey[]];

const ALGORITHM = 'aes-256-gcm';
const TAG = { authTagLength: 16 };

export function sealText(
  key: MasterKey,
  purpose: string,
  plain: Buffer,
  runtime: Pick<Runtime, 'randomBytes'>,
): string {
  const iv = runtime.randomBytes(12);
  const cipher = createCipheriv(ALGORITHM, key.key, iv, TAG).setAAD(Buffer.from(purpose));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return ['v1', key.id, ...[iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url'))].join('.');
}

/** Decrypts a text. Throws {@link CannotOpen} for another key, another purpose or a changed text. */
export function openText(keys: readonly MasterKey[], purpose: string, sealed: string): Buffer {
  const [version, keyId, iv, body, tag] = sealed.split('.');
  const key = keys.find((k) => k.id === keyId);
  if (version !== 'v1' || !key || iv === undefined || body === undefined || tag === undefined) {
    throw new CannotOpen(`no key of the ring decrypts this text (key ${keyId ?? 'none'})`);
  }
  try {
    const decipher = createDecipheriv(ALGORITHM, key.key, Buffer.from(iv, 'base64url'), TAG)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]);
  } catch {
    // The library's message describes neither cause nor fix.
    throw new CannotOpen('the text was encrypted with another key or for another purpose');
  }
}

/**
 * Records of wrapped data keys. Each has the current key of a subject with the number of the write that created it, and former keys with
 * the last write before which they were current; these still decrypt. Removing one makes its data permanently unreadable.
 */
export const dataKeyCollection = { name: 'data_keys', indexes: [] };

const former = z.object({ wrapped: z.string(), until: z.string() });
/** Stored record. `since` is missing for keys created before keys were rotated. */
const storedKeysSchema = z.object({
  wrapped: z.string(),
  since: z.string().exactOptional(),
  former: z.array(former).exactOptional(),
});
export type StoredKeys = z.output<typeof storedKeysSchema>;

export function parseStoredKeys(doc: Doc): StoredKeys {
  return storedKeysSchema.parse(doc);
}

/** Returns the purpose that a data key is wrapped for. */
export function dataKeyPurpose(subject: string): string {
  return `data-key|${subject}`;
}

const MAX_CACHED = 10_000;
/** Maximum time that a key erased by another process may still decrypt here. */
const CACHE_TTL_MS = 60_000;

/** Creates the data keys. `isAlone`: no other process rotates or erases keys of this store. */
export function createDataKeys(
  docs: DocStore,
  masters: MasterKeys,
  runtime: Runtime,
  { isAlone }: { readonly isAlone: boolean } = { isAlone: false },
): DataKeys & KeyEraser {
  const { name: c } = dataKeyCollection;
  /** Unwrapped keys by subject, newest first. */
  const cache = createBoundedCache<string, readonly Buffer[]>(MAX_CACHED);
  let until = runtime.elapsed() + CACHE_TTL_MS;
  const forgetOld = () => {
    if (runtime.elapsed() < until) return;
    cache.clear();
    until = runtime.elapsed() + CACHE_TTL_MS;
  };
  const unwrapped = (subject: string, doc: Doc): readonly Buffer[] => {
    const { wrapped, former: before = [] } = parseStoredKeys(doc);
    const all = [wrapped, ...before.map((one) => one.wrapped).reverse()];
    return all.map((one) => openText(masters, dataKeyPurpose(subject), one));
  };
  const remember = (subject: string, doc: Doc): readonly Buffer[] => {
    const keys = unwrapped(subject, doc);
    cache.set(subject, keys);
    return keys;
  };
  const newWrappedKey = (subject: string) =>
    sealText(masters[0], dataKeyPurpose(subject), runtime.randomBytes(32), runtime);

  const update = async (subject: string, change: Parameters<typeof updateRecord>[3]): Promise<Doc | null> => {
    const { doc } = await updateRecord(docs, c, subject, change);
    if (doc) remember(subject, doc);
    else cache.delete(subject);
    return doc;
  };

  const forOpening: DataKeys['forOpening'] = async (subjects, { isFresh = false } = {}) => {
    forgetOld();
    const all = [...new Set(subjects)];
    const missing = all.filter((subject) => isFresh || cache.get(subject) === undefined);
    const stored = missing.length > 0 ? await docs.get(c, missing) : new Map<string, never>();
    const result = new Map<string, readonly Buffer[]>();
    for (const subject of missing) {
      const doc = stored.get(subject)?.doc;
      if (doc) result.set(subject, remember(subject, doc));
      else cache.delete(subject);
    }
    for (const subject of all) {
      const keys = result.get(subject) ?? cache.get(subject);
      if (keys) result.set(subject, keys);
    }
    return result;
  };

  return {
    forOpening,
    rotate: async (subject) => {
      let name: string | null = null;
      await update(subject, (doc, guard) => {
        name = doc && guard;
        if (!doc || guard === null) return undefined;
        const { wrapped, former: before = [] } = parseStoredKeys(doc);
        return {
          wrapped: newWrappedKey(subject),
          since: nextGuard(guard),
          former: [...before, { wrapped, until: guard }],
        };
      });
      return name;
    },
    erase: async (subject, name) => {
      await update(subject, (doc, guard) => {
        if (!doc) return undefined;
        const { wrapped, since, former: before = [] } = parseStoredKeys(doc);
        const isEnded = since === undefined ? guard === name : Number(since) <= Number(name);
        if (isEnded) return null;
        const later = before.filter((one) => Number(one.until) > Number(name));
        if (later.length === before.length) return undefined;
        return { wrapped, ...(since !== undefined && { since }), ...(later.length > 0 && { former: later }) };
      });
    },
    forSealing: async (subject) => {
      const [current] = (await forOpening([subject], { isFresh: !isAlone })).get(subject) ?? [];
      if (current) return current;
      // A key that another process created a moment ago stays: it may have encrypted data.
      const doc = await update(subject, (stored, guard) =>
        stored ? undefined : { wrapped: newWrappedKey(subject), since: nextGuard(guard) },
      );
      const [key] = doc ? remember(subject, doc) : [];
      if (!key) throw new Error(`no data key for ${subject} after it was stored`);
      return key;
    },
  };
}

/** Returns the guard of the next write of the record. */
function nextGuard(guard: string | null): string {
  return String(Number(guard ?? 0) + 1);
}
