// Kept notifications run again: what an older translator passed over is added, what was recorded already is not recorded twice.
import { expect } from 'chai';
import { MAX_LISTED, reprocess } from '../../../src/commands/stores/inbox/reprocess.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import type { StoredNotification } from '../../../src/commands/stores/store-integration.js';
import { runCommand } from '../../../src/commands/handling/run-command.js';
import { inboxDecider } from '../../../src/domain/inbox/inbox.js';
import { inboxOn, reactionRig, until } from '../../workers/rig.js';
import { eventsOf } from '../support/memory-deps.js';
import { monthly, notification, renewal } from '../support/store-data.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';

const { signal } = new AbortController();
const chain = { originalTransactionId: 'tx_1' };
const NOTIFICATIONS = [
  notification('SUBSCRIBED', monthly(), { renewal: { autoRenewStatus: 1 } }),
  notification('DID_CHANGE_RENEWAL_STATUS', monthly(), { subtype: 'AUTO_RENEW_DISABLED' }),
  notification('CONSUMPTION_REQUEST', monthly()),
  notification('DID_RENEW', renewal(chain), { renewal: { autoRenewStatus: 0 } }),
  notification('REFUND', renewal({ ...chain, revocationDate: renewal().purchaseDate + 5000 })),
];

const NOTHING = { changed: 0, added: 0, left: 0, changes: [], notRun: [], stoppedAt: null };

async function fixture() {
  const made = await createProjectFixture();
  await made.deps.docs.ensure([parkedEventCollection]);
  const run = (dryRun: boolean, since: string | null = null) => reprocess(made.deps, { since, dryRun }, signal);
  const types = async () => (await eventsOf(made.deps.log)).map(({ type }) => type);
  return { ...made, run, types };
}

/** Processes a notification like a translator that does not support its type. */
async function passOver({ deps }: ProjectFixture, { data, stream, meta }: StoredNotification): Promise<void> {
  const { inboxId, appId } = data;
  const result = { inboxId, appId, outcome: 'ignored_unknown_type' as const, reason: null, eventIds: [] };
  const command = { kind: 'finish' as const, isTest: false, result };
  const ctx = { commandId: `f|${inboxId}`, correlationId: stream, actor: meta.actor };
  await runCommand(deps, stream, inboxDecider, [command], ctx);
}

async function received({ deps }: ProjectFixture): Promise<readonly StoredNotification[]> {
  return (await eventsOf(deps.log)).filter((e): e is StoredNotification => e.type === 'StoreNotificationReceived');
}

describe('notifications run again', () => {
  it('add nothing when the translator is the same', async () => {
    const { notify, run, types } = await fixture();
    for (const one of NOTIFICATIONS) await notify(one);
    const before = await types();
    expect(before).to.include.members(['SubscriptionRenewed', 'ConsumptionInformationRequested']);
    for (const dryRun of [true, false]) {
      expect(await run(dryRun)).to.deep.equal({ dryRun, read: NOTIFICATIONS.length, ...NOTHING });
    }
    expect(await types()).to.deep.equal(before);
  });

  it('add what an older translator did not know, once, and list it in a dry run', async () => {
    const made = await fixture();
    const { notify, receive, run, types } = made;
    const [first, ...others] = NOTIFICATIONS;
    if (first) await notify(first);
    for (const one of others) {
      await receive(one);
      for (const event of (await received(made)).slice(1)) await passOver(made, event);
    }
    const before = await types();
    const dry = await run(true);
    expect(await types()).to.deep.equal(before);
    const wet = await run(false);
    expect(dry).to.deep.equal({ ...wet, dryRun: true });
    const added = (await types()).slice(before.length);
    const isOfCustomer = (type: string) => type !== 'StoreNotificationReprocessed';
    expect(wet.changes.flatMap(({ events }) => events.map(({ type }) => type))).to.deep.equal(
      added.filter(isOfCustomer),
    );
    expect(added.filter(isOfCustomer)).to.deep.equal([
      'SubscriptionAutoRenewDisabled',
      'ConsumptionInformationRequested',
      'SubscriptionRenewed',
      'TransactionRefunded',
      'SubscriptionExpired',
    ]);
    expect(wet.changes).to.have.length(4);
    expect((await run(false)).changes).to.deep.equal([]);
    expect(await types()).to.have.length(before.length + added.length);
  });

  it('are those since an instant', async () => {
    const made = await fixture();
    for (const [i, one] of NOTIFICATIONS.entries()) {
      made.clock.set(`2026-11-2${i}T10:00:00.000Z`);
      await made.receive(one);
    }
    const { read, changes } = await made.run(true, '2026-11-23T10:00:00.000Z');
    expect([read, changes.length]).to.deep.equal([2, 2]);
  });

  it('of a large log are counted, and the first of them listed', async () => {
    const { receive, run } = await fixture();
    const many = MAX_LISTED + 20;
    for (let i = 0; i < many; i++) {
      const ids = { transactionId: `many_${i}`, originalTransactionId: `many_${i}` };
      await receive({ ...notification('SUBSCRIBED', monthly(ids)), notificationUUID: `many-${i}` });
    }
    const { changes, ...counts } = await run(false);
    const all = { read: many, changed: many, added: many * 3 };
    expect(counts).to.deep.equal({ dryRun: false, ...all, left: 0, notRun: [], stoppedAt: null });
    expect(changes).to.have.length(MAX_LISTED);
    expect(await run(false)).to.deep.equal({ dryRun: false, read: many, ...NOTHING });
  });

  it('are tried up to the limit of memory, and the position is reported', async () => {
    const { deps, clock, receive } = await fixture();
    for (const [i, one] of NOTIFICATIONS.entries()) {
      clock.set(`2026-11-2${i}T10:00:00.000Z`);
      await receive(one);
    }
    const tried = await reprocess(deps, { since: null, dryRun: true, mostDrafts: 3 }, signal);
    expect(tried).to.include({ read: 1, added: 3, stoppedAt: '2026-11-21T10:00:00.000Z' });
  });

  it('take one that was parked back', async () => {
    const made = await fixture();
    const { deps, receive, run, types } = made;
    const [first] = NOTIFICATIONS;
    if (first) await receive(first);
    const rig = await reactionRig(deps.log, deps.runtime);
    const broken = { ...inboxOn(deps), handle: () => Promise.reject(new Error('not understood')) };
    const started = rig.start(broken);
    await until(() => rig.progress.at('inbox') !== undefined && rig.lines.length > 0, 'the event parked');
    await started.stop();
    expect(await rig.parked()).to.have.length(1);
    const here = { ...deps, docs: rig.docs };
    const { changes } = await reprocess(here, { since: null, dryRun: false }, signal);
    expect(changes.map(({ outcome }) => outcome)).to.deep.equal(['applied']);
    expect((await rig.parked()).filter((doc) => doc !== null)).to.deep.equal([]);
    expect(await types()).to.include.members(['SubscriptionStarted', 'StoreNotificationProcessed']);
    expect((await run(false)).changes).to.deep.equal([]);
  });
});
