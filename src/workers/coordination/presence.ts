// Presence of the processes that send webhooks: each renews a record of its own, so that the deliveries that it had claimed are freed soon
// after it was killed, also when it held no lease.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import {
  readRecord,
  recordsNamed,
  removeRecord,
  replaceRecord,
  scanRecords,
} from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import { releaseClaims } from '../webhooks/due-reader.js';
import { EXPIRY_MS } from './lease.js';
import { superviseRounds } from './supervise.js';

/** Presence of a process, by its id. */
type Presence = { readonly renewedAt: string };

export const presenceCollection = { name: recordsNamed<Presence>('presences'), indexes: [] };

export type PresenceDeps = {
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Id of this process. */
  readonly owner: string;
};

const RENEW_MS = 2000;
/** Rounds further apart than this had an outage or a pause between them, in which the others could not renew either. */
const MAX_ROUND_GAP_MS = 2 * RENEW_MS;
const MAX_PROCESSES = 1000;

/** Renews the presence of this process and frees the deliveries of those that ended. Runs until the signal aborts, and then leaves. */
export async function keepPresence(deps: PresenceDeps, signal: AbortSignal): Promise<void> {
  const { docs, runtime, owner } = deps;
  const { name: c } = presenceCollection;
  const observed = new Map<string, { readonly guard: string; readonly at: number }>();
  let previousRoundAt = -Infinity;

  /** Returns true when the record has not changed for as long as a lease takes to expire. */
  const observe = (id: string, guard: string): boolean => {
    const last = observed.get(id);
    if (last?.guard === guard) return runtime.elapsed() - last.at >= EXPIRY_MS;
    observed.set(id, { guard, at: runtime.elapsed() });
    return false;
  };

  await superviseRounds('presence', RENEW_MS, deps, signal, async () => {
    await replaceRecord(docs, c, await readRecord(docs, c, owner), { renewedAt: isoFromMs(runtime.now()) });
    const { rows } = await scanRecords(docs, c, { index: 'id', eq: [], limit: MAX_PROCESSES });
    if (runtime.elapsed() - previousRoundAt > MAX_ROUND_GAP_MS) observed.clear();
    previousRoundAt = runtime.elapsed();
    const ended = rows.filter(({ id, guard }) => id !== owner && observe(id, guard));
    for (const row of ended) {
      await releaseClaims(deps, (claimedBy) => claimedBy === row.id);
      await replaceRecord(docs, c, row, null);
      observed.delete(row.id);
    }
  });
  await removeRecord(docs, c, owner).catch(() => false);
}
