// Turns of imports: a project with many imports, or with long ones, holds up nobody.
import { expect } from 'chai';
import { createTurns } from '../../../src/workers/imports/turns.js';

const MINUTE = 60_000;
const importsOf = (...projects: readonly string[]) =>
  projects.map((projectId, n) => ({ projectId, importId: `${projectId}${n}` }));

function setUp(max?: number) {
  let now = 0;
  const turns = createTurns(() => now, max);
  return {
    turns,
    pass: (ms: number) => void (now += ms),
    begin: (...projects: readonly string[]) => turns.begin(importsOf(...projects)),
    ids: (...projects: readonly string[]) => turns.begin(importsOf(...projects)).map(({ one }) => one.importId),
  };
}

describe('turns of imports', () => {
  it('are given to one import of each project, whatever came first', () => {
    const { ids } = setUp();
    expect(ids('a', 'a', 'a', 'b', 'a', 'c')).to.deep.equal(['a0', 'b3', 'c5']);
    expect(ids('a', 'a', 'd')).to.deep.equal(['d2']);
  });

  it('are given first to the project whose last turn was longest ago', () => {
    const { turns, begin } = setUp(1);
    const order = Array.from({ length: 4 }, () => {
      const [chosen] = begin('a', 'a', 'b', 'c');
      if (chosen) turns.end(chosen.one);
      return chosen?.one.projectId;
    });
    expect(order).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('are not more than there may be', () => {
    const { turns, ids, begin } = setUp(2);
    const [first] = begin('a', 'b', 'c');
    expect(ids('c', 'd')).to.have.length(0);
    if (first) turns.end(first.one);
    expect(ids('c', 'd')).to.deep.equal(['c0']);
  });

  it('end when another project waits, and not before', () => {
    const { begin, pass } = setUp(1);
    const [long] = begin('a');
    pass(10 * MINUTE);
    begin('a', 'a');
    expect(long?.turn.isOver()).to.equal(false);
    begin('a', 'b');
    expect(long?.turn.isOver()).to.equal(true);
  });

  it('last a minute, and twice as long as what has to be repeated', () => {
    const { turns, begin, pass } = setUp(1);
    const [unprepared] = begin('a');
    pass(MINUTE - 1);
    begin('a', 'b');
    expect(unprepared?.turn.isOver()).to.equal(false);
    pass(1);
    begin('a', 'b');
    expect(unprepared?.turn.isOver()).to.equal(true);
    turns.end({ projectId: 'a', importId: 'a0' });

    const [prepared] = begin('b');
    pass(10 * MINUTE);
    prepared?.turn.prepared();
    pass(10 * MINUTE - 1);
    begin('b', 'a');
    expect(prepared?.turn.isOver()).to.equal(false);
    pass(1);
    begin('b', 'a');
    expect(prepared?.turn.isOver()).to.equal(true);
  });

  it('become longer for an import whose files were not read at the end of the last one', () => {
    const { turns, begin, pass } = setUp(1);
    const lengths = Array.from({ length: 3 }, () => {
      const [own] = begin('a', 'b').filter(({ one }) => one.projectId === 'a');
      let minutes = 0;
      while (own?.turn.isOver() === false) {
        pass(MINUTE);
        minutes++;
        begin('a', 'b');
      }
      turns.end({ projectId: 'a', importId: 'a0' });
      const [other] = begin('a', 'b');
      if (other) turns.end(other.one);
      return minutes;
    });
    expect(lengths).to.deep.equal([1, 2, 4]);
  });

  it('take no more places away than projects wait: the longest first', () => {
    const { begin, pass } = setUp();
    const [first] = begin('a');
    pass(1);
    const [second, third, fourth] = begin('a', 'b', 'c', 'd');
    pass(2 * MINUTE);
    begin('a', 'b', 'c', 'd', 'e');
    begin('a', 'b', 'c', 'd', 'e');
    const isOver = [first, second, third, fourth].map((one) => one?.turn.isOver());
    expect(isOver).to.deep.equal([true, false, false, false]);
  });
});
