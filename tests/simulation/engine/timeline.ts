// Virtual time: a scheduler that runs every task of a simulation at its own instant, and orders tasks of the same instant at random.
// Nothing waits for real time, so that a seed gives the same run each time.
import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../../../simulator/random.js';
import { drainEventLoop } from './event-loop.js';

type Task = { readonly atMs: number; readonly tie: number; readonly order: number; readonly run: () => void };

export type Timeline = {
  readonly random: Random;
  /** Milliseconds since the start of the run, without clock jumps. */
  elapsed(): number;
  /** Milliseconds since the epoch, on a clock without skew. */
  now(): number;
  /** Sets all clocks forward without running what is due in between. */
  jumpClocks(ms: number): void;
  /** Schedules a task, in virtual ms from now. */
  schedule(ms: number, run: () => void): void;
  /** Adds a line to the trace and to its hash. */
  record(line: string): void;
  /** Number of trace lines other than those that periodic background work writes. */
  activityCount(): number;
  /** Newest trace lines, oldest first. */
  trace(): readonly string[];
  hash(): string;
  taskCount(): number;
  /** Advances time until the condition holds. Throws if no task is left, or after `limitMs`. */
  runUntil(condition: () => boolean, limitMs: number, what: string): Promise<void>;
  advance(ms: number): Promise<void>;
};

const MAX_TRACE_LINES = 400;
/** Trace lines of periodic background work. */
const BACKGROUND_LINE =
  /write (leases|presences|locks|progress|endpoint_health|checkpoints|cursors|key_uses|store_tasks|credential_verdicts|book_comparisons) |^fault |answers GET/;

export function createTimeline(seed: string, startMs: number): Timeline {
  const random = createRandom(seed);
  const heap = createHeap();
  const lines: string[] = [];
  const hash = createHash('sha256');
  let elapsed = 0;
  let offset = 0;
  let order = 0;
  let taskCount = 0;
  let activityCount = 0;

  const runNext = async (): Promise<boolean> => {
    const next = heap.pop();
    if (!next) return false;
    elapsed = Math.max(elapsed, next.atMs);
    taskCount++;
    next.run();
    await drainEventLoop();
    return true;
  };
  const runUntil: Timeline['runUntil'] = async (condition, limitMs, what) => {
    const end = elapsed + limitMs;
    await drainEventLoop();
    while (!condition()) {
      if (elapsed > end) throw new Error(`${what}: timed out after ${limitMs} ms`);
      if (!(await runNext())) throw new Error(`${what}: no task left to run`);
    }
  };
  const schedule = (ms: number, run: () => void) =>
    heap.push({ atMs: elapsed + Math.max(0, ms), tie: random.next(), order: order++, run });
  return {
    random,
    elapsed: () => elapsed,
    now: () => startMs + offset + Math.floor(elapsed),
    jumpClocks: (ms) => void (offset += ms),
    schedule,
    record: (line) => {
      if (!BACKGROUND_LINE.test(line)) activityCount++;
      hash.update(`${elapsed} ${line}\n`);
      lines.push(`${(elapsed / 1000).toFixed(3)} ${line}`);
      if (lines.length > 2 * MAX_TRACE_LINES) lines.splice(0, MAX_TRACE_LINES);
    },
    activityCount: () => activityCount,
    trace: () => lines.slice(-MAX_TRACE_LINES),
    hash: () => hash.copy().digest('hex'),
    taskCount: () => taskCount,
    runUntil,
    advance: async (ms) => {
      let isOver = false;
      schedule(ms, () => (isOver = true));
      await runUntil(() => isOver, ms + 1, 'time');
    },
  };
}

function createHeap() {
  const heap: Task[] = [];
  const isBefore = (a: Task, b: Task) =>
    a.atMs < b.atMs || (a.atMs === b.atMs && (a.tie < b.tie || (a.tie === b.tie && a.order < b.order)));
  const at = (i: number): Task => heap[i] as Task;
  const swap = (i: number, j: number) => ([heap[i], heap[j]] = [at(j), at(i)]);
  return {
    push: (entry: Task) => {
      let i = heap.push(entry) - 1;
      for (; i > 0 && isBefore(at(i), at((i - 1) >> 1)); i = (i - 1) >> 1) swap(i, (i - 1) >> 1);
    },
    pop: (): Task | undefined => {
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
