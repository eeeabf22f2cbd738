// Check of the installation that an import writes to, before it writes anything: it is empty, or contains what an interrupted run has written.
import type { DocStore } from '../../adapters/documents/port.js';
import type { Engine } from '../../adapters/engine/engine.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { Failure } from '../support/outcome.js';
import { readDump, type DumpedRecord } from './dump-file.js';
import { eventsOf } from './moving.js';

const EMPTY = 'import into an empty installation';

/**
 * Reads the whole file. Throws {@link Failure} for another content of the installation, and for an incomplete file. `hasPosition`: true for
 * records that contain positions of the log.
 */
export async function expectImportTarget(
  { log, docs }: Pick<Engine, 'log' | 'docs'>,
  file: string,
  hasPosition: (record: DumpedRecord) => boolean,
): Promise<void> {
  const present = eventsOf(log);
  let next = await present.next();
  let isFirst = true;
  for await (const line of readDump(file)) {
    if (line.kind === 'record') {
      // Records with positions are written last, and their positions are those of the new log.
      if (!hasPosition(line.record)) await expectNoOther(docs, line.record);
      continue;
    }
    if (!next.done && isSame(next.value, line.event)) next = await present.next();
    else if (!next.done && isFirst) throw new Failure(`the log contains other events; ${EMPTY}`);
    isFirst = false;
  }
  const rest = new Set<string>();
  for (; !next.done; next = await present.next()) rest.add(next.value.id);
  if (rest.size > 0) await expectInFile(rest, file);
}

export function isSame(stored: RecordedEvent, imported: RecordedEvent): boolean {
  return stored.id === imported.id && stored.stream === imported.stream;
}

export function otherRecord({ c, id }: DumpedRecord): Failure {
  return new Failure(`record ${id} of ${c} already exists with other content; ${EMPTY}`);
}

async function expectNoOther(docs: DocStore, record: DumpedRecord): Promise<void> {
  const stored = (await docs.get(record.c, [record.id])).get(record.id);
  if (stored && JSON.stringify(stored.doc) !== JSON.stringify(record.doc)) throw otherRecord(record);
}

/** Events of an interrupted run may be in another order, since many appends run at a time. */
async function expectInFile(ids: Set<string>, file: string): Promise<void> {
  for await (const line of readDump(file)) if (line.kind === 'event') ids.delete(line.event.id);
  if (ids.size > 0) throw new Failure(`the log contains ${ids.size} events that the file does not contain; ${EMPTY}`);
}
