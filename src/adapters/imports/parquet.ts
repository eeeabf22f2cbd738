// Rows of a Parquet file. Another process reads it: a damaged or forged file can claim more rows than any memory has, and no check in
// advance and no thread keeps that from ending the process that decodes it.
import { fork, type ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParquetReply } from './parquet-process.js';
import { UnreadableFile, type OpenedFile } from './port.js';

const MODULE = new URL(`./parquet-process${extname(import.meta.url)}`, import.meta.url);
/** The loader with which this process runs from source (tests). */
const LOADER = extname(import.meta.url) === '.ts' ? [`--import=${import.meta.resolve('tsx')}`] : [];
/** Memory of the process, in MiB: a row group of a million rows with the columns of an export needs half of it. */
const MEMORY_MIB = 2048;

/** Throws {@link UnreadableFile}. */
export async function openParquet(path: string, name: string, size: number): Promise<OpenedFile> {
  const { columns, rowCount } = await describe(path, name);
  let done = 0;
  return {
    name,
    size,
    format: 'table',
    columns,
    bytesRead: () => Math.round((done / Math.max(1, rowCount)) * size),
    rows: async function* () {
      for await (const reply of repliesOf('rows', path, name)) {
        if (!('rows' in reply)) continue;
        for (const row of reply.rows) {
          const values = Object.fromEntries(columns.map((column, i) => [column, row[i] ?? null]));
          yield { from: { file: name, row: ++done }, values };
        }
      }
    },
  };
}

async function describe(path: string, name: string) {
  for await (const reply of repliesOf('columns', path, name)) if ('columns' in reply) return reply;
  throw endedEarly(name);
}

/** Yields the replies of a process, which sends the next one when the former was taken. Ends the process in any case. */
async function* repliesOf(kind: 'columns' | 'rows', path: string, name: string): AsyncIterable<ParquetReply> {
  const reader = fork(fileURLToPath(MODULE), [kind, path], {
    execArgv: [...LOADER, `--max-old-space-size=${MEMORY_MIB}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Its end also ends the wait for a reply; without a listener this event would end the service.
  reader.on('error', () => undefined);
  try {
    for (;;) {
      const reply = await nextReply(reader);
      if (reply === null) throw endedEarly(name);
      if ('fault' in reply) throw new UnreadableFile(`${name}${reply.fault}`);
      if ('isEnd' in reply) return;
      yield reply;
    }
  } finally {
    reader.kill('SIGKILL');
  }
}

/** Returns null if the process ended without a reply. */
function nextReply(reader: ChildProcess): Promise<ParquetReply | null> {
  return new Promise((resolve) => {
    const settle = (reply: ParquetReply | null) => {
      reader.off('message', onReply).off('error', onEnd).off('exit', onEnd);
      resolve(reply);
    };
    const onReply = (reply: unknown) => settle(reply as ParquetReply);
    const onEnd = () => settle(null);
    reader.on('message', onReply).on('error', onEnd).on('exit', onEnd);
    const hasEnded = reader.exitCode !== null || reader.signalCode !== null;
    if (hasEnded || !reader.connected) onEnd();
    else reader.send('next', (err) => (err ? onEnd() : undefined));
  });
}

function endedEarly(name: string): UnreadableFile {
  return new UnreadableFile(
    `${name} is damaged, or its row groups are too large for the memory; export it again with smaller row groups, or as CSV`,
  );
}
