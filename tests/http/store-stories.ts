// The ground for stories: a service under a set clock, a project, and two apps that differ in what a refund does.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, setUpProject, startHarness, type Harness, type Slice } from './harness.js';
import { createSetClock } from './set-clock.js';
import { beginStory } from './store-story.js';
import { listenForKinds, type ToldKinds } from './told-kinds.js';

const BEGIN = Date.parse('2027-01-01T10:00:00.000Z');
/** Longer than any story, so that none begins before another's end. */
const BETWEEN_MS = 200 * 86_400_000;

type StoryApp = { readonly appId: string; readonly bundleId: string; readonly notificationPath: string };

/** To be called in a `describe`. The deadlines worker grants the store an hour. */
export function setUpStories() {
  const clock = createSetClock(BEGIN);
  let harness: Harness;
  let slice: Slice;
  let keeping: StoryApp;
  let toldKinds: ToldKinds;
  let begun = 0;

  const post = async (path: string, body: object) => {
    const { status, body: made } = await harness.call('POST', path, body, { key: slice.secretKey });
    expect(status, path).to.be.within(200, 201);
    return made;
  };
  const registerKeepingApp = async (): Promise<StoryApp> => {
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
    harness = await startHarness({ SETTLE_SLACK_SECONDS: '3600' }, clock.runtime);
    slice = await setUpProject(harness);
    keeping = await registerKeepingApp();
    toldKinds = await listenForKinds(harness, slice);
  });
  after(() => harness.stop());
  beforeEach(() => clock.set(BEGIN + ++begun * BETWEEN_MS));

  return {
    clock,
    post,
    call: (...args: Parameters<Harness['call']>) => harness.call(...args),
    path: () => slice.notificationPath,
    projectId: () => slice.projectId,
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
    settled: () => harness.service().settled(),
    /** `isKeeping`: in the app where a refund leaves access until the end. */
    story: ({ isKeeping = false } = {}) => {
      const { appId, notificationPath } = slice;
      const app = isKeeping ? keeping : { appId, notificationPath, bundleId: BUNDLE_ID };
      return beginStory({ harness, clock, slice, toldKinds, ...app });
    },
  };
}
