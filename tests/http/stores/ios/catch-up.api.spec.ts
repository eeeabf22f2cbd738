// Notifications that nobody responded are read from the store's history, once the app has credentials; the same door judges them.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { requestPastNotifications } from '../../../../src/commands/stores/past-notifications.js';
import { finishStoreTask, storeTaskCollection } from '../../../../src/commands/stores/tasks.js';
import { startIosStore, type SimulatedIosStore } from '../../../../simulator/ios-store/api-server.js';
import { createManualClock } from '../../support/manual-clock.js';
import { iosKey } from '../../support/store-credentials.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness, type Slice } from '../../support/harness.js';
import { poll } from '../../../fixtures/poll.js';

const NOW = Date.parse('2027-01-01T10:00:00.000Z');
const HOUR = 3_600_000;

describe('ios-store notifications that were never received', () => {
  let simulated: SimulatedIosStore;
  let harness: Harness;
  let slice: Slice;
  const clock = createManualClock(NOW);
  before(async () => {
    simulated = await startIosStore({ KEY1: iosKey() });
    harness = await startHarness(simulated.settings, clock.runtime);
    slice = await setUpProject(harness);
  });
  after(async () => {
    await harness.stop();
    await simulated.close();
  });

  const bought = (n: number, sentMs: number, more: object = {}) => {
    const transactionId = String(7_000_000 + n);
    const transaction = {
      transactionId,
      productId: MONTHLY,
      purchaseDate: sentMs,
      expiresDate: sentMs + 31 * 24 * HOUR,
    };
    const fields = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: sentMs, transaction };
    return notification({ ...fields, notificationUUID: randomUUID(), ...more });
  };
  const send = (n: number, sentMs: number, more: object = {}) => {
    simulated.notifications.push({ sentMs, signedPayload: bought(n, sentMs, more).signedPayload });
  };
  const known = async (n: number) => {
    const path = `/v1/projects/${slice.projectId}/customers?search=${7_000_000 + n}`;
    return (await harness.call('GET', path, undefined, { key: slice.secretKey })).body.items.length;
  };
  const register = async (keyId = 'KEY1') => {
    const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
    const body = { issuerId: 'issuer', keyId, privateKey: iosKey(), environment: 'production' };
    expect((await harness.call('POST', path, body, { key: slice.secretKey })).status).to.equal(201);
    await whenIdle();
  };
  /** First the task is taken up, then what it brought. */
  const whenIdle = async () => {
    await harness.service().idle();
    await harness.service().idle();
  };

  const PAGES = 31;
  const historiesAsked = () => simulated.requests.filter((path) => path.endsWith('/notifications/history')).length;
  /** All but some are not the store's: they cost nothing, and are passed over. */
  const sendMany = (first: number, sentMs: number) => {
    const nonsense = (count: number) => {
      for (let i = 0; i < count; i++) simulated.notifications.push({ sentMs, signedPayload: 'a.b.c' });
    };
    send(first, sentMs);
    nonsense(20 * (PAGES - 1));
    send(first + 1, sentMs);
  };

  it('is read when credentials come, whatever the number of pages', async () => {
    for (let n = 1; n <= 45; n++) send(n, NOW - 10 * HOUR);
    await harness.call('POST', slice.notificationPath, { signedPayload: simulated.notifications[0]?.signedPayload });
    await register();
    expect(await Promise.all([1, 20, 21, 45].map(known))).to.deep.equal([1, 1, 1, 1]);
    expect(simulated.requests.filter((path) => path === 'POST /inApps/v1/notifications/history')).to.have.length(3);
  });

  it('is read again after some hours, and after the store was unavailable', async () => {
    send(50, NOW + HOUR);
    clock.set(NOW + 7 * HOUR);
    simulated.setFailure(503);
    await whenIdle();
    expect(await known(50)).to.equal(0);
    simulated.setFailure(null);
    clock.set(NOW + 8 * HOUR);
    await whenIdle();
    expect(await known(50)).to.equal(1);
  });

  it('is read on from where a run has stopped', async () => {
    clock.set(NOW + 30 * HOUR);
    await whenIdle();
    sendMany(100, NOW + 31 * HOUR);
    clock.set(NOW + 37 * HOUR);
    const before = historiesAsked();
    await whenIdle();
    await whenIdle();
    expect([await known(100), await known(101)]).to.deep.equal([1, 1]);
    expect(historiesAsked() - before).to.equal(PAGES);
  });

  it('is read again from the beginning when the store has forgotten where that was', async () => {
    clock.set(NOW + 60 * HOUR);
    await whenIdle();
    sendMany(200, NOW + 61 * HOUR);
    const forgets = simulated.requests.length;
    simulated.expirePageTokens();
    clock.set(NOW + 67 * HOUR);
    await whenIdle();
    expect(simulated.requests.length).to.be.greaterThan(forgets);
    expect(await known(201)).to.equal(0);
    clock.set(NOW + 69 * HOUR);
    await whenIdle();
    await whenIdle();
    expect([await known(200), await known(201)]).to.deep.equal([1, 1]);
  });

  it('is read for an app whose credentials were there before the process was', async () => {
    const { deps } = harness.service().services;
    await finishStoreTask(deps, { id: `catch-up|${slice.appId}` });
    clock.set(NOW + 80 * HOUR);
    send(300, NOW + 79 * HOUR);
    await harness.restart();
    const read = async () => (await whenIdle(), known(300));
    await poll(read, (count) => count === 1);
  });

  it('reaches back only as far as the store does', async () => {
    clock.set(NOW + 400 * 24 * HOUR);
    send(400, NOW + 399 * 24 * HOUR);
    await whenIdle();
    expect(await known(400)).to.equal(1);
    const reaches = simulated.requestedRanges.map(({ startDate, endDate }) => endDate - startDate);
    expect(Math.max(...reaches)).to.be.lessThan(180 * 24 * HOUR);
  });

  it('is verified like a notification', async () => {
    const before = await harness.service().services.deps.log.head();
    send(60, NOW + 401 * 24 * HOUR, { bundleId: 'com.example.other' });
    simulated.notifications.push({ sentMs: NOW + 401 * 24 * HOUR, signedPayload: 'a.b.c' });
    clock.set(NOW + 402 * 24 * HOUR);
    await whenIdle();
    expect(await harness.service().services.deps.log.head()).to.equal(before);
    expect(await known(60)).to.equal(0);
  });

  it('is read as far back as the store retains it, once, on request', async () => {
    const DAY = 24 * HOUR;
    const { deps } = harness.service().services;
    const now = deps.runtime.now();
    send(500, now - 179 * DAY);
    send(501, now - 181 * DAY);
    await whenIdle();
    expect(await known(500), 'too old for the first scan').to.equal(0);
    const { apps } = await requestPastNotifications(deps, slice.projectId);
    expect(apps.map(({ appId }) => appId)).to.deep.equal([slice.appId]);
    await requestPastNotifications(deps, slice.projectId);
    await whenIdle();
    expect([await known(500), await known(501)]).to.deep.equal([1, 0]);
    const { rows } = await deps.docs.scan(storeTaskCollection.name, { index: 'app', eq: [slice.appId], limit: 10 });
    expect(rows.map(({ id }) => id)).to.deep.equal([`catch-up|${slice.appId}`]);
  });
});
