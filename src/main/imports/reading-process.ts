// Runs in a process of its own, which reads the files of one import and sends what they contain, one reply for each request.
import { existsSync, statfsSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { Worker } from 'node:worker_threads';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { UnreadableFile, type ReadBudget } from '../../adapters/imports/port.js';
import {
  createFactSource,
  type ReadCustomer,
  type ReadFacts,
  type ReadRequest,
} from '../../commands/imports/read-facts.js';
import { Rejection } from '../../domain/errors.js';

export type ToReadingProcess = { readonly read: ReadRequest } | 'next';
export type FromReadingProcess =
  | { readonly progress: { readonly bytes: number; readonly total: number } | null }
  | { readonly read: ReadFacts }
  | { readonly customers: readonly ReadCustomer[] | null }
  | { readonly fault: string; readonly cause?: string }
  | { readonly rejection: { readonly code: string; readonly message: string } }
  | { readonly failure: string };

/** Arguments of the process. `maxUnpackedMiB`: of all files of the import. */
export type ReadingLimits = {
  readonly maxUnpackedMiB: number;
  readonly maxRows: number;
  /** Processor time for reading, which a busy machine does not shorten. */
  readonly maxSeconds: number;
  readonly maxMemoryMiB: number;
};

const MIB = 1024 * 1024;
/** Space that stays free for whoever else uses the disk. */
const MIN_FREE_BYTES = 512 * MIB;
/** Unpacked bytes between two looks at the disk. */
const BYTES_PER_LOOK = 16 * MIB;
const ALIVE_MS = 2000;
/** Facts and characters of a batch, which has at least one customer. */
const MAX_BATCH_FACTS = 500;
const MAX_BATCH_CHARACTERS = MIB;

const [parent = '', limitsText = ''] = process.argv.slice(2);
const limits: ReadingLimits = JSON.parse(limitsText);
const source = createFactSource({
  open: (path) => importFilesOnDisk.open(path, budget),
  openStaging: importFilesOnDisk.openStaging,
});
const budget = createBudget(limits);
let customers: AsyncIterator<ReadCustomer> | undefined;

yieldToService();
endWithService();
process.on('message', (message: ToReadingProcess) => void answer(message));
process.on('disconnect', () => process.exit());
// A terminal sends its signals to both processes; the service decides when this one ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
setInterval(() => send({ progress: null }), ALIVE_MS);

async function answer(message: ToReadingProcess): Promise<void> {
  try {
    send(message === 'next' ? { customers: await nextBatch() } : { read: await read(message.read) });
  } catch (err) {
    send(replyTo(err));
  }
}

function read(request: ReadRequest): Promise<ReadFacts> {
  let sentAt = 0;
  const watch = setInterval(
    () => {
      const { user, system } = process.cpuUsage();
      if (user + system > limits.maxSeconds * 1e6) send({ fault: tooSlow(limits.maxSeconds) });
    },
    Math.min(ALIVE_MS, limits.maxSeconds * 1000),
  );
  const progress = (done: { readonly bytes: number; readonly total: number }) => {
    if (performance.now() - sentAt < ALIVE_MS / 8) return;
    sentAt = performance.now();
    send({ progress: done });
  };
  return source.read(request, { progress, signal: new AbortController().signal }).finally(() => clearInterval(watch));
}

/** Returns null after the last customer. */
async function nextBatch(): Promise<readonly ReadCustomer[] | null> {
  customers ??= source.customers()[Symbol.asyncIterator]();
  const batch: ReadCustomer[] = [];
  for (let [facts, characters] = [0, 0]; facts < MAX_BATCH_FACTS && characters < MAX_BATCH_CHARACTERS;) {
    const { done, value } = await customers.next();
    if (done) return batch.length > 0 ? batch : null;
    batch.push(value);
    facts += value.facts.length;
    characters += value.facts.reduce((sum, fact) => sum + fact.length, 0);
  }
  return batch;
}

function replyTo(err: unknown): FromReadingProcess {
  if (err instanceof UnreadableFile)
    return { fault: err.message, ...(err.cause instanceof Error && { cause: textOf(err.cause) }) };
  if (err instanceof Rejection) return { rejection: { code: err.code, message: err.message } };
  return { failure: textOf(err) };
}

function textOf(err: unknown): string {
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}

function send(reply: FromReadingProcess): void {
  process.send?.(reply);
}

function tooSlow(maxSeconds: number): string {
  const minutes = Math.ceil(maxSeconds / 60);
  return `reading the files takes more than ${minutes} minutes of processor time; split them, and import the parts one after another`;
}

function createBudget({ maxUnpackedMiB: maxMiB, maxRows }: ReadingLimits): ReadBudget {
  const temporary = sortingFolder();
  let [taken, lookAt, rows] = [0, 0, 0];
  return {
    takeRow: () => {
      if (++rows > maxRows)
        throw new UnreadableFile(
          `the files have more than ${maxRows} rows; split them, and import the parts one after another`,
        );
    },
    take: (bytes) => {
      taken += bytes;
      if (taken > maxMiB * MIB)
        throw new UnreadableFile(`the files have more than ${maxMiB} MiB when they are unpacked; import them in parts`);
      if (taken < lookAt) return;
      lookAt = taken + BYTES_PER_LOOK;
      const { bavail, bsize } = statfsSync(temporary);
      if (bavail * bsize < MIN_FREE_BYTES)
        throw new UnreadableFile(
          `less than ${MIN_FREE_BYTES / MIB} MiB are free in ${temporary}, where the rows are sorted; free space, or set SQLITE_TMPDIR to another folder`,
        );
    },
  };
}

/** Returns the folder of SQLite's temporary files: it takes the system's where the one of the setting does not exist. */
function sortingFolder(): string {
  const folder = process.env['SQLITE_TMPDIR'];
  return folder !== undefined && existsSync(folder) ? folder : tmpdir();
}

/** Requests come first where both want the same core. */
function yieldToService(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Some systems do not allow it.
  }
}

/** Ends this process with the service, and when it uses more memory than it may, also while its main thread is busy. */
function endWithService(): void {
  const script = `
    setInterval(() => {
      if (process.ppid !== ${Number(parent)} || process.memoryUsage.rss() > ${limits.maxMemoryMiB * MIB}) process.kill(process.pid, 'SIGKILL');
    }, 250);
  `;
  new Worker(script, { eval: true, execArgv: [], stdin: false }).unref();
}
