// The process dies at some write, again and again: nothing is lost, each crash repeats a delivery once at most, and the order holds.
// WEBHOOK_ROUNDS=<number> plays more rounds, SEED=<number> one again.
import { expect } from 'chai';
import { grantPromotional, registerSubscriber } from '../../../src/commands/subscribers/subscribers.js';
import { reactionCheckpointCollection, runReaction } from '../../../src/workers/reactions/reaction.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import { chance, withSeed, type Chance } from '../../projections/support/seeded-random.js';
import { listener, until } from '../rig.js';
import { brokenOrder, createHooks, cutAfter, type Hooks } from './rig.js';

const ROUNDS = Number(process.env['WEBHOOK_ROUNDS'] ?? 150);
const grants = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };

async function happen(hooks: Hooks, random: Chance): Promise<number> {
  const count = 3 + random.below(10);
  for (let i = 0; i < count; i++) {
    await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, `user${random.below(3)}`, grants);
  }
  return count;
}

describe('webhooks after crashes', function () {
  this.timeout(120_000);
  it('all arrive, in order, repeated at most once per crash', async () => {
    const random = chance();
    await withSeed(random, async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const hooks = await createHooks();
        await hooks.make({ eventTypes: ['NON_RENEWING_PURCHASE'] });
        await hooks.make({ eventTypes: ['ENTITLEMENT_CHANGED'], url: 'https://hooks.example.com/b' });
        await hooks.fan();
        hooks.receiver.reply = () => (random.below(10) === 0 ? 500 : 200);
        const crashes = 1 + random.below(4);
        for (let i = 0; i < crashes; i++) {
          await happen(hooks, random);
          hooks.restart(cutAfter(hooks.deps, random.below(40)).deps);
          await hooks.play(0.01).catch((err: unknown) => expect(String(err)).to.include('cut'));
          await hooks
            .worker()
            .sender.idle()
            .catch((err: unknown) => expect(String(err)).to.include('cut'));
        }
        hooks.restart();
        await hooks.play();
        const all = await hooks.all();
        expect(new Set(all.map((d) => d.state))).to.deep.equal(new Set(['delivered']));
        const events = (await hooks.events()).filter((e) => e.type === 'EntitlementGranted');
        expect(new Set(hooks.receiver.arrived.map((a) => a.event.id)).size).to.be.at.least(events.length);
        for (const { id, eventId, attempts } of all) {
          const arrived = hooks.receiver.arrived.filter((a) => a.event.id === eventId).length;
          expect(arrived, id).to.be.within(1, attempts.length + crashes);
        }
        expect(brokenOrder(hooks.receiver.arrived)).to.deep.equal([]);
      }
    });
  });

  it('begin at the head, loudly, when the cursor is gone, and know the webhooks from before', async () => {
    const hooks = await createHooks();
    await hooks.make();
    const { deps } = hooks;
    for (let i = 0; i < 5; i++) await grantPromotional(deps, hooks.by(), hooks.projectId, `user${i}`, grants);
    const { logger, lines } = listener();
    const progress = createProgress();
    const stopping = new AbortController();
    const worker = hooks.worker();
    const run = runReaction(worker.fanout, { ...deps, logger, progress }, stopping.signal);
    const head = await deps.log.head();
    await until(() => (progress.at('fanout') ?? '') >= head, 'the fan-out at the head');
    expect(lines.map((l) => l['msg']).join()).to.include('no checkpoint for this log; starting at its head');
    expect(await hooks.all()).to.deep.equal([]);
    await grantPromotional(deps, hooks.by(), hooks.projectId, 'after', grants);
    const end = await deps.log.head();
    await until(() => (progress.at('fanout') ?? '') >= end, 'the fan-out at the end');
    stopping.abort();
    await run;
    expect((await hooks.all()).map((d) => d.appUserId)).to.deep.equal(['after', 'after']);
  });

  it('begin at the head of a log that took the place of another', async () => {
    const hooks = await createHooks();
    await hooks.make();
    const { deps } = hooks;
    await registerSubscriber(deps, hooks.by(), hooks.projectId, 'ann', { source: 'api' });
    await grantPromotional(deps, hooks.by(), hooks.projectId, 'ann', grants);
    const doc = { position: '0'.repeat(20), log: 'another log' };
    await deps.docs.write([[{ c: reactionCheckpointCollection.name, id: 'fanout', expect: null, guard: '1', doc }]]);
    const { logger, lines } = listener();
    const progress = createProgress();
    const stopping = new AbortController();
    const run = runReaction(hooks.worker().fanout, { ...deps, logger, progress }, stopping.signal);
    const head = await deps.log.head();
    await until(() => (progress.at('fanout') ?? '') >= head, 'the fan-out at the head');
    stopping.abort();
    await run;
    expect([lines.length > 0, (await hooks.all()).length, hooks.receiver.arrived.length]).to.deep.equal([true, 0, 0]);
  });
});
