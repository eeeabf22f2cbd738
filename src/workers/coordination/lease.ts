// Work that only one process may do at a time: the holder of its lease does it, the others stand by. The lease only makes two holders
// at once rare; the guards of the documents make them harmless.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import { superviseLoop } from './supervise.js';

export const leaseCollection = { name: 'leases', indexes: [] };

export type LeaseDeps = {
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Names this process. */
  readonly owner: string;
  /** A lease of that process lapsed, and is ours now: its other leases are nobody's any more. */
  readonly onGone?: (owner: string) => Promise<void>;
};

/** `owner` is empty once it was given back. `epoch` goes up with every take-over. */
type Lease = { readonly owner: string; readonly until: string; readonly epoch: number };
/** `from`: whose lease lapsed; null: it was free. */
type Acquired = {
  guard: string | null;
  readonly epoch: number;
  readonly from: string | null;
  /** When its take-over was sent, in this process's time. */
  readonly sentAt: number;
};
/** Since when the lease has not moved, as this process has seen it. */
type Seen = { guard: string; at: number };

/** The time from a take-over to the next. */
export type Term = {
  /** Asks the store: a process that was paused may not know yet that another one has taken over. */
  isHeld(): Promise<boolean>;
};

/** A waiting process takes over a lease that was not renewed for so long, as it has seen itself: no clock is asked, which may be set. */
export const LAPSES_MS = 8000;
const RENEW_MS = 2500;
/** After a renewal that failed or whose outcome is unknown. */
const RENEW_AGAIN_MS = 500;
/**
 * The holder stops before the others may begin. It counts from before it sent its last renewal, the others from after that was stored, so
 * that a slow response takes nothing from the time between.
 */
const GIVE_UP_MS = 6000;
const LOOK_MS = 1000;

/** Runs until the signal aborts. The signal of `work` also aborts when the lease is lost; `work` must end soon then. */
export function holdLease(
  name: string,
  deps: LeaseDeps,
  signal: AbortSignal,
  work: (signal: AbortSignal, term: Term) => Promise<void>,
): Promise<void> {
  // Kept while the records are away for a moment: beginning to count anew each time, a busy process waits for several leases.
  const seen: Seen = { guard: '', at: 0 };
  return superviseLoop(`lease of ${name}`, deps, signal, async () => {
    const acquired = await acquire(name, deps, seen, signal);
    if (!acquired) return;
    deps.logger.info({ lease: name, epoch: acquired.epoch }, 'lease taken');
    const ended = new AbortController();
    const stopping = AbortSignal.any([signal, ended.signal]);
    const renewing = renew(name, deps, acquired, stopping).then((isLost) => {
      if (isLost) deps.logger.warn({ lease: name, epoch: acquired.epoch }, 'lease lost');
      ended.abort();
    });
    try {
      // Its other leases lapse by themselves when this cannot be done now.
      if (acquired.from !== null) await deps.onGone?.(acquired.from).catch(() => undefined);
      await work(stopping, { isHeld: () => isHeldBy(name, deps, acquired.epoch) });
    } finally {
      ended.abort();
      await renewing;
      await put(name, deps, acquired, '').catch(() => undefined);
    }
  });
}

async function acquire(name: string, deps: LeaseDeps, seen: Seen, signal: AbortSignal): Promise<Acquired | null> {
  const { docs, runtime } = deps;
  for (; !signal.aborted; await runtime.sleep(LOOK_MS, signal)) {
    const { guard, doc } = await readRecord(docs, leaseCollection.name, name);
    const lease = doc as Lease | null;
    if (guard !== null && guard !== seen.guard) Object.assign(seen, { guard, at: runtime.elapsed() });
    const isGivenBack = (lease?.owner ?? '') === '';
    // Our own from before an outage: the work under it here has stopped.
    const isOurs = lease?.owner === deps.owner;
    const isFree = isGivenBack || isOurs || runtime.elapsed() - seen.at >= LAPSES_MS;
    if (!isFree) continue;
    const from = isGivenBack || isOurs ? null : (lease?.owner ?? null);
    const acquired = { guard, epoch: (lease?.epoch ?? 0) + 1, from, sentAt: runtime.elapsed() };
    if (await put(name, deps, acquired, deps.owner)) return acquired;
  }
  return null;
}

async function isHeldBy(name: string, { docs, owner }: LeaseDeps, epoch: number): Promise<boolean> {
  const lease = (await readRecord(docs, leaseCollection.name, name)).doc as Lease | null;
  return isOfEpoch(lease, owner, epoch);
}

function isOfEpoch(lease: Lease | null, owner: string, epoch: number): boolean {
  return lease?.owner === owner && lease.epoch === epoch;
}

/** Resolves true when the lease is lost, false when the signal aborts. */
async function renew(name: string, deps: LeaseDeps, acquired: Acquired, signal: AbortSignal): Promise<boolean> {
  const { runtime } = deps;
  let { sentAt: heldFrom } = acquired;
  const left = () => heldFrom + GIVE_UP_MS - runtime.elapsed();
  for (let pauseMs = RENEW_MS; ;) {
    await runtime.sleep(Math.min(pauseMs, Math.max(0, left())), signal);
    if (signal.aborted) return false;
    if (left() <= 0) return true;
    const sentAt = runtime.elapsed();
    const waiting = new AbortController();
    const late = runtime.sleep(left(), waiting.signal).then(() => null);
    const isKept = await Promise.race([renewOnce(name, deps, acquired).catch(() => null), late]);
    waiting.abort();
    if (isKept === false) return true;
    if (isKept) heldFrom = sentAt;
    pauseMs = isKept ? RENEW_MS : RENEW_AGAIN_MS;
  }
}

/** False when another process has the lease. A renewal whose outcome was unknown may have moved the guard: then it is ours as before. */
async function renewOnce(name: string, deps: LeaseDeps, acquired: Acquired): Promise<boolean> {
  if (await put(name, deps, acquired, deps.owner)) return true;
  const { guard, doc } = await readRecord(deps.docs, leaseCollection.name, name);
  if (!isOfEpoch(doc as Lease | null, deps.owner, acquired.epoch)) return false;
  acquired.guard = guard;
  return put(name, deps, acquired, deps.owner);
}

/** Moves the guard on; false when somebody else did. */
async function put(name: string, { docs, runtime }: LeaseDeps, acquired: Acquired, owner: string): Promise<boolean> {
  const doc: Lease = { owner, until: isoFromMs(runtime.now() + LAPSES_MS), epoch: acquired.epoch };
  const guard = await replaceRecord(docs, leaseCollection.name, { id: name, guard: acquired.guard }, doc);
  if (guard !== null) acquired.guard = guard;
  return guard !== null;
}
