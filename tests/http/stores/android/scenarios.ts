// The ground for android scenarios: a service under a set clock, a simulated android-store, a project with an app and its credentials.
import { expect } from 'chai';
import { startAndroidStore, type SimulatedAndroidStore } from '../../../../simulator/android-store/server.js';
import { BASE_PLAN, beginAndroidScenario, PACKAGE, PRO } from './scenario.js';
import { setUpProject, startHarness, type Harness, type Slice } from '../../support/harness.js';
import { createManualClock } from '../../support/manual-clock.js';
import { listenForKinds, type SentKinds } from '../../support/webhook-messages.js';

const BEGIN = Date.parse('2027-01-01T10:00:00.000Z');
/** Longer than any scenario, so that none begins before another's end. */
const BETWEEN_MS = 200 * 86_400_000;

/** Call it in a `describe`. The deadlines worker waits an hour for the store. The options are those of the clock. */
export function setUpAndroidScenarios(options: Parameters<typeof createManualClock>[1] = {}) {
  const clock = createManualClock(BEGIN, options);
  let harness: Harness;
  let slice: Slice;
  let store: SimulatedAndroidStore;
  let app: { readonly appId: string; readonly notificationPath: string };
  let sentKinds: SentKinds;
  let begun = 0;

  const call = async (method: string, path: string, body?: object) => {
    const response = await harness.call(method, path, body, { key: slice.secretKey });
    expect(response.status, `${path}: ${JSON.stringify(response.body)}`).to.be.within(200, 201);
    return response.body;
  };
  const base = () => `/v1/projects/${slice.projectId}`;
  const sell = async (storeProductId: string, more: object = {}) => {
    const fields = { appId: app.appId, storeProductId, displayName: storeProductId, type: 'subscription' };
    const { id } = await call('POST', `${base()}/products`, { duration: 'P1M', ...fields, ...more });
    await call('POST', `${base()}/entitlements/pro/products`, { productId: id });
    return id as string;
  };

  before(async () => {
    store = await startAndroidStore(PACKAGE, `${PACKAGE}.bare`, `${PACKAGE}.other`);
    harness = await startHarness({ SETTLE_SLACK_SECONDS: '3600', ...store.settings }, clock.runtime);
    slice = await setUpProject(harness);
    const fields = { name: 'Android', platform: 'android', packageName: PACKAGE };
    const { id, notificationUrl } = await call('POST', `${base()}/apps`, fields);
    app = { appId: id, notificationPath: new URL(notificationUrl).pathname };
    await sell(`${PRO}:${BASE_PLAN}`, { trialDuration: 'P1W', gracePeriodDuration: 'P6D' });
    await sell('pro_year:p1y', { duration: 'P1Y' });
    const credentials = { serviceAccountJson: store.identity.keyFile() };
    await call('POST', `${base()}/apps/${app.appId}/credentials/android-store`, credentials);
    sentKinds = await listenForKinds(harness, slice);
  });
  after(async () => {
    await harness.stop();
    await store.close();
  });
  beforeEach(() => {
    store.setFailure(null);
    clock.set(BEGIN + ++begun * BETWEEN_MS);
  });

  return {
    clock,
    call,
    sell,
    base,
    store: () => store,
    harness: () => harness,
    slice: () => slice,
    appId: () => app.appId,
    notificationPath: () => app.notificationPath,
    sentKinds: () => sentKinds,
    idle: () => harness.service().idle(),
    scenario: () =>
      beginAndroidScenario({ harness, clock, slice, sentKinds, store, notificationPath: app.notificationPath }),
  };
}
