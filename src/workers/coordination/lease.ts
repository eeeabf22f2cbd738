// Leases for work that only one process may do at a time: the holder does it, the others stand by. The lease only makes two concurrent
// holders rare; the guards of the documents make them harmless.
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, replaceRecord, recordsNamed } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs } from '../../domain/time.js';
import { superviseLoop } from './supervise.js';

export const leaseCollection = { name: recordsNamed<Lease>('leases'), indexes: [] };

export type LeaseDeps = {
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  /** Id of this process. */
  readonly owner: string;
  /** Called when a lease of that process expired and was taken over here: its other leases are then free, too. */
  readonly onTakeover?: (owner: string) => Promise<void>;
  /** Called when work goes on although its lease was lost long ago: only the end of the process ends it. */
  readonly onStuck: (name: string) => void;
};

/** Stored lease. `owner` is empty after a release. `epoch` grows with every takeover. */
type Lease = { readonly owner: string; readonly until: string; readonly epoch: number };
/** Lease of this process. `from` is the former owner of an expired lease; null when it was free. */
type AcquiredLease = {
  guard: string | null;
  readonly epoch: number;
  readonly from: string | null;
  /** Monotonic time at which the takeover was sent. */
  readonly sentAt: number;
};
/** Last observed guard of the lease, and the monotonic time since which it has not changed. */
type LeaseObservation = { guard: string; at: number };

/** Period from a takeover to the next. */
export type LeaseTerm = {
  /** Reads the lease from the store: a process that was suspended may have missed a takeover. */
  isHeld(): Promise<boolean>;
  /** Ends the term, as a lost lease does, so that another process may begin. */
  giveUp(): void;
};

/**
 * Time without a renewal after which a waiting process takes over. It is measured by monotonic time of that process, since clocks may be
 * changed.
 */
export const EXPIRY_MS = 8000;
const RENEW_MS = 2500;
/** Pause after a renewal that failed or whose outcome is unknown. */
const RENEW_RETRY_MS = 500;
/**
 * Time after which the holder stops, before others may start. It counts from before its last renewal was sent, the others from after that
 * was stored, so that a slow response does not shorten the margin.
 */
const STOP_AFTER_MS = 6000;
const POLL_INTERVAL_MS = 1000;
/** Pause after a term that was given up, in which other processes take the lease. */
const GIVEN_UP_PAUSE_MS = 5000;
/** Time after which work that has not ended with its lease is stuck. */
const STUCK_AFTER_MS = 60_000;

/** Runs until the signal aborts. The signal of `work` also aborts when the lease is lost; `work` must end soon then. */
export function holdLease(
  name: string,
  deps: LeaseDeps,
  signal: AbortSignal,
  work: (signal: AbortSignal, term: LeaseTerm) => Promise<void>,
): Promise<void> {
  // Outlives short outages of the store: restarting the measurement each time, a busy process would wait for several expiries.
  const observed: LeaseObservation = { guard: '', at: 0 };
  return superviseLoop(`lease of ${name}`, deps, signal, async () => {
    const acquired = await acquire(name, deps, observed, signal);
    if (!acquired) return;
    deps.logger.info({ lease: name, epoch: acquired.epoch }, 'lease acquired');
    const end = new AbortController();
    const ended = new AbortController();
    let isGivenUp = false;
    const giveUp = () => {
      isGivenUp = true;
      end.abort();
    };
    const stopSignal = AbortSignal.any([signal, end.signal]);
    const renewing = renew(name, deps, acquired, stopSignal).then((isLost) => {
      if (isLost) deps.logger.warn({ lease: name, epoch: acquired.epoch }, 'lease lost');
      end.abort();
    });
    try {
      // If this fails, its other leases expire by themselves.
      if (acquired.from !== null) await deps.onTakeover?.(acquired.from).catch(() => undefined);
      void reportStuck(name, deps, stopSignal, AbortSignal.any([signal, ended.signal]));
      await work(stopSignal, { isHeld: () => isHeldBy(name, deps, acquired.epoch), giveUp });
    } finally {
      ended.abort();
      end.abort();
      await renewing;
      await writeLease(name, deps, acquired, '').catch(() => undefined);
    }
    if (isGivenUp) await deps.runtime.sleep(GIVEN_UP_PAUSE_MS, signal);
  });
}

/** Calls `onStuck` unless `ended` aborts soon after `stopSignal`. */
async function reportStuck(name: string, deps: LeaseDeps, stopSignal: AbortSignal, ended: AbortSignal): Promise<void> {
  if (!stopSignal.aborted) await once(stopSignal, 'abort');
  await deps.runtime.sleep(STUCK_AFTER_MS, ended);
  if (!ended.aborted) deps.onStuck(name);
}

async function acquire(
  name: string,
  deps: LeaseDeps,
  observed: LeaseObservation,
  signal: AbortSignal,
): Promise<AcquiredLease | null> {
  const { docs, runtime } = deps;
  for (; !signal.aborted; await runtime.sleep(POLL_INTERVAL_MS, signal)) {
    const { guard, doc: lease } = await readRecord(docs, leaseCollection.name, name);
    if (guard !== null && guard !== observed.guard) Object.assign(observed, { guard, at: runtime.elapsed() });
    const isReleased = (lease?.owner ?? '') === '';
    // Our own lease from before an outage; its work here has stopped.
    const isOurs = lease?.owner === deps.owner;
    const isFree = isReleased || isOurs || runtime.elapsed() - observed.at >= EXPIRY_MS;
    if (!isFree) continue;
    const from = isReleased || isOurs ? null : (lease?.owner ?? null);
    const acquired = { guard, epoch: (lease?.epoch ?? 0) + 1, from, sentAt: runtime.elapsed() };
    if (await writeLease(name, deps, acquired, deps.owner)) return acquired;
  }
  return null;
}

async function isHeldBy(name: string, { docs, owner }: LeaseDeps, epoch: number): Promise<boolean> {
  const lease = (await readRecord(docs, leaseCollection.name, name)).doc;
  return isOfEpoch(lease, owner, epoch);
}

function isOfEpoch(lease: Lease | null, owner: string, epoch: number): boolean {
  return lease?.owner === owner && lease.epoch === epoch;
}

/** Renews the lease. Resolves true when it is lost, false when the signal aborts. */
async function renew(name: string, deps: LeaseDeps, acquired: AcquiredLease, signal: AbortSignal): Promise<boolean> {
  const { runtime } = deps;
  let { sentAt: renewedAt } = acquired;
  const remainingMs = () => renewedAt + STOP_AFTER_MS - runtime.elapsed();
  for (let pauseMs = RENEW_MS; ;) {
    await runtime.sleep(Math.min(pauseMs, Math.max(0, remainingMs())), signal);
    if (signal.aborted) return false;
    if (remainingMs() <= 0) return true;
    const sentAt = runtime.elapsed();
    const waiting = new AbortController();
    const late = runtime.sleep(remainingMs(), waiting.signal).then(() => null);
    const isRenewed = await Promise.race([renewOnce(name, deps, acquired).catch(() => null), late]);
    waiting.abort();
    if (isRenewed === false) return true;
    if (isRenewed) renewedAt = sentAt;
    pauseMs = isRenewed ? RENEW_MS : RENEW_RETRY_MS;
  }
}

/**
 * Tries once to renew. Returns false when another process has the lease. A renewal with an unknown outcome may have changed the guard; the
 * lease is then still ours.
 */
async function renewOnce(name: string, deps: LeaseDeps, acquired: AcquiredLease): Promise<boolean> {
  if (await writeLease(name, deps, acquired, deps.owner)) return true;
  const { guard, doc } = await readRecord(deps.docs, leaseCollection.name, name);
  if (!isOfEpoch(doc, deps.owner, acquired.epoch)) return false;
  acquired.guard = guard;
  return writeLease(name, deps, acquired, deps.owner);
}

/** Writes the lease with a new guard; returns false after a concurrent write. */
async function writeLease(
  name: string,
  { docs, runtime }: LeaseDeps,
  acquired: AcquiredLease,
  owner: string,
): Promise<boolean> {
  const doc: Lease = { owner, until: isoFromMs(runtime.now() + EXPIRY_MS), epoch: acquired.epoch };
  const guard = await replaceRecord(docs, leaseCollection.name, { id: name, guard: acquired.guard }, doc);
  if (guard !== null) acquired.guard = guard;
  return guard !== null;
}
