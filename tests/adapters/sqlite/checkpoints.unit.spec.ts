// What deleted rows leave in the bytes of a file: nothing, whatever SQLite moved before. And what stays is as it was.
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { takeOverCheckpoints, type Checkpoints } from '../../../src/adapters/sqlite/checkpoints.js';
import { copyAtOneInstant } from '../../../src/adapters/sqlite/copy.js';
import { openForReading, openForWriting, type Database } from '../../../src/adapters/sqlite/database.js';

const ROWS = 3000;

describe('SQLite checkpoints', () => {
  let directory: string;
  let file: string;
  let db: Database;
  let checkpoints: Checkpoints | undefined;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-checkpoints-'));
    file = join(directory, 'rows.sqlite');
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const makeTable = () => {
    db.exec('CREATE TABLE IF NOT EXISTS rows (name TEXT PRIMARY KEY, body)');
    db.exec('CREATE INDEX IF NOT EXISTS bodies ON rows (body)');
  };
  const open = (path = file) => {
    db = openForWriting(path);
    checkpoints = takeOverCheckpoints(path, db);
    makeTable();
  };
  const close = () => {
    checkpoints?.last();
    db.close();
    checkpoints?.close();
    checkpoints = undefined;
  };
  /** Short and long rows in an order that splits pages in their middle; every second is to go. */
  const fill = () => {
    const put = db.prepare('INSERT INTO rows VALUES (?, ?)');
    db.exec('BEGIN');
    for (let i = 0; i < ROWS; i++) {
      const place = (i * 7919) % ROWS;
      const order = (place * 2_654_435_761) % 4_294_967_296;
      put.run(
        `${order}`,
        `${place % 2 === 0 ? 'goneword' : 'keptword'} ${order} ${'x'.repeat(i % 10 === 0 ? 900 : 10)}`,
      );
    }
    db.exec('COMMIT');
  };
  const erase = () => db.exec("DELETE FROM rows WHERE body LIKE 'goneword%'");
  const held = (word: string, path = file) => readFileSync(path, 'latin1').split(word).length - 1;
  const kept = (path = file) => {
    const reader = openForReading(path);
    const row = reader.prepare("SELECT count(*) AS n FROM rows WHERE body LIKE 'keptword%'").get() as { n: number };
    const check = reader.prepare('PRAGMA integrity_check').get();
    reader.close();
    return { rows: row.n, ...check };
  };
  const WHOLE = { rows: ROWS / 2, integrity_check: 'ok' };

  it('leave nothing of what was deleted, where SQLite alone does', () => {
    db = openForWriting(file);
    makeTable();
    fill();
    erase();
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    expect(held('goneword'), 'SQLite alone').to.be.above(0);
    rmSync(file);

    open();
    fill();
    erase();
    close();
    expect(held('goneword')).to.equal(0);
    expect(kept()).to.deep.equal(WHOLE);
  });

  it('leave nothing of rows that are deleted long after others were moved', () => {
    open();
    fill();
    close();
    open();
    erase();
    close();
    expect(held('goneword')).to.equal(0);
    expect(kept()).to.deep.equal(WHOLE);
  });

  it('are made after a commit once the write-ahead file is long, and reuse it then', () => {
    open();
    fill();
    erase();
    const filler = db.prepare('INSERT INTO rows VALUES (?, zeroblob(?))');
    filler.run('short', 4_000_000);
    checkpoints?.afterCommit();
    expect(held('keptword'), 'all is in the write-ahead file').to.equal(0);
    filler.run('long', 16_000_000);
    checkpoints?.afterCommit();
    expect(held('keptword'), 'rows that stay are in the file').to.be.least(ROWS / 2);
    expect(held('goneword')).to.equal(0);
    const length = readFileSync(`${file}-wal`).length;
    filler.run('more', 4_000_000);
    checkpoints?.afterCommit();
    expect(readFileSync(`${file}-wal`)).to.have.length(length);
    close();
  });

  it('wait while a reader looks at an earlier state, who sees it to the end', () => {
    open();
    fill();
    close();
    open();
    const reader = openForReading(file);
    reader.exec('BEGIN');
    const before = reader.prepare('SELECT count(*) AS n FROM rows').get();
    erase();
    const filler = db.prepare('INSERT INTO rows VALUES (?, zeroblob(20000000))');
    filler.run('filler');
    checkpoints?.afterCommit();
    expect(reader.prepare('SELECT count(*) AS n FROM rows').get()).to.deep.equal(before);
    expect(held('goneword'), 'what the reader may still read').to.be.above(0);
    reader.exec('COMMIT');
    filler.run('last');
    checkpoints?.afterCommit();
    expect(held('goneword')).to.equal(0);
    reader.close();
    close();
  });

  it('are finished at the next start by who finds them half done', () => {
    open();
    fill();
    erase();
    db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    const left = join(directory, 'left.sqlite');
    for (const end of ['', '-wal']) copyFileSync(file + end, left + end);
    close();
    expect(held('goneword', left), 'between the two steps').to.be.above(0);
    open(left);
    expect(held('goneword', left)).to.equal(0);
    close();
    expect(kept(left)).to.deep.equal(WHOLE);
  });

  it('are not waited for by a copy, which has nothing of it either', async () => {
    open();
    fill();
    erase();
    const to = join(directory, 'copy.sqlite');
    await copyAtOneInstant([{ from: file, to }]);
    expect(held('keptword'), 'all is in the write-ahead file').to.equal(0);
    close();
    expect(held('goneword', to)).to.equal(0);
    expect(kept(to)).to.deep.equal(WHOLE);
  });

  it('change no row, whatever is written', () => {
    const change = fc.record({
      name: fc.integer({ min: 0, max: 60 }),
      // Some are longer than a page, and go on in pages of their own.
      bytes: fc.oneof(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ minLength: 3000, maxLength: 20_000 })),
      isDelete: fc.boolean(),
      isCommit: fc.boolean(),
      isRestart: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
    });
    fc.assert(
      fc.property(fc.array(change, { minLength: 20, maxLength: 120 }), (changes) => {
        const path = join(mkdtempSync(join(directory, 'run-')), 'rows.sqlite');
        const expected = new Map<string, string>();
        open(path);
        for (const { name, bytes, isDelete, isCommit, isRestart } of changes) {
          if (isDelete) db.prepare('DELETE FROM rows WHERE name = ?').run(`${name}`);
          else db.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?)').run(`${name}`, bytes);
          if (isDelete) expected.delete(`${name}`);
          else expected.set(`${name}`, Buffer.from(bytes).toString('hex'));
          if (isCommit) checkpoints?.last();
          if (isRestart) {
            close();
            open(path);
          }
        }
        close();
        const reader = openForReading(path);
        const found = reader.prepare('SELECT name, hex(body) AS body FROM rows').all() as {
          name: string;
          body: string;
        }[];
        expect(new Map(found.map(({ name, body }) => [name, body.toLowerCase()]))).to.deep.equal(expected);
        expect(reader.prepare('PRAGMA integrity_check').get()).to.deep.include({ integrity_check: 'ok' });
        reader.close();
      }),
      { numRuns: 25 },
    );
  }).timeout(60_000);
});
