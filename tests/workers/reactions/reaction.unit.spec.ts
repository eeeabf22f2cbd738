// Reactions: every event is done at least once, in the order of its serial key, and the checkpoint never passes one that is not.
import { expect } from 'chai';
import { Unavailable } from '../../../src/domain/errors.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import {
  ensureCheckpoint,
  reactionCheckpointCollection,
  type Reaction,
} from '../../../src/workers/reactions/reaction.js';
import { eventsOf, fakeRuntime } from '../../commands/support/memory-deps.js';
import { customer, DAY } from '../../projections/support/customer-events.js';
import { chance, withSeed } from '../../projections/support/seeded-random.js';
import { logOf } from '../../projections/support/spec.js';
import { reactionRig, until } from '../rig.js';

const [ann, ben] = [customer('ann'), customer('ben')];
const PAST = [ann.created(), ben.created(), ann.subscribed(), ben.granted(DAY(9)), ann.renewed()];

async function rigged(past = PAST, onWrite?: Parameters<typeof reactionRig>[2]) {
  const log = await logOf(past);
  const { runtime, sleeps } = fakeRuntime();
  const rig = await reactionRig(log, runtime, onWrite);
  const events = await eventsOf(log);
  const end = events.at(-1)?.position;
  return { ...rig, log, runtime, sleeps, events, end };
}

/** Writes down what it does: the place of each event among all, in the order in which they were done. */
function doer(events: readonly RecordedEvent[], work: (place: number) => Promise<void> = async () => undefined) {
  const done: number[] = [];
  const reaction: Reaction = {
    name: 'doer',
    families: ['subscriber'],
    serialKeyOf: (event) => event.stream,
    handle: async (event) => {
      const place = events.findIndex((e) => e.id === event.id);
      await work(place);
      done.push(place);
    },
  };
  return { done, reaction };
}

const away = (): never => {
  throw new Unavailable('away');
};

describe('reaction that must not handle the past', () => {
  it('handles every event since the first process started, of whatever role, and none before', async () => {
    const { deps, log, start, progress, checkpoint, end } = await rigged();
    const begun: string[] = [];
    const { reaction } = doer([]);
    const handled: string[] = [];
    const ofHead: Reaction = {
      ...reaction,
      startAt: async (head) => void begun.push(head),
      handle: async (event) => void handled.push(event.id),
    };
    // Two processes that start at the same moment, and one later: the first to write fixes the beginning.
    await Promise.all([ensureCheckpoint(ofHead, deps), ensureCheckpoint(ofHead, deps)]);
    expect(await checkpoint('doer')).to.equal(end);
    for (const n of [1, 2])
      await log.append(ann.stream, 'any', [{ ...NEW, id: `00000000-0000-4000-8000-00000000eee${n}` }]);
    await ensureCheckpoint(ofHead, deps);
    const last = await log.head();
    const run = start(ofHead);
    await until(() => progress.at('doer') === last);
    await run.stop();
    const recorded = (await eventsOf(log)).slice(PAST.length).map(({ id }) => id);
    expect(handled).to.deep.equal(recorded);
    expect(new Set(begun)).to.deep.equal(new Set([end]));
  });
});

describe('reaction', () => {
  it('handles each event once and starts after them next time', async () => {
    const { events, start, checkpoint, progress, end } = await rigged();
    const first = doer(events);
    const run = start(first.reaction);
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect([first.done.sort(), await checkpoint('doer')]).to.deep.equal([[0, 1, 2, 3, 4], end]);
    const second = doer(events);
    const again = start(second.reaction);
    await until(() => progress.at('doer') === end);
    await again.stop();
    expect(second.done).to.deep.equal([]);
  });

  it('handles events that are appended while it runs', async () => {
    const { events, start, log, progress, end } = await rigged();
    const run = start(doer(events).reaction);
    await until(() => progress.at('doer') === end);
    await log.append(ann.stream, 'any', [{ ...NEW, id: '00000000-0000-4000-8000-00000000ffff' }]);
    const head = await log.head();
    await until(() => progress.at('doer') === head);
    await run.stop();
  });

  it('passes events that are none of its own', async () => {
    const { events, start, checkpoint, progress, end } = await rigged();
    const { done, reaction } = doer(events);
    const run = start({ ...reaction, serialKeyOf: () => null });
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect([done, await checkpoint('doer')]).to.deep.equal([[], end]);
  });

  it('keeps the order under one key while other keys continue', async () => {
    const { events, start, progress, end } = await rigged();
    let tries = 0;
    const { done, reaction } = doer(events, async (place) => {
      if (place === 0 && ++tries < 4) away();
    });
    const run = start(reaction);
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect(done).to.deep.equal([1, 3, 0, 2, 4]);
  });

  it('retries with growing delays while a dependency is unavailable', async () => {
    const { events, start, progress, end, sleeps, parked, lines } = await rigged([ann.created()]);
    let tries = 0;
    const run = start(doer(events, async () => void (++tries < 10 && away())).reaction);
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect(sleeps).to.deep.equal([100, 200, 400, 800, 1600, 2000, 2000, 2000, 2000]);
    expect(await parked()).to.deep.equal([]);
    expect(lines[0]).to.include({ msg: 'dependency unavailable; retrying', reaction: 'doer' });
  });

  it('parks an event that cannot be handled, shows it, and passes it', async () => {
    const { events, start, checkpoint, progress, end, parked, lines } = await rigged();
    const { done, reaction } = doer(events, async (place) => {
      if (place === 2) throw new Error('no sense in this');
    });
    const run = start(reaction);
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect([done.sort(), await checkpoint('doer')]).to.deep.equal([[0, 1, 3, 4], end]);
    const [record, ...others] = await parked();
    expect(others).to.deep.equal([]);
    expect(record).to.include({ reaction: 'doer', eventId: events[2]?.id, position: events[2]?.position });
    expect(record?.['error']).to.include('no sense in this');
    expect(lines.map((l) => l['msg'])).to.include('event parked');
  });

  it('leaves the cursor before what a shutdown left undone, and does it first the next time', async () => {
    const { events, start, checkpoint, progress, end } = await rigged();
    let tries = 0;
    const first = doer(events, async (place) => {
      if (place === 2) {
        tries++;
        away();
      }
    });
    const run = start(first.reaction);
    await until(() => tries > 2 && first.done.length === 3);
    await run.stop();
    expect([first.done, await checkpoint('doer')]).to.deep.equal([[0, 1, 3], events[1]?.position]);
    const second = doer(events);
    const again = start(second.reaction);
    await until(() => progress.at('doer') === end);
    await again.stop();
    expect(second.done.filter((place) => place !== 3)).to.deep.equal([2, 4]);
  });

  it('does not pass an event that it could not even park', async () => {
    let failures = 3;
    const onWrite = ({ c }: { c: string }) => {
      if (c === 'parked_events' && failures-- > 0) throw new Error('disk full');
    };
    const { events, start, checkpoint, progress, end, parked, lines } = await rigged(PAST, { onWrite });
    const { done, reaction } = doer(events, async (place) => {
      if (place === 2) throw new Error('no sense in this');
    });
    const run = start(reaction);
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect([(await parked()).length, await checkpoint('doer')]).to.deep.equal([1, end]);
    expect(lines.filter((l) => l['msg'] === 'loop failed; restarting')).to.have.length(3);
    expect(done.indexOf(4), 'after its serial key').to.be.greaterThan(done.lastIndexOf(0));
  });

  it('stops when another process moves the same cursor', async () => {
    const { events, start, docs, lines } = await rigged();
    const { done, reaction } = doer(events);
    const run = start(reaction);
    await until(() => done.length === 5);
    const doc = { position: events[0]?.position };
    await docs.write([[{ c: reactionCheckpointCollection.name, id: 'doer', expect: null, guard: '77', doc }]]);
    await run.stop();
    expect(lines).to.deep.equal([]);
    expect((await docs.get(reactionCheckpointCollection.name, ['doer'])).get('doer')?.guard).to.equal('77');
  });

  it('begins no more than so many at once', async () => {
    const crowd = Array.from({ length: 300 }, (_, i) => customer(`p${i}`).created());
    const { events, start, progress, end } = await rigged(crowd);
    let [busy, most] = [0, 0];
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    const { done, reaction } = doer(events, async () => {
      most = Math.max(most, ++busy);
      await gate;
      busy--;
    });
    const run = start(reaction);
    await until(() => busy === 128);
    open();
    await until(() => progress.at('doer') === end);
    await run.stop();
    expect([most, done.length]).to.deep.equal([128, 300]);
  });

  it('saves a cursor only after handled or parked events, however long each event takes', async () => {
    for (let round = 0; round < 30; round++) {
      const random = chance();
      const names = ['ann', 'ben', 'cleo', 'dora'];
      const past = Array.from({ length: 40 }, (_, i) =>
        customer(names[random.below(4)] ?? '').created(DAY(1 + (i % 9))),
      );
      const finished = new Set<string>();
      let saved = 0;
      let events: readonly RecordedEvent[] = [];
      const onWrite = ({ c, doc }: { c: string; doc: { readonly [key: string]: unknown } | null }) => {
        if (c !== reactionCheckpointCollection.name) return;
        saved++;
        const passed = events.filter((e) => e.position <= String(doc?.['position']));
        expect(passed.filter((e) => !finished.has(e.id)).map((e) => e.position)).to.deep.equal([]);
      };
      const rig = await rigged(past, { onWrite });
      ({ events } = rig);
      const { reaction, done } = doer(events, async (place) => {
        await rig.runtime.sleep(random.below(700));
        if (random.below(6) === 0) away();
        finished.add(events[place]?.id ?? '');
        if (random.below(9) === 0) throw new Error('no sense in this');
      });
      await withSeed(random, async () => {
        for (let stops = 0; finished.size < events.length; stops++) {
          const run = rig.start(reaction);
          const goal = Math.min(events.length, finished.size + 1 + random.below(20));
          await until(() => finished.size >= goal);
          await run.stop();
        }
        expect(done.length + (await rig.parked()).length).to.be.at.least(events.length);
        expect(saved).to.be.greaterThan(0);
      });
    }
  });
});

const NEW = {
  type: 'CustomerMergedInto',
  data: { customerId: 'cus_x', appUserId: 'x' },
  meta: {
    at: DAY(9),
    recordedAt: DAY(9),
    actor: { kind: 'system', id: 'tests' },
    commandId: 'c',
    causationId: 'c',
    correlationId: 'c',
  },
} as const;
