// One reader of a live feed. It costs a ring of so many lines and a place in the log: a reader that falls behind its ring reads the log
// from its place, at its own pace, and joins the others again. Nobody waits for it.
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Sight } from '../../domain/values/field-groups.js';
import { textOf, type LiveLine } from './line.js';

/** Where lines go: a connection, as far as a reader cares. */
export type Sink = {
  /** Null: taken at once. Else resolves when all was taken, or the connection is gone. */
  write(text: string): Promise<void> | null;
  /** Says goodbye and closes. */
  end(text: string): void;
};

/** Lines behind a place in the log, of one project; `upTo` also passes what is no line of it. */
export type Past = { readonly lines: readonly LiveLine[]; readonly upTo: LogPosition };

export type ReaderOptions = {
  readonly sink: Sink;
  /** All lines behind it are shown. */
  readonly after: LogPosition;
  readonly sight: Sight;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** The next lines of the log behind a place, without waiting for any. */
  readonly readPast: (after: LogPosition) => Promise<Past>;
  /** Up to where lines have been offered to all readers; null: nobody offers any yet. */
  readonly offeredUpTo: () => LogPosition | null;
};

export type Reader = {
  /** Takes lines in the order of the log, each once, however often they are offered. Call `wake` behind the last. */
  offer(line: LiveLine): void;
  wake(): void;
  /** From now on the reader sees so much. */
  see(sight: Sight): void;
  /** Keeps an idle connection open. */
  beat(): void;
  /** Resolves when the reader has left, was ended or was cut. */
  run(): Promise<void>;
  end(): void;
};

/** So many lines wait for a reader, and it may take so long for them. */
export const RING_LINES = 256;
const PATIENCE_MS = 10_000;

/** Before the log is read again that has not grown, though others were offered more. */
const SOON_MS = 50;

/** When a client should come back, in milliseconds; it then names the last line that it has. */
const RETRY_MS = 3000;
export const FAREWELL = `retry: ${RETRY_MS}\n\n`;

export function createReader({ sink, after, runtime, readPast, offeredUpTo, ...o }: ReaderOptions): Reader {
  const ring: LiveLine[] = [];
  const ended = new AbortController();
  let { sight } = o;
  let at = after;
  let isBehind = true;
  let isIdle = true;
  let wake = (): void => undefined;

  /** False when the reader is too slow. */
  const isTaken = async (text: string): Promise<boolean> => {
    const taken = sink.write(text);
    if (taken === null || ended.signal.aborted) return true;
    const isDone = new AbortController();
    const signal = AbortSignal.any([isDone.signal, ended.signal]);
    let isInTime = true;
    const late = runtime.sleep(PATIENCE_MS, signal).then(() => (isInTime = signal.aborted));
    await Promise.race([taken, late]);
    isDone.abort();
    await late;
    return isInTime;
  };

  const hand = async (lines: readonly LiveLine[]): Promise<boolean> => {
    for (let i = 0; i < lines.length; i += RING_LINES) {
      const texts = lines.slice(i, i + RING_LINES).map((line) => textOf(line, sight));
      if (!(await isTaken(texts.join('')))) return false;
    }
    return true;
  };

  /** One step through the log; the last one joins the others, with nothing offered between the look and the joining. */
  const catchUp = async (): Promise<boolean> => {
    const { lines, upTo } = await readPast(at);
    if (!(await hand(lines))) return false;
    const isSame = upTo === at;
    at = upTo;
    const offered = offeredUpTo();
    if (offered !== null && at >= offered) isBehind = false;
    else if (isSame) await runtime.sleep(SOON_MS, ended.signal);
    return true;
  };

  const step = async (): Promise<boolean> => {
    isIdle = false;
    if (ring.length > 0) return hand(ring.splice(0));
    if (isBehind) return catchUp();
    isIdle = true;
    await new Promise<void>((resolve) => (wake = resolve));
    return true;
  };

  return {
    offer: (line) => {
      if (isBehind || (line.position !== null && line.position <= at)) return;
      if (ring.length === RING_LINES) {
        isBehind = true;
        return;
      }
      ring.push(line);
      at = line.position ?? at;
    },
    wake: () => wake(),
    see: (now) => {
      sight = now;
    },
    beat: () => {
      if (isIdle && ring.length === 0) void sink.write(':\n\n');
    },
    run: async () => {
      while (!ended.signal.aborted && (await step()));
      sink.end(FAREWELL);
    },
    end: () => {
      ended.abort();
      wake();
    },
  };
}
