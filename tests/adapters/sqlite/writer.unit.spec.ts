// The writer thread: groups, what one failing operation does to the others, closing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { useFakeTimers } from 'sinon';
import { Unavailable } from '../../../src/domain/errors.js';
import { openForReading } from '../../../src/adapters/sqlite/database.js';
import { PROBE_TIMEOUT_MS, startWriter, type SqliteWriter } from '../../../src/adapters/sqlite/writer.js';

describe('SQLite writer thread', () => {
  let directory: string;
  let file: string;
  let writer: SqliteWriter;
  const start = () => startWriter(file, new URL('./picky-writer.js', import.meta.url));

  beforeEach(async () => {
    directory = mkdtempSync(join(tmpdir(), 'subledger-writer-'));
    file = join(directory, 'texts.sqlite');
    writer = await start();
  });
  afterEach(async () => {
    await writer.close();
    rmSync(directory, { recursive: true });
  });

  it('answers each of many callers with its own result', async () => {
    const results = await Promise.all(Array.from({ length: 200 }, (_, i) => writer.run<number>(`text ${i}`)));
    expect(results).to.deep.equal(Array.from({ length: 200 }, (_, i) => i + 1));
  });

  it('does the other operations of a group when one fails, and reports why that one failed', async () => {
    const texts = ['a', 'bad', 'b', 'bad', 'c'];
    const outcomes = await Promise.allSettled(texts.map((text) => writer.run<number>(text)));
    expect(outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'failed'))).to.deep.equal([
      1,
      'failed',
      2,
      'failed',
      3,
    ]);
    const failure: unknown = outcomes[1]?.status === 'rejected' ? outcomes[1].reason : undefined;
    expect(failure).to.be.instanceOf(Unavailable).and.to.have.property('message').that.contains('this text is bad');
  });

  it('reports a file on whose disk nothing is written any more as not writable', async () => {
    const clock = useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const slow = writer.run('slow');
      const probed: Promise<unknown> = writer.probe().catch((err: unknown) => err);
      clock.tick(PROBE_TIMEOUT_MS);
      expect(await probed)
        .to.be.instanceOf(Unavailable)
        .and.to.have.property('message')
        .that.contains('no response of the disk');
      await slow;
      await writer.probe();
    } finally {
      clock.restore();
    }
  });

  it('has on disk what it answered for', async () => {
    await Promise.all([writer.run('a'), writer.run('b')]);
    const db = openForReading(file);
    expect(db.prepare('SELECT count(*) AS n FROM texts').get().n).to.equal(2);
    db.close();
  });

  it('finishes what was sent before it closes, and takes nothing after', async () => {
    const sent = Array.from({ length: 40 }, (_, i) => writer.run<number>(`text ${i}`));
    await writer.close();
    expect(await Promise.all(sent)).to.have.length(40);
    const late: unknown = await writer.run('late').catch((err: unknown) => err);
    expect(late).to.be.instanceOf(Unavailable);
  });
});
