// What client SDKs read to sell: offerings with their packages and products, and the paywall of an offering. Archived ones are not shown.
import { z } from 'zod';
import { products } from '../../projections/models/catalogue.js';
import { offerings, type OfferingDoc } from '../../projections/models/offerings.js';
import { paywalls } from '../../projections/models/paywalls.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { paywall, sdkOfferings, subscriberOfferings } from './responses.js';
import { listOf } from '../bodies/responses.js';
import type { Caller } from '../dispatch/caller.js';
import { shownVariant } from '../subscribers/enrolment.js';
import { HttpError } from '../bodies/errors.js';
import { findOffering } from './find-offering.js';
import { listBody } from '../bodies/paging.js';
import { presentPaywall, presentSdkOffering } from './present-offerings.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import { knownSubscriber } from '../subscribers/shown-subscriber.js';
import { text } from '../../domain/values/people-text.js';
import { subscriberParams } from '../bodies/schemas.js';

/** More than a project may have unarchived. */
const ALL = 1000;

const offeringsQuery = z.strictObject({ currentOnly: z.enum(['true', 'false']).optional() });
type OfferingsQuery = z.output<typeof offeringsQuery>;

/** Newest first. */
async function liveOfferings(readModels: ReadModels, projectId: string): Promise<readonly OfferingDoc[]> {
  const all = { index: 'shown', eq: [projectId, false], limit: ALL, reverse: true };
  return (await readModels.scan(offerings, all)).rows.map((r) => r.doc);
}

function currentOf(docs: readonly OfferingDoc[]): OfferingDoc | undefined {
  const since = Math.max(...docs.map((o) => o.currentSince));
  return since < 0 ? undefined : docs.find((o) => o.currentSince === since);
}

/** `chosenId`: an experiment's offering stands in for the current one. A public key belongs to one app and sees only what that app can sell. */
async function offeringsFor(
  readModels: ReadModels,
  caller: Caller,
  projectId: string,
  { currentOnly }: OfferingsQuery,
  chosenId: string | null = null,
) {
  const live = await liveOfferings(readModels, projectId);
  const current = live.find((o) => o.offeringId === chosenId) ?? currentOf(live);
  const docs = currentOnly === 'true' ? (current ? [current] : []) : live;
  const appId = caller.kind === 'key' && caller.keyKind === 'public' ? caller.appId : null;
  const sold = docs.flatMap((o) => o.packages.flatMap((p) => p.products));
  const ids = sold.filter((p) => appId === null || p.appId === appId).map((p) => p.productId);
  const found = await readModels.getMany(products, [...new Set(ids)]);
  const shown = docs.map((o) => presentSdkOffering(o, found));
  if (currentOnly === 'true') return { offering: shown[0] ?? null };
  return { currentOfferingId: current?.lookupKey ?? null, offerings: shown };
}

export const sdkOfferingRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/offerings',
    access: 'sdkKey',
    permission: 'readSetup',
    isHot: true,
    summary: 'Get the current offering, among all',
    query: offeringsQuery,
    response: sdkOfferings,
    handle: async ({ caller, scope, query }, { readModels }) => ({
      body: await offeringsFor(readModels, caller, scope.projectId, query),
      etag: true,
    }),
  }),
  defineRoute({
    method: 'get',
    path: '/v1/offerings/:oid/paywalls',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get the paywalls of an offering',
    params: z.object({ oid: text(200) }),
    response: listOf(paywall),
    handle: async ({ params, scope: { projectId } }, { readModels }) => {
      const { offeringId, archived } = await findOffering(readModels, projectId, params.oid);
      if (archived) throw new HttpError(404, 'the offering is archived');
      const eq = [projectId, offeringId, 'published'];
      const { rows } = await readModels.scan(paywalls, { index: 'offering', eq, limit: 10, reverse: true });
      const items = rows.map((r) => presentPaywall(r.doc));
      const url = `/v1/offerings/${encodeURIComponent(params.oid)}/paywalls`;
      return { body: listBody(url, items, { lastId: null, limit: items.length }), etag: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/subscribers/:appUserId/offerings',
    access: 'sdk',
    permission: 'readCustomers',
    isHot: true,
    summary: 'Get offerings for a subscriber',
    params: subscriberParams,
    query: offeringsQuery,
    response: subscriberOfferings,
    handle: async (input, services) => {
      const { caller, query } = input;
      const { projectId } = input.scope;
      const doc = await knownSubscriber(services, input);
      const shown = await shownVariant(services, input, doc);
      const found = await offeringsFor(services.readModels, caller, projectId, query, shown?.offeringId);
      const experiment = shown && { id: shown.experimentId, variantId: shown.variantId };
      return { body: { ...found, experiment }, etag: true };
    },
  }),
];
