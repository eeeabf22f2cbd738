// The records are away for a moment while a delivery is worked on, and nobody knows whether what was written is there.
import { expect } from 'chai';
import type { DocStore, Write } from '../../../src/adapters/documents/port.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { isoFromMs, msFromIso } from '../../../src/domain/time.js';
import { until } from '../rig.js';
import { createHooks } from './rig.js';

const grant = { entitlement: 'pro', duration: 'monthly' as const, expiresAt: null, startsAt: null };
const isInsertion = ({ c, expect: expected }: Write) => c === deliveryCollection.name && expected === null;
const isClaim = ({ c, doc }: Write) => c === deliveryCollection.name && (doc?.['claimedBy'] ?? null) !== null;
const isRecord = ({ c, expect: expected, doc }: Write) =>
  c === deliveryCollection.name && expected !== null && doc?.['state'] === 'delivered';

/** The first such write fails, with or without its effect. */
function failingOnce(docs: DocStore, isMeant: (write: Write) => boolean, hasEffect: boolean): DocStore {
  let isDone = false;
  return {
    ...docs,
    write: async (stages) => {
      if (isDone || !stages.flat().some(isMeant)) return docs.write(stages);
      isDone = true;
      if (hasEffect) await docs.write(stages);
      throw new Unavailable('the connection closed');
    },
  };
}

describe('webhooks while the records are unavailable', () => {
  for (const hasEffect of [false, true]) {
    const how = hasEffect ? 'had its effect' : 'did not';
    for (const [what, isMeant] of [
      ['claim', isClaim],
      ['record of what was sent', isRecord],
    ] as const) {
      it(`are sent within seconds and once after a lost ${what} that ${how}`, async () => {
        const hooks = await createHooks();
        await hooks.make({ eventTypes: ['NON_RENEWING_PURCHASE'] });
        hooks.restart({ ...hooks.deps, docs: failingOnce(hooks.deps.docs, isMeant, hasEffect) });
        await grantPromotional(hooks.deps, hooks.by(), hooks.projectId, 'user1', grant);
        await hooks.fan();
        const at = hooks.deps.runtime.now();
        await hooks.worker().sender.round();
        await until(() => hooks.receiver.arrived.length > 0, 'the message');
        await hooks.worker().sender.idle();
        const [delivery] = await hooks.all();
        expect(delivery).to.include({ state: 'delivered', claimedBy: null });
        expect(hooks.receiver.arrived).to.have.length(1);
        expect(hooks.deps.runtime.now() - at).to.be.lessThan(5000);
      });
    }
  }

  it('are sent at once when what created them is stored only after due times were read', async () => {
    const hooks = await createHooks();
    const { deps, clock } = hooks;
    await hooks.make({ eventTypes: ['NON_RENEWING_PURCHASE'] });
    const late = storingLate(deps.docs, isInsertion);
    hooks.restart({ ...deps, docs: late.docs });
    await grantPromotional(deps, hooks.by(), hooks.projectId, 'user1', grant);
    const error: unknown = await hooks.fan().catch((err: unknown) => err);
    expect(error).to.be.instanceOf(Unavailable);
    clock.set(isoFromMs(msFromIso(clock.iso()) + 20_000));
    await hooks.worker().sender.round();
    await late.store();
    await hooks.fan();
    await hooks.worker().sender.round();
    await hooks.worker().sender.idle();
    expect(hooks.receiver.arrived).to.have.length(1);
    expect((await hooks.all()).map(({ state }) => state)).to.deep.equal(['delivered']);
  });
});

/** The first such write gets no response, and has its effect when `store` is called. */
function storingLate(docs: DocStore, isMeant: (write: Write) => boolean) {
  let waiting: Parameters<DocStore['write']>[0] | null = null;
  const write: DocStore['write'] = async (stages) => {
    if (waiting || !stages.flat().some(isMeant)) return docs.write(stages);
    waiting = stages;
    throw new Unavailable('no response');
  };
  return { docs: { ...docs, write }, store: () => docs.write(waiting ?? []) };
}
