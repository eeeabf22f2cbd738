// Reads of client SDKs: offerings with packages and products, and the paywalls of an offering. Archived ones are omitted.
import { z } from 'zod';
import { chooseOffering, factsOf, type OfferingChoice } from '../../domain/catalog/choose-offering.js';
import { noTargeting } from '../../domain/catalog/targeting.js';
import { mergeDevice, unknownDevice, type Device } from '../../domain/subscriber/state/activity.js';
import { products } from '../../projections/models/catalogue.js';
import { offerings, type OfferingDoc } from '../../projections/models/offerings.js';
import { paywalls } from '../../projections/models/paywalls.js';
import { targeting } from '../../projections/models/targeting.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { paywall, sdkOfferings, subscriberOfferings } from './responses.js';
import { ownAppIdOf } from '../dispatch/caller.js';
import { findVariant } from '../subscribers/enrolment.js';
import { HttpError } from '../bodies/errors.js';
import { etagOfText } from '../dispatch/respond.js';
import { ReadyJson } from '../bodies/send-json.js';
import { requireByKey } from '../bodies/find-document.js';
import { presentPaywall, presentSdkOffering } from './present-offerings.js';
import { viewOf, type CacheKey } from '../caches/response-cache.js';
import { defineListRoute, defineRoute, type Input, type AuthorizedRequest, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { requireSubscriber } from '../subscribers/present-subscriber.js';
import { isoFromMs } from '../../domain/time.js';
import { text } from '../../domain/values/user-text.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import type { BodyOf } from '../bodies/response-schemas.js';

/** Limit above the maximum of unarchived offerings per project. */
const MAX_OFFERINGS = 1000;

const offeringsQuery = z.strictObject({ currentOnly: z.enum(['true', 'false']).optional() });
type OfferingsQuery = z.output<typeof offeringsQuery>;
export type SdkOfferings = BodyOf<typeof sdkOfferings>;
export type AllOfferings = Exclude<SdkOfferings, { readonly offering: unknown }>;

/** Reads the unarchived offerings, newest first. */
async function readUnarchivedOfferings(readModels: ReadModels, projectId: string): Promise<readonly OfferingDoc[]> {
  const all = { index: 'shown', eq: [projectId, false], limit: MAX_OFFERINGS, reverse: true };
  return (await readModels.scan(offerings, all)).rows.map((r) => r.doc);
}

function currentOf(docs: readonly OfferingDoc[]): OfferingDoc | undefined {
  const since = Math.max(...docs.map((o) => o.currentSince));
  return since < 0 ? undefined : docs.find((o) => o.currentSince === since);
}

/** `chosenId` is the offering of an experiment or a targeting rule, which replaces the current one. */
type OfferingsRequest = Pick<OfferingsQuery, 'currentOnly'> & {
  readonly projectId: string;
  /** Null for all apps. */
  readonly appId: string | null;
  readonly chosenId: string | null;
};

function requestOf({ caller, scope }: Pick<AuthorizedRequest, 'caller' | 'scope'>): OfferingsRequest {
  return { projectId: scope.projectId, appId: ownAppIdOf(caller), chosenId: null };
}

function cacheKeyOf(
  request: OfferingsRequest,
  { caller, visibility }: Pick<AuthorizedRequest, 'caller' | 'visibility'>,
): CacheKey {
  const { projectId, appId, currentOnly, chosenId } = request;
  const name = [projectId, appId ?? '', currentOnly ?? '', chosenId ?? ''].join('|');
  return { name, view: viewOf(caller, visibility) };
}

async function findOrRenderOfferings(
  { offeringResponses, readModels, runtime }: Services,
  request: OfferingsRequest,
  head: Pick<AuthorizedRequest, 'caller' | 'visibility' | 'redact'>,
): Promise<SdkOfferings> {
  const key = cacheKeyOf(request, head);
  const from = isoFromMs(runtime.now());
  const cached = offeringResponses.find(key, from);
  if (cached) return cached.body;
  return offeringResponses.render(key, null, async (store) => {
    const body = head.redact(await readOfferings(readModels, request));
    const text = JSON.stringify(body);
    store({ value: { body, text, etag: etagOfText(text) }, from, until: null, guard: null });
    return body;
  });
}

async function readOfferings(
  readModels: ReadModels,
  { projectId, appId, currentOnly, chosenId }: OfferingsRequest,
): Promise<SdkOfferings> {
  const unarchived = await readUnarchivedOfferings(readModels, projectId);
  const current = unarchived.find((o) => o.offeringId === chosenId) ?? currentOf(unarchived);
  const docs = currentOnly === 'true' ? (current ? [current] : []) : unarchived;
  const offeredProducts = docs.flatMap((o) => o.packages.flatMap((p) => p.products));
  const ids = offeredProducts.filter((p) => appId === null || p.appId === appId).map((p) => p.productId);
  const found = await readModels.getMany(products, [...new Set(ids)]);
  const presented = docs.map((o) => presentSdkOffering(o, found));
  if (currentOnly === 'true') return { offering: presented[0] ?? null };
  return { currentOfferingId: current?.lookupKey ?? null, offerings: presented };
}

/** Placements by `lookupKey`; offerings by theirs, null: nothing is shown. Every placement that is not named shows the fallback. */
export type PresentedPlacements = {
  readonly fallbackOfferingId: string | null;
  readonly offeringIdsByPlacement: { readonly [placement: string]: string | null };
};

/**
 * Offerings of a subscriber, who is created if unknown and enrolled in an experiment that applies. `device`: what this request reports, which
 * the read model may not have yet. Only the choice is made for each request; the bodies are rendered once for each offering that is chosen.
 */
export async function offeringsForSubscriber(
  services: Services,
  input: Input<{ appUserId: string }, unknown, unknown>,
  query: OfferingsQuery,
  device: Device = unknownDevice,
) {
  const { caller, scope } = input;
  const { projectId } = scope;
  const found = await requireSubscriber(services, input);
  const doc = { ...found, profile: { ...found.profile, ...mergeDevice(found.profile, device) } };
  const variant = await findVariant(services, input, doc);
  const rules = (await services.cached.getMany(targeting, [projectId])).get(projectId) ?? noTargeting;
  const facts = factsOf(doc.profile, doc.firstSeenAt, isoFromMs(services.runtime.now()));
  const choice = chooseOffering(rules, facts, variant?.offeringId ?? null);
  const request = { ...query, projectId, appId: ownAppIdOf(caller), chosenId: choice.offeringId };
  const offered = await findOrRenderOfferings(services, request, input);
  return { offered, choice, variant };
}

/** `offered`: all offerings that the app can show. */
export function presentPlacements({ byPlacement }: OfferingChoice, offered: AllOfferings): PresentedPlacements {
  const keyOf = (id: string | null) => offered.offerings.find((o) => o.id === id)?.lookupKey ?? null;
  return {
    fallbackOfferingId: offered.currentOfferingId,
    offeringIdsByPlacement: Object.fromEntries(byPlacement.map(([placement, id]) => [placement, keyOf(id)])),
  };
}

export const sdkOfferingRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/offerings',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get the current offering, among all',
    query: offeringsQuery,
    response: sdkOfferings,
    cached: (head, { offeringResponses, runtime }) => {
      const found = offeringResponses.find(cacheKeyOf(requestOf(head), head), isoFromMs(runtime.now()));
      return found && { body: new ReadyJson(found.text, found.etag), etag: true };
    },
    handle: async (input, services) => ({
      body: await findOrRenderOfferings(services, { ...requestOf(input), ...input.query }, input),
      etag: true,
    }),
  }),
  defineListRoute({
    path: '/v1/offerings/:oid/paywalls',
    access: 'sdkKey',
    permission: 'readSetup',
    summary: 'Get the paywalls of an offering',
    params: z.object({ oid: text(200) }),
    item: paywall,
    etag: true,
    list: async ({ params, scope: { projectId } }, { readModels }) => {
      const { offeringId, archived } = await requireByKey(readModels, offerings, projectId, params.oid, 'offering');
      if (archived) throw new HttpError(404, 'the offering is archived');
      const eq = [projectId, offeringId, 'published'];
      const { rows } = await readModels.scan(paywalls, { index: 'offering', eq, limit: 10, reverse: true });
      return { items: rows.map((r) => presentPaywall(r.doc)), lastId: null };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/subscribers/:appUserId/offerings',
    access: 'sdk',
    permission: 'readCustomers',
    summary: 'Get offerings for a subscriber',
    params: subscriberParams,
    query: offeringsQuery,
    response: subscriberOfferings,
    handle: async (input, services) => {
      const { offered, choice, variant } = await offeringsForSubscriber(services, input, input.query);
      const experiment = variant && { id: variant.experimentId, variantId: variant.variantId };
      const chosen = { targeting: choice.rule, experiment };
      const body =
        'offering' in offered
          ? { ...offered, ...chosen }
          : { ...offered, placements: presentPlacements(choice, offered), ...chosen };
      return { body, etag: true };
    },
  }),
];
