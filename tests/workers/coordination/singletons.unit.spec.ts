// Followers of the log that make no progress: they give their lease up, and their process ends when that does not help.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { buildInsertion } from '../../../src/adapters/documents/records.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { lockCollection } from '../../../src/commands/handling/shared-mutex.js';
import { Unavailable } from '../../../src/domain/errors.js';
import type { LogPosition } from '../../../src/domain/envelope.js';
import { createProgress, type Progress } from '../../../src/projections/runtime/progress.js';
import { leaseCollection } from '../../../src/workers/coordination/lease.js';
import { createSingletons } from '../../../src/workers/coordination/singleton.js';
import { superviseLoop } from '../../../src/workers/coordination/supervise.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { listener } from '../rig.js';
import { clocks } from './clocks.js';

const LIMIT_MS = 60_000;
const at = (n: number) => String(n).padStart(20, '0') as LogPosition;
const forEver = new Promise<never>(() => undefined);

type Part = { readonly signal: AbortSignal; readonly progress: Progress; readonly onOutcome: () => void };
type Work = (part: Part) => Promise<void>;

async function rig() {
  const docs = createMemoryDocuments();
  await docs.ensure([leaseCollection, lockCollection, deliveryCollection]);
  const { runtimeOf, pass: passIn } = clocks();
  const pass = (ms: number) => passIn(ms, 500);
  const runtime = runtimeOf(0);
  const server = { head: at(1), isAway: false };
  const log = {
    head: async () => {
      if (server.isAway) throw new Unavailable('away');
      return server.head;
    },
  } as unknown as EventLog;
  const stuck: string[] = [];
  const stopping = new AbortController();
  const start = (owner: string, work: Work) => {
    const progress = createProgress();
    const common = { log, docs, runtime, logger: listener().logger, progress };
    const onStuck = () => void stuck.push(owner);
    const singletons = createSingletons({ isShared: true, owner, onStuck }, common, stopping.signal);
    const follower = { names: () => ['customers'], limitMs: LIMIT_MS };
    void singletons.run(
      'projector',
      (signal, { onOutcome, onFailure }) =>
        superviseLoop('projector', { ...common, onFailure }, signal, () => work({ signal, progress, onOutcome })),
      follower,
    );
    return { stalled: singletons.stalled };
  };
  const holder = async () => (await docs.get(leaseCollection.name, ['projector'])).get('projector')?.doc?.['owner'];
  return { docs, server, start, stuck, holder, pass, runtime, stop: () => stopping.abort() };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
/** Does nothing, until its lease is lost. */
const idle: Work = ({ signal }) => untilAborted(signal);
/** Waits for a call that never settles. */
const hanging: Work = () => forEver;

describe('a follower of the log that makes no progress', () => {
  it('is reported as stalled and gives its lease to another process, once its time is over', async () => {
    const { start, holder, pass, stuck, stop } = await rig();
    const first = start('first', idle);
    await pass(2000);
    const second = start('second', async ({ signal, progress, onOutcome }) => {
      progress.reportPosition('customers', at(1));
      onOutcome();
      await untilAborted(signal);
    });
    await pass(LIMIT_MS - 8000);
    expect([await holder(), first.stalled()]).to.deep.equal(['first', []]);
    await pass(20_000);
    expect([await holder(), first.stalled(), second.stalled()]).to.deep.equal(['second', [], []]);
    await pass(5 * LIMIT_MS);
    expect([await holder(), stuck]).to.deep.equal(['second', []]);
    stop();
  });

  it('ends its process when it does not end with its lease', async () => {
    const { start, pass, stuck, stop } = await rig();
    const { stalled } = start('first', hanging);
    await pass(LIMIT_MS + 10_000);
    expect([stalled(), stuck]).to.deep.equal([['projector'], []]);
    await pass(LIMIT_MS);
    expect(stuck).to.deep.equal(['first']);
    stop();
  });

  it('ends its process when it stalls again, with the next term', async () => {
    const { start, pass, stuck, stop } = await rig();
    start('first', idle);
    await pass(LIMIT_MS + 10_000);
    expect(stuck).to.deep.equal([]);
    await pass(LIMIT_MS + 20_000);
    expect(stuck).to.deep.equal(['first']);
    stop();
  });

  for (const [what, begin] of [
    ['no event waits for it', ({ server }) => (server.head = at(0))],
    ['the log cannot be read', ({ server }) => (server.isAway = true)],
  ] as [string, (r: Awaited<ReturnType<typeof rig>>) => unknown][])
    it(`keeps its lease while ${what}`, async () => {
      const r = await rig();
      begin(r);
      const { stalled } = r.start('first', async ({ signal, progress }) => {
        progress.reportPosition('customers', at(0));
        await untilAborted(signal);
      });
      await r.pass(5 * LIMIT_MS);
      expect([await r.holder(), stalled(), r.stuck]).to.deep.equal(['first', [], []]);
      r.stop();
    });

  it('gives its lease up when its attempts fail and its position stands, and stays stalled until it moves', async () => {
    const { start, pass, stuck, holder, stop } = await rig();
    const state = { isFailing: true };
    const first = start('first', async ({ signal, progress, onOutcome }) => {
      if (state.isFailing) throw new Unavailable('a page of the log does not arrive');
      progress.reportPosition('customers', at(1));
      onOutcome();
      await untilAborted(signal);
    });
    await pass(LIMIT_MS - 8000);
    expect([await holder(), first.stalled()]).to.deep.equal(['first', []]);
    await pass(12_000);
    expect([await holder(), first.stalled()]).to.deep.equal(['', ['projector']]);
    // Nobody else takes it. The next process would fail as well: it is not ended.
    await pass(5 * LIMIT_MS);
    expect([first.stalled(), stuck]).to.deep.equal([['projector'], []]);
    state.isFailing = false;
    await pass(20_000);
    expect([await holder(), first.stalled(), stuck]).to.deep.equal(['first', [], []]);
    stop();
  });

  it('hands its lease to a process that does better when its attempts fail', async () => {
    const { start, pass, stuck, holder, stop } = await rig();
    start('first', () => Promise.reject(new Unavailable('no')));
    await pass(2000);
    const second = start('second', async ({ signal, progress, onOutcome }) => {
      progress.reportPosition('customers', at(1));
      onOutcome();
      await untilAborted(signal);
    });
    await pass(LIMIT_MS + 20_000);
    expect([await holder(), second.stalled(), stuck]).to.deep.equal(['second', [], []]);
    stop();
  });

  it('keeps its lease while attempts fail but its position moves', async () => {
    const { start, pass, holder, server, stop } = await rig();
    server.head = at(999_999);
    let position = 0;
    const { stalled } = start('first', ({ progress }) => {
      progress.reportPosition('customers', at(++position));
      return Promise.reject(new Unavailable('now and then'));
    });
    await pass(3 * LIMIT_MS);
    expect([await holder(), stalled()]).to.deep.equal(['first', []]);
    stop();
  });
});

describe('work that does not end at a shutdown', () => {
  it('is not reported as stuck: the shutdown has a time limit of its own', async () => {
    const { start, pass, stuck, stop, server } = await rig();
    server.head = at(0);
    start('first', hanging);
    await pass(2000);
    stop();
    await pass(2 * LIMIT_MS);
    expect(stuck).to.deep.equal([]);
  });
});

describe('a process that ended', () => {
  it('leaves the deliveries that it had claimed to others as soon as its lease is taken', async () => {
    const { docs, start, pass, runtime, stop } = await rig();
    const claimedUntil = new Date(runtime.now() + 60_000).toISOString();
    const fields = { gate: 'late', lane: 'a', endpointId: 'a', place: '1', createdAt: '', causeId: '', customerId: '' };
    const claimedBy = (id: string, owner: string) =>
      buildInsertion<string>(deliveryCollection.name, id, { ...fields, dueAt: claimedUntil, claimedBy: owner });
    const lease = { owner: 'ended', until: claimedUntil, epoch: 1 };
    await docs.write([
      [
        claimedBy('of the ended', 'ended'),
        claimedBy('of another', 'another'),
        buildInsertion(leaseCollection.name, 'projector', lease),
      ],
    ]);
    start('second', idle);
    await pass(12_000);
    const found = await docs.get(deliveryCollection.name, ['of the ended', 'of another']);
    expect([...found.values()].map(({ doc }) => doc?.['claimedBy'])).to.have.members([null, 'another']);
    expect(String(found.get('of the ended')?.doc?.['dueAt']) < claimedUntil).to.equal(true);
    stop();
  });
});
