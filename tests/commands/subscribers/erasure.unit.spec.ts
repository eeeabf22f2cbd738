// Erasing in two steps, the event and then the keys and records: a restart finishes it after a crash, and a later customer of the same id
// is left alone.
import { expect } from 'chai';
import { Unavailable } from '../../../src/domain/errors.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import type { Deps } from '../../../src/commands/handling/deps.js';
import { eraseSubscriber } from '../../../src/commands/subscribers/erasure.js';
import { setAttributes } from '../../../src/commands/subscribers/subscribers.js';
import { createDataKeys, type MasterKeys } from '../../../src/adapters/keys/vault.js';
import { createKeyedMutex } from '../../../src/commands/handling/keyed-mutex.js';
import { customerId } from '../../../src/domain/ids.js';
import { erasuresReaction } from '../../../src/workers/reactions/erasures.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createWorld, type World } from '../support/world.js';

const MASTERS: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];
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
/** All keys that open something of ann. */
async function keysOf({ deps, projectId }: World): Promise<readonly string[]> {
  const subject = customerId(deps.hash, projectId, 'ann');
  const keys = (await deps.dataKeys.forOpening([subject], { isFresh: true })).get(subject) ?? [];
  return keys.map((key) => key.toString('hex'));
}

/** Runs the reaction from the start of the log. */
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
    expect(await keysOf(world)).to.have.length.at.least(1);
  });

  it('that is cut after its event is finished', async () => {
    const world = await furnished();
    const [before] = await keysOf(world);
    (world.deps.log as CrashingLog).failAt(1, 'after');
    expect(await erase(world, world.deps).catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
    expect(await keysOf(world), 'before the reaction').to.include(before);
    await react(world);
    expect(await keysOf(world)).not.to.include(before);
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

  it('keeps what is written right after it, also by another process that still has the former key', async () => {
    const world = await furnished();
    const others = createDataKeys(world.deps.docs, MASTERS, world.deps.runtime);
    const subject = customerId(world.deps.hash, world.projectId, 'ann');
    const former = await others.forSealing(subject);
    // Between the event and the end of the keys.
    const erase = world.deps.dataKeys.erase.bind(world.deps.dataKeys);
    const cut = { ...world.deps, dataKeys: { ...world.deps.dataKeys, erase: async () => undefined } };
    await eraseSubscriber(cut, world.by(), world.projectId, 'ann');
    expect((await others.forSealing(subject)).equals(former)).to.equal(false);
    await label(world, 'new@example.com');
    await react({ ...world, deps: { ...world.deps, dataKeys: { ...world.deps.dataKeys, erase } } });
    expect(await text(world))
      .to.include('new@example.com')
      .and.not.to.include(SECRET);
  });

  it('ends what is written while it is decided', async () => {
    const world = await furnished();
    const { log } = world.deps;
    let isFirst = true;
    // Command of another process, which this process's mutex does not block.
    const raced = {
      ...world.deps,
      mutex: createKeyedMutex(),
      dataKeys: {
        ...world.deps.dataKeys,
        turn: async (subject: string) => {
          const name = await world.deps.dataKeys.turn(subject);
          if (isFirst) {
            isFirst = false;
            await label(world, 'late-canary@example.com');
          }
          return name;
        },
      },
    };
    expect(await eraseSubscriber(raced, world.by(), world.projectId, 'ann')).to.have.property('position');
    expect(await eventsOf(log)).to.have.length.above(0);
    expect(await text(world)).not.to.include('canary@example.com');
  });
});
