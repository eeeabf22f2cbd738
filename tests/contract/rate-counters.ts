// Contract of rate counters, as one suite: counters of a process, and of several that share them.
import { expect } from 'chai';
import { RateLimiterRes } from 'rate-limiter-flexible';
import type { OpenCounter, RateCounter } from '../../src/adapters/rate-counters/port.js';

/** Returns how many of `count` concurrent uses are within the limit. */
export async function admitted(counters: readonly RateCounter[], key: string, count: number): Promise<number> {
  const uses = Array.from({ length: count }, (_, i) => (counters[i % counters.length] as RateCounter).consume(key));
  const outcomes = await Promise.allSettled(uses);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') expect(outcome.reason).to.be.instanceOf(RateLimiterRes);
  }
  return outcomes.filter(({ status }) => status === 'fulfilled').length;
}

/** Registers the suite; `open` makes counters that nobody has used. */
export function rateCountersContract(name: string, open: () => Promise<OpenCounter>): void {
  describe(`rate counters contract: ${name}`, () => {
    let counter: RateCounter;
    let other: RateCounter;
    beforeEach(async () => {
      const openCounter = await open();
      counter = openCounter({ name: 'a', points: 3, seconds: 60 });
      other = openCounter({ name: 'b', points: 3, seconds: 60 });
    });

    it('admits as many uses as there are points, and returns the time to wait', async () => {
      for (const remaining of [2, 1, 0]) expect((await counter.consume('k')).remainingPoints).to.equal(remaining);
      const refusal: unknown = await counter.consume('k').catch((err: unknown) => err);
      expect(refusal).to.be.instanceOf(RateLimiterRes);
      expect((refusal as RateLimiterRes).msBeforeNext).to.be.within(50_000, 60_000);
      expect((refusal as RateLimiterRes).remainingPoints).to.equal(0);
    });

    it('counts by key and by limit', async () => {
      expect(await admitted([counter], 'k', 5)).to.equal(3);
      expect(await admitted([counter], 'l', 5)).to.equal(3);
      expect(await admitted([other], 'k', 5)).to.equal(3);
    });

    it('adds and takes back points', async () => {
      expect(await counter.get('k')).to.equal(null);
      expect((await counter.penalty('k')).consumedPoints).to.equal(1);
      expect((await counter.penalty('k')).consumedPoints).to.equal(2);
      expect((await counter.reward('k')).consumedPoints).to.equal(1);
      expect((await counter.get('k'))?.consumedPoints).to.equal(1);
    });

    it('blocks a key, and sets one for a time of its own', async () => {
      await counter.block('k', 900);
      const blocked = await counter.get('k');
      expect(blocked?.remainingPoints).to.equal(0);
      expect(blocked?.msBeforeNext).to.be.within(890_000, 900_000);
      await counter.set('l', 1, 20 * 24 * 3600);
      expect((await counter.get('l'))?.msBeforeNext).to.be.within(1_727_000_000, 1_728_000_000);
    });
  });
}

/** Registers the suite of counters that processes share; `connect` opens those of another process on the same server. */
export function sharedCountersContract(name: string, connect: () => Promise<OpenCounter>): void {
  describe(`shared rate counters contract: ${name}`, () => {
    const openIn = async (processes: number, points: number) => {
      const limit = { name: `l${Math.random()}`, points, seconds: 60 };
      const opened = await Promise.all(Array.from({ length: processes }, connect));
      return opened.map((openCounter) => openCounter(limit));
    };

    it('admits five processes together no more than a small limit', async () => {
      expect(await admitted(await openIn(5, 20), 'k', 100)).to.equal(20);
    });

    it('admits five processes together less than a batch each above a large limit', async () => {
      const counters = await openIn(5, 600);
      let total = 0;
      for (let round = 0; round < 30; round++) total += await admitted(counters, 'k', 50);
      expect(total).to.be.within(600, 600 + 5 * 10);
    });

    it('refuses in every process after one has used the limit up', async () => {
      const [first, second] = await openIn(2, 600);
      expect(await admitted([first as RateCounter], 'k', 700)).to.equal(600);
      expect(await admitted([second as RateCounter], 'k', 100)).to.be.below(10);
      expect(await admitted([second as RateCounter], 'k', 100)).to.equal(0);
    });
  });
}
