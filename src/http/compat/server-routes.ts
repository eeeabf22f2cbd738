// The part of RevenueCat's REST API v1 that servers call with a secret key; reads, attributes and receipts are the routes of the SDKs.
import { z } from 'zod';
import { eraseSubscriber } from '../../commands/subscribers/erasure.js';
import { grantPromotional, revokePromotional } from '../../commands/subscribers/subscribers.js';
import { grantDuration } from '../../domain/subscriber/grant-durations.js';
import { isoFromMs } from '../../domain/time.js';
import { customers } from '../../projections/models/customers.js';
import { subscriberParams } from '../bodies/request-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { expectMayCreate } from '../subscribers/present-subscriber.js';
import { currentInfo } from './customer-info.js';
import { CODES, CompatError, SUBSCRIBER_PATH } from './protocol.js';
import { customerInfo, deletedSubscriber } from './responses.js';

const MAX_TIME_MS = 253_402_300_799_999;

const ms = z.int().min(0).max(MAX_TIME_MS);
const entitlementParams = subscriberParams.extend({ key: z.string().min(1).max(200) });

export const serverRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/entitlements/:key/promotional`,
    access: 'sdkSecret',
    permission: 'changeSubscriber',
    summary: 'Grant an entitlement',
    params: entitlementParams,
    body: z.looseObject({
      end_time_ms: ms.optional(),
      duration: grantDuration.optional(),
      start_time_ms: ms.optional(),
    }),
    response: customerInfo,
    statuses: [201],
    handle: async (input, services) => {
      const { params, scope, by, body, caller } = input;
      const { end_time_ms: endMs, start_time_ms: startMs, duration = null } = body;
      if (endMs === undefined && duration === null)
        throw new CompatError(400, CODES.badRequest, 'send end_time_ms or duration');
      await expectMayCreate(services, input);
      const result = await grantPromotional(services.deps, by, scope.projectId, params.appUserId, {
        entitlement: params.key,
        duration: endMs === undefined ? duration : null,
        expiresAt: endMs === undefined ? null : isoFromMs(endMs),
        startsAt: startMs === undefined ? null : isoFromMs(startMs),
      });
      const currentBody = () => currentInfo(services, caller, scope.projectId, params.appUserId);
      return { body: currentBody, after: readModelsAt(result.position, customers) };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${SUBSCRIBER_PATH}/entitlements/:key/revoke_promotionals`,
    access: 'sdkSecret',
    permission: 'changeSubscriber',
    summary: 'Revoke granted entitlements',
    params: entitlementParams,
    response: customerInfo,
    handle: async (input, services) => {
      const { params, scope, by, caller } = input;
      const result = await revokePromotional(services.deps, by, scope.projectId, params.appUserId, params.key);
      const currentBody = () => currentInfo(services, caller, scope.projectId, params.appUserId);
      return { body: currentBody, after: readModelsAt(result.position, customers) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: SUBSCRIBER_PATH,
    access: 'sdkSecret',
    permission: 'erase',
    summary: 'Erase a subscriber',
    params: subscriberParams,
    response: deletedSubscriber,
    handle: async ({ params, scope, by }, { deps }) => {
      const { position } = await eraseSubscriber(deps, by, scope.projectId, params.appUserId);
      return { body: { app_user_id: params.appUserId, deleted: true }, after: readModelsAt(position, customers) };
    },
  }),
];
