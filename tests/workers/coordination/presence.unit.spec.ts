// Deliveries of a process that was killed: another process frees them, also when the killed one held no lease.
import { expect } from 'chai';
import { buildInsertion } from '../../../src/adapters/documents/records.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { keepPresence, presenceCollection } from '../../../src/workers/coordination/presence.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { listener } from '../rig.js';
import { clocks } from './clocks.js';

const CLAIMED_FOR_MS = 60_000;

async function rig() {
  const docs = createMemoryDocuments();
  await docs.ensure([presenceCollection, deliveryCollection]);
  const { runtimeOf, pass } = clocks();
  const store = { isAway: false };
  const unlessAway = <A extends unknown[], R>(call: (...args: A) => Promise<R>) => {
    return (...args: A) => (store.isAway ? Promise.reject(new Unavailable('away')) : call(...args));
  };
  /** Starts a process; `kill` leaves its writes without response for ever. */
  const start = (owner: string, aheadMs = 0) => {
    const stopping = new AbortController();
    const life = { isKilled: false };
    const write: typeof docs.write = (...args) => (life.isKilled ? new Promise(() => undefined) : docs.write(...args));
    const outage = { scan: unlessAway(docs.scan), get: unlessAway(docs.get), write: unlessAway(write) };
    const deps = { docs: { ...docs, ...outage }, runtime: runtimeOf(aheadMs), logger: listener().logger, owner };
    const ended = keepPresence(deps, stopping.signal);
    return {
      kill: () => void (life.isKilled = true),
      stop: async () => {
        stopping.abort();
        await ended;
      },
    };
  };
  const claim = async (id: string, claimedBy: string) => {
    const fields = { gate: 'late', lane: 'a', endpointId: 'a', place: '1', createdAt: '', causeId: '', customerId: '' };
    const dueAt = new Date(runtimeOf(0).now() + CLAIMED_FOR_MS).toISOString();
    await docs.write([[buildInsertion<string>(deliveryCollection.name, id, { ...fields, dueAt, claimedBy })]]);
  };
  const claimants = async () => {
    const { rows } = await docs.scan(deliveryCollection.name, { index: 'id', eq: [], limit: 10 });
    return rows.map(({ doc }) => doc['claimedBy']);
  };
  const present = async () => {
    const { rows } = await docs.scan(presenceCollection.name, { index: 'id', eq: [], limit: 10 });
    return rows.map(({ id }) => id);
  };
  return { start, claim, claimants, present, pass, store };
}

describe('the presence of a process that sends webhooks', () => {
  it('frees the deliveries of a killed process within eleven seconds, and of no other process', async () => {
    const { start, claim, claimants, present, pass } = await rig();
    const living = start('living');
    const killed = start('killed', 3_600_000);
    await pass(5000);
    await claim('one', 'killed');
    await claim('two', 'living');
    killed.kill();
    await pass(7000);
    expect(await claimants()).to.deep.equal(['killed', 'living']);
    await pass(4000);
    expect([await claimants(), await present()]).to.deep.equal([[null, 'living'], ['living']]);
    await living.stop();
    expect(await present()).to.deep.equal([]);
  });

  // Either process may be the first to renew once the store is back.
  for (const outageMs of [28_000, 28_500, 29_000, 29_500, 30_000])
    it(`takes nothing from processes that could not renew while the store was away for ${outageMs} ms`, async () => {
      const { start, claim, claimants, present, pass, store } = await rig();
      const one = start('one');
      await pass(700);
      const two = start('two');
      await pass(3700);
      await claim('one', 'one');
      await claim('two', 'two');
      store.isAway = true;
      await pass(outageMs);
      store.isAway = false;
      await pass(20_000);
      expect(await claimants()).to.deep.equal(['one', 'two']);
      expect(await present()).to.deep.equal(['one', 'two']);
      await one.stop();
      await two.stop();
    });

  it('takes nothing from a process that ended and has finished its deliveries', async () => {
    const { start, present, pass } = await rig();
    const [first, second] = [start('first'), start('second')];
    await pass(3000);
    await first.stop();
    expect(await present()).to.deep.equal(['second']);
    await pass(20_000);
    expect(await present()).to.deep.equal(['second']);
    await second.stop();
  });
});
