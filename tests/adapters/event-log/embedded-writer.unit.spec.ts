// What the writer of the embedded log keeps in memory of its file: the last revisions of streams, dropped with what is undone.
import { expect } from 'chai';
import { writer, type LogOperation } from '../../../src/adapters/event-log/embedded/writer.js';
import { DatabaseSync, type Database } from '../../../src/adapters/sqlite/engine.js';

const draft = (id: string) => `{"id":"${id}"}`;

describe('the writer of the embedded log', () => {
  let db: Database;
  let apply: (operation: LogOperation) => readonly unknown[];
  let undone: () => void;

  const open = () => {
    undone = () => expect.fail('it did not say what is to be called');
    apply = writer(db, (listener) => (undone = listener));
  };
  const rollBack = (work: () => void) => {
    db.exec('BEGIN');
    work();
    db.exec('ROLLBACK');
    undone();
  };
  const revisions = () => db.prepare('SELECT stream, revision FROM streams ORDER BY stream, revision').all();

  beforeEach(() => {
    db = new DatabaseSync(':memory:');
    open();
  });
  afterEach(() => db.close());

  it('begins a stream again whose first event was undone', () => {
    rollBack(() => expect(apply(['user-a', 'none', [draft('1'), draft('2')]])).to.deep.equal([1, 2]));
    expect(revisions()).to.deep.equal([]);
    expect(apply(['user-a', 'none', [draft('1'), draft('2')]])).to.deep.equal([1, 4]);
    expect(apply(['user-a', 1, [draft('3')]])).to.deep.equal([2, 5]);
  });

  it('goes on behind what was kept when what followed was undone', () => {
    apply(['user-a', 'none', [draft('1')]]);
    rollBack(() => {
      apply(['user-a', 0, [draft('2')]]);
      apply(['user-a', 'any', [draft('3')]]);
    });
    expect(apply(['user-a', 2, [draft('4')]])).to.deep.equal([0, 0, 0]);
    expect(apply(['user-a', 'any', [draft('4')]])).to.deep.equal([1, 4]);
    expect(revisions().map((row: { revision: number }) => row.revision)).to.deep.equal([0, 1]);
  });

  it('refuses to begin a stream that there is, known or looked up, and knows a repeat', () => {
    apply(['user-a', 'none', [draft('1')]]);
    for (const reopen of [false, true]) {
      if (reopen) open();
      expect(apply(['user-a', 'none', [draft('2')]])).to.deep.equal([0, 0, 0]);
      expect(apply(['user-a', 'none', [draft('1')]])).to.deep.equal([0, 1]);
    }
    expect(revisions()).to.have.length(1);
  });

  it('refuses a revision beyond the end of a stream', () => {
    expect(apply(['user-a', 3, [draft('1')]])).to.deep.equal([0, 0, 'none']);
    apply(['user-a', 'none', [draft('1')]]);
    expect(apply(['user-a', 3, [draft('2')]])).to.deep.equal([0, 0, 0]);
  });

  it('goes on behind the end of an erased stream, and begins others beside it', () => {
    apply(['user-a', 'none', [draft('1'), draft('2')]]);
    apply(['user-a']);
    expect(apply(['user-a', 0, [draft('3')]])).to.deep.equal([0, 0, 'none']);
    expect(apply(['user-a', 'none', [draft('3')]])).to.deep.equal([2, 3]);
    expect(apply(['user-b', 'none', [draft('4')]])).to.deep.equal([0, 4]);
    open();
    expect(apply(['user-c', 'none', [draft('5')]])).to.deep.equal([0, 5]);
    expect(apply(['user-c', 'none', [draft('6')]])).to.deep.equal([0, 0, 0]);
  });

  it('looks a stream up again that it has not met for long', () => {
    apply(['user-a', 'none', [draft('1')]]);
    for (let i = 0; i < 9000; i++) apply([`user-b${i}`, 'none', [draft(`b${i}`)]]);
    expect(apply(['user-a', 'none', [draft('2')]])).to.deep.equal([0, 0, 0]);
    expect(apply(['user-a', 0, [draft('2')]])).to.deep.equal([1, 9002]);
  });
});
