// Notifications of the android-store run again: each purchase is read as it is now, and those whose store cannot be asked are left.
import { expect } from 'chai';
import { reprocess, type ReprocessResult } from '../../../../src/commands/stores/inbox/reprocess.js';
import { setUpAndroidScenarios } from './scenarios.js';

describe('notifications of the android-store run again', () => {
  const { scenario, store, clock, idle, harness } = setUpAndroidScenarios();
  const { signal } = new AbortController();
  /** Those of the scenario at hand. */
  const run = async (dryRun: boolean, since: number): Promise<ReprocessResult> => {
    const { deps } = harness().service().services;
    const done = await reprocess(deps, { since: new Date(since).toISOString(), dryRun }, signal);
    await idle();
    return done;
  };
  const typesOf = ({ changes }: ReprocessResult) => changes.flatMap(({ events }) => events.map(({ type }) => type));
  const readsOf = (token: string) => store().requests.filter((path) => path.endsWith(`/tokens/${token}`)).length;

  it('add nothing while the store shows what it showed', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    await s.notify(31, 'RENEWED', { n: 1, to: 62 });
    const nothing = { changed: 0, added: 0, left: 0, changes: [], notRun: [], stoppedAt: null };
    for (const dryRun of [true, false])
      expect(await run(dryRun, s.ms(0))).to.deep.equal({ dryRun, read: 2, ...nothing });
  });

  it('add what the store shows now, once, and list it in a dry run', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    s.show({ n: 1, to: 62 });
    clock.set(s.ms(31));
    const dry = await run(true, s.ms(0));
    expect(typesOf(dry)).to.deep.equal(['SubscriptionRenewed']);
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0']);
    expect(await run(false, s.ms(0))).to.deep.equal({ ...dry, dryRun: false });
    expect(await s.events()).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
    expect((await run(false, s.ms(0))).changed).to.equal(0);
  });

  it('send the store nothing in a dry run', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    s.show({ n: 0 });
    const acknowledged = store().acknowledged.length;
    await run(true, s.ms(0));
    expect(store().acknowledged).to.have.length(acknowledged);
  });

  it('stay unchanged while the store is unavailable, after one try', async () => {
    const s = scenario();
    await s.notify(0, 'PURCHASED');
    await s.notify(1, 'CANCELED', { state: 'CANCELED' });
    await s.notify(2, 'RESTARTED');
    const before = readsOf(s.purchase);
    store().setFailure(503);
    const { read, left, changed, notRun } = await run(false, s.ms(0));
    expect({ read, left, changed }).to.deep.equal({ read: 3, left: 3, changed: 0 });
    expect(notRun.map(({ reason }) => reason)).to.satisfy((all: string[]) => all.every((r) => r.includes('503')));
    expect(readsOf(s.purchase) - before).to.equal(1);
    store().setFailure(null);
    expect((await run(false, s.ms(0))).left).to.equal(0);
  });
});
