// Virtual time: a scheduler that runs every task of a simulation at its own instant, and orders tasks of the same instant at random.
// Nothing waits for real time, so that a seed gives the same run each time.
import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../../simulator/random.js';
import { settle } from './turns.js';

type Entry = { readonly atMs: number; readonly tie: number; readonly order: number; readonly run: () => void };

export type Timeline = {
  readonly random: Random;
  /** Milliseconds since the start of the run, without clock jumps. */
  elapsed(): number;
  /** Milliseconds since the epoch, on a clock without skew. */
  now(): number;
  /** Sets all clocks forward without running what is due in between. */
  jump(ms: number): void;
  /** Schedules a task, in virtual ms from now. */
  after(ms: number, run: () => void): void;
  /** Adds a line to the trace and to its hash. */
  note(line: string): void;
  /** Number of trace lines other than those that periodic background work writes. */
  deeds(): number;
  /** Newest trace lines, oldest first. */
  story(): readonly string[];
  hash(): string;
  steps(): number;
  /** Advances time until the condition holds. Throws if no task is left, or after `limitMs`. */
  until(condition: () => boolean, limitMs: number, what: string): Promise<void>;
  pass(ms: number): Promise<void>;
};

const TOLD = 400;
/** Trace lines of periodic background work. */
const USUAL =
  /write (leases|locks|progress|endpoint_health|checkpoints|cursors|key_uses|store_tasks|credential_verdicts) |^fault |answers GET/;

export function createTimeline(seed: string, startMs: number): Timeline {
  const random = createRandom(seed);
  const heap = createHeap();
  const told: string[] = [];
  const hash = createHash('sha256');
  let elapsed = 0;
  let offset = 0;
  let order = 0;
  let steps = 0;
  let deeds = 0;

  const step = async (): Promise<boolean> => {
    const next = heap.pop();
    if (!next) return false;
    elapsed = Math.max(elapsed, next.atMs);
    steps++;
    next.run();
    await settle();
    return true;
  };
  const until: Timeline['until'] = async (condition, limitMs, what) => {
    const end = elapsed + limitMs;
    await settle();
    while (!condition()) {
      if (elapsed > end) throw new Error(`${what}: timed out after ${limitMs} ms`);
      if (!(await step())) throw new Error(`${what}: no task left to run`);
    }
  };
  const after = (ms: number, run: () => void) =>
    heap.push({ atMs: elapsed + Math.max(0, ms), tie: random.next(), order: order++, run });
  return {
    random,
    elapsed: () => elapsed,
    now: () => startMs + offset + Math.floor(elapsed),
    jump: (ms) => void (offset += ms),
    after,
    note: (line) => {
      if (!USUAL.test(line)) deeds++;
      hash.update(`${elapsed} ${line}\n`);
      told.push(`${(elapsed / 1000).toFixed(3)} ${line}`);
      if (told.length > 2 * TOLD) told.splice(0, TOLD);
    },
    deeds: () => deeds,
    story: () => told.slice(-TOLD),
    hash: () => hash.copy().digest('hex'),
    steps: () => steps,
    until,
    pass: async (ms) => {
      let isOver = false;
      after(ms, () => (isOver = true));
      await until(() => isOver, ms + 1, 'time');
    },
  };
}

function createHeap() {
  const heap: Entry[] = [];
  const isBefore = (a: Entry, b: Entry) =>
    a.atMs < b.atMs || (a.atMs === b.atMs && (a.tie < b.tie || (a.tie === b.tie && a.order < b.order)));
  const at = (i: number): Entry => heap[i] as Entry;
  const swap = (i: number, j: number) => ([heap[i], heap[j]] = [at(j), at(i)]);
  return {
    push: (entry: Entry) => {
      let i = heap.push(entry) - 1;
      for (; i > 0 && isBefore(at(i), at((i - 1) >> 1)); i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
    },
    pop: (): Entry | undefined => {
      const [top] = heap;
      const last = heap.pop();
      if (last === undefined || heap.length === 0) return top;
      heap[0] = last;
      for (let i = 0; ;) {
        const [l, r] = [2 * i + 1, 2 * i + 2];
        let least = i;
        if (l < heap.length && isBefore(at(l), at(least))) least = l;
        if (r < heap.length && isBefore(at(r), at(least))) least = r;
        if (least === i) return top;
        swap(i, least);
        i = least;
      }
    },
  };
}
