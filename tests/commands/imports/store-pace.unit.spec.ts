// Pace of a verification: a share of the limits that the stores document, and less after a store asked to wait.
import { expect } from 'chai';
import { createStorePace, type StoreAccount } from '../../../src/commands/imports/store-pace.js';

const nobody = new AbortController().signal;
const ios = (environment: StoreAccount['environment'], appId = 'app_1') =>
  ({ store: 'ios-store', appId, environment }) as const;
const android = (appId: string) => ({ store: 'android-store', appId, environment: 'production' }) as const;

/** One caller after another: each waits for its turn before the next one asks. */
function setUp() {
  let nowMs = 0;
  const pace = createStorePace({ now: () => nowMs, sleep: (ms) => Promise.resolve(void (nowMs += ms)) });
  return {
    pace,
    now: () => nowMs,
    /** Returns the milliseconds that the questions take. */
    ask: async (count: number, ...accounts: readonly StoreAccount[]) => {
      const before = nowMs;
      for (let n = 0; n < count; n++) for (const account of accounts) await pace.turn(account, nobody);
      return nowMs - before;
    },
  };
}

describe('the pace of a verification', () => {
  const SECONDS = 10;
  for (const { what, accounts, perSecond } of [
    { what: 'an app of the ios-store', accounts: [ios('production')], perSecond: 40 },
    { what: 'the sandbox of the ios-store', accounts: [ios('sandbox')], perSecond: 4 },
    {
      what: 'two apps of the ios-store, each',
      accounts: [ios('production'), ios('production', 'app_2')],
      perSecond: 40,
    },
    { what: 'two apps of the android-store, together', accounts: [android('app_1'), android('app_2')], perSecond: 20 },
  ])
    it(`is ${perSecond} purchases a second for ${what}`, async () => {
      const taken = await setUp().ask(perSecond * SECONDS + 1, ...accounts);
      expect(taken).to.be.within(SECONDS * 1000, SECONDS * 1000 + 50);
    });

  it('stops for as long as the store asks, is half of it then, and returns with the answers', async () => {
    const { pace, ask, now } = setUp();
    const account = ios('production');
    await ask(2, account);
    const requestedAt = now();
    pace.holdBack(account, 60);
    pace.holdBack(account, 60);
    expect(await ask(1, account)).to.equal(60_000);
    expect(now() - requestedAt).to.equal(60_000);
    expect(await ask(10, account), 'twice 25 ms, once for both that were under way').to.equal(500);
    pace.holdBack(account, 1);
    await ask(1, account);
    expect(await ask(10, account)).to.equal(1000);
    for (let answers = 0; answers < 140; answers++) pace.recordAnswer(account);
    await ask(1, account);
    expect(await ask(10, account)).to.be.closeTo(250, 1);
  });

  it('never becomes endlessly slow', async () => {
    const { pace, ask } = setUp();
    const account = ios('production');
    for (let n = 0; n < 50; n++) {
      pace.holdBack(account, 1);
      await ask(1, account);
    }
    await ask(1, account);
    expect(await ask(1, account)).to.equal(64 * 25);
  });

  it('ends with the run that it is for', async () => {
    const { pace } = setUp();
    const over = AbortSignal.abort(new Error('stopped'));
    expect(await pace.turn(ios('production'), over).catch((err: Error) => err.message)).to.equal('stopped');
  });
});
