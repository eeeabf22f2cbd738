// Copies of two files that are being written: both as they were at one instant, each complete in one file.
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { copyAtOneInstant } from '../../../src/adapters/sqlite/copy.js';
import { checkFile, openForReading, openForWriting } from '../../../src/adapters/sqlite/database.js';
import { startChild } from '../child.js';

const COPIES = 12;

describe('copies of files that are being written', function () {
  this.timeout(120_000);
  let directory: string;
  let copies: { from: string; to: string }[];
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-copy-'));
    copies = ['first', 'second'].map((name) => ({ from: join(directory, name), to: join(directory, `${name}.copy`) }));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const lastIn = (file: string): number => {
    const db = openForReading(file);
    const { n } = db.prepare('SELECT max(n) AS n FROM numbers').get() as { n: number };
    db.close();
    return n;
  };

  it('are of one instant, with a concurrent writer', async () => {
    const child = startChild('sqlite/pair-writer.ts', ...copies.map(({ from }) => from));
    try {
      expect(await child.line()).to.equal('writing');
      const seen: number[] = [];
      for (let round = 0; round < COPIES; round++) {
        await copyAtOneInstant(copies);
        const [first = 0, second = 0] = copies.map(({ to }) => lastIn(to));
        expect(first - second, `the first file has ${first}, the second ${second}`).to.be.oneOf([0, 1]);
        seen.push(second);
        for (const { to } of copies) rmSync(to);
      }
      expect(seen.at(-1)).to.be.above(seen[0] ?? 0);
    } finally {
      await child.kill();
    }
  });

  it('hold nothing of what is written while they are made', async () => {
    const writers = copies.map(({ from }) => openForWriting(from));
    for (const db of writers) {
      db.exec('CREATE TABLE numbers (n INTEGER, filling BLOB)');
      db.exec(`WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 6000)
        INSERT INTO numbers SELECT n, randomblob(3000) FROM c`);
    }
    let steps = 0;
    await copyAtOneInstant(copies, () => {
      steps++;
      for (const db of writers) db.exec('UPDATE numbers SET n = n + 10000 WHERE n < 10');
      for (const db of writers) db.exec('PRAGMA wal_checkpoint(PASSIVE)');
    });
    expect(steps).to.be.above(3);
    for (const { from, to } of copies) expect([lastIn(from), lastIn(to)]).to.deep.equal([10_009, 6000]);
    writers.forEach((db) => db.close());
  });

  it('are one valid file each, readable by no other user', async () => {
    const writers = copies.map(({ from }) => openForWriting(from));
    for (const db of writers) db.exec('CREATE TABLE numbers (n INTEGER); INSERT INTO numbers VALUES (7)');
    await copyAtOneInstant(copies);
    for (const { to } of copies) {
      checkFile(to);
      expect(lastIn(to)).to.equal(7);
      expect(statSync(to).mode & 0o777).to.equal(0o600);
      for (const suffix of ['-wal', '-shm', '-journal']) expect(existsSync(to + suffix), suffix).to.equal(false);
    }
    writers.forEach((db) => db.close());
  });
});
