// Shared parts of export, import and verify: the engine with events as they are stored, the records, and the log from its beginning.
import { readConfig } from '../../adapters/configuration/config.js';
import { dataDirectoryFault } from '../../adapters/configuration/data-directory.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { scanPages } from '../../adapters/documents/records.js';
import { hasServers, openEngine, openEngineForReading, type Engine } from '../../adapters/engine/engine.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { rawCodec } from '../../adapters/event-log/codec.js';
import { dataKeyCollection } from '../../adapters/keys/vault.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { lockDirectory } from '../../adapters/sqlite/lock.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { families } from '../../domain/streams.js';
import { recordCollections } from '../../workers/coordination/collections.js';
import { Failure } from '../support/outcome.js';
import { expectDataDirectory, mastersOf } from '../support/open-for-reading.js';
import { expectNewFile, writingTo } from '../support/arguments.js';
import { type DumpedRecord, writeDump, type DumpLine, expectDump, readDump } from './dump-file.js';

export const movedCollections = [dataKeyCollection, ...recordCollections];

const PAGE = 500;
const BATCH = 2000;
const REPORT_EVERY = 50_000;

/**
 * Checks the arguments, then runs with the engine of the environment, and closes it. `read` also works beside a running service; `readAlone`
 * and `write` throw `DirectoryInUse` beside one that uses `DATA_DIR`.
 */
export async function onEngine(
  mode: 'read' | 'readAlone' | 'write',
  checkArguments: () => Promise<void>,
  work: (engine: Engine) => Promise<void>,
): Promise<void> {
  await checkArguments();
  const config = readConfig(process.env);
  // An import may create the directory.
  if (mode !== 'write' && !hasServers(config)) expectDataDirectory(config);
  const masters = mastersOf(config);
  const runtime = systemRuntime();
  const codec = () => rawCodec;
  const unlock = mode === 'readAlone' && !hasServers(config) ? lockDirectory(config.DATA_DIR) : () => undefined;
  try {
    const opening =
      mode === 'write'
        ? openEngine(config, () => masters, runtime, codec)
        : openEngineForReading(config, masters, runtime, codec);
    const engine = await opening.catch((err: unknown) => {
      throw dataDirectoryFault(config.DATA_DIR, err);
    });
    try {
      await engine.docs.ensure(movedCollections);
      await work(engine);
    } finally {
      await engine.close();
    }
  } finally {
    unlock();
  }
}

export async function* recordsOf(docs: DocStore): AsyncGenerator<DumpedRecord> {
  for (const { name: c } of movedCollections) {
    for await (const rows of scanPages({ index: 'id', eq: [], limit: PAGE }, (scan) => docs.scan(c, scan))) {
      for (const { id, guard, doc } of rows) yield { c, id, guard, doc };
    }
  }
}

/** Yields all events up to the head at the time of arrival there, oldest first. */
export async function* eventsOf(log: EventLog): AsyncGenerator<RecordedEvent> {
  const stopping = new AbortController();
  for await (const feed of log.follow({ after: 'start', families, max: BATCH, signal: stopping.signal })) {
    yield* feed.events;
    if (feed.caughtUp) return;
  }
}

/** Yields the same events. Throws {@link Failure} if a stream has a gap. */
export async function* soundEvents(events: AsyncIterable<RecordedEvent>): AsyncGenerator<RecordedEvent> {
  const count = counter('events checked');
  const revisions = new Map<string, number>();
  for await (const event of events) {
    const before = revisions.get(event.stream);
    if (before !== undefined && event.revision !== before + 1) {
      throw new Failure(`${event.stream} goes from revision ${before} to ${event.revision}`);
    }
    revisions.set(event.stream, event.revision);
    count();
    yield event;
  }
}

/** Prints the current count on stderr at intervals. */
export function counter(unit: string): () => void {
  let done = 0;
  return () => {
    if (++done % REPORT_EVERY === 0) process.stderr.write(`${done.toLocaleString('en-US')} ${unit}\n`);
  };
}

export function exportTo(file: string): Promise<void> {
  const argument = { name: 'FILE', path: file, cure: 'give the path of a new file, such as dump.ndjson.gz' } as const;
  const expectPlace = async () => expectNewFile(argument);
  return onEngine('readAlone', expectPlace, async ({ log, docs }) => {
    const count = counter('events exported');
    async function* lines(): AsyncGenerator<DumpLine> {
      // Records first: on servers the log may grow in the meantime, and a log that is newer than its records is harmless.
      for await (const record of recordsOf(docs)) yield { kind: 'record', record };
      for await (const event of eventsOf(log)) {
        count();
        yield { kind: 'event', event };
      }
    }
    const { events, records } = await writingTo(argument, async () => writeDump(file, await log.identity(), lines()));
    process.stdout.write(`${events} events and ${records} records exported to ${file}\n`);
  });
}

export function verify(file: string | undefined): Promise<void> {
  const expectFile = async () => (file === undefined ? undefined : expectDump(file));
  return onEngine('read', expectFile, async ({ log, docs }) => {
    const checked = soundEvents(eventsOf(log));
    if (file === undefined) {
      let events = 0;
      for await (const event of checked) if (event) events += 1;
      process.stdout.write(`${events} events, each stream without a gap\n`);
      return;
    }
    const stored = new Map<string, string>();
    for await (const { c, id, doc } of recordsOf(docs)) stored.set(`${c}|${id}`, JSON.stringify(doc));
    let [events, records] = [0, 0];
    for await (const line of readDump(file)) {
      if (line.kind === 'record') {
        records += 1;
        if (!stored.has(`${line.record.c}|${line.record.id}`)) {
          throw new Failure(`record ${line.record.id} of ${line.record.c} is missing`);
        }
        continue;
      }
      events += 1;
      const { value } = await checked.next();
      if (!value || contentOf(value) !== contentOf(line.event)) {
        throw new Failure(`event ${line.event.id} (number ${events}) differs from the log`);
      }
    }
    process.stdout.write(`${events} events are identical, ${records} records are present\n`);
  });
}

/** Excludes the position, which differs between logs. */
function contentOf({ id, type, v, data, meta, stream, revision }: RecordedEvent): string {
  return JSON.stringify([id, type, v, data, meta, stream, revision]);
}
