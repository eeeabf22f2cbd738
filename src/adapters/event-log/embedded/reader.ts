// Reads the embedded log with prepared statements on the calling thread. Every statement runs to completion at once, so that no read
// transaction is open while a consumer works: it would keep the write-ahead file from shrinking.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  logPosition,
  type LogPosition,
  type RecordedEvent,
  type Revision,
  type StreamName,
} from '../../../domain/envelope.js';
import { families as allFamilies, type Family } from '../../../domain/streams.js';
import { openForReading, guardRead } from '../../sqlite/database.js';
import type { Codec } from '../codec.js';
import { ERASED, HEAD, LAST } from './writer.js';
import { START, type AppendReceipt, type Feed } from '../port.js';

type BatchReader = (after: LogPosition) => Promise<Feed>;

export type LogReader = {
  identity(): string;
  head(): LogPosition;
  last(stream: StreamName): AppendReceipt;
  /** Returns the next events of a stream after a revision. */
  page(stream: StreamName, after: Revision): Promise<{ readonly events: RecordedEvent[]; readonly isLast: boolean }>;
  /** Returns a reader of batches up to `end`, by default the head. */
  batches(families: readonly Family[], max: number, end?: () => number): BatchReader;
  at(positions: readonly LogPosition[]): Promise<RecordedEvent[]>;
  isClosed(): boolean;
  close(): void;
};

type TextRow = { readonly body: string };

const STREAM_PAGE = 500;
/** Maximum positions scanned at once when few events belong to the requested families: limits how long the thread is blocked. */
const SCAN_WINDOW = 10_000;

export function openLogReader(file: string, codec: Codec): LogReader {
  const db = openForReading(file);
  const headRow = db.prepare(HEAD);
  const lastRow = db.prepare(LAST);
  const erasedRow = db.prepare(ERASED);
  const page = db.prepare(
    `SELECT e.body FROM streams s JOIN events e ON e.position = s.position
     WHERE s.stream = ? AND s.revision > ? ORDER BY s.revision LIMIT ?`,
  );
  const byPosition = db.prepare(
    'SELECT body FROM events WHERE position IN (SELECT value FROM json_each(?)) ORDER BY position',
  );
  const head = (): number => {
    const { position }: { position: number } = headRow.get();
    return position;
  };

  return {
    identity() {
      const { identity }: { identity: string } = db.prepare('SELECT identity FROM log').get();
      return identity;
    },
    head: () => logPosition(head()),
    last(stream) {
      const row: { revision: Revision; position: number } | undefined = lastRow.get(stream);
      if (row) return { revision: row.revision, position: logPosition(row.position) };
      const erased: { revision: Revision } | undefined = erasedRow.get(stream);
      return { revision: erased?.revision ?? -1, position: START };
    },
    async page(stream, after) {
      const rows: TextRow[] = guardRead(file, () => page.all(stream, after, STREAM_PAGE));
      return { events: await codec.decode(rows.map((row) => row.body)), isLast: rows.length < STREAM_PAGE };
    },
    batches(families, max, limit = head) {
      const all = allFamilies.every((family) => families.includes(family));
      const selectedFamilies = all ? [] : families;
      const filter = all ? '' : `AND family IN (${families.map(() => '?').join()})`;
      const scan = db.prepare(
        `SELECT body FROM events WHERE position > ? AND position <= ? ${filter} ORDER BY position LIMIT ?`,
      );
      return async (after) => {
        const from = Number(after);
        // The end is read first: events committed after this line belong to a later batch.
        const newest = limit();
        const end = Math.max(from, Math.min(from + SCAN_WINDOW, newest));
        const rows: TextRow[] = guardRead(file, () => scan.all(from, end, ...selectedFamilies, max));
        const events = await codec.decode(rows.map((row) => row.body));
        const upTo = (rows.length === max && events.at(-1)?.position) || logPosition(end);
        const caughtUp = upTo >= logPosition(newest);
        // Otherwise a long catch-up would starve timers and requests when its consumer does no I/O of its own.
        if (!caughtUp) await nextTurn();
        return { events, upTo, caughtUp };
      };
    },
    async at(positions) {
      const rows: TextRow[] = guardRead(file, () => byPosition.all(JSON.stringify(positions.map(Number))));
      const events = await codec.decode(rows.map((row) => row.body));
      await nextTurn();
      return events;
    },
    isClosed: () => !db.isOpen,
    close() {
      if (db.isOpen) db.close();
    },
  };
}
