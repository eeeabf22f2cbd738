// The named copies of the charts that projects ask for: one after the other is made beside the running service, which has the processor
// at least half of the time. What was asked for is kept, so that a process that was killed goes on with it.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { ReplayInfo } from '../../adapters/replays/info.js';
import type { AskedReplay, Made, Replay, ReplayMaking, ReplayRequest, Replays } from '../../adapters/replays/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { CannotFold, Unavailable } from '../../domain/errors.js';
import type { KeyedHash } from '../../domain/ids.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories } from '../charts/customer-histories.js';
import type { WhatIf } from '../queries/what-if.js';
import type { Projection } from '../runtime/projection.js';
import { copyBuilds, makeCopy } from './named-copy.js';

/** `progress` from 0 to 1. `problem`: why a failed one is not there. */
export type CopyState = {
  readonly name: string;
  readonly until: string | null;
  readonly whatIf: ReplayInfo['whatIf'];
  readonly state: 'waiting' | 'building' | 'ready' | 'failed';
  readonly progress: number;
  readonly events: number;
  readonly sizeBytes: number;
  readonly madeAt: string | null;
  readonly problem: string | null;
};

export type CopyAsked = {
  readonly projectId: string;
  readonly name: string;
  readonly until: string | null;
  readonly whatIf: WhatIf;
};

export type NamedCopies = {
  /** Those that the project may read, and those that it has asked for, by name. */
  list(projectId: string): Promise<readonly CopyState[]>;
  /** Returns once it is kept; it is made afterwards. */
  ask(asked: CopyAsked): Promise<CopyState | 'taken' | 'too many'>;
  /** `of all`: a copy of the whole installation. `in use`: another process makes it. */
  remove(projectId: string, name: string): Promise<'removed' | 'unknown' | 'of all' | 'in use'>;
  /** All of a project that is gone. Throws `Unavailable` while another process makes one. Done again it changes nothing. */
  removeAllOf(projectId: string): Promise<void>;
  /** Makes what is asked for, in one process at a time; resolves when the signal aborts. What is left then is gone on with by the next. */
  run(signal: AbortSignal): Promise<void>;
};

export type NamedCopiesDeps = {
  readonly log: EventLog;
  readonly hash: KeyedHash;
  readonly runtime: Runtime;
  readonly replays: Replays;
  readonly making: ReplayMaking;
  readonly fingerprint: () => string;
  /** Other processes may ask for copies. */
  readonly isShared: boolean;
  /** Told why a copy could not be made; `name` null: why none could. */
  readonly onFailure: (name: string | null, err: unknown) => void;
};

const MOST_OF_A_PROJECT = 20;
/** A copy that has been begun so often and never ended most likely ends the process. */
const MOST_BEGINNINGS = 3;
/** While a process beside this one makes the copy, or what it is made from is away. */
const AGAIN_AFTER_MS = 5000;
/** How often it is looked whether another process has asked for one. */
const LOOK_EVERY_MS = 2000;
const MINUTE_MS = 60_000;

type UnderWay = {
  readonly asked: ReplayRequest;
  readonly cut: AbortController;
  /** Resolves when it is ended, in whatever way. */
  readonly ended: Promise<unknown>;
};

export function createNamedCopies(deps: NamedCopiesDeps): NamedCopies {
  const { runtime, replays, making, isShared, onFailure } = deps;
  const builds = copyBuilds([customerHistories as unknown as Projection]);
  let underWay: UnderWay | null = null;
  let asking = new AbortController();
  /** Those that are being deleted here: nobody begins them again. */
  const leaving = new Set<string>();
  const keyOf = ({ projectId, name }: Pick<ReplayRequest, 'projectId' | 'name'>) => `${projectId}/${name}`;

  const build = (asked: ReplayRequest, stop: AbortSignal): Promise<Made> => {
    const terms = { ...asked, until: asked.until === null ? {} : { instant: asked.until } };
    return making.make(asked, async (docs, { signal: taken, report }) => {
      const signal = AbortSignal.any([stop, taken]);
      const log = sharing(deps.log, runtime, signal);
      await makeCopy({ log, hash: deps.hash, runtime }, docs, builds, terms, {
        signal,
        fingerprint: deps.fingerprint(),
        onProgress: (done, total) => report(total === 0 ? 0 : Math.min(1, done / total)),
      });
    });
  };

  /** Makes what is asked for; false when it must wait. */
  const makeOne = async (asked: ReplayRequest, stopping: AbortSignal): Promise<boolean> => {
    if (asked.begun >= MOST_BEGINNINGS) {
      await making.update({ ...asked, problem: `it was cut ${asked.begun} times; delete it and ask for it again` });
      return true;
    }
    const begun = { ...asked, begun: asked.begun + 1 };
    await making.update(begun);
    const cut = new AbortController();
    const building = build(begun, AbortSignal.any([cut.signal, stopping]));
    underWay = { asked: begun, cut, ended: building.catch(() => undefined) };
    try {
      if ((await building) !== 'in use') return true;
      await making.update(asked);
      return false;
    } catch (err) {
      if (cut.signal.aborted) return true;
      if (stopping.aborted || err instanceof Unavailable) {
        await making.update(asked);
        return false;
      }
      onFailure(asked.name, err);
      await making.update({ ...begun, problem: problemOf(err) });
    } finally {
      underWay = null;
    }
    return true;
  };

  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      asking = new AbortController();
      const kicked = AbortSignal.any([signal, asking.signal]);
      try {
        const left = (await making.asked()).filter((one) => one.problem === null && !leaving.has(keyOf(one)));
        const [next] = left;
        if (!next) await runtime.sleep(isShared ? LOOK_EVERY_MS : MINUTE_MS, kicked);
        else if (!(await makeOne(next, signal))) await runtime.sleep(AGAIN_AFTER_MS, signal);
      } catch (err) {
        onFailure(null, err);
        await runtime.sleep(AGAIN_AFTER_MS, signal);
      }
    }
  };

  /** False while another process makes it. */
  const takeBack = async (asked: ReplayRequest): Promise<boolean> => {
    leaving.add(keyOf(asked));
    try {
      if (underWay && keyOf(underWay.asked) === keyOf(asked)) {
        underWay.cut.abort();
        await underWay.ended;
      }
      return await making.forget(asked);
    } finally {
      leaving.delete(keyOf(asked));
    }
  };

  const list = async (projectId: string): Promise<readonly CopyState[]> => {
    const asked = (await making.asked()).filter((a) => a.projectId === projectId);
    const ready = await replays.list(projectId);
    const found = new Map(ready.map((copy) => [copy.name, readyState(copy)]));
    for (const one of asked) if (!found.has(one.name)) found.set(one.name, askedState(one));
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    list,
    run,
    ask: async ({ projectId, name, until, whatIf }) => {
      const there = await list(projectId);
      if (there.some((copy) => copy.name === name)) return 'taken';
      if (there.length >= MOST_OF_A_PROJECT) return 'too many';
      const requestedAt = isoFromMs(runtime.now());
      const asked = { projectId, name, until, whatIf: { ...whatIf }, requestedAt, begun: 0, problem: null };
      if (!(await making.ask(asked))) return 'taken';
      asking.abort();
      return askedState({ ...asked, progress: null, sizeBytes: 0 });
    },
    remove: async (projectId, name) => {
      const asked = (await making.asked()).find((a) => a.projectId === projectId && a.name === name);
      if (asked && !(await takeBack(asked))) return 'in use';
      // Looked for afterwards: it may have become whole in between.
      const copy = (await replays.list(projectId)).find((c) => c.name === name);
      if (!copy) return asked ? 'removed' : 'unknown';
      if (copy.projectId === null) return asked ? 'removed' : 'of all';
      await replays.remove(copy);
      return 'removed';
    },
    removeAllOf: async (projectId) => {
      for (const asked of (await making.asked()).filter((one) => one.projectId === projectId)) {
        if (!(await takeBack(asked))) throw new Unavailable('another process makes a replay of a deleted project', 5);
      }
      await replays.removeAllOf(projectId);
    },
  };
}

function askedState({ name, until, whatIf, problem, progress, sizeBytes }: AskedReplay): CopyState {
  const state = problem !== null ? 'failed' : progress === null ? 'waiting' : 'building';
  return { name, until, whatIf, state, progress: progress ?? 0, events: 0, sizeBytes, madeAt: null, problem };
}

function readyState({ name, info, sizeBytes }: Replay): CopyState {
  const { until, whatIf, madeAt, events = 0 } = info;
  return { name, until, whatIf, state: 'ready', progress: 1, events, sizeBytes, madeAt, problem: null };
}

function problemOf(err: unknown): string {
  return err instanceof CannotFold
    ? 'an event could not be taken in; subledger doctor says which'
    : 'it could not be made; the log of the service says why';
}

/** A log whose reader waits after each page as long as it took for it, so that the rest of the process has its turns. */
function sharing(log: EventLog, runtime: Runtime, signal: AbortSignal): EventLog {
  let since = runtime.elapsed();
  const rest = async () => {
    await runtime.turn();
    await runtime.sleep(Math.min(MOST_REST_MS, runtime.elapsed() - since), signal);
    since = runtime.elapsed();
  };
  const { at } = log;
  return {
    ...log,
    ...(at && {
      at: async (positions) => {
        await rest();
        return at(positions);
      },
    }),
    follow: async function* (o) {
      for await (const page of log.follow(o)) {
        await rest();
        yield page;
      }
    },
  };
}

const MOST_REST_MS = 200;
