// Which sessions are open: asked by every request that carries an access token, so that a log-out ends these tokens too.
import { createExpiringCache } from '../../adapters/bounded-cache.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';

export type OpenSessions = {
  /** At most 30 s old. */
  has(sessionId: string): Promise<boolean>;
  /** Looks again next time: called by the process that ends a session. */
  forget(sessionId: string): void;
};

const CACHED_MS = 30_000;
const MAX_CACHED = 10_000;

export function createOpenSessions(docs: DocStore, runtime: Pick<Runtime, 'elapsed'>): OpenSessions {
  const cache = createExpiringCache<string, boolean>(MAX_CACHED, runtime);
  return {
    has: async (sessionId) => {
      const cached = cache.get(sessionId);
      if (cached !== undefined) return cached;
      const isOpen = (await readRecord(docs, 'sessions', sessionId)).doc !== null;
      cache.set(sessionId, isOpen, CACHED_MS);
      return isOpen;
    },
    forget: cache.delete,
  };
}
