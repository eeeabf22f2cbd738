// Benchmark of the embedded document store, compared with bare SQLite on the main thread: the same table and indexes, the same 400-byte
// documents, batches of 500. Compare the ratios; both sides run in turns.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDocuments } from '../src/adapters/documents/embedded/store.js';
import type { Doc, Write } from '../src/adapters/documents/port.js';
import { openForWriting } from '../src/adapters/sqlite/database.js';
import type { BenchRow } from './bench.js';

const BATCH = 500;
const PAGE = 50;
// Half, because documents cross threads and the store has to detect changed keys. A lower ratio means an additional cost.
const MIN_RATIO = 0.5;
const INDEXES = [
  { name: 'byStatus', fields: ['status', 'dueAt'] },
  { name: 'byOwner', fields: ['owner'] },
];

type Item = {
  readonly id: string;
  readonly status: string;
  readonly dueAt: string;
  readonly owner: string;
  readonly doc: Doc;
};
/** `write` takes the stored guard (null for inserts) and the new one. */
type Side = {
  write(items: readonly Item[], expect: string | null, guard: string): Promise<void>;
  get(id: string): Promise<unknown>;
  page(status: string, from: string): Promise<unknown>;
  close(): Promise<void>;
};
type Figures = { insert: number; updateBody: number; updateKeys: number; get: number; page: number };

/** Measures rows per second, gets per second and the median page, for the store and as a ratio to bare SQLite. */
export async function benchDocuments(short: boolean): Promise<BenchRow[]> {
  const count = short ? 5_000 : 40_000;
  const store: Figures[] = [];
  const bare: Figures[] = [];
  for (let round = 0; round < (short ? 1 : 5); round++) {
    store.push(await inDirectory((file) => openStore(file), count));
    bare.push(await inDirectory(async (file) => openBare(file), count));
  }
  const row = (name: string, unit: string, pick: (figures: Figures) => number): BenchRow[] => {
    const value = median(store.map(pick));
    const ratio = unit === 'ms' ? median(bare.map(pick)) / value : value / median(bare.map(pick));
    return [
      { name, value, unit },
      {
        name: `${name}, to bare SQLite`,
        value: ratio,
        unit: '×',
        target: `≥ ${MIN_RATIO}`,
        ok: ratio >= MIN_RATIO,
      },
    ];
  };
  return [
    ...row('documents: inserts', '/s', (f) => f.insert),
    ...row('documents: updates that keep the index fields', '/s', (f) => f.updateBody),
    ...row('documents: updates that change index fields', '/s', (f) => f.updateKeys),
    ...row('documents: gets', '/s', (f) => f.get),
    ...row('documents: index page of 50, p50', 'ms', (f) => f.page),
  ];
}

async function inDirectory(open: (file: string) => Promise<Side>, count: number): Promise<Figures> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-documents-'));
  const side = await open(join(directory, 'documents.sqlite'));
  try {
    return await measure(side, count);
  } finally {
    await side.close();
    rmSync(directory, { recursive: true });
  }
}

async function measure(side: Side, count: number): Promise<Figures> {
  const write = (version: number, text: string, expect: string | null, guard: string) =>
    perSecond(count, async () => {
      for (let from = 0; from < count; from += BATCH) {
        const items = Array.from({ length: BATCH }, (_, i) => item(from + i, count, version, text));
        await side.write(items, expect, guard);
      }
    });
  const insert = await write(0, 'x', null, '1');
  const updateBody = await write(0, 'y', '1', '2');
  const updateKeys = await write(1, 'z', '2', '3');
  const get = await perSecond(count, async () => {
    for (let i = 0; i < count; i++) await side.get(idOf((i * 7919) % count));
  });
  const pages: number[] = [];
  for (let i = 0; i < count / 100; i++) {
    const start = performance.now();
    await side.page(statusOf(i), dueAtOf((i * 7919) % count, count, 1));
    pages.push(performance.now() - start);
  }
  return { insert, updateBody, updateKeys, get, page: median(pages) };
}

async function openStore(file: string): Promise<Side> {
  const store = await openEmbeddedDocuments({ file });
  await store.ensure([{ name: 'customers', indexes: INDEXES }]);
  return {
    write: async (items, expect, guard) => {
      const writes = items.map(({ id, doc }): Write => ({ c: 'customers', id, expect, guard, doc }));
      if ((await store.write([writes])) !== 'ok') throw new Error('lost');
    },
    get: (id) => store.get('customers', [id]),
    page: (status, from) => store.scan('customers', { index: 'byStatus', eq: [status], from, limit: PAGE }),
    close: () => store.close(),
  };
}

function openBare(file: string): Side {
  const db = openForWriting(file);
  db.exec(`CREATE TABLE customers (id TEXT PRIMARY KEY NOT NULL, guard TEXT NOT NULL, doc TEXT, status, dueAt, owner);
    CREATE INDEX byStatus ON customers (status, dueAt, id) WHERE status IS NOT NULL;
    CREATE INDEX byOwner ON customers (owner, id) WHERE owner IS NOT NULL`);
  const insert = db.prepare('INSERT INTO customers VALUES (?, ?, ?, ?, ?, ?)');
  const updateBody = db.prepare('UPDATE customers SET guard = ?, doc = ? WHERE id = ? AND guard = ?');
  const updateKeys = db.prepare(
    'UPDATE customers SET guard = ?, doc = ?, status = ?, dueAt = ?, owner = ? WHERE id = ? AND guard = ?',
  );
  const get = db.prepare('SELECT guard, doc FROM customers WHERE id = ?');
  const page = db.prepare(
    `SELECT id, guard, doc FROM customers INDEXED BY byStatus WHERE status IS NOT NULL AND status = ? AND dueAt >= ?
     ORDER BY dueAt, id LIMIT ?`,
  );
  const writeOne = ({ id, doc, status, dueAt, owner }: Item, expect: string | null, guard: string) => {
    const text = JSON.stringify(doc);
    if (expect === null) return insert.run(id, guard, text, status, dueAt, owner);
    // Bare SQLite gets the kind of the update as an argument; the store has to detect it.
    if (expect === '1') return updateBody.run(guard, text, id, expect);
    return updateKeys.run(guard, text, status, dueAt, owner, id, expect);
  };
  const parse = (row: unknown): unknown => JSON.parse((row as { doc: string }).doc);
  return {
    write: async (items, expect, guard) => {
      db.exec('BEGIN IMMEDIATE');
      for (const one of items) if (writeOne(one, expect, guard).changes !== 1) throw new Error('lost');
      db.exec('COMMIT');
    },
    get: async (id) => parse(get.get(id)),
    page: async (status, from) => page.all(status, from, PAGE).map(parse),
    close: async () => db.close(),
  };
}

function item(i: number, count: number, version: number, letter: string): Item {
  const keys = { status: statusOf(i), dueAt: dueAtOf(i, count, version), owner: `owner-${(i * 31) % 997}` };
  return { id: idOf(i), ...keys, doc: { ...keys, text: letter.repeat(310) } };
}

const idOf = (i: number) => `proj_1|${((i * 48_271) % 2_147_483_647).toString(36)}-${i}`;
const statusOf = (i: number) => ['active', 'expired', 'paused'][i % 3] ?? '';
const dueAtOf = (i: number, count: number, version: number) =>
  new Date(1.8e12 + ((i * 7919) % count) * 60_000 + version).toISOString();

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (count / (performance.now() - start)) * 1000;
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
