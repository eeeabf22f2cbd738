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
import { erasuresReaction } from '../../../src/workers/reactions/completions.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { eventsOf } from '../support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';

const MASTERS: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];
const SECRET = 'ann-canary@example.com';

async function furnished() {
  const fixture = await createProjectFixture({ wrapLog: crashingLog });
  await fixture.deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
  await label(fixture, SECRET);
  return fixture;
}

function label({ deps, by, projectId }: ProjectFixture, value: string) {
  const at = new Date(deps.runtime.now()).toISOString();
  const changes = [{ key: 'mail', value, updatedAt: at, receivedAt: at }];
  return setAttributes(deps, by(), projectId, 'ann', { source: 'sdk', changes });
}

const erase = ({ by, projectId }: ProjectFixture, deps: Deps) => eraseSubscriber(deps, by(), projectId, 'ann');
const text = async ({ deps }: ProjectFixture) => JSON.stringify(await eventsOf(deps.log));
/** All keys that open something of ann. */
async function keysOf({ deps, projectId }: ProjectFixture): Promise<readonly string[]> {
  const subject = customerId(deps.hash, projectId, 'ann');
  const keys = (await deps.dataKeys.forOpening([subject], { isFresh: true })).get(subject) ?? [];
  return keys.map((key) => key.toString('hex'));
}

/** Runs the reaction from the start of the log. */
async function react({ deps }: ProjectFixture): Promise<void> {
  const reaction = erasuresReaction(deps);
  for (const event of await eventsOf(deps.log)) if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
}

describe('an erasure', () => {
  it('that is cut before its event has done nothing', async () => {
    const fixture = await furnished();
    (fixture.deps.log as CrashingLog).failAt(1, 'before');
    expect(await erase(fixture, fixture.deps).catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
    await react(fixture);
    expect(await text(fixture)).to.include(SECRET);
    expect(await keysOf(fixture)).to.have.length.at.least(1);
  });

  it('that is cut after its event is finished', async () => {
    const fixture = await furnished();
    const [before] = await keysOf(fixture);
    (fixture.deps.log as CrashingLog).failAt(1, 'after');
    expect(await erase(fixture, fixture.deps).catch((err: unknown) => err)).to.be.instanceOf(Unavailable);
    expect(await keysOf(fixture), 'before the reaction').to.include(before);
    await react(fixture);
    expect(await keysOf(fixture)).not.to.include(before);
    expect(await text(fixture)).not.to.include(SECRET);
  });

  it('that is cut before the keys are gone is finished', async () => {
    const fixture = await furnished();
    const { deps } = fixture;
    const cut = async () => Promise.reject(new Error('cut'));
    const outcome = await erase(fixture, { ...deps, dataKeys: { ...deps.dataKeys, erase: cut } }).catch(String);
    expect(outcome).to.equal('Error: cut');
    expect(await text(fixture)).to.include(SECRET);
    await react(fixture);
    expect(await text(fixture)).not.to.include(SECRET);
  });

  it('that is finished again leaves a customer alone who has returned', async () => {
    const fixture = await furnished();
    await erase(fixture, fixture.deps);
    await label(fixture, 'after the return');
    await react(fixture);
    const all = await text(fixture);
    expect(all).to.include('after the return');
    expect(all).not.to.include(SECRET);
  });

  it('keeps what is written right after it, also by another process that still has the former key', async () => {
    const fixture = await furnished();
    const others = createDataKeys(fixture.deps.docs, MASTERS, fixture.deps.runtime);
    const subject = customerId(fixture.deps.hash, fixture.projectId, 'ann');
    const former = await others.forSealing(subject);
    // Between the event and the end of the keys.
    const erase = fixture.deps.dataKeys.erase.bind(fixture.deps.dataKeys);
    const cut = { ...fixture.deps, dataKeys: { ...fixture.deps.dataKeys, erase: async () => undefined } };
    await eraseSubscriber(cut, fixture.by(), fixture.projectId, 'ann');
    expect((await others.forSealing(subject)).equals(former)).to.equal(false);
    await label(fixture, 'new@example.com');
    await react({ ...fixture, deps: { ...fixture.deps, dataKeys: { ...fixture.deps.dataKeys, erase } } });
    expect(await text(fixture))
      .to.include('new@example.com')
      .and.not.to.include(SECRET);
  });

  it('ends what is written while it is decided', async () => {
    const fixture = await furnished();
    let rotations = 0;
    // Command of another process, which this process's mutex does not block.
    const raced = {
      ...fixture.deps,
      mutex: createKeyedMutex(),
      dataKeys: {
        ...fixture.deps.dataKeys,
        rotate: async (subject: string) => {
          const name = await fixture.deps.dataKeys.rotate(subject);
          if (rotations++ === 0) await label(fixture, 'late-canary@example.com');
          return name;
        },
      },
    };
    expect(await eraseSubscriber(raced, fixture.by(), fixture.projectId, 'ann')).to.have.property('position');
    expect(rotations, 'once more for what came between').to.equal(2);
    const written = (await eventsOf(fixture.deps.log)).filter(({ type }) => type === 'CustomerAttributesUpdated');
    expect(written).to.have.length(2);
    expect(await text(fixture)).not.to.include('canary@example.com');
  });
});
