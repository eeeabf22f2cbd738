// What client SDKs and servers ask about one subscriber.
import { z } from 'zod';
import { Unavailable } from '../../adapters/event-log/port.js';
import {
  grantDurations,
  grantPromotional,
  markSeen,
  registerSubscriber,
  revokePromotional,
  setAttributes,
  type GrantDuration,
} from '../../commands/subscribers.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import { customers, type CustomerDoc } from '../../projections/customers.js';
import { attributeChanges, attributesSchema } from '../attributes.js';
import { findSubscriber } from '../holdings.js';
import { readSubscriber, shownSubscriber } from '../shown-subscriber.js';
import { defineRoute, shownIn, type Input, type Route } from '../route.js';
import { instant, subscriberParams, text } from '../schemas.js';
import type { Services } from '../services.js';

/** The first sight of a known subscriber on a UTC day is a fact; reading goes on when it cannot be written down. */
async function noteSeen(services: Services, input: Input<{ appUserId: string }, unknown, unknown>, doc: CustomerDoc) {
  const { runtime, deps, log } = services;
  if (utcDay(doc.lastSeenAt) >= utcDay(isoFromMs(runtime.now()))) return;
  try {
    await markSeen(deps, input.by, doc.projectId, doc.customerId);
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    log.warn({ requestId: input.by.requestId }, 'subscriber seen but not written down');
  }
}

const updateBody = z.strictObject({
  attributes: attributesSchema.optional(),
  platform: text(50).optional(),
  appVersion: text(50).optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be an ISO 3166 code such as DE')
    .optional(),
  locale: text(50).optional(),
});

const durations = Object.keys(grantDurations) as [GrantDuration, ...GrantDuration[]];
const grantBody = z
  .strictObject({
    entitlementId: z.string().min(1).max(200),
    duration: z.enum(durations).optional(),
    expiresAt: instant.optional(),
    startsAt: instant.optional(),
  })
  .refine((b) => (b.duration === undefined) !== (b.expiresAt === undefined), 'send either duration or expiresAt');

const subscriberPath = '/v1/subscribers/:appUserId';

export const subscriberRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: subscriberPath,
    access: 'sdk',
    summary: 'Get subscriber info; makes the subscriber if unknown',
    params: subscriberParams,
    handle: async (input, services) => {
      const { params, scope, by, caller } = input;
      const doc = await findSubscriber(services, scope.projectId, params.appUserId);
      if (doc && doc.profile.status !== 'unknown') {
        await noteSeen(services, input, doc);
        return { body: await readSubscriber(services, caller, doc) };
      }
      const made = await registerSubscriber(services.deps, by, scope.projectId, params.appUserId, { source: 'sdk' });
      return { body: () => shownSubscriber(services, input), after: shownIn(made.position, customers) };
    },
  }),
  defineRoute({
    method: 'post',
    path: subscriberPath,
    access: 'sdk',
    summary: 'Create or update subscriber',
    params: subscriberParams,
    body: updateBody.optional(),
    handle: async (input, services) => {
      const { params, scope, by } = input;
      const { attributes = {}, platform, appVersion, country, locale } = input.body ?? {};
      const given = locale === undefined ? attributes : { ...attributes, $locale: locale };
      const changes = attributeChanges(given, services.runtime.now());
      const before = await findSubscriber(services, scope.projectId, params.appUserId);
      const introduction = { platform: platform ?? null, appVersion: appVersion ?? null, country: country ?? null };
      const o = { source: 'sdk' as const, ...introduction, changes };
      const made = await setAttributes(services.deps, by, scope.projectId, params.appUserId, o);
      const status = before ? 200 : 201;
      return { status, body: () => shownSubscriber(services, input), after: shownIn(made.position, customers) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${subscriberPath}/attributes`,
    access: 'sdk',
    summary: 'Set custom attributes',
    params: subscriberParams,
    body: z.strictObject({ attributes: attributesSchema }),
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      const changes = attributeChanges(body.attributes, services.runtime.now());
      const o = { source: 'sdk' as const, changes };
      const made = await setAttributes(services.deps, by, scope.projectId, params.appUserId, o);
      return { body: () => shownSubscriber(services, input), after: shownIn(made.position, customers) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${subscriberPath}/entitlements`,
    access: 'sdkSecret',
    summary: 'Grant promotional entitlement',
    params: subscriberParams,
    body: grantBody,
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      const request = {
        entitlement: body.entitlementId,
        duration: body.duration ?? null,
        expiresAt: body.expiresAt ?? null,
        startsAt: body.startsAt ?? null,
      };
      const made = await grantPromotional(services.deps, by, scope.projectId, params.appUserId, request);
      const grant = made.state.profile.grants.find((g) => g.grantId === made.grantId);
      const { grantId, ...terms } = grant ?? { grantId: made.grantId };
      const shown = async () => ({
        ...(await shownSubscriber(services, input)),
        grant: { object: 'grant', id: grantId, ...terms },
      });
      return { status: 201, body: shown, after: shownIn(made.position, customers) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${subscriberPath}/entitlements/:eid`,
    access: 'sdkSecret',
    summary: 'Revoke promotional entitlement',
    params: subscriberParams.extend({ eid: z.string().min(1).max(200) }),
    handle: async (input, services) => {
      const { params, scope, by } = input;
      const made = await revokePromotional(services.deps, by, scope.projectId, params.appUserId, params.eid);
      return { body: () => shownSubscriber(services, input), after: shownIn(made.position, customers) };
    },
  }),
];
