// Secrets at rest. A ring of master keys wraps data keys; data keys (one per project, customer or user) encrypt the rest.
// Sealed text is `v1.<key id>.<iv>.<ciphertext>.<tag>`, AES-256-GCM; the purpose is authenticated, so that a text moved elsewhere
// does not open.
import { createBoundedCache } from '../bounded-cache.js';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { CannotOpen } from '../../domain/errors.js';
import type { Doc, DocStore } from '../documents/port.js';
import { readRecord, replaceRecord, updateRecord } from '../documents/records.js';
import type { DataKeys, KeyEraser } from '../event-log/sealing.js';
import type { Runtime } from '../runtime.js';

export type MasterKey = { readonly id: string; readonly key: Buffer };

/** The first key seals, all of them open. */
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

/** Throws {@link CannotOpen} for another key, another purpose or a changed text. */
export function openText(keys: readonly MasterKey[], purpose: string, sealed: string): Buffer {
  const [version, keyId, iv, body, tag] = sealed.split('.');
  const found = keys.find((k) => k.id === keyId);
  if (version !== 'v1' || !found || iv === undefined || body === undefined || tag === undefined) {
    throw new CannotOpen(`no key of the ring opens this text (key ${keyId ?? 'none'})`);
  }
  try {
    const decipher = createDecipheriv(ALGORITHM, found.key, Buffer.from(iv, 'base64url'), TAG)
      .setAAD(Buffer.from(purpose))
      .setAuthTag(Buffer.from(tag, 'base64url'));
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]);
  } catch {
    // The library's message names neither cause nor cure.
    throw new CannotOpen('the text was made with another key or for another purpose');
  }
}

/** The collection of wrapped data keys: a record; deleting one makes what it sealed unreadable for ever. */
export const dataKeyCollection = { name: 'data_keys', indexes: [] };

/** What a data key is wrapped for. */
export function dataKeyPurpose(subject: string): string {
  return `data-key|${subject}`;
}

const CACHED = 10_000;
/** So long a key that another process has erased may still open here. */
const CACHED_MS = 60_000;

export function createDataKeys(docs: DocStore, masters: MasterKeys, runtime: Runtime): DataKeys & KeyEraser {
  const cache = createBoundedCache<string, Buffer>(CACHED);
  let until = runtime.elapsed() + CACHED_MS;
  const forgetOld = () => {
    if (runtime.elapsed() < until) return;
    cache.clear();
    until = runtime.elapsed() + CACHED_MS;
  };
  const remember = (subject: string, key: Buffer) => {
    cache.set(subject, key);
    return key;
  };
  const unwrapped = (subject: string, doc: Doc | null) =>
    openText(masters, dataKeyPurpose(subject), String(doc?.['wrapped']));
  const forOpening = async (subjects: readonly string[]) => {
    forgetOld();
    const missing = [...new Set(subjects)].filter((s) => cache.get(s) === undefined);
    const stored = missing.length > 0 ? await docs.get(dataKeyCollection.name, missing) : new Map<string, never>();
    for (const [subject, { doc }] of stored) {
      if (doc) remember(subject, unwrapped(subject, doc));
    }
    const entries = [...new Set(subjects)].flatMap((s) => {
      const key = cache.get(s);
      return key ? [[s, key] as const] : [];
    });
    return new Map(entries);
  };
  return {
    forOpening,
    guardOf: async (subject) => {
      const { guard, doc } = await readRecord(docs, dataKeyCollection.name, subject);
      return doc && guard;
    },
    erase: async (subject, guard) => {
      await replaceRecord(docs, dataKeyCollection.name, { id: subject, guard }, null);
      cache.delete(subject);
    },
    forSealing: async (subject) => {
      const known = (await forOpening([subject])).get(subject);
      if (known) return known;
      const key = runtime.randomBytes(32);
      // One that another process made a moment ago stays: it has sealed something.
      const { doc, isChanged } = await updateRecord(docs, dataKeyCollection.name, subject, (stored) =>
        stored ? undefined : { wrapped: sealText(masters[0], dataKeyPurpose(subject), key, runtime) },
      );
      return remember(subject, isChanged ? key : unwrapped(subject, doc));
    },
  };
}
