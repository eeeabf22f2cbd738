// SDK and server endpoints of a subscriber.
import { z } from 'zod';
import { checkAttributes } from '../../commands/subscribers/check-attributes.js';
import { grantPromotional, revokePromotional, setAttributes } from '../../commands/subscribers/subscribers.js';
import { mergeAnonymous } from '../../commands/subscribers/merge.js';
import { latestOf } from '../../domain/envelope.js';
import { grantDuration } from '../../domain/subscriber/grant-durations.js';
import { customers } from '../../projections/models/customers.js';
import { transactions } from '../../projections/models/transactions.js';
import { grantResponse, subscriberResponse } from './responses.js';
import { attributeChanges, attributesSchema } from './attributes.js';
import { findSubscriber } from '../customers/read-customer.js';
import { expectMayCreate, presentSubscriber, presentSubscriberAsOf } from './present-subscriber.js';
import { cachedSubscriber, getSubscriber, restFormat } from './cached-subscriber.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { text, appUserId } from '../../domain/values/user-text.js';
import { country, instant, platform, subscriberParams } from '../bodies/request-schemas.js';
import { recordVisit } from './last-seen.js';
import { eraseSubscriber } from '../../commands/subscribers/erasure.js';
import { deletionOf, type BodyOf } from '../bodies/response-schemas.js';

const updateBody = z.strictObject({
  attributes: attributesSchema.optional(),
  platform: platform.optional(),
  appVersion: text(50).optional(),
  country: country.optional(),
  locale: text(50).optional(),
  previousAppUserId: appUserId.optional(),
});

const grantBody = z
  .strictObject({
    entitlementId: z.string().min(1).max(200),
    duration: grantDuration.optional(),
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
    permission: 'readCustomers',
    summary: 'Get subscriber info; the subscriber is created if it does not exist',
    description: 'With a read-only key, an unknown subscriber returns 404 and is not created.',
    params: subscriberParams,
    query: z.strictObject({ asOf: instant.optional() }),
    response: subscriberResponse,
    cached: (request, services) => cachedSubscriber(services, request, restFormat),
    handle: async (input, services) => {
      const { asOf } = input.query;
      if (asOf === undefined) return getSubscriber(services, input, restFormat);
      return { body: await presentSubscriberAsOf(services, input, asOf) };
    },
  }),
  defineRoute({
    method: 'post',
    path: subscriberPath,
    access: 'sdk',
    permission: 'recordSubscriber',
    summary: 'Create or update subscriber',
    example: { platform: 'ios', appVersion: '2.1', country: 'DE', attributes: { favouriteFood: 'pizza' } },
    params: subscriberParams,
    body: updateBody.optional(),
    subscribersIn: (body) => (body?.previousAppUserId === undefined ? [] : [body.previousAppUserId]),
    response: subscriberResponse,
    statuses: [200, 201],
    handle: async (input, services) => {
      const { params, scope, by } = input;
      const { attributes = {}, platform, appVersion, country, locale, previousAppUserId } = input.body ?? {};
      const sentAttributes = locale === undefined ? attributes : { ...attributes, $locale: locale };
      const changes = attributeChanges(sentAttributes, services.runtime.now());
      const before = await findSubscriber(services, scope.projectId, params.appUserId);
      const introduction = { platform: platform ?? null, appVersion: appVersion ?? null, country: country ?? null };
      const o = { source: 'sdk' as const, ...introduction, changes };
      if (previousAppUserId !== undefined) {
        await checkAttributes(services.deps, scope.projectId, params.appUserId, changes);
        const names = { appUserId: params.appUserId, previous: previousAppUserId };
        await mergeAnonymous(services.deps, by, scope.projectId, names);
      }
      const result = await setAttributes(services.deps, by, scope.projectId, params.appUserId, o);
      const isKnown = before?.profile.status === 'known';
      const seenAt = isKnown ? await recordVisit(services, input, before, introduction) : null;
      const after = readModelsAt(latestOf(result.position, seenAt), customers, transactions);
      return { status: isKnown ? 200 : 201, body: () => presentSubscriber(services, input), after };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${subscriberPath}/attributes`,
    access: 'sdk',
    permission: 'changeSubscriber',
    summary: 'Set custom attributes',
    description: '`null` and `""` delete an attribute. Attributes set with a public key are not trusted.',
    example: { attributes: { favouriteFood: 'pizza', $email: 'ann@example.com', old: null } },
    params: subscriberParams,
    body: z.strictObject({ attributes: attributesSchema }),
    response: subscriberResponse,
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      await expectMayCreate(services, input);
      const changes = attributeChanges(body.attributes, services.runtime.now());
      const o = { source: 'sdk' as const, changes };
      const result = await setAttributes(services.deps, by, scope.projectId, params.appUserId, o);
      return { body: () => presentSubscriber(services, input), after: readModelsAt(result.position, customers) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${subscriberPath}/entitlements`,
    access: 'sdkSecret',
    permission: 'changeSubscriber',
    summary: 'Grant promotional entitlement',
    description: 'Send either `duration` or `expiresAt`.',
    example: { entitlementId: 'pro', duration: 'weekly' },
    params: subscriberParams,
    body: grantBody,
    response: grantResponse,
    statuses: [201],
    handle: async (input, services) => {
      const { params, scope, by, body } = input;
      const request = {
        entitlement: body.entitlementId,
        duration: body.duration ?? null,
        expiresAt: body.expiresAt ?? null,
        startsAt: body.startsAt ?? null,
      };
      await expectMayCreate(services, input);
      const result = await grantPromotional(services.deps, by, scope.projectId, params.appUserId, request);
      const found = result.state.profile.grants.find((g) => g.grantId === result.grantId);
      if (!found) throw new Error(`the grant ${result.grantId} is not in the state after its command`);
      const { grantId, ...terms } = found;
      const grant: BodyOf<typeof grantResponse>['grant'] = { object: 'grant', id: grantId, ...terms };
      const present = async () => ({ ...(await presentSubscriber(services, input)), grant });
      return { body: present, after: readModelsAt(result.position, customers) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${subscriberPath}/entitlements/:eid`,
    access: 'sdkSecret',
    permission: 'changeSubscriber',
    summary: 'Revoke promotional entitlement',
    params: subscriberParams.extend({ eid: z.string().min(1).max(200) }),
    response: subscriberResponse,
    handle: async (input, services) => {
      const { params, scope, by } = input;
      const result = await revokePromotional(services.deps, by, scope.projectId, params.appUserId, params.eid);
      return { body: () => presentSubscriber(services, input), after: readModelsAt(result.position, customers) };
    },
  }),
];

/** Accepts more than the rule for new IDs: subscribers that were created under an older rule can be erased too. */
const params = z.object({
  appUserId: z
    .string()
    .min(1)
    .max(255)
    .regex(/^[^\u0000-\u001f\u007f/]*$/, 'must not contain control characters or a slash')
    .refine((s) => s.isWellFormed(), 'must be well-formed Unicode'),
});

export const erasureRoutes: readonly Route[] = [
  defineRoute({
    method: 'delete',
    path: '/v1/subscribers/:appUserId',
    access: 'sdkSecret',
    permission: 'erase',
    summary: 'Erase subscriber; attributes, aliases and grants are deleted permanently',
    params,
    response: deletionOf('customer'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { customerId, position } = await eraseSubscriber(deps, by, scope.projectId, params.appUserId);
      return { body: { object: 'customer', id: customerId, deleted: true }, after: readModelsAt(position, customers) };
    },
  }),
];
