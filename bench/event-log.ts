// Benchmark of the embedded event log, compared with the minimum that SQLite needs for the same tables.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v5 as uuidV5 } from 'uuid';
import { z } from 'zod';
import { createCodec } from '../src/adapters/event-log/codec.js';
import { openEmbeddedLog } from '../src/adapters/event-log/embedded/log.js';
import { logPosition } from '../src/adapters/event-log/placed-event.js';
import { openForReading, openForWriting } from '../src/adapters/sqlite/database.js';
import type { NewEvent } from '../src/domain/envelope.js';
import { defineEvent } from '../src/domain/events.js';
import { families, streams } from '../src/domain/streams.js';
import { atLeast, rate, sideBySide, type BenchRow } from './bench.js';

const CALLERS = 64;
/** Warm-up events, because each log has its own writer thread, whose code is not compiled yet. */
const WARM_UP = 4000;
const NAMESPACE = 'b5e5a0a4-0a55-4bb0-9b0c-2f5cc1d9a3a1';

const Renewed = defineEvent('Renewed', {
  subscriptionId: z.string(),
  amountMicros: z.number().int(),
  expiresAt: z.string(),
});
const codec = createCodec([Renewed]);

/** Measures appends by one and by 64 callers, and following the log, each compared with bare SQLite. */
export async function benchEventLog(short: boolean): Promise<BenchRow[]> {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-bench-'));
  const sizes = short ? { single: 300, many: 20_000, feed: 60_000 } : { single: 2000, many: 40_000, feed: 100_000 };
  let file = 0;
  const fresh = () => join(directory, `${++file}.sqlite`);
  const feedFile = fresh();
  try {
    const bytes = await fill(feedFile, sizes.feed);
    const appends = await sideBySide(5, {
      sequential: () => appendBy(1, sizes.single, fresh()),
      concurrent: () => appendBy(CALLERS, sizes.many, fresh()),
      bareSequential: () => bareAppends(1, sizes.single, fresh()),
      bareGroups: () => bareAppends(CALLERS, sizes.many, fresh()),
      barePrepared: () => bareAppends(CALLERS, sizes.many, fresh(), true),
    });
    const reads = await sideBySide(5, {
      feed: () => readFeed(feedFile),
      bareScan: () => bareScan(feedFile),
    });
    const row = (name: string, value: number, unit = 'per s'): BenchRow => ({ name, value, unit });
    return [
      row('durable appends, one caller', appends.sequential),
      row('durable appends, 64 callers', appends.concurrent),
      row('bare SQLite, a transaction each, same thread', appends.bareSequential),
      row('bare SQLite, transactions of 64, same thread', appends.bareGroups),
      row('bare SQLite, the same with prepared texts', appends.barePrepared),
      row('stored bytes per event', bytes, 'bytes'),
      row('bare scan with JSON.parse', reads.bareScan),
      atLeast('64 callers : one caller', appends.concurrent / appends.sequential, 6, 'x'),
      atLeast('64 callers : bare SQLite in groups of 64', appends.concurrent / appends.bareGroups, 0.6, 'x'),
      atLeast('64 callers : bare SQLite with prepared texts', appends.concurrent / appends.barePrepared, 0.6, 'x'),
      atLeast('feed, read and decoded', reads.feed, 300_000, 'per s'),
      atLeast('feed : bare scan with JSON.parse', reads.feed / reads.bareScan, 0.7, 'x'),
    ];
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function eventOf(i: number): NewEvent {
  const commandId = `r|ios|${i}`;
  const expiresAt = '2026-11-20T10:00:00.000Z';
  return {
    id: uuidV5(commandId, NAMESPACE),
    type: 'Renewed',
    data: { subscriptionId: `sub_${i}`, amountMicros: 9_990_000, expiresAt },
    meta: {
      at: expiresAt,
      recordedAt: expiresAt,
      actor: { kind: 'store', id: 'ios' },
      commandId,
      causationId: commandId,
      correlationId: `req_${i}`,
    },
  };
}

/** Distributes events to streams of up to 50 events, like those of subscribers. */
function streamOf(i: number) {
  return streams.subscriber('proj_1', `cus_${i % 1000}`);
}

async function appendBy(callers: number, count: number, file: string): Promise<number> {
  const log = await openEmbeddedLog({ file, codec });
  const events = Array.from({ length: WARM_UP + count }, (_, i) => eventOf(i));
  let next = 0;
  const caller = async (end: number) => {
    while (next < end) {
      const i = next++;
      const event = events[i];
      if (event) await log.append(streamOf(i), 'any', [event]);
    }
  };
  const appendUpTo = (end: number, by: number) => Promise.all(Array.from({ length: by }, () => caller(end)));
  await appendUpTo(WARM_UP, CALLERS);
  const measured = await rate(async () => {
    await appendUpTo(events.length, callers);
    return count;
  });
  await log.close();
  return measured;
}

/**
 * Writes the same tables and texts with bare SQLite: without schema, thread, or revision check other than the key. Texts are serialised in
 * the loop unless `isPrepared`.
 */
async function bareAppends(group: number, count: number, file: string, isPrepared = false): Promise<number> {
  const db = openForWriting(file);
  db.exec(`CREATE TABLE events (position INTEGER PRIMARY KEY, family TEXT NOT NULL, body TEXT NOT NULL);
    CREATE TABLE streams (
      stream TEXT, revision INTEGER, position INTEGER NOT NULL, PRIMARY KEY (stream, revision)
    ) WITHOUT ROWID;`);
  const addEvent = db.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const addToStream = db.prepare('INSERT INTO streams VALUES (?, ?, ?)');
  const events = Array.from({ length: WARM_UP + count }, (_, i) => eventOf(i));
  const textOf = (i: number) => {
    const place = { revision: Math.floor(i / 1000), position: logPosition(i + 1) };
    return JSON.stringify({ ...place, ...events[i], v: 1, stream: streamOf(i) });
  };
  const texts = isPrepared ? events.map((_, i) => textOf(i)) : [];
  const appendUpTo = (from: number, end: number, size: number) => {
    for (let i = from; i < end; i += size) {
      db.exec('BEGIN IMMEDIATE');
      for (let j = i; j < Math.min(i + size, end); j++) {
        addEvent.run(j + 1, 'subscriber', texts[j] ?? textOf(j));
        addToStream.run(streamOf(j), Math.floor(j / 1000), j + 1);
      }
      db.exec('COMMIT');
    }
  };
  appendUpTo(0, WARM_UP, CALLERS);
  const measured = await rate(() => {
    appendUpTo(WARM_UP, events.length, group);
    return count;
  });
  db.close();
  return measured;
}

async function fill(file: string, count: number): Promise<number> {
  const log = await openEmbeddedLog({ file, codec });
  for (let i = 0; i < count; i += 500) {
    const events = Array.from({ length: 500 }, (_, j) => eventOf(i + j));
    await log.append(streamOf(i / 500), 'any', events);
  }
  await log.close();
  const db = openForReading(file);
  const { bytes }: { bytes: number } = db.prepare('SELECT avg(length(body)) AS bytes FROM events').get();
  db.close();
  return bytes;
}

async function readFeed(file: string): Promise<number> {
  const log = await openEmbeddedLog({ file, codec });
  const { signal } = new AbortController();
  const measured = await rate(async () => {
    let count = 0;
    for await (const feed of log.follow({ after: 'start', families, max: 500, signal })) {
      count += feed.events.length;
      if (feed.caughtUp) break;
    }
    return count;
  });
  await log.close();
  return measured;
}

async function bareScan(file: string): Promise<number> {
  const db = openForReading(file);
  const page = db.prepare('SELECT body FROM events WHERE position > ? ORDER BY position LIMIT 500');
  const measured = await rate(() => {
    let count = 0;
    for (let rows: { body: string }[] = page.all(0); rows.length > 0; rows = page.all(count)) {
      for (const { body } of rows) JSON.parse(body);
      count += rows.length;
    }
    return count;
  });
  db.close();
  return measured;
}
