// `subledger reprocess` beside a running service, and on the data of a stopped one.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ReprocessResult } from '../../src/commands/stores/inbox/reprocess.js';
import { aboutSubscription, pushBody } from '../../simulator/android-store/payloads.js';
import { runCommand } from '../../src/commands/handling/run-command.js';
import { inboxDecider } from '../../src/domain/inbox/inbox.js';
import { streams } from '../../src/domain/streams.js';
import { isoFromMs } from '../../src/domain/time.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type Slice,
} from '../http/support/harness.js';
import { subledger } from './command-line.js';

const DAY_MS = 86_400_000;

describe('kept notifications on the command line', function () {
  this.timeout(120_000);
  const now = Date.now();
  const bought = (id: string) => {
    const times = { purchaseDate: now, originalPurchaseDate: now, expiresDate: now + 30 * DAY_MS };
    const transaction = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990, ...times };
    const fields = { notificationType: 'SUBSCRIBED', signedDate: now, transaction };
    return notification({ ...fields, notificationUUID: `uuid-${id}` }).signedPayload;
  };
  const run = async (dataDir: string, ...args: string[]): Promise<ReprocessResult> => {
    const env = { DATA_DIR: dataDir, IOS_STORE_ROOT_CERTIFICATES: join(dataDir, '..', 'root.pem') };
    const { code, stdout, stderr } = await subledger(['reprocess', '--json', ...args], env);
    expect(code, stderr).to.equal(0);
    return JSON.parse(stdout);
  };
  const customers = async (harness: Harness, { projectId, secretKey }: Slice) => {
    await harness.service().idle();
    const path = `/v1/projects/${projectId}/customers`;
    return (await harness.call('GET', path, undefined, { key: secretKey })).body.items.length;
  };

  it('run again while it serves: shown first, then added once', async () => {
    const harness = await startHarness();
    const slice = await setUpProject(harness);
    const { deps } = harness.service().services;
    // State left by a version without this type: `decoded` lacks the fields that it did not read.
    const rawBody = JSON.stringify({ signedPayload: bought('81') });
    const stream = streams.inbox(slice.appId, deps.hash('notification', slice.appId, 'uuid-81'));
    const inboxId = stream.slice('inbox-'.length);
    const about = { inboxId, appId: slice.appId };
    const kind = { notificationType: 'SUBSCRIBED', subtype: null, store: 'ios-store' as const };
    const kept = { ...about, ...kind, key: 'uuid-81', rawBody, decoded: {}, signedAt: isoFromMs(now) };
    const result = { ...about, outcome: 'ignored_unknown_type' as const, reason: null, eventIds: [] };
    const commands = [
      { kind: 'receive' as const, notification: kept },
      { kind: 'finish' as const, isTest: false, result },
    ];
    const actor = { kind: 'store' as const, id: 'ios-store' };
    const ctx = { commandId: `n|${inboxId}`, correlationId: stream, actor, projectId: slice.projectId };
    await runCommand(deps, stream, inboxDecider, commands, ctx);
    expect(await customers(harness, slice)).to.equal(0);

    const dry = await run(harness.dataDir, '--dry-run');
    expect(dry.changes.map(({ outcome, events }) => [outcome, ...events.map(({ type }) => type)])).to.deep.equal([
      ['applied', 'PurchaseClaimed', 'CustomerCreated', 'SubscriptionStarted'],
    ]);
    expect(await customers(harness, slice)).to.equal(0);
    const wet = await run(harness.dataDir, '--since', isoFromMs(now - DAY_MS));
    expect(wet).to.deep.equal({ ...dry, dryRun: false });
    expect(await customers(harness, slice)).to.equal(1);
    const again = { dryRun: false, read: 1, changed: 0, added: 0, left: 0, changes: [], notRun: [], stoppedAt: null };
    expect(await run(harness.dataDir)).to.deep.equal(again);
    expect((await run(harness.dataDir, '--since', isoFromMs(Date.now() + DAY_MS))).read).to.equal(0);
    await harness.stop();
  });

  it('run on the data of a stopped service, also pending ones', async () => {
    const receiving = await startHarness();
    const slice = await setUpProject(receiving);
    await receiving.service().stop();
    const own = { DATA_DIR: receiving.dataDir, IOS_STORE_ROOT_CERTIFICATES: join(receiving.dataDir, '..', 'root.pem') };
    const deaf = await startHarness({ ...own, ROLES: 'http,projector' });
    const sent = await deaf.call('POST', slice.notificationPath, { signedPayload: bought('82') });
    expect(sent.status).to.equal(200);
    await deaf.service().stop();
    expect((await run(receiving.dataDir)).changes.map(({ outcome }) => outcome)).to.deep.equal(['applied']);
    const again = await startHarness(own);
    expect(await customers(again, slice)).to.equal(1);
    await again.service().stop();
    rmSync(join(receiving.dataDir, '..'), { recursive: true, force: true });
  });

  it('exit with 1 where some could not be processed, and name them', async () => {
    const harness = await startHarness();
    const { projectId, token } = await setUpProject(harness);
    const app = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    const { body } = await harness.call('POST', `/v1/projects/${projectId}/apps`, app, { token });
    const about = aboutSubscription('PURCHASED', 'token-1');
    const push = pushBody({ packageName: app.packageName, atMs: now, messageId: '1', kind: about });
    const path = new URL(body.notificationUrl).pathname;
    const sent = await harness.call('POST', path, push);
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
    await harness.service().idle();
    const { code, stdout } = await subledger(['reprocess', '--json'], { DATA_DIR: harness.dataDir });
    await harness.stop();
    const { left, notRun } = JSON.parse(stdout) as ReprocessResult;
    expect([code, left, notRun.map(({ store }) => store)]).to.deep.equal([1, 1, ['android-store']]);
    expect(notRun[0]?.reason).to.match(/credentials/);
  });

  it('need an instant that is one', async () => {
    const { code, stderr } = await subledger(['reprocess', '--since', 'yesterday'], { DATA_DIR: '/nowhere' });
    expect([code, stderr.includes('give an instant such as')]).to.deep.equal([2, true]);
  });
});
