// Keyed mutex across processes, for work that reads one stream and then writes another: a lock document in addition to the mutex of this
// process. A few locks are shared by many keys, because documents stay; work under a lock must not request another one.
import { type SharedKey, createKeyedMutex, type KeyedMutex } from './keyed-mutex.js';
import { createHash } from 'node:crypto';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord, type StoredRecord } from '../../adapters/documents/records.js';
import { RetryLater } from '../../domain/errors.js';
import type { Runtime } from '../../adapters/runtime.js';

export const lockCollection = { name: 'locks', indexes: [] };

type SharedMutexDeps = {
  readonly docs: DocStore;
  readonly runtime: Pick<Runtime, 'elapsed' | 'sleep'>;
  /** Id of this process. */
  readonly owner: string;
};

const LOCKS = 4096;
const POLL_MS = 20;
/** Age after which a lock belongs to a process that has ended. */
const LEASE_MS = 10_000;
const MAX_WAIT_MS = 15_000;
/** Release of a lock that the store did not confirm: it is repeated until the store is back, or until an outage is long. */
const [RELEASE_PAUSE_MS, MAX_RELEASES] = [1000, 120];

/** Runs work while no other work of this process has the lock. */
type RunAlone = <R>(run: () => Promise<R>) => Promise<R>;

/** Locks shared keys for all processes, other keys only in this process. */
export function createSharedMutex(deps: SharedMutexDeps): KeyedMutex {
  const mutex = createKeyedMutex();
  /** Locks that are released once the store is back: during an outage many requests fail at the same lock. */
  const releasing = new Set<string>();
  const releaseOnce = (lock: string, alone: RunAlone): void => {
    if (releasing.has(lock)) return;
    releasing.add(lock);
    void releaseLater(deps, lock, alone).finally(() => releasing.delete(lock));
  };
  return {
    run: (key, work) => {
      if (typeof key === 'string') return mutex.run(key, work);
      const lock = lockOf(key);
      const alone: RunAlone = (run) => mutex.run(`lock|${lock}`, run);
      return alone(async () => {
        const guard = await tryLock(deps, lock, () => releaseOnce(lock, alone));
        try {
          return await work();
        } finally {
          await writeLock(deps, { id: lock, guard }, '').catch(() => releaseOnce(lock, alone));
        }
      });
    },
  };
}

/** Releases the locks of a process that has ended, so that nothing waits for them to lapse. */
export async function releaseLocksOf(docs: DocStore, owner: string): Promise<void> {
  const { name: c } = lockCollection;
  const { rows } = await docs.scan(c, { index: 'id', eq: [], limit: LOCKS });
  for (const row of rows.filter(({ doc }) => doc['owner'] === owner)) await writeLock({ docs }, row, '');
}

function lockOf({ shared }: SharedKey): string {
  return String(createHash('sha256').update(shared).digest().readUInt16BE(0) % LOCKS);
}

/** Waits for the lock; resolves with the guard that releases it. `onUnconfirmed`: called for a claim that had no response. */
async function tryLock(deps: SharedMutexDeps, lock: string, onUnconfirmed: () => void): Promise<string> {
  const { docs, runtime } = deps;
  const startedAt = runtime.elapsed();
  let lastClaim = { guard: '', at: startedAt };
  for (;;) {
    const stored = await readRecord(docs, lockCollection.name, lock);
    if (stored.guard !== null && stored.guard !== lastClaim.guard)
      lastClaim = { guard: stored.guard, at: runtime.elapsed() };
    const owner = stored.doc?.['owner'] ?? '';
    // The lock is ours but not held in this process: its release did not reach the store.
    const isFree = owner === '' || owner === deps.owner || runtime.elapsed() - lastClaim.at >= LEASE_MS;
    try {
      const guard = isFree ? await writeLock(deps, stored, deps.owner) : null;
      if (guard !== null) return guard;
    } catch (err) {
      onUnconfirmed();
      throw err;
    }
    if (runtime.elapsed() - startedAt >= MAX_WAIT_MS)
      throw new RetryLater('another request is processing this purchase; retry in 1 second', 1);
    await runtime.sleep(POLL_MS);
  }
}

/**
 * Releases a lock whose claim or release had no response, so that other processes need not wait for it to lapse. A lock of this process that
 * no work of it has was left behind.
 */
async function releaseLater(deps: SharedMutexDeps, lock: string, alone: RunAlone): Promise<void> {
  for (let tries = 0; tries < MAX_RELEASES; tries++) {
    await deps.runtime.sleep(RELEASE_PAUSE_MS);
    try {
      return await alone(async () => {
        const stored = await readRecord(deps.docs, lockCollection.name, lock);
        if (stored.doc?.['owner'] === deps.owner) await writeLock(deps, stored, '');
      });
    } catch {
      // The store is still away.
    }
  }
}

/** Returns the new guard, or null on a conflict. */
function writeLock(
  { docs }: Pick<SharedMutexDeps, 'docs'>,
  lock: Pick<StoredRecord, 'id' | 'guard'>,
  owner: string,
): Promise<string | null> {
  return replaceRecord(docs, lockCollection.name, lock, { owner });
}
