// Kept notifications become events, each once, wherever the process is cut.
import { expect } from 'chai';
import { createBurstPriority } from '../../../src/commands/handling/burst-priority.js';
import type { Reaction } from '../../../src/workers/reactions/reaction.js';
import { crashingLog, type CrashingLog, type Moment } from '../../commands/support/crashing-log.js';
import { eventsOf, fakeRuntime } from '../../commands/support/memory-deps.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { createProjectFixture, type ProjectFixture } from '../../commands/support/project-fixture.js';
import { inboxOn, reactionRig, until } from '../rig.js';

const chain = { originalTransactionId: 'tx_1' };
const other = monthly({ transactionId: 'tx_9', originalTransactionId: 'tx_9' });
const NOTIFICATIONS = [
  notification('SUBSCRIBED', monthly(), { renewal: { autoRenewStatus: 1 } }),
  notification('SUBSCRIBED', other),
  notification('DID_RENEW', renewal(chain), { renewal: { autoRenewStatus: 0 } }),
  notification('TEST', monthly(), { uuid: 'test' }),
];

const typesOf = async ({ deps }: ProjectFixture) => (await eventsOf(deps.log)).map((e) => e.type);

async function received(wrapLog?: Parameters<typeof createProjectFixture>[0]): Promise<ProjectFixture> {
  const fixture = await createProjectFixture(wrapLog);
  for (const one of NOTIFICATIONS) await fixture.receive(one);
  return fixture;
}

async function handleAll(
  fixture: ProjectFixture,
  rig: Awaited<ReturnType<typeof reactionRig>>,
  reaction: Reaction,
): Promise<void> {
  const run = rig.start(reaction);
  for (let head = ''; head !== (await fixture.deps.log.head());) {
    head = await fixture.deps.log.head();
    await until(() => (rig.progress.at('inbox') ?? '') >= head, 'the inbox at the head');
  }
  await run.stop();
}

describe('inbox', () => {
  it('turns each notification into events and writes down what became of it', async () => {
    const fixture = await received();
    const rig = await reactionRig(fixture.deps.log, fixture.deps.runtime);
    await handleAll(fixture, rig, inboxOn(fixture.deps));
    const outcomes = (await eventsOf(fixture.deps.log))
      .filter((e) => e.type === 'StoreNotificationProcessed')
      .map((e) => (e.data as { outcome: string }).outcome);
    expect(outcomes.sort()).to.deep.equal(['applied', 'applied', 'applied', 'no_change']);
    expect(await typesOf(fixture)).to.include('StoreTestNotificationReceived');
  });

  it('keeps a notification once, however often the store sends it', async () => {
    const fixture = await received();
    const before = await fixture.deps.log.head();
    for (const one of NOTIFICATIONS) await fixture.receive(one);
    expect(await fixture.deps.log.head()).to.equal(before);
  });

  it('handles the notifications of one purchase line in order', async () => {
    const fixture = await received();
    const reaction = inboxOn(fixture.deps);
    const kept = (await eventsOf(fixture.deps.log)).filter((e) => e.type === 'StoreNotificationReceived');
    expect(kept.map((e) => reaction.serialKeyOf(e))).to.deep.equal(['tx_1', 'tx_9', 'tx_1', 'tx_1']);
  });

  it('waits while many others are being received', async () => {
    const fixture = await received();
    const rig = await reactionRig(fixture.deps.log, fixture.deps.runtime);
    // Its clock stands still until the burst is over.
    const { runtime, clock } = fakeRuntime();
    const turns = { count: 0 };
    const sleep = async () => void (turns.count += 1);
    const burst = createBurstPriority({ ...runtime, sleep });
    let endBurst: () => void = () => undefined;
    const receivingTakes = new Promise<void>((resolve) => (endBurst = resolve));
    const receiving = Promise.all(Array.from({ length: 8 }, () => burst.runFirst(() => receivingTakes)));
    const before = await fixture.deps.log.head();
    const run = rig.start(inboxOn({ ...fixture.deps, burst }));
    await until(() => turns.count > 100);
    expect(await fixture.deps.log.head()).to.equal(before);
    endBurst();
    await receiving;
    clock.set('2026-11-20T10:00:00.020Z');
    await until(() => (rig.progress.at('inbox') ?? '') >= before, 'the inbox at the head');
    await run.stop();
    expect((await typesOf(fixture)).filter((type) => type === 'StoreNotificationProcessed')).to.have.length(4);
  });

  for (const moment of ['before', 'after'] as const satisfies Moment[]) {
    it(`applies each once when it is cut at any append, ${moment} storing`, async () => {
      const uncut = await received();
      const straight = await reactionRig(uncut.deps.log, uncut.deps.runtime);
      await handleAll(uncut, straight, inboxOn(uncut.deps));
      const expected = (await typesOf(uncut)).sort();
      for (let n = 1, isCut = true; isCut; n++) {
        const fixture = await received({ wrapLog: crashingLog });
        const log = fixture.deps.log as CrashingLog;
        const rig = await reactionRig(log, fixture.deps.runtime);
        const reaction = inboxOn(fixture.deps);
        log.failAt(n, moment);
        let crashed = false;
        const run = rig.start({
          ...reaction,
          handle: async (event) => {
            try {
              await reaction.handle(event);
            } catch (err) {
              crashed = true;
              run.abort();
              throw err;
            }
          },
        });
        const head = async () => log.head();
        for (let at = ''; !crashed && at !== (await head());) {
          at = await head();
          await until(() => crashed || (rig.progress.at('inbox') ?? '') >= at);
        }
        await run.stop();
        isCut = crashed;
        log.failAt(0, moment);
        await handleAll(fixture, rig, reaction);
        expect((await typesOf(fixture)).sort(), `cut at append ${n}`).to.deep.equal(expected);
        expect(Object.values(await fixture.holders('tx_1')), `cut at append ${n}`).to.deep.equal([['tx_1', 'tx_2']]);
      }
    });
  }
});
