// Coordination of processes that share a log: a singleton worker holds a lease, and the progress of the read models comes from the process
// that runs the projector.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import { releaseLocksOf } from '../../commands/handling/shared-mutex.js';
import type { Progress } from '../../projections/runtime/progress.js';
import { projections } from '../../projections/rebuild/registry.js';
import { lastRetryRequest, watchProgress } from '../../projections/runtime/shared-progress.js';
import { releaseClaims } from '../webhooks/due-reader.js';
import { holdLease, type LeaseTerm } from './lease.js';
import { waitForStall } from './stall-watch.js';
import { superviseLoop, superviseRounds } from './supervise.js';

export type SingletonDeps = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly progress: Progress;
};
type SingletonWork = (signal: AbortSignal, term: SingletonTerm) => Promise<void>;
type SingletonTerm = Pick<LeaseTerm, 'isHeld'> & {
  /** Called for each event handled. */
  readonly onOutcome: () => void;
  /** Called for each attempt that failed. */
  readonly onFailure: () => void;
};

/** Follower of the log whose progress is watched. */
type Follower = {
  /** Returns the names under which its progress is reported. */
  readonly names: () => readonly string[];
  /** Time without progress after which it has stalled, in ms. */
  readonly limitMs: number;
};

export type Singletons = {
  /**
   * Runs work in one process at a time. A follower that stalls gives its lease up. If it stalls again without an outcome, `onStuck` is called.
   * One whose attempts fail goes on failing in a new process, which would end again and again, so it only gives its lease up.
   */
  run(name: string, work: SingletonWork, follower?: Follower): Promise<void>;
  /**
   * Returns the names of followers that have stalled in this process and not ended yet, and of those that failed and have not moved since:
   * the process that holds their lease now may do better.
   */
  stalled(): readonly string[];
};

const unwatched = { onOutcome: () => undefined, onFailure: () => undefined };
const unlimitedTerm: SingletonTerm = { isHeld: () => Promise.resolve(true), ...unwatched };

/** Runs singleton workers: each in one process at a time, under a lease. Without other processes they run at once. */
export function createSingletons(
  o: { readonly isShared: boolean; readonly owner: string; readonly onStuck: (name: string) => void },
  common: SingletonDeps,
  signal: AbortSignal,
): Singletons {
  const { logger, progress } = common;
  const onTakeover = async (formerOwner: string) => {
    await releaseLocksOf(common.docs, formerOwner);
    await releaseClaims(common, (claimedBy) => claimedBy === formerOwner);
  };
  const leased = { ...common, owner: o.owner, onTakeover, onStuck: o.onStuck };
  const stalled = new Set<string>();
  /** Followers that gave their lease up because their attempts fail; each returns whether it has moved since. */
  const failing = new Map<string, () => boolean>();
  /** Followers that gave their lease up and have had no outcome since. */
  const suspects = new Set<string>();

  const runWatched = async (
    name: string,
    work: SingletonWork,
    { names, limitMs }: Follower,
    termSignal: AbortSignal,
    term: LeaseTerm,
  ): Promise<void> => {
    let [outcomes, failures] = [0, 0];
    const onFailure = () => void failures++;
    const onOutcome = () => {
      outcomes++;
      suspects.delete(name);
      stalled.delete(name);
    };
    const position = () => earliest(names().map((reported) => progress.at(reported)));
    const ended = new AbortController();
    const watching = AbortSignal.any([termSignal, ended.signal]);
    const follower = { position, outcomes: () => outcomes, failures: () => failures, limitMs };
    const watch = waitForStall(common, follower, watching).then((stall) => {
      if (stall === null) return;
      const stoodAt = position();
      const details = { lease: name, position: stoodAt, limitMs, failures };
      logger.error(details, 'no progress while events wait; giving the lease up');
      if (stall === 'failing') failing.set(name, () => position() !== stoodAt);
      else {
        stalled.add(name);
        if (suspects.has(name)) o.onStuck(name);
        suspects.add(name);
      }
      term.giveUp();
    });
    try {
      await work(termSignal, { isHeld: term.isHeld, onOutcome, onFailure });
    } finally {
      ended.abort();
      await watch;
      stalled.delete(name);
    }
  };

  return {
    run: (name, work, follower) => {
      if (!o.isShared) return work(signal, unlimitedTerm);
      return holdLease(name, leased, signal, (termSignal, term) =>
        follower
          ? runWatched(name, work, follower, termSignal, term)
          : work(termSignal, { isHeld: term.isHeld, ...unwatched }),
      );
    },
    stalled: () => {
      for (const [name, hasMoved] of failing) if (hasMoved()) failing.delete(name);
      return [...new Set([...stalled, ...failing.keys()])];
    },
  };
}

/** Returns the earliest position; undefined if one is unknown. */
function earliest(positions: readonly (LogPosition | undefined)[]): LogPosition | undefined {
  return positions.reduce((a, b) => (a === undefined || b === undefined ? undefined : a < b ? a : b));
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
