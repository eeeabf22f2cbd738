// Keeps calls from waiting for a server that is known to be away: the first who meets silence waits for a while, the others are told at
// once, and one probe after another finds out when it is back.
import { setMaxListeners } from 'node:events';
import { Unavailable } from './event-log/port.js';
import type { Runtime } from './runtime.js';

export type Breaker = {
  /** Throws {@link Unavailable} when the server is away or does not answer in time, and whatever else `work` throws as it is. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** True as soon as the server answers, false when it does not within `ms`. */
  isBack(ms: number): Promise<boolean>;
  close(): void;
};

export type BreakerOptions = {
  /** Of the server, in messages. */
  readonly name: string;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** How long a call may meet silence, in ms. */
  readonly limitMs: number;
  /** Whether work that is slow, while the server answers others, is waited for; else it fails and the server counts as there. */
  readonly waitsForSlow: boolean;
  /** Asks the server for any answer. */
  readonly probe: () => Promise<unknown>;
  /** Whether an error means that the server cannot be reached. */
  readonly isAway: (err: unknown) => boolean;
  /** Before each probe of a server that was found away: takes apart what may be in the way. */
  readonly reset?: () => Promise<void>;
};

const PROBE_LIMIT_MS = 800;
const PROBE_PAUSE_MS = 250;

const LATE = Symbol('late');

export function createBreaker(o: BreakerOptions): Breaker {
  const { name, runtime } = o;
  const closing = new AbortController();
  /** Aborts when the server is found away; null while it is. */
  let there: AbortController | null = watched();
  let back: Promise<void> = Promise.resolve();
  let answers = 0;

  const answersNow = async (): Promise<boolean> => {
    const done = new AbortController();
    const late = runtime.sleep(PROBE_LIMIT_MS, done.signal).then(() => false);
    const answered = o.probe().then(
      () => true,
      (err: unknown) => !o.isAway(err) && !(err instanceof Unavailable),
    );
    return Promise.race([answered, late]).finally(() => done.abort());
  };
  const untilBack = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await o.reset?.();
      if (await answersNow()) break;
      await runtime.sleep(PROBE_PAUSE_MS, closing.signal);
    }
    there = watched();
  };
  const open = (reason: string): Unavailable => {
    const why = new Unavailable(`${name} cannot be reached: ${reason}`);
    const found = there;
    there = null;
    found?.abort(why);
    if (found) back = untilBack();
    return why;
  };
  /** Resolves to LATE after the limit, rejects when somebody else finds the server away. */
  const patience = (signal: AbortSignal, done: AbortSignal) =>
    new Promise<typeof LATE>((resolve, reject) => {
      const giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp, { once: true });
      done.addEventListener('abort', () => signal.removeEventListener('abort', giveUp), { once: true });
      void runtime.sleep(o.limitMs, done).then(() => resolve(LATE));
    });

  return {
    run: async <T>(work: () => Promise<T>): Promise<T> => {
      if (closing.signal.aborted) throw new Error(`${name} is closed`);
      if (!there) throw new Unavailable(`${name} cannot be reached`);
      const { signal } = there;
      const pending = work();
      // What fails after the limit has nobody left to tell.
      pending.catch(() => undefined);
      for (;;) {
        const before = answers;
        const done = new AbortController();
        try {
          const answer = await Promise.race([pending, patience(signal, done.signal)]);
          if (answer !== LATE) {
            answers++;
            return answer;
          }
        } catch (err) {
          if (err instanceof Unavailable || !o.isAway(err)) throw err;
          throw signal.aborted ? signal.reason : open(messageOf(err));
        } finally {
          done.abort();
        }
        const isSilent = answers === before && !(o.waitsForSlow && (await answersNow()));
        if (signal.aborted) throw signal.reason;
        if (isSilent) throw open(`no answer within ${o.limitMs} ms`);
        if (!o.waitsForSlow) throw new Unavailable(`${name} did not answer within ${o.limitMs} ms`);
      }
    },
    isBack: async (ms) => {
      const done = new AbortController();
      const late = runtime.sleep(ms, done.signal);
      await Promise.race([back, late]).finally(() => done.abort());
      return there !== null;
    },
    close: () => closing.abort(),
  };
}

/** Every call under way listens; that is no leak. */
function watched(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

function messageOf(err: unknown): string {
  return err instanceof Error ? err.message : String(err);
}
