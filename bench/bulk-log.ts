// Writes a long log quickly for a benchmark: with the log's own codec and tables, but on one thread and with many appends per transaction.
// The file is the same as if a service had written it.
import type { Codec } from '../src/adapters/event-log/codec.js';
import { writer } from '../src/adapters/event-log/embedded/writer.js';
import type { EventLog } from '../src/adapters/event-log/port.js';
import { openForWriting } from '../src/adapters/sqlite/database.js';
import { logPosition } from '../src/domain/envelope.js';

const APPENDS = 5000;

/** Requires that no other process has the file open for writing. */
export function openBulkLog(file: string, codec: Codec): Pick<EventLog, 'append'> & { close(): void } {
  const db = openForWriting(file);
  const apply = writer(db);
  let waiting = 0;
  const commit = () => {
    if (waiting > 0) db.exec('COMMIT');
    waiting = 0;
  };
  return {
    append: async (stream, expected, events) => {
      const drafts = await codec.encode(stream, events);
      if (waiting++ === 0) db.exec('BEGIN IMMEDIATE');
      const [revision, position, wrong] = apply([stream, expected, drafts]);
      if (wrong !== undefined) throw new Error(`${stream} is at ${wrong}, expected ${expected}`);
      if (waiting >= APPENDS) commit();
      return { revision, position: logPosition(position) };
    },
    close() {
      commit();
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
    },
  };
}
