// The customer list as pages and as a table, and its count.
import { z } from 'zod';
import { text } from '../../domain/values/user-text.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { page } from '../bodies/request-schemas.js';
import { listOf } from '../bodies/response-schemas.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { customerCsv, type RestrictedView } from './customer-csv.js';
import { createCustomerFilter, customerFilters, type CustomerFilters } from './customer-filters.js';
import { listCustomers, type CustomerQuery } from './customer-list.js';
import { customerSorts } from './customer-order.js';
import { presentCustomers } from './present-list.js';
import { customer } from './responses.js';

const search = text(255).optional();
const selection = z.strictObject({ search, ...customerFilters });
const ordering = { sort: z.enum(customerSorts).optional(), order: z.enum(['desc', 'asc']).optional() };
const listQuery = page.extend({ ...selection.shape, ...ordering });
/** Parameters that a segment stores. A search is none of them: it may name a person, and would outlive the person's erasure. */
export const segmentQuery = z.strictObject({ ...customerFilters, ...ordering });

/** Limit of the customers that a count looks at. */
const MAX_COUNTED = 5000;

const customerCount = z
  .strictObject({
    object: z.literal('customerCount'),
    count: z.int().meta({ description: 'Number of customers that match, among those that were looked at.' }),
    complete: z.boolean().meta({ description: '`false`: there may be more, after those that were looked at.' }),
    examined: z.int().meta({ description: `Number of customers that were looked at, about ${MAX_COUNTED} at most.` }),
  })
  .meta({ id: 'CustomerCount' });

type SelectionQuery = CustomerFilters & Pick<CustomerQuery, 'search' | 'sort' | 'order'>;

async function prepareList(services: Services, projectId: string, query: SelectionQuery, visibility: FieldVisibility) {
  if (query.sort === 'totalSpentUsd' && !visibility.money) {
    throw new HttpError(403, 'not allowed: your role sees no amounts; sort by another field');
  }
  const filter = await createCustomerFilter(services, projectId, query, visibility);
  return { filter, searchesPersonal: visibility.personal };
}

export const customerListRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers',
    permission: 'readCustomers',
    summary: 'List customers, with search and pagination',
    description:
      'Filters apply together. `attribute` is `name:value`, or `name` for any value, up to 5 times; it needs a role or key that sees personal data, `minSpentUsd` and `maxSpentUsd` one that sees amounts. Status and access are those of the time of the request. `sort` lists the highest first; `order=asc` the lowest. `country`, `productId` of a subscription, `status=billing_retry` and `grace_period`, and filters that only customers with a purchase or a grant can match read an index; so do the range of `sort`, and first seen. Other filters look at the customers one by one: a page looks at about 2,000, may therefore have fewer than `limit` or none, and `nextPage` continues. With `Accept: text/csv` the list is a whole table, without `limit`.',
    query: listQuery,
    response: listOf(customer),
    handle: async ({ scope: { projectId }, query, visibility, redact, accepts }, services) => {
      const { filter, searchesPersonal } = await prepareList(services, projectId, query, visibility);
      const request = { ...query, searchesPersonal };
      if (accepts(['application/json', 'text/csv']) === 'text/csv') {
        const view: RestrictedView = { visibility, redact: (items) => redact({ items }).items };
        return { body: await customerCsv(services, projectId, request, filter, view) };
      }
      const { docs, lastId } = await listCustomers(services, projectId, request, filter);
      const items = await presentCustomers(services, projectId, docs);
      const { limit, startingAfter: _cursor, minSpentUsd, maxSpentUsd, ...rest } = query;
      const amounts = { minSpentUsd: textOf(minSpentUsd), maxSpentUsd: textOf(maxSpentUsd) };
      const url = `/v1/projects/${projectId}/customers`;
      return { body: listBody(url, items, { lastId, limit, extra: { ...rest, ...amounts } }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customer-count',
    permission: 'readCustomers',
    summary: 'Count customers',
    description: `Takes the filters of the list, and looks at the first ${MAX_COUNTED.toLocaleString('en')} customers of the index that these read. \`complete\` tells whether these are all; for a list of any length count the lines of the table.`,
    query: selection,
    response: customerCount,
    handle: async ({ scope: { projectId }, query, visibility }, services) => {
      const { filter, searchesPersonal } = await prepareList(services, projectId, query, visibility);
      const request = { ...query, searchesPersonal, limit: MAX_COUNTED, maxScanned: MAX_COUNTED };
      const { docs, lastId, scanned } = await listCustomers(services, projectId, request, filter);
      return {
        body: { object: 'customerCount', count: docs.length, complete: lastId === null, examined: scanned } as const,
      };
    },
  }),
];

function textOf(amount: number | undefined): string | undefined {
  return amount === undefined ? undefined : String(amount);
}
