// Turns of imports: a project with many imports holds up nobody.
import { expect } from 'chai';
import { createTurns } from '../../../src/workers/imports/imports.js';

const importsOf = (...projects: readonly string[]) =>
  projects.map((projectId, n) => ({ projectId, id: `${projectId}${n}` }));
const ids = (chosen: readonly { readonly id: string }[]) => chosen.map(({ id }) => id);

describe('turns of imports', () => {
  it('are given to one import of each project, whatever came first', () => {
    const turns = createTurns(4);
    expect(ids(turns.begin(importsOf('a', 'a', 'a', 'b', 'a', 'c')))).to.deep.equal(['a0', 'b3', 'c5']);
    expect(ids(turns.begin(importsOf('a', 'a', 'd')))).to.deep.equal(['d2']);
  });

  it('are given first to the project whose last turn was longest ago', () => {
    const turns = createTurns(1);
    const order = Array.from({ length: 4 }, () => {
      const [chosen] = turns.begin(importsOf('a', 'a', 'b', 'c'));
      turns.end(chosen?.projectId ?? '');
      return chosen?.projectId;
    });
    expect(order).to.deep.equal(['a', 'b', 'c', 'a']);
  });

  it('are not more than there may be', () => {
    const turns = createTurns(2);
    expect(turns.begin(importsOf('a', 'b', 'c'))).to.have.length(2);
    expect(turns.begin(importsOf('c', 'd'))).to.have.length(0);
    turns.end('a');
    expect(ids(turns.begin(importsOf('c', 'd')))).to.deep.equal(['c0']);
  });
});
