// The end of what is known of a person.
import { eraseSubscriber } from '../../commands/erasure.js';
import { customers } from '../../projections/customers.js';
import { deleted } from '../answers/shared.js';
import { defineRoute, shownIn, type Route } from '../route.js';
import { subscriberParams } from '../schemas.js';

export const erasureRoutes: readonly Route[] = [
  defineRoute({
    method: 'delete',
    path: '/v1/subscribers/:appUserId',
    access: 'sdkSecret',
    summary: 'Erase subscriber; attributes, aliases and grants are gone for good',
    params: subscriberParams,
    answer: deleted('customer'),
    handle: async ({ params, scope, by }, { deps }) => {
      const { customerId, position } = await eraseSubscriber(deps, by, scope.projectId, params.appUserId);
      return { body: { object: 'customer', id: customerId, deleted: true }, after: shownIn(position, customers) };
    },
  }),
];
