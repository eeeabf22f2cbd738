// Passed deadlines become events: once, not when a notification came first, and a late notification can still correct them.
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { grantPromotional } from '../../../src/commands/subscribers/subscribers.js';
import { customers } from '../../../src/projections/models/customers.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { runDeadlines, processDeadlines } from '../../../src/workers/stores/deadlines.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { createProjectFixture } from '../../commands/support/project-fixture.js';
import { feedsOf, firstBuild, never, open, runAll } from '../../projections/support/builds.js';
import { listener, until } from '../rig.js';

const HOUR_MS = 3600_000;
const END = '2026-12-20T10:00:00.000Z';
const RENEWED = notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1' }));

async function rigged(wrapLog?: (log: EventLog) => EventLog) {
  const fixture = await createProjectFixture(wrapLog ? { wrapLog } : {});
  const { deps, clock } = fixture;
  await deps.docs.ensure([servingCollection]);
  const readModels = createReadModels(deps.docs, createServing(deps.docs, deps.runtime));
  const { logger, lines } = listener();
  const checkStore = () => Promise.resolve('pass' as const);
  const o = { deps, readModels, logger, slackMs: HOUR_MS, checkStore };
  const project = async () =>
    runAll(
      await open(deps.log, deps.docs, firstBuild(customers)),
      feedsOf(await eventsOf(deps.log), () => 100),
    );
  const pass = async (slack: 'store' | 'none' = 'store') =>
    processDeadlines(o, slack, slack === 'store' ? HOUR_MS : 0, never);
  const types = async () => (await eventsOf(deps.log)).map((e) => e.type);
  const count = async (type: string) => (await types()).filter((t) => t === type).length;
  return { ...fixture, o, lines, project, pass, count, at: (iso: string) => clock.set(iso) };
}

describe('deadlines worker', () => {
  it('records that a subscription ended, once, and with the time of the end', async () => {
    const { submit, project, pass, count, at, deps } = await rigged();
    await submit('ann', monthly());
    await project();
    at('2026-12-20T11:00:00.001Z');
    expect([await pass(), await pass()], 'also while the read model still lists it').to.deep.equal([1, 0]);
    await project();
    expect(await pass()).to.equal(0);
    expect(await count('SubscriptionExpired')).to.equal(1);
    const ended = (await eventsOf(deps.log)).find((e) => e.type === 'SubscriptionExpired');
    expect(ended?.meta.at).to.equal(END);
    expect(ended?.meta.actor).to.deep.equal({ kind: 'system', id: 'deadlines' });
  });

  it('leaves the store an hour to send its notification first', async () => {
    const { submit, project, pass, at } = await rigged();
    await submit('ann', monthly());
    await project();
    at('2026-12-20T10:59:59.999Z');
    expect(await pass()).to.equal(0);
  });

  it('records nothing for a renewed subscription, though the read model lags', async () => {
    const { submit, notify, project, pass, count, at } = await rigged();
    await submit('ann', monthly());
    await project();
    await notify(RENEWED);
    at('2026-12-21T10:00:00.000Z');
    expect(await pass()).to.equal(0);
    expect(await count('SubscriptionExpired')).to.equal(0);
  });

  it('is corrected by a renewal that is received late', async () => {
    const { submit, notify, project, pass, at, subscribers, count } = await rigged();
    await submit('ann', monthly());
    await project();
    at('2026-12-20T12:00:00.000Z');
    await pass();
    await notify(RENEWED);
    await project();
    const [ann] = await subscribers();
    expect(ann?.state.profile.subscriptions[0]).to.deep.include({
      ended: null,
      contractEndsAt: '2027-01-19T10:00:00.000Z',
    });
    expect(await pass()).to.equal(0);
    at('2027-01-19T12:00:00.000Z');
    expect(await pass()).to.equal(1);
    expect(await count('SubscriptionExpired')).to.equal(2);
  });

  it('ends a promotional grant to the millisecond', async () => {
    const { deps, by, projectId, project, pass, count, at } = await rigged();
    const forAWeek = { entitlement: 'pro', duration: 'weekly', expiresAt: null, startsAt: null } as const;
    await grantPromotional(deps, by(), projectId, 'ann', forAWeek);
    await project();
    at('2026-11-27T10:00:00.000Z');
    expect(await pass('none')).to.equal(0);
    at('2026-11-27T10:00:00.001Z');
    expect(await pass('none')).to.equal(1);
    expect(await count('EntitlementGrantExpired')).to.equal(1);
  });

  it('ends nothing twice, and nothing late, when the clock goes back an hour and on again', async () => {
    const { submit, project, pass, count, at, deps } = await rigged();
    await submit('ann', monthly());
    await submit('ben', monthly({ transactionId: 'tx_9', originalTransactionId: 'tx_9' }));
    await project();
    at('2026-12-20T11:00:00.001Z');
    expect(await pass()).to.equal(2);
    at('2026-12-20T10:00:00.001Z');
    expect(await pass()).to.equal(0);
    await project();
    await submit('cid', monthly({ transactionId: 'tx_8', originalTransactionId: 'tx_8' }));
    await project();
    expect(await pass(), 'what ended an hour ago by the clock before, and not by this one').to.equal(0);
    at('2026-12-20T11:00:00.001Z');
    expect(await pass()).to.equal(1);
    expect(await count('SubscriptionExpired')).to.equal(3);
    const dates = new Map<string, string>();
    for (const { stream, meta } of await eventsOf(deps.log)) {
      expect(meta.recordedAt >= (dates.get(stream) ?? ''), stream).to.equal(true);
      dates.set(stream, meta.recordedAt);
    }
  });

  it('processes more than a page of them', async () => {
    const { submit, project, pass, at } = await rigged();
    for (let i = 0; i < 450; i++) {
      await submit(`p${i}`, monthly({ transactionId: `tx_${i}`, originalTransactionId: `tx_${i}` }));
    }
    await project();
    at('2027-01-01T10:00:00.000Z');
    expect(await pass()).to.equal(450);
  });

  it('handles the other deadlines when one fails, and logs that one', async () => {
    let unreadable = '';
    const wrapLog = (log: EventLog): EventLog => ({
      ...log,
      read: (stream, after) => {
        if (stream === unreadable) throw new Error('newer than this code');
        return log.read(stream, after);
      },
    });
    const { submit, project, pass, at, subscribers, lines } = await rigged(wrapLog);
    await submit('ann', monthly());
    await submit('ben', monthly({ transactionId: 'tx_9', originalTransactionId: 'tx_9' }));
    await project();
    unreadable = (await subscribers())[0]?.stream ?? '';
    at('2026-12-20T12:00:00.000Z');
    expect(await pass()).to.equal(1);
    expect(lines.map((l) => l['msg'])).to.deep.equal(['could not process deadline']);
  });

  it('looks again every second until it is stopped', async () => {
    const { submit, project, at, o, sleeps, lines } = await rigged();
    await submit('ann', monthly());
    await project();
    at('2026-12-20T11:59:00.000Z');
    const stopping = new AbortController();
    const ended = runDeadlines(o, stopping.signal, () => false);
    await until(() => lines.length > 0);
    await until(() => sleeps.length > 3);
    stopping.abort();
    await ended;
    expect(lines.map((l) => [l['msg'], l['passed'], l['ended']])).to.deep.equal([['deadlines processed', 1, 0]]);
    expect(new Set(sleeps)).to.deep.equal(new Set([1000]));
  });
});
