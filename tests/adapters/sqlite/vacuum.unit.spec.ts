// A vacuum removes the bytes of deleted rows from a file, and keeps the remaining rows.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkFile, openForReading, openForWriting, vacuumFile } from '../../../src/adapters/sqlite/database.js';

const ROWS = 3000;

describe('a vacuum', () => {
  let directory: string;
  let file: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-vacuum-'));
    file = join(directory, 'rows.sqlite');
    const db = openForWriting(file);
    db.exec('CREATE TABLE rows (name TEXT PRIMARY KEY, body)');
    db.exec('CREATE INDEX bodies ON rows (body)');
    const put = db.prepare('INSERT INTO rows VALUES (?, ?)');
    db.exec('BEGIN');
    for (let i = 0; i < ROWS; i++) {
      const place = (i * 7919) % ROWS;
      const order = (place * 2_654_435_761) % 4_294_967_296;
      const word = place % 2 === 0 ? 'goneword' : 'keptword';
      put.run(`${order}`, `${word} ${order} ${'x'.repeat(i % 10 === 0 ? 900 : 10)}`);
    }
    db.exec('COMMIT');
    db.exec("DELETE FROM rows WHERE body LIKE 'goneword%'");
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  const bytes = () =>
    readdirSync(directory)
      .map((name) => readFileSync(join(directory, name), 'latin1'))
      .join('');

  it('leaves nothing of what was deleted, keeps the rest, and reports what it freed', () => {
    expect(bytes(), 'what SQLite leaves by itself').to.include('goneword');
    const temporary = process.env['SQLITE_TMPDIR'];
    const { before, after } = vacuumFile(file);
    expect(process.env['SQLITE_TMPDIR']).to.equal(temporary);
    expect(bytes()).not.to.include('goneword');
    expect(after).to.be.below(before).and.to.equal(readFileSync(file).length);
    checkFile(file);
    const db = openForReading(file);
    expect(db.prepare("SELECT count(*) AS n FROM rows WHERE body LIKE 'keptword%'").get()).to.include({ n: ROWS / 2 });
    db.close();
  });
});
