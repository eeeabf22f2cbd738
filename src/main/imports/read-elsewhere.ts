// Reads the files of an import in another process: what a file does to the memory or the time of its reader ends that process, and one
// import, instead of the service.
import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { anyHasRowGroups } from '../../adapters/imports/parquet.js';
import { UnreadableFile } from '../../adapters/imports/port.js';
import type { ImportFiles } from '../../commands/imports/run-import.js';
import {
  SourceEnded,
  type FactSource,
  type ReadCustomer,
  type ReadOptions,
} from '../../commands/imports/read-facts.js';
import { Rejection } from '../../domain/errors.js';
import type { FromReadingProcess, ReadingLimits, ToReadingProcess } from './reading-process.js';

const MODULE = new URL(`./reading-process${extname(import.meta.url)}`, import.meta.url);
/** The loader with which this process runs from source (tests). */
const LOADER = extname(import.meta.url) === '.ts' ? [`--import=${import.meta.resolve('tsx')}`] : [];
/** Limit of what the files of an import may unpack to, in sizes of one uploaded file. */
const UNPACKED_PER_FILE = 16;
/** Processor time in which ten million rows are read on a machine of a third of the usual speed. */
const MAX_READING_S = 3600;
/** Memory of a process, in MiB. A row group of a million rows of Parquet needs a gigabyte. */
const MEMORY_MIB = 512;
const ROW_GROUPS_MIB = 2560;
/** Share of the memory for objects; the rest is for buffers and the program. */
const HEAP_SHARE = 0.8;
/** Longest time between two messages. A process sends one every other second, but one row group of Parquet is work without a pause, and the
 * process comes last on a busy machine. */
const SILENCE_MS = 600_000;
/** A waiting import says so often enough to keep its claim. */
const WATCH_MS = 20_000;
/** Variables that the process needs. It gets no others: files of strangers are read there. */
const VARIABLES = ['PATH', 'HOME', 'TMPDIR', 'TMP', 'TEMP', 'SystemRoot', 'SQLITE_TMPDIR'];

export type ReadingOptions = {
  /** Maximum size of an uploaded file. */
  readonly maxMiB: number;
  /** Maximum of rows of all files of an import. */
  readonly maxRows: number;
  readonly maxSeconds?: number;
  /** Receives what a library said about a file, which no user is shown. */
  readonly log?: (fault: string) => void;
  readonly memoryMiB?: number;
  readonly silenceMs?: number;
};

/** Returns the files of this machine, each import read by a process of its own. */
export function importFilesElsewhere(o: ReadingOptions): ImportFiles {
  return {
    isHere: importFilesOnDisk.isHere,
    isFileFault: importFilesOnDisk.isFileFault,
    openSource: (paths) => openSource(paths, o),
  };
}

function openSource(
  paths: readonly string[],
  { maxMiB, maxRows, maxSeconds = MAX_READING_S, memoryMiB, silenceMs = SILENCE_MS, log }: ReadingOptions,
): FactSource {
  let asker: Asker | undefined;
  let isClosed = false;
  const start = async (): Promise<Asker> => {
    const maxMemoryMiB = memoryMiB ?? ((await anyHasRowGroups(paths)) ? ROW_GROUPS_MIB : MEMORY_MIB);
    if (isClosed) throw new SourceEnded('the files were closed before they were read');
    const limits = { maxUnpackedMiB: UNPACKED_PER_FILE * maxMiB, maxRows, maxSeconds, maxMemoryMiB };
    return createAsker(startReader(limits), silenceMs, log);
  };
  return {
    read: async (request, options) => {
      asker = await start();
      const reply = await asker.ask({ read: request }, options);
      if (!('read' in reply)) throw new SourceEnded('the process that reads the files sent another reply');
      return reply.read;
    },
    customers: async function* () {
      if (!asker) throw new Error('the files are read first');
      for (let next = asker.ask('next'); ;) {
        const reply = await next;
        if (!('customers' in reply) || reply.customers === null) return;
        // The next batch is read while this one is recorded.
        next = asker.ask('next');
        next.catch(() => undefined);
        yield* reply.customers satisfies readonly ReadCustomer[];
      }
    },
    close: () => {
      isClosed = true;
      asker?.close();
    },
  };
}

function startReader(limits: ReadingLimits): ChildProcess {
  const heapMiB = Math.round(limits.maxMemoryMiB * HEAP_SHARE);
  return fork(fileURLToPath(MODULE), [String(process.pid), JSON.stringify(limits)], {
    execArgv: [...LOADER, `--max-old-space-size=${heapMiB}`],
    env: Object.fromEntries(VARIABLES.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))),
    // Texts are sent as they are, not within JSON again.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

type Reply = Exclude<FromReadingProcess, { readonly progress: unknown }>;
type Asker = {
  /** Throws {@link SourceEnded}, the faults of the files, and the reason of the signal. */
  ask(message: ToReadingProcess, o?: ReadOptions): Promise<Reply>;
  close(): void;
};

function createAsker(reader: ChildProcess, silenceMs: number, log: ReadingOptions['log'] = () => undefined): Asker {
  let heard = performance.now();
  let onMessage: (message: FromReadingProcess) => void = () => undefined;
  let onEnd: (err: SourceEnded) => void = () => undefined;
  let onWait: () => void = () => undefined;
  let ended: SourceEnded | undefined;
  const end = (text: string) => {
    ended ??= new SourceEnded(text);
    reader.kill('SIGKILL');
    onEnd(ended);
  };
  const watch = setInterval(
    () => {
      if (performance.now() - heard > silenceMs) end('the process that reads the files did not respond any more');
      else onWait();
    },
    Math.min(silenceMs / 20, WATCH_MS),
  );
  reader.on('message', (message: FromReadingProcess) => {
    heard = performance.now();
    onMessage(message);
  });
  reader.on('error', (err) => {
    log(err.message);
    end('the process that reads the files could not be started');
  });
  reader.on('exit', () =>
    end('reading the files ended the process: they need more memory than it has, or are damaged'),
  );
  return {
    ask: (request, o) =>
      new Promise<Reply>((resolve, reject) => {
        const abort = () => settle(() => reject(o?.signal.reason as Error));
        const settle = (result: () => void) => {
          o?.signal.removeEventListener('abort', abort);
          onWait = () => undefined;
          result();
        };
        if (o?.signal.aborted) return abort();
        if (ended) return reject(ended);
        o?.signal.addEventListener('abort', abort, { once: true });
        heard = performance.now();
        onEnd = (err) => settle(() => reject(err));
        let last = { bytes: 0, total: 0 };
        onWait = () => o?.progress(last);
        onMessage = (message) => {
          if ('progress' in message) return o?.progress((last = message.progress ?? last));
          const cause = 'fault' in message ? message.cause : 'failure' in message ? message.failure : undefined;
          if (cause !== undefined) log(cause);
          settle(() => answer(message, resolve, reject));
        };
        reader.send(request, (err) => (err ? end('the process that reads the files cannot be reached') : undefined));
      }),
    close: () => {
      clearInterval(watch);
      reader.removeAllListeners('exit');
      reader.kill('SIGKILL');
    },
  };
}

function answer(reply: Reply, resolve: (reply: Reply) => void, reject: (err: Error) => void): void {
  if ('fault' in reply) return reject(new UnreadableFile(reply.fault));
  if ('rejection' in reply) return reject(new Rejection('invalid', reply.rejection.code, reply.rejection.message));
  if ('failure' in reply)
    return reject(new SourceEnded('reading the files failed; the log of the service has the reason'));
  resolve(reply);
}
