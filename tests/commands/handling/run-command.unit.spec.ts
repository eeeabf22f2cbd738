// Running a command: decided on the state in the log, once per command ID, repeated after a conflicting write.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { runCommand, type CommandContext } from '../../../src/commands/handling/run-command.js';
import { Rejection, Unavailable } from '../../../src/domain/errors.js';
import type { NewEvent, StreamName } from '../../../src/domain/envelope.js';
import { eventId } from '../../../src/domain/ids.js';
import { streams } from '../../../src/domain/streams.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import type { SubscriberCommand } from '../../../src/domain/subscriber/decide/commands.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { BEGIN, eventsOf, memoryDeps } from '../support/memory-deps.js';

const stream = streams.subscriber('proj_1', 'cus_ann');
const register: SubscriberCommand = { kind: 'registerCustomer', appUserId: 'ann', source: 'api' };
const attribute = (value: string): SubscriberCommand => ({
  kind: 'setAttributes',
  changes: [{ key: 'team', value, updatedAt: BEGIN, receivedAt: BEGIN }],
});
const ctx = (commandId: string): CommandContext => ({
  commandId,
  actor: { kind: 'user', id: 'user_1' },
  correlationId: 'req_1',
  projectId: 'proj_1',
});

async function rigged(wrapLog?: (log: EventLog) => EventLog) {
  const { deps, clock, sleeps } = await memoryDeps(wrapLog);
  const run = (commandId: string, ...commands: SubscriberCommand[]) =>
    runCommand(deps, stream, subscriberDecider, commands, ctx(commandId));
  return { deps, clock, sleeps, run, events: () => eventsOf(deps.log) };
}

/** Before each of the next `times` appends to the stream somebody else appends to it. */
function contested(times: number) {
  let left = times;
  return (log: EventLog): EventLog => ({
    ...log,
    append: async (to: StreamName, expected, events: readonly NewEvent[]) => {
      if (left > 0 && expected !== 'none') {
        left--;
        const [event] = events;
        if (event)
          await log.append(to, 'any', [
            {
              ...event,
              id: `${event.id.slice(0, -4)}${String(1000 + left)}`,
              meta: { ...event.meta, commandId: `other_${left}` },
            },
          ]);
      }
      return log.append(to, expected, events);
    },
  });
}

describe('running a command', () => {
  it('appends what was decided, with all that support will ask', async () => {
    const { run, events } = await rigged();
    const result = await run('c1', register, attribute('red'));
    const stored = await events();
    expect(stored.map((e) => [e.type, e.revision, e.meta])).to.deep.equal(
      ['CustomerCreated', 'CustomerAttributesUpdated'].map((type, i) => [
        type,
        i,
        {
          at: BEGIN,
          recordedAt: BEGIN,
          actor: { kind: 'user', id: 'user_1' },
          commandId: 'c1',
          causationId: 'c1',
          correlationId: 'req_1',
          projectId: 'proj_1',
        },
      ]),
    );
    expect(result).to.deep.include({ revision: 1, position: stored[1]?.position, eventIds: stored.map((e) => e.id) });
    expect(result.state.profile.appUserId).to.equal('ann');
  });

  it('names events by stream, command and place', async () => {
    const { run } = await rigged();
    const { eventIds } = await run('c1', register, attribute('red'));
    expect(eventIds).to.deep.equal([eventId(stream, 'c1', 0), eventId(stream, 'c1', 1)]);
  });

  it('decides several commands each on what the one before left', async () => {
    const { run } = await rigged();
    const { eventIds } = await run('c1', register, attribute('red'), attribute('red'), register);
    expect(eventIds).to.have.length(2);
  });

  it('appends all of several commands or nothing', async () => {
    const { run, events } = await rigged();
    const revoke: SubscriberCommand = { kind: 'revokePromotional', entitlementId: 'ent_1', now: BEGIN };
    const outcome = await run('c1', register, revoke).catch((err: unknown) => err);
    expect(outcome).to.be.instanceOf(Rejection);
    expect(await events()).to.deep.equal([]);
  });

  it('appends nothing when it is so already', async () => {
    const { run, events } = await rigged();
    await run('c1', register);
    const { eventIds, position, revision } = await run('c2', register);
    const [only, ...others] = await events();
    expect([eventIds, position, revision]).to.deep.equal([[], only?.position, 0]);
    expect(others).to.deep.equal([]);
  });

  it('answers a repeated command id as before, whatever it would decide now', async () => {
    const { run, events } = await rigged();
    await run('c1', register);
    const first = await run('c2', attribute('red'));
    await run('c3', attribute('blue'));
    const again = await run('c2', attribute('red'));
    const stored = await events();
    expect([again.eventIds, again.position]).to.deep.equal([first.eventIds, stored.at(-1)?.position]);
    expect(again.state.profile.attributes[0]?.v).to.equal('blue');
    expect(stored).to.have.length(3);
  });

  it('decides again when another writer was first', async () => {
    const { run, events, sleeps } = await rigged(contested(1));
    await run('c1', register);
    const { state, revision } = await run('c2', attribute('red'), attribute('blue'));
    expect([state.profile.attributes[0]?.v, revision]).to.deep.equal(['blue', 2]);
    expect(sleeps).to.have.length(1);
    expect((await events()).map((e) => e.meta.commandId)).to.deep.equal(['c1', 'other_0', 'c2']);
  });

  it('finds that nothing is left to do when another writer did it', async () => {
    const { run, events } = await rigged(contested(1));
    await run('c1', register);
    const { eventIds } = await run('c2', attribute('red'));
    expect(eventIds).to.deep.equal([]);
    expect(await events()).to.have.length(2);
  });

  it('tries again five times and then is refused as too busy', async () => {
    const grow = (log: EventLog): EventLog => {
      let count = 0;
      return {
        ...log,
        append: async (to, expected, events) => {
          const [event] = events;
          if (event && expected !== 'none') {
            const id = `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`;
            const data = { attributes: { [`k${count}`]: { value: 'x', updatedAt: BEGIN } } };
            await log.append(to, 'any', [{ ...event, id, data, meta: { ...event.meta, commandId: id } }]);
          }
          return log.append(to, expected, events);
        },
      };
    };
    const { run, events, sleeps } = await rigged(grow);
    await run('c1', register);
    const outcome = await run('c2', attribute('red')).catch((err: unknown) => err);
    expect(outcome).to.be.instanceOf(Unavailable);
    expect([sleeps.length, (await events()).some((e) => e.meta.commandId === 'c2')]).to.deep.equal([5, false]);
  });

  it('refuses a stream with events that only newer code knows', async () => {
    const newer = (log: EventLog): EventLog => ({
      ...log,
      async *read(from, after) {
        for await (const event of log.read(from, after)) yield { ...event, v: 99 };
      },
    });
    const { run, events } = await rigged(newer);
    await run('c1', register);
    const outcome = await run('c2', attribute('red')).catch((err: unknown) => String(err));
    expect(outcome).to.include('CustomerCreated v99 is newer than this code');
    expect(await events()).to.have.length(1);
  });

  it('never dates a stream back when the clock goes back', async () => {
    const { run, events, clock } = await rigged();
    await run('c1', register);
    clock.set('2026-11-20T09:00:00.000Z');
    await run('c2', attribute('red'));
    clock.set('2026-11-20T11:00:00.000Z');
    await run('c3', attribute('blue'));
    expect((await events()).map((e) => e.meta.recordedAt)).to.deep.equal([BEGIN, BEGIN, '2026-11-20T11:00:00.000Z']);
  });

  it('keeps an event’s own time in addition to the time of its record', async () => {
    const { run, events } = await rigged();
    await run('c1', { kind: 'registerCustomer', appUserId: 'ann', source: 'store', at: '2026-11-01T10:00:00.000Z' });
    const [event] = await events();
    expect([event?.meta.at, event?.meta.recordedAt]).to.deep.equal(['2026-11-01T10:00:00.000Z', BEGIN]);
  });

  for (const moment of ['before', 'after'] as const) {
    it(`makes no second event when an append failed ${moment} storing and is repeated`, async () => {
      const { run, events, deps } = await rigged(crashingLog);
      await run('c1', register);
      (deps.log as CrashingLog).failAt(1, moment);
      const outcome = await run('c2', attribute('red')).catch((err: unknown) => err);
      expect(outcome).to.be.instanceOf(Unavailable);
      const again = await run('c2', attribute('red'));
      const stored = (await events()).slice(1);
      expect(stored.map((e) => e.id)).to.deep.equal([eventId(stream, 'c2', 0)]);
      expect([again.eventIds, again.position, again.revision]).to.deep.equal([[stored[0]?.id], stored[0]?.position, 1]);
    });
  }
});
