// Time of last use of each API key: one record per key, written at most once a minute, so that requests cost no write.
import { createExpiringCache } from '../../adapters/bounded-cache.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord } from '../../adapters/documents/records.js';
import { isoFromMs } from '../../domain/time.js';

export const keyUseCollection = { name: 'api_key_uses', indexes: [] };

export type KeyUses = {
  /** Returns at once. A crash loses pending writes; the next use of the key writes again. */
  record(keyId: string): void;
  /** Returns the time of last use by key, without keys that were never used. */
  lastUsed(keyIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  idle(): Promise<void>;
};

const WRITE_INTERVAL_MS = 60_000;
const MAX_CACHED = 10_000;

export function createKeyUses(docs: DocStore, runtime: Pick<Runtime, 'now' | 'elapsed'>): KeyUses {
  const recentlyWritten = createExpiringCache<string, true>(MAX_CACHED, runtime);
  const writing = new Set<Promise<void>>();

  const write = async (id: string, lastUsedAt: string): Promise<void> => {
    const before = await readRecord(docs, keyUseCollection.name, id);
    // Tries once: on a conflict another process has just written the same.
    await replaceRecord(docs, keyUseCollection.name, before, { lastUsedAt });
  };
  const idle = async () => {
    while (writing.size > 0) await Promise.all(writing);
  };

  return {
    record: (keyId) => {
      if (recentlyWritten.get(keyId)) return;
      recentlyWritten.set(keyId, true, WRITE_INTERVAL_MS);
      const pendingWrite = write(keyId, isoFromMs(runtime.now())).catch(() => recentlyWritten.delete(keyId));
      writing.add(pendingWrite);
      void pendingWrite.then(() => writing.delete(pendingWrite));
    },
    lastUsed: async (keyIds) => {
      await idle();
      const found = await docs.get(keyUseCollection.name, keyIds);
      return new Map([...found].flatMap(([id, { doc }]) => (doc ? [[id, String(doc['lastUsedAt'])] as const] : [])));
    },
    idle,
  };
}
