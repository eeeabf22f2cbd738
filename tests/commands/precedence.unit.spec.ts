// Receiving before working off: who gives way waits until a rush is over, and not for ever.
import { expect } from 'chai';
import { createPrecedence, type Precedence } from '../../src/commands/handling/precedence.js';
import { msFromIso } from '../../src/domain/time.js';
import { BEGIN, fakeRuntime } from './memory-deps.js';

const NOW = msFromIso(BEGIN);
const RUSH = 8;

/** So many under way at once, until they are told to end. */
function underWay(precedence: Precedence, count: number) {
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const all = Promise.all(Array.from({ length: count }, () => precedence.first(() => ended)));
  return {
    end: async () => {
      end();
      await all;
    },
  };
}

describe('precedence', () => {
  it('lets pass at once when there is no rush', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const precedence = createPrecedence(runtime);
    const few = underWay(precedence, RUSH - 1);
    await precedence.giveWay(NOW);
    expect(sleeps).to.deep.equal([]);
    await few.end();
  });

  it('holds back until no rush was seen for 20 ms', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const precedence = createPrecedence(runtime);
    await underWay(precedence, RUSH).end();
    await precedence.giveWay(NOW);
    expect(sleeps).to.deep.equal([20]);
    await precedence.giveWay(NOW);
    expect(sleeps).to.deep.equal([20]);
  });

  it('hears of a rush that began while it held back', async () => {
    const { runtime } = fakeRuntime();
    const begun: { end: () => Promise<void> }[] = [];
    let slept = 0;
    const sleep = async () => {
      slept++;
      if (slept < 4) begun.push(underWay(precedence, RUSH));
      for (const rush of begun.splice(0)) await rush.end();
    };
    const precedence = createPrecedence({ ...runtime, sleep });
    await underWay(precedence, RUSH).end();
    await precedence.giveWay(NOW);
    expect(slept).to.equal(4);
  });

  it('puts nobody off for longer than ten seconds since it came', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const precedence = createPrecedence(runtime);
    const many = underWay(precedence, RUSH);
    await precedence.giveWay(NOW - 9950);
    expect(sleeps).to.deep.equal([20, 20, 20]);
    await precedence.giveWay(NOW - 9950);
    expect(sleeps).to.have.length(3);
    await many.end();
  });

  it('hands on results and failures, and counts both as ended', async () => {
    const { runtime, sleeps } = fakeRuntime();
    const precedence = createPrecedence(runtime);
    expect(await precedence.first(async () => 'kept')).to.equal('kept');
    for (let i = 0; i < RUSH; i++) {
      const refused = precedence.first(() => Promise.reject(new Error('refused')));
      expect(await refused.catch((err: unknown) => String(err))).to.equal('Error: refused');
    }
    await precedence.giveWay(NOW);
    expect(sleeps).to.deep.equal([]);
  });
});
