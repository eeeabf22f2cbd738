// Sells the catalogue of the simulated app: two offerings with packages, and an experiment that compares them.
import type { Client as SdkClient } from '#sdk/client.js';
import { requireData } from './client.js';
import type { OfferName } from './offers.js';

type Package = readonly [lookupKey: string, displayName: string, offer: OfferName];

const WEEK: Package = ['$weekly', 'Weekly', 'weekly'];
const MONTH: Package = ['$monthly', 'Monthly', 'monthly'];
const YEAR: Package = ['$annual', 'Yearly', 'yearly'];
const LIFETIME: Package = ['$lifetime', 'Lifetime', 'lifetime'];
const STANDARD = { lookupKey: 'standard', displayName: 'Standard', isCurrent: true };
const EXPERIMENT_MS = 120 * 86_400_000;
const YEARLY_FIRST = { lookupKey: 'yearly_first', displayName: 'Yearly first', isCurrent: false };

/** Creates the current offering and an alternative. `productIds`: IDs of each offer's products, one for each app. */
export async function createOfferings(
  api: SdkClient,
  projectId: string,
  productIds: ReadonlyMap<OfferName, readonly string[]>,
): Promise<void> {
  const contents = [
    [STANDARD, [WEEK, MONTH, YEAR, LIFETIME]],
    [YEARLY_FIRST, [YEAR, MONTH]],
  ] as const;
  for (const [body, packages] of contents) {
    const params = { path: { id: projectId } };
    const { id: oid } = requireData(await api.POST('/v1/projects/{id}/offerings', { params, body }));
    for (const [position, [lookupKey, displayName, offer]] of packages.entries()) {
      const created = await api.POST('/v1/projects/{id}/offerings/{oid}/packages', {
        params: { path: { id: projectId, oid } },
        body: { lookupKey, displayName, position },
      });
      const path = { id: projectId, oid, pid: requireData(created).id };
      requireData(
        await api.POST('/v1/projects/{id}/offerings/{oid}/packages/{pid}/products', {
          params: { path },
          body: { productIds: [...(productIds.get(offer) ?? [])] },
        }),
      );
    }
  }
}

/**
 * Returns a function to be called as the simulated time advances: it starts an experiment once, some months before `until` (UTC ms).
 * `apiAt` returns a client for requests at a simulated time.
 */
export function scheduleExperiment(
  until: number,
  { projectId, iosAppId }: { readonly projectId: string; readonly iosAppId: string },
  apiAt: (atMs: number) => SdkClient,
): (nowMs: number) => Promise<void> {
  let isStarted = false;
  return async (nowMs) => {
    if (isStarted || nowMs < until - EXPERIMENT_MS) return;
    isStarted = true;
    await startExperiment(apiAt(nowMs), projectId, iosAppId);
  };
}

/** Starts an experiment with the two offerings for new customers of the app. Their receipts enrol them. */
async function startExperiment(api: SdkClient, projectId: string, appId: string): Promise<void> {
  const created = await api.POST('/v1/projects/{id}/experiments', {
    params: { path: { id: projectId } },
    body: {
      name: 'Yearly first',
      description: 'More customers choose a year if the yearly subscription is the first offer.',
      audience: { countries: null, platforms: null, appIds: [appId], minAppVersion: null },
      enrollmentPercentage: 100,
      primaryMetric: 'realized_ltv_per_customer',
    },
  });
  const path = { id: projectId, eid: requireData(created).id };
  for (const [offering, isControl] of [
    [STANDARD, true],
    [YEARLY_FIRST, false],
  ] as const) {
    const body = { name: offering.displayName, offeringId: offering.lookupKey, weight: 1, isControl };
    requireData(await api.POST('/v1/projects/{id}/experiments/{eid}/variants', { params: { path }, body }));
  }
  requireData(
    await api.PATCH('/v1/projects/{id}/experiments/{eid}', { params: { path }, body: { status: 'running' } }),
  );
}
