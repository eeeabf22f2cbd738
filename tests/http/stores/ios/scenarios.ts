// The ground for scenarios: a service under a set clock, a project, and two apps that differ in what a refund does.
import { expect } from 'chai';
import { startIosStore, type SimulatedIosStore } from '../../../../simulator/ios-store/api-server.js';
import { BUNDLE_ID, MONTHLY, setUpProject, startHarness, type Harness, type Slice } from '../../support/harness.js';
import { headOf } from '../../support/refusal.js';
import { createManualClock } from '../../support/manual-clock.js';
import { iosKey } from '../../support/store-credentials.js';
import { beginScenario } from './scenario.js';
import { listenForKinds, type SentKinds } from '../../support/webhook-messages.js';

const BEGIN = Date.parse('2027-01-01T10:00:00.000Z');
/** Longer than any scenario, so that none begins before another's end. */
const BETWEEN_MS = 200 * 86_400_000;

type ScenarioApp = { readonly appId: string; readonly bundleId: string; readonly notificationPath: string };

/** Call it in a `describe`. The deadlines worker waits an hour for the store. `isAsked`: the first app has store credentials. */
export function setUpScenarios({ isAsked = false } = {}) {
  const clock = createManualClock(BEGIN);
  let simulated: SimulatedIosStore | null = null;
  let harness: Harness;
  let slice: Slice;
  let keeping: ScenarioApp;
  let sentKinds: SentKinds;
  let begun = 0;

  const post = async (path: string, body: object) => {
    const { status, body: made } = await harness.call('POST', path, body, { key: slice.secretKey });
    expect(status, path).to.be.within(200, 201);
    return made;
  };
  const registerKeepingApp = async (): Promise<ScenarioApp> => {
    const base = `/v1/projects/${slice.projectId}`;
    const bundleId = `${BUNDLE_ID}.keeping`;
    const settings = { name: 'Keeping', platform: 'ios', bundleId, refundPolicy: 'keep_until_expiry' };
    const { id: appId, notificationUrl } = await post(`${base}/apps`, settings);
    const fields = { appId, storeProductId: MONTHLY, displayName: 'Pro', type: 'subscription', duration: 'P1M' };
    const { id: productId } = await post(`${base}/products`, fields);
    await post(`${base}/entitlements/pro/products`, { productId });
    return { appId, bundleId, notificationPath: new URL(notificationUrl).pathname };
  };

  before(async () => {
    simulated = isAsked ? await startIosStore({ KEY1: iosKey() }) : null;
    harness = await startHarness({ SETTLE_SLACK_SECONDS: '3600', ...simulated?.settings }, clock.runtime);
    slice = await setUpProject(harness);
    if (isAsked) {
      const credentials = { issuerId: 'issuer', keyId: 'KEY1', privateKey: iosKey(), environment: 'production' };
      await post(`/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`, credentials);
    }
    keeping = await registerKeepingApp();
    sentKinds = await listenForKinds(harness, slice);
  });
  after(async () => {
    await harness.stop();
    await simulated?.close();
  });
  beforeEach(() => {
    simulated?.setFailure(null);
    clock.set(BEGIN + ++begun * BETWEEN_MS);
  });

  return {
    clock,
    post,
    call: (...args: Parameters<Harness['call']>) => harness.call(...args),
    path: () => slice.notificationPath,
    projectId: () => slice.projectId,
    key: () => slice.secretKey,
    /** One more product of the app, which unlocks an entitlement of its own. */
    sell: async (storeProductId: string, duration: string, entitlement: string) => {
      const base = `/v1/projects/${slice.projectId}`;
      const fields = {
        appId: slice.appId,
        storeProductId,
        displayName: storeProductId,
        type: 'subscription',
        duration,
      };
      const { id: productId } = await post(`${base}/products`, fields);
      await post(`${base}/entitlements`, { lookupKey: entitlement, displayName: entitlement });
      await post(`${base}/entitlements/${entitlement}/products`, { productId });
    },
    url: () => harness.service().url ?? '',
    services: () => harness.service().services,
    head: () => headOf(harness),
    idle: () => harness.service().idle(),
    /** Returns the webhooks about a customer, including access changes. */
    sentAbout: (appUserId: string) => sentKinds.all(appUserId),
    /** Only where it is asked. */
    store: () => {
      if (!simulated) throw new Error('these scenarios have no store that can be asked');
      return simulated;
    },
    restart: (meanwhile: () => Promise<unknown>) => harness.restart(meanwhile),
    /** `isKeeping`: in the app where a refund leaves access until the end. */
    scenario: ({ isKeeping = false } = {}) => {
      const { appId, notificationPath } = slice;
      const app = isKeeping ? keeping : { appId, notificationPath, bundleId: BUNDLE_ID };
      return beginScenario({ harness, clock, slice, sentKinds, ...app });
    },
  };
}
