// Parked events that somebody asks to be tried again: taken out when they are handled, kept with the newest error when they are not.
import { expect } from 'chai';
import { Unavailable } from '../../../src/domain/errors.js';
import { reactionCheckpointCollection, type Reaction } from '../../../src/workers/reactions/reaction.js';
import { requestRetry, listParkedEvents, retryRequested } from '../../../src/workers/reactions/parked.js';
import { customer } from '../../projections/support/customer-events.js';
import { logOf } from '../../projections/support/spec.js';
import { eventsOf, fakeRuntime } from '../../commands/support/memory-deps.js';
import { reactionRig, until } from '../rig.js';

const ann = customer('ann');
const { signal } = new AbortController();

async function parkedRig() {
  const log = await logOf([ann.created(), ann.subscribed()]);
  const rig = await reactionRig(log, fakeRuntime().runtime);
  let fails: Error | null = new Error('broken');
  const handled: string[] = [];
  const reaction: Reaction = {
    name: 'test',
    families: ['subscriber'],
    serialKeyOf: (event) => event.stream,
    handle: (event) => {
      if (fails) return Promise.reject(fails);
      handled.push(event.id);
      return Promise.resolve();
    },
  };
  const ids = (await eventsOf(log)).map(({ id }) => id);
  const run = async () => {
    const running = rig.start(reaction);
    await until(() => rig.progress.at('test') !== undefined && rig.lines.filter(isParking).length >= ids.length);
    await running.stop();
  };
  await run();
  return {
    ...rig,
    ids,
    handled,
    run,
    fail: (err: Error | null) => void (fails = err),
    ask: (named: string | null) => requestRetry(rig.docs, 1000, named),
    retry: () => retryRequested([reaction], rig.deps, signal),
  };
}
const isParking = ({ msg }: { readonly msg?: unknown }) => msg === 'event parked';

describe('retries of parked events', () => {
  it('handle the requested ones only', async () => {
    const { docs, ids, handled, fail, ask, retry } = await parkedRig();
    fail(null);
    await retry();
    expect(handled).to.deep.equal([]);
    expect(await ask(ids[1] ?? '')).to.deep.equal([`test|${ids[1]}`]);
    await retry();
    expect(handled).to.deep.equal([ids[1]]);
    expect((await listParkedEvents(docs)).map(({ eventId }) => eventId)).to.deep.equal([ids[0]]);
    await ask(null);
    await retry();
    expect(await listParkedEvents(docs)).to.deep.equal([]);
  });

  it('keep what fails again, with its newest error, until the next request', async () => {
    const { docs, fail, ask, retry } = await parkedRig();
    fail(new Error('still broken'));
    await ask(null);
    await retry();
    const parked = await listParkedEvents(docs);
    expect(parked.map(({ retryRequestedAt }) => retryRequestedAt)).to.deep.equal(['', '']);
    expect(parked[0]?.error).to.contain('still broken');
  });

  it('keep the request while a dependency is unavailable', async () => {
    const { docs, fail, ask, retry } = await parkedRig();
    fail(new Unavailable('away'));
    await ask(null);
    const error = await retry().catch((err: unknown) => err);
    expect(error).to.be.instanceOf(Unavailable);
    expect((await listParkedEvents(docs)).every(({ retryRequestedAt }) => retryRequestedAt !== '')).to.equal(true);
  });

  it('can be needed again for a handled event that is delivered again', async () => {
    const { docs, fail, ask, retry, run, lines } = await parkedRig();
    fail(null);
    await ask(null);
    await retry();
    fail(new Error('broken anew'));
    // Same state as after a crash before the cursor was saved.
    const stored = (await docs.get(reactionCheckpointCollection.name, ['test'])).get('test');
    await docs.write([
      [{ c: reactionCheckpointCollection.name, id: 'test', expect: stored?.guard ?? null, guard: '99', doc: null }],
    ]);
    lines.length = 0;
    await run();
    expect((await listParkedEvents(docs)).map(({ error }) => error.includes('anew'))).to.deep.equal([true, true]);
  });
});
