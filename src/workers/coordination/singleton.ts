// Coordination of processes that share a log: a singleton worker holds a lease, and the progress of the read models comes from the process
// that runs the projector.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { releaseLocksOf } from '../../commands/handling/shared-mutex.js';
import type { Progress } from '../../projections/runtime/progress.js';
import { projections } from '../../projections/rebuild/registry.js';
import { lastRetryRequest, watchProgress } from '../../projections/runtime/shared-progress.js';
import { holdLease, type LeaseTerm } from './lease.js';
import { superviseLoop, superviseRounds } from './supervise.js';

type SingletonDeps = {
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly progress: Progress;
};
type SingletonWork = (signal: AbortSignal, term: LeaseTerm) => Promise<void>;

const unlimitedTerm: LeaseTerm = { isHeld: () => Promise.resolve(true) };

/** Runs a singleton worker: in one process at a time, under a lease. Without other processes it runs at once. */
export function createSingletonRunner(
  { isShared }: { readonly isShared: boolean },
  common: SingletonDeps,
  owner: string,
  signal: AbortSignal,
): (name: string, work: SingletonWork) => Promise<void> {
  const onTakeover = (formerOwner: string) => releaseLocksOf(common.docs, formerOwner);
  const leased = { ...common, owner, onTakeover };
  return (name, work) => (isShared ? holdLease(name, leased, signal, work) : work(signal, unlimitedTerm));
}

/** Runs until the signal aborts. Calls `onReady` once the read models have reached the head of the log as of the call. */
export function watchUntilReady(
  log: EventLog,
  common: SingletonDeps,
  signal: AbortSignal,
  onReady: () => void,
): Promise<void> {
  let announce: (() => void) | null = onReady;
  return superviseLoop('watch', common, signal, async () => {
    const head = await log.head();
    await watchProgress(common, signal, ({ positions, halted }) => {
      const isThere = ({ name }: { name: string }) => halted.includes(name) || (positions[name] ?? '') >= head;
      if (!announce || !projections.every(isThere)) return;
      announce();
      announce = null;
    });
  });
}

const POLL_INTERVAL_MS = 1500;

/** Runs until the signal aborts. Calls `onRequest` after each request to retry halted read models. */
export function watchRetryRequests(common: SingletonDeps, signal: AbortSignal, onRequest: () => void): Promise<void> {
  const { docs } = common;
  let previous: string | null = null;
  return superviseRounds('retries of read models', POLL_INTERVAL_MS, common, signal, async () => {
    const latest = await lastRetryRequest(docs);
    if (previous !== null && latest !== previous) onRequest();
    previous = latest;
  });
}
