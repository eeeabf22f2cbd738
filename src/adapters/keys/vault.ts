// Secrets at rest. A ring of master keys wraps data keys; data keys (one per project, customer or user) encrypt the rest.
// Sealed text is `v1.<key id>.<iv>.<ciphertext>.<tag>`, AES-256-GCM; the purpose is authenticated, so that a text moved elsewhere
// does not open.
import { createBoundedCache } from '../bounded-cache.js';
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { z } from 'zod';
import { CannotOpen, RetryLater } from '../../domain/errors.js';
import type { Doc, DocStore } from '../documents/port.js';
import { readRecord, replaceRecord, type StoredRecord } from '../documents/records.js';
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

/**
 * The collection of wrapped data keys: records. One holds the key that seals for a subject, since the write of that number, and those that
 * sealed until some write before and still open. What is taken out of it is unreadable for ever.
 */
export const dataKeyCollection = { name: 'data_keys', indexes: [] };

const former = z.object({ wrapped: z.string(), until: z.string() });
/** `since` is missing where the key was made before keys were turned. */
const kept = z.object({
  wrapped: z.string(),
  since: z.string().exactOptional(),
  former: z.array(former).exactOptional(),
});
export type KeptKeys = z.output<typeof kept>;

export function keptKeys(doc: Doc): KeptKeys {
  return kept.parse(doc);
}

/** What a data key is wrapped for. */
export function dataKeyPurpose(subject: string): string {
  return `data-key|${subject}`;
}

const CACHED = 10_000;
/** So long a key that another process has erased may still open here. */
const CACHED_MS = 60_000;

/** `isAlone`: no other process turns or erases keys of this store. */
export function createDataKeys(
  docs: DocStore,
  masters: MasterKeys,
  runtime: Runtime,
  { isAlone }: { readonly isAlone: boolean } = { isAlone: false },
): DataKeys & KeyEraser {
  const { name: c } = dataKeyCollection;
  /** Newest first. */
  const cache = createBoundedCache<string, readonly Buffer[]>(CACHED);
  let until = runtime.elapsed() + CACHED_MS;
  const forgetOld = () => {
    if (runtime.elapsed() < until) return;
    cache.clear();
    until = runtime.elapsed() + CACHED_MS;
  };
  const unwrapped = (subject: string, doc: Doc): readonly Buffer[] => {
    const { wrapped, former: before = [] } = keptKeys(doc);
    const all = [wrapped, ...before.map((one) => one.wrapped).reverse()];
    return all.map((one) => openText(masters, dataKeyPurpose(subject), one));
  };
  const remember = (subject: string, doc: Doc): readonly Buffer[] => {
    const keys = unwrapped(subject, doc);
    cache.set(subject, keys);
    return keys;
  };
  const drawn = (subject: string) => sealText(masters[0], dataKeyPurpose(subject), runtime.randomBytes(32), runtime);

  /** Tried again until nobody else wrote in between; `change` returns undefined where nothing is to change. Returns what is stored then. */
  const update = async (
    subject: string,
    change: (read: StoredRecord) => Doc | null | undefined,
  ): Promise<Doc | null> => {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const read = await readRecord(docs, c, subject);
      const doc = change(read);
      if (doc !== undefined && (await replaceRecord(docs, c, read, doc)) === null) continue;
      const now = doc === undefined ? read.doc : doc;
      if (now) remember(subject, now);
      else cache.delete(subject);
      return now;
    }
    throw new RetryLater('too many requests change this at the same time; retry in 1 second', 1);
  };

  const forOpening: DataKeys['forOpening'] = async (subjects, { isFresh = false } = {}) => {
    forgetOld();
    const all = [...new Set(subjects)];
    const missing = all.filter((subject) => isFresh || cache.get(subject) === undefined);
    const stored = missing.length > 0 ? await docs.get(c, missing) : new Map<string, never>();
    const found = new Map<string, readonly Buffer[]>();
    for (const subject of missing) {
      const doc = stored.get(subject)?.doc;
      if (doc) found.set(subject, remember(subject, doc));
      else cache.delete(subject);
    }
    for (const subject of all) {
      const keys = found.get(subject) ?? cache.get(subject);
      if (keys) found.set(subject, keys);
    }
    return found;
  };

  return {
    forOpening,
    turn: async (subject) => {
      let name: string | null = null;
      await update(subject, ({ guard, doc }) => {
        name = doc && guard;
        if (!doc || guard === null) return undefined;
        const { wrapped, former: before = [] } = keptKeys(doc);
        return { wrapped: drawn(subject), since: next(guard), former: [...before, { wrapped, until: guard }] };
      });
      return name;
    },
    erase: async (subject, name) => {
      await update(subject, ({ guard, doc }) => {
        if (!doc) return undefined;
        const { wrapped, since, former: before = [] } = keptKeys(doc);
        const isEnded = since === undefined ? guard === name : Number(since) <= Number(name);
        if (isEnded) return null;
        const left = before.filter((one) => Number(one.until) > Number(name));
        if (left.length === before.length) return undefined;
        return { wrapped, ...(since !== undefined && { since }), ...(left.length > 0 && { former: left }) };
      });
    },
    forSealing: async (subject) => {
      const [known] = (await forOpening([subject], { isFresh: !isAlone })).get(subject) ?? [];
      if (known) return known;
      // One that another process made a moment ago stays: it has sealed something.
      const doc = await update(subject, ({ guard, doc: stored }) =>
        stored ? undefined : { wrapped: drawn(subject), since: next(guard) },
      );
      const [key] = remember(subject, doc as Doc);
      return key as Buffer;
    },
  };
}

/** So often a change is tried again after others came first. */
const MAX_TRIES = 100;

/** The guard that the next write of the record has. */
function next(guard: string | null): string {
  return String(Number(guard ?? 0) + 1);
}
