// Erasing in two steps, the event and then the keys and records: a restart finishes it after a crash, and a later customer of the same id
// is left alone.
import { expect } from 'chai';
import { Unavailable } from '../../../src/domain/errors.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import type { Deps } from '../../../src/commands/handling/deps.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { customerId } from '../../../src/domain/ids.js';
import { erasuresReaction } from '../../../src/workers/reactions/erasures.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createWorld, type World } from '../support/world.js';

const SECRET = 'ann-canary@example.com';

async function furnished() {
  const world = await createWorld({ wrapLog: crashingLog });
  await world.deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
  await label(world, SECRET);
  return world;
}

function label({ deps, by, projectId }: World, value: string) {
  const at = new Date(deps.runtime.now()).toISOString();
  const changes = [{ key: 'mail', value, updatedAt: at, receivedAt: at }];
  return setAttributes(deps, by(), projectId, 'ann', { source: 'sdk', changes });
}

const erase = ({ by, projectId }: World, deps: Deps) => eraseSubscriber(deps, by(), projectId, 'ann');
const text = async ({ deps }: World) => JSON.stringify(await eventsOf(deps.log));
const keyOf = ({ deps, projectId }: World) => deps.dataKeys.guardOf(customerId(deps.hash, projectId, 'ann'));

/** As after a restart at the beginning of the log. */
async function react({ deps }: World): Promise<void> {
  const reaction = erasuresReaction(deps);
  for (const event of await eventsOf(deps.log)) if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
}

describe('an erasure', () => {
  it('that is cut before its event has done nothing', async () => {
    const world = await furnished();
    (world.deps.log as CrashingLog).failAt(1, 'before');
    expect(await erase(world, world.deps).catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
    await react(world);
    expect(await text(world)).to.include(SECRET);
    expect(await keyOf(world)).not.to.equal(null);
  });

  it('that is cut after its event is finished', async () => {
    const world = await furnished();
    (world.deps.log as CrashingLog).failAt(1, 'after');
    expect(await erase(world, world.deps).catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
    expect(await keyOf(world), 'before the reaction').not.to.equal(null);
    await react(world);
    expect(await keyOf(world)).to.equal(null);
    expect(await text(world)).not.to.include(SECRET);
  });

  it('that is cut before the keys are gone is finished', async () => {
    const world = await furnished();
    const { deps } = world;
    const cut = async () => Promise.reject(new Error('cut'));
    const outcome = await erase(world, { ...deps, dataKeys: { ...deps.dataKeys, erase: cut } }).catch(String);
    expect(outcome).to.equal('Error: cut');
    expect(await text(world)).to.include(SECRET);
    await react(world);
    expect(await text(world)).not.to.include(SECRET);
  });

  it('that is finished again leaves a customer alone who has returned', async () => {
    const world = await furnished();
    await erase(world, world.deps);
    await label(world, 'after the return');
    await react(world);
    const all = await text(world);
    expect(all).to.include('after the return');
    expect(all).not.to.include(SECRET);
  });
});
