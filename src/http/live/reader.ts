// Reader of a live feed. It costs a ring buffer of lines and a log position: a reader that falls behind its buffer reads the log from its
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { serializeLine, type LiveLine } from './lines.js';
import type { ServerResponse } from 'node:http';

/** Destination of lines, normally a connection. */
type Sink = {
  /** Returns null if the text was taken at once; otherwise resolves when it was taken or the connection is closed. */
  write(text: string): Promise<void> | null;
  /** Sends a last text and closes. */
  end(text: string): void;
};

/** Lines of one project after a log position; `upTo` also passes events without a line. */
export type LogLines = { readonly lines: readonly LiveLine[]; readonly upTo: LogPosition };

export type ReaderOptions = {
  readonly sink: Sink;
  /** Position after which all lines are sent. */
  readonly after: LogPosition;
  readonly visibility: FieldVisibility;
  readonly runtime: Pick<Runtime, 'sleep'>;
  /** Returns the next lines after a position without waiting for new ones. */
  readonly readLog: (after: LogPosition) => Promise<LogLines>;
  /** Returns the position up to which lines were offered to all readers; null if nothing is offered yet. */
  readonly offeredUpTo: () => LogPosition | null;
};

export type Reader = {
  /** Takes lines in log order, each once, however often they are offered. Call `wake` after the last. */
  offer(line: LiveLine): void;
  wake(): void;
  /** Changes the visibility of the reader. */
  setVisibility(visibility: FieldVisibility): void;
  /** Keeps an idle connection open. */
  sendHeartbeat(): void;
  /** Resolves when the reader has left, was ended or was disconnected. */
  run(): Promise<void>;
  end(): void;
};

/** Limits of a reader: lines in its buffer, and time to take them. */
export const MAX_BUFFERED_LINES = 256;
const MAX_WRITE_MS = 10_000;

/** Delay before the log is read again that has not grown although others were offered more. */
const REREAD_DELAY_MS = 50;

/** Time after which a client should reconnect, ms. It then sends the ID of its last line. */
const RETRY_MS = 3000;
export const LAST_MESSAGE = `retry: ${RETRY_MS}\n\n`;

export function createReader({ sink, after, runtime, readLog: readPast, offeredUpTo, ...o }: ReaderOptions): Reader {
  const buffer: LiveLine[] = [];
  const end = new AbortController();
  let { visibility } = o;
  let position = after;
  let isBehind = true;
  let isIdle = true;
  let wake = (): void => undefined;

  /** Returns false if the reader is too slow. */
  const isWrittenInTime = async (text: string): Promise<boolean> => {
    const hasRoom = sink.write(text);
    if (hasRoom === null || end.signal.aborted) return true;
    const isDone = new AbortController();
    const signal = AbortSignal.any([isDone.signal, end.signal]);
    let isInTime = true;
    const late = runtime.sleep(MAX_WRITE_MS, signal).then(() => (isInTime = signal.aborted));
    await Promise.race([hasRoom, late]);
    isDone.abort();
    await late;
    return isInTime;
  };

  const writeLines = async (lines: readonly LiveLine[]): Promise<boolean> => {
    for (let i = 0; i < lines.length; i += MAX_BUFFERED_LINES) {
      const texts = lines.slice(i, i + MAX_BUFFERED_LINES).map((line) => serializeLine(line, visibility));
      if (!(await isWrittenInTime(texts.join('')))) return false;
    }
    return true;
  };

  /** Reads one batch of the log. The last batch joins the others: nothing can be offered between the read and the switch. */
  const catchUp = async (): Promise<boolean> => {
    const { lines, upTo } = await readPast(position);
    if (!(await writeLines(lines))) return false;
    const isSame = upTo === position;
    position = upTo;
    const offered = offeredUpTo();
    if (offered !== null && position >= offered) isBehind = false;
    else if (isSame) await runtime.sleep(REREAD_DELAY_MS, end.signal);
    return true;
  };

  const step = async (): Promise<boolean> => {
    isIdle = false;
    if (buffer.length > 0) return writeLines(buffer.splice(0));
    if (isBehind) return catchUp();
    isIdle = true;
    await new Promise<void>((resolve) => (wake = resolve));
    return true;
  };

  return {
    offer: (line) => {
      if (isBehind || (line.position !== null && line.position <= position)) return;
      if (buffer.length === MAX_BUFFERED_LINES) {
        isBehind = true;
        return;
      }
      buffer.push(line);
      position = line.position ?? position;
    },
    wake: () => wake(),
    setVisibility: (now) => {
      visibility = now;
    },
    sendHeartbeat: () => {
      if (isIdle && buffer.length === 0) void sink.write(':\n\n');
    },
    run: async () => {
      while (!end.signal.aborted && (await step()));
      sink.end(LAST_MESSAGE);
    },
    end: () => {
      end.abort();
      wake();
    },
  };
}

/** Time limit for the last message, after which the connection is destroyed. */
const MAX_CLOSE_MS = 10_000;

export type Connection = Sink & { connect(res: ServerResponse): void };

export function createConnection(runtime: Pick<Runtime, 'sleep'>): Connection {
  let res: ServerResponse | null = null;
  return {
    connect: (to) => {
      res = to;
    },
    write: (text) => {
      if (!res || res.destroyed || res.write(text)) return null;
      return waitForDrain(res);
    },
    end: (text) => {
      const leaving = res;
      res = null;
      if (!leaving || leaving.destroyed) return;
      leaving.end(text);
      const isGone = new AbortController();
      leaving.once('close', () => isGone.abort());
      void runtime.sleep(MAX_CLOSE_MS, isGone.signal).then(() => {
        if (!isGone.signal.aborted) leaving.destroy();
      });
    },
  };
}

/** Resolves when the buffer is drained or the connection is closed. */
function waitForDrain(res: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      res.off('drain', done);
      res.off('close', done);
      resolve();
    };
    res.on('drain', done);
    res.on('close', done);
  });
}
