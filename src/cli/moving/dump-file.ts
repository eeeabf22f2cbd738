// The file format of `export`: gzip of JSON lines. First a header, then the records, then the events in the order of the log, and last
// their counts and the SHA-256 of all lines before.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import type { Doc } from '../../adapters/documents/port.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { parseJson } from '../../domain/values/json.js';
import { renameRecord } from '../../workers/coordination/former-records.js';
import { Failure } from '../support/outcome.js';
import { expectReadableFile } from '../support/arguments.js';

const FORMAT = 'subledger-dump-1';

const headerSchema = z.object({ format: z.literal(FORMAT), identity: z.string() });
const footerSchema = z.object({ events: z.int(), records: z.int(), sha256: z.string() });

export type DumpedRecord = { readonly c: string; readonly id: string; readonly guard: string; readonly doc: Doc };
export type DumpLine =
  | { readonly kind: 'record'; readonly record: DumpedRecord }
  | { readonly kind: 'event'; readonly event: RecordedEvent };

export type Counts = { readonly events: number; readonly records: number };

const COPY_AGAIN = 'copy it again from its source';
const USE_EXPORT = 'give a file that subledger export has written';

/** Throws {@link Failure} if it is not an exported file, before anything is opened or written. */
export async function expectDump(file: string): Promise<void> {
  expectReadableFile({ name: 'FILE', path: file, cure: USE_EXPORT });
  await identityOfDump(file);
}

/** Writes a temporary file, which is renamed when it is complete. */
export async function writeDump(file: string, identity: string, lines: AsyncIterable<DumpLine>): Promise<Counts> {
  const counts = { events: 0, records: 0 };
  async function* texts(): AsyncGenerator<string> {
    const hash = createHash('sha256');
    const hashed = (line: object) => {
      const text = `${JSON.stringify(line)}\n`;
      hash.update(text);
      return text;
    };
    yield hashed({ format: FORMAT, identity });
    for await (const line of lines) {
      counts[line.kind === 'event' ? 'events' : 'records'] += 1;
      yield hashed(line);
    }
    yield `${JSON.stringify({ ...counts, sha256: hash.digest('hex') })}\n`;
  }
  const part = `${file}.part`;
  rmSync(part, { force: true });
  await pipeline(Readable.from(texts()), createGzip(), createWriteStream(part, { mode: 0o600, flush: true }));
  renameSync(part, file);
  return counts;
}

/** Returns the identity of the exported log. Throws {@link Failure} if it is not an exported file. */
export async function identityOfDump(file: string): Promise<string> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  // The reader stopped after the first line, so the broken pipe is expected.
  const read = pipeline(source, unzipped).catch(() => undefined);
  let header: unknown;
  for await (const text of linesOf(unzipped)) {
    header = parseJson(text);
    break;
  }
  source.destroy();
  unzipped.destroy();
  await read;
  const { data } = headerSchema.safeParse(header);
  if (!data) throw notDump(file);
  return data.identity;
}

/** Yields the lines one by one. Throws {@link Failure} for any other file, a changed one, and at the end for an incomplete one. */
export async function* readDump(file: string): AsyncGenerator<DumpLine, Counts> {
  const source = createReadStream(file);
  const unzipped = createGunzip();
  const read = pipeline(source, unzipped).catch((err: unknown) => err);
  const hash = createHash('sha256');
  const counts = { events: 0, records: 0 };
  let isFirst = true;
  for await (const text of linesOf(unzipped)) {
    const line = parseJson(text) as DumpLine | undefined;
    if (line === undefined) throw new Failure(`FILE ${file} is damaged: a line is not JSON; ${COPY_AGAIN}`);
    if (isFirst && !headerSchema.safeParse(line).success) throw notDump(file);
    const footer = isFirst ? undefined : footerSchema.safeParse(line).data;
    isFirst = false;
    if (footer) {
      const isSame = footer.sha256 === hash.digest('hex') && footer.events === counts.events;
      if (isSame && footer.records === counts.records) return counts;
      throw new Failure(`FILE ${file} is damaged: its checksum does not match; ${COPY_AGAIN}`);
    }
    hash.update(`${text}\n`);
    const { kind } = line;
    if (kind !== 'event' && kind !== 'record') continue;
    counts[kind === 'event' ? 'events' : 'records'] += 1;
    yield upgradeLine(line);
  }
  const failed = await read;
  throw new Failure(`FILE ${file} is incomplete${failed instanceof Error ? `: ${failed.message}` : ''}; ${COPY_AGAIN}`);
}

/** Renames a record of an earlier version to its current name. */
function upgradeLine(line: DumpLine): DumpLine {
  return line.kind === 'record' ? { ...line, record: renameRecord(line.record) } : line;
}

/** Ends at a truncation of the file; the reader of the lines detects that the rest is missing. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  try {
    yield* createInterface({ input, crlfDelay: Infinity });
  } catch (err) {
    if (!(err instanceof Error && 'code' in err && String(err.code).startsWith('Z_'))) throw err;
  }
}

function notDump(file: string): Failure {
  return new Failure(`FILE ${file} was not written by subledger export; ${USE_EXPORT}`);
}
