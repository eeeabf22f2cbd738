// The named copies of the charts that projects ask for: one after the other is made beside the running service, which has the processor
// at least half of the time. What was asked for is kept, so that a process that was killed goes on with it.
import type { ReplayInfo } from '../../adapters/documents/replay-info.js';
import type { Replay, Replays } from '../../adapters/documents/replays.js';
import type { ReplayMaking, ReplayRequest } from '../../adapters/documents/replay-making.js';
import type { EventLog } from '../../adapters/event-log/port.js';
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
  /** Goes on with what was asked for before this process began. */
  start(): void;
  stop(): Promise<void>;
};

export type NamedCopiesDeps = {
  readonly log: EventLog;
  readonly hash: KeyedHash;
  readonly runtime: Runtime;
  readonly replays: Replays;
  readonly making: ReplayMaking;
  readonly fingerprint: () => string;
  /** Told why a copy could not be made; `name` null: none is made until the next is asked for. */
  readonly onFailure: (name: string | null, err: unknown) => void;
};

const MOST_OF_A_PROJECT = 20;
/** A copy that has been begun so often and never ended most likely ends the process. */
const MOST_BEGINNINGS = 3;
/** While a process beside this one makes the copy. */
const AGAIN_AFTER_MS = 5000;

type UnderWay = {
  readonly asked: ReplayRequest;
  readonly cut: AbortController;
  progress: number;
  /** Resolves when it is ended, in whatever way. */
  ended: Promise<unknown>;
};

export function createNamedCopies(deps: NamedCopiesDeps): NamedCopies {
  const { runtime, replays, making, onFailure } = deps;
  const builds = copyBuilds([customerHistories as unknown as Projection]);
  const stopping = new AbortController();
  let underWay: UnderWay | null = null;
  let working: Promise<void> = Promise.resolve();
  let isWorking = false;
  /** Those that are being deleted: nobody begins them again. */
  const leaving = new Set<string>();
  const keyOf = ({ projectId, name }: Pick<ReplayRequest, 'projectId' | 'name'>) => `${projectId}/${name}`;

  const isUnderWay = (asked: ReplayRequest) => underWay !== null && keyOf(underWay.asked) === keyOf(asked);

  const stateOf = (asked: ReplayRequest): CopyState => {
    const { name, until, whatIf, problem } = asked;
    const isBuilding = isUnderWay(asked);
    const state = problem !== null ? 'failed' : isBuilding ? 'building' : 'waiting';
    const progress = isBuilding ? (underWay?.progress ?? 0) : 0;
    return { name, until, whatIf, state, progress, events: 0, sizeBytes: making.sizeOf(asked), madeAt: null, problem };
  };

  const build = (asked: ReplayRequest, signal: AbortSignal): Promise<boolean> => {
    const terms = { ...asked, until: asked.until === null ? {} : { instant: asked.until } };
    const log = sharing(deps.log, runtime, signal);
    return making.make(asked, async (docs) => {
      await makeCopy({ log, hash: deps.hash, now: runtime.now }, docs, builds, terms, {
        signal,
        fingerprint: deps.fingerprint(),
        onProgress: (done, total) => {
          if (underWay) underWay.progress = total === 0 ? 0 : Math.min(1, done / total);
        },
      });
    });
  };

  /** Makes what is asked for; false when it must wait for another process. */
  const makeOne = async (asked: ReplayRequest): Promise<boolean> => {
    if (asked.begun >= MOST_BEGINNINGS) {
      making.update({ ...asked, problem: `it was cut ${asked.begun} times; delete it and ask for it again` });
      return true;
    }
    const begun = { ...asked, begun: asked.begun + 1 };
    making.update(begun);
    const cut = new AbortController();
    const building = build(begun, AbortSignal.any([cut.signal, stopping.signal]));
    underWay = { asked: begun, cut, progress: 0, ended: building.catch(() => undefined) };
    try {
      if (await building) return true;
      making.update(asked);
      return false;
    } catch (err) {
      if (stopping.signal.aborted) making.update(asked);
      else if (!cut.signal.aborted) {
        onFailure(asked.name, err);
        making.update({ ...begun, problem: problemOf(err) });
      }
    } finally {
      underWay = null;
    }
    return true;
  };

  const work = async (): Promise<void> => {
    for (;;) {
      const [next] = making.asked().filter((asked) => asked.problem === null && !leaving.has(keyOf(asked)));
      if (!next || stopping.signal.aborted) return;
      if (!(await makeOne(next))) await runtime.sleep(AGAIN_AFTER_MS, stopping.signal);
    }
  };
  const start = () => {
    if (isWorking || stopping.signal.aborted) return;
    isWorking = true;
    working = work()
      .catch((err: unknown) => onFailure(null, err))
      .finally(() => (isWorking = false));
  };

  /** False while another process makes it. */
  const takeBack = async (asked: ReplayRequest): Promise<boolean> => {
    leaving.add(keyOf(asked));
    try {
      if (underWay && isUnderWay(asked)) {
        underWay.cut.abort();
        await underWay.ended;
      }
      return making.forget(asked);
    } finally {
      leaving.delete(keyOf(asked));
    }
  };

  const list = async (projectId: string): Promise<readonly CopyState[]> => {
    const asked = making.asked().filter((a) => a.projectId === projectId);
    const ready = await replays.list(projectId);
    const found = new Map(ready.map((copy) => [copy.name, readyState(copy)]));
    for (const one of asked) if (!found.has(one.name)) found.set(one.name, stateOf(one));
    return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  return {
    list,
    start,
    ask: async ({ projectId, name, until, whatIf }) => {
      const there = await list(projectId);
      if (there.some((copy) => copy.name === name)) return 'taken';
      if (there.length >= MOST_OF_A_PROJECT) return 'too many';
      const requestedAt = isoFromMs(runtime.now());
      const asked = { projectId, name, until, whatIf: { ...whatIf }, requestedAt, begun: 0, problem: null };
      if (!making.ask(asked)) return 'taken';
      const state = stateOf(asked);
      start();
      return state;
    },
    remove: async (projectId, name) => {
      const asked = making.asked().find((a) => a.projectId === projectId && a.name === name);
      const copy = (await replays.list(projectId)).find((c) => c.name === name);
      if (!asked && !copy) return 'unknown';
      if (asked && !(await takeBack(asked))) return 'in use';
      if (copy) {
        if (copy.info.projectId === null) return asked ? 'removed' : 'of all';
        replays.remove(copy);
      }
      return 'removed';
    },
    removeAllOf: async (projectId) => {
      for (const asked of making.asked().filter((one) => one.projectId === projectId)) {
        if (!(await takeBack(asked))) throw new Unavailable('another process makes a replay of a deleted project', 5);
      }
      replays.removeAllOf(projectId);
    },
    stop: async () => {
      stopping.abort();
      await working;
    },
  };
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
