// Erasure of all data about a customer.
import { z } from 'zod';
import { eraseSubscriber } from '../../commands/subscribers/erasure.js';
import { customers } from '../../projections/models/customers.js';
import { deletionOf } from '../bodies/response-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';

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
