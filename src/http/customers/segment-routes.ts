// Segments of customers: filters of the customer list under a name, shared by the members of a project.
import { z } from 'zod';
import {
  deleteCustomerSegment,
  readCustomerSegments,
  saveCustomerSegment,
  type CustomerSegment,
} from '../../commands/projects/customer-segments.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { text } from '../../domain/values/user-text.js';
import { HttpError } from '../bodies/errors.js';
import { pageAfter } from '../bodies/paging.js';
import { id, page } from '../bodies/request-schemas.js';
import { deletionOf, freeObject, time, type BodyOf } from '../bodies/response-schemas.js';
import { defineListRoute, defineRoute, type Route } from '../dispatch/route.js';
import { segmentQuery } from './list-routes.js';

const customerSegment = z
  .strictObject({
    object: z.literal('customerSegment'),
    id: z.string(),
    name: z.string(),
    query: freeObject.meta({ description: 'Filters and order of the customer list.' }),
    createdAt: time,
  })
  .meta({ id: 'CustomerSegment' });

const present = ({ segmentId, ...rest }: CustomerSegment): BodyOf<typeof customerSegment> => {
  return { object: 'customerSegment', id: segmentId, ...rest };
};

/** Converts parameters to the form in which they can be sent again. Throws {@link HttpError} 400 for values that name a person. */
function toParameters(query: z.output<typeof segmentQuery>): JsonObject {
  const attributes = [query.attribute ?? []].flat();
  if (attributes.some((one) => one.startsWith('$') && one.includes(':'))) {
    throw new HttpError(400, 'attribute: a segment stores no values of reserved attributes, which name a person');
  }
  const entries = Object.entries(query).flatMap(([name, value]) => {
    return value === undefined ? [] : [[name, Array.isArray(value) ? value : String(value)] as const];
  });
  if (entries.length === 0) throw new HttpError(400, 'query: send at least one filter of the customer list');
  return Object.fromEntries(entries);
}

export const customerSegmentRoutes: readonly Route[] = [
  defineListRoute({
    path: '/v1/projects/:id/customer-segments',
    permission: 'readCustomers',
    summary: 'List segments of customers, newest first',
    query: page,
    item: customerSegment,
    list: async ({ scope: { projectId }, query }, { deps }) => {
      const all = [...(await readCustomerSegments(deps, projectId))].reverse().map(present);
      return pageAfter(all, query);
    },
  }),
  defineRoute({
    method: 'post',
    path: '/v1/projects/:id/customer-segments',
    permission: 'keepSegments',
    summary: 'Save a segment of customers',
    description:
      '`query` contains parameters of the customer list, without `search`. All members of the project see it. At most 100 per project.',
    example: { name: 'Billing retry in Germany', query: { status: 'billing_retry', country: 'DE', minSpentUsd: '50' } },
    body: z.strictObject({ name: text(100), query: segmentQuery }),
    response: customerSegment,
    statuses: [201],
    handle: async ({ scope: { projectId }, body }, { deps }) => {
      const query = toParameters(body.query);
      return { status: 201, body: present(await saveCustomerSegment(deps, projectId, { name: body.name, query })) };
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/v1/projects/:id/customer-segments/:segmentId',
    permission: 'keepSegments',
    summary: 'Delete a segment of customers',
    params: z.object({ id, segmentId: id }),
    response: deletionOf('customerSegment'),
    handle: async ({ params: { segmentId }, scope: { projectId } }, { deps }) => {
      await deleteCustomerSegment(deps, projectId, segmentId);
      return { body: { object: 'customerSegment', id: segmentId, deleted: true } as const };
    },
  }),
];
