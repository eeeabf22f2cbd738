// Log of the service on stdout. Lines are dropped while stdout cannot be written, such as on a full disk: the service goes on without them.
import { writeSync } from 'node:fs';
import { pino, type Logger, type LevelWithSilent } from 'pino';
import { traceFields } from '../../adapters/tracing/spans.js';

const STDOUT = 1;
const LOG_WITHIN_MS = 100;
/** Characters that wait to be written; more are dropped. */
const MAX_BUFFERED = 4_000_000;

export type LogOutput = {
  readonly logger: Logger;
  /** Before the process exits: writes the buffered lines, or drops them if stdout cannot be written. */
  flush(): void;
  /** Writes the error and the buffered lines at once; to stderr if stdout cannot be written. */
  writeFatal(err: unknown): void;
  /** Resolves when all lines are written or cannot be. */
  close(): Promise<void>;
};

export function openLogOutput(level: LevelWithSilent): LogOutput {
  // Buffers lines under load, so that many are written at once.
  const output = pino.destination({
    sync: false,
    minLength: 4096,
    periodicFlush: LOG_WITHIN_MS,
    maxLength: MAX_BUFFERED,
  });
  let isFailing = false;
  output.on('error', () => (isFailing = true));
  output.on('write', () => (isFailing = false));
  // The library's synchronous flush, which it also runs at the exit of the process, never returns on a full disk.
  const flush = () => {
    if (isFailing) output.destroy();
    else output.flushSync();
  };
  return {
    logger: pino({ level, mixin: traceFields }, output),
    flush,
    writeFatal: (err) => {
      const stack = err instanceof Error ? err.stack : String(err);
      const line = { level: 60, time: Date.now(), pid: process.pid, stack, msg: 'unexpected error, exiting' };
      try {
        // Fails where the flush would not return.
        writeSync(STDOUT, `${JSON.stringify(line)}\n`);
        flush();
      } catch {
        output.destroy();
        // The last place that is left.
        process.stderr.write(`${line.msg}: ${stack}\n`);
      }
    },
    close: () =>
      new Promise((resolve) => {
        const drop = () => {
          output.destroy();
          resolve();
        };
        if (isFailing) return drop();
        output.once('close', resolve).once('error', drop);
        output.end();
      }),
  };
}
