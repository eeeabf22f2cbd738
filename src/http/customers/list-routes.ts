// The customer list as pages and as a table, and its count.
import { z } from 'zod';
import { text } from '../../domain/values/user-text.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { HttpError } from '../bodies/errors.js';
import { listBody } from '../bodies/paging.js';
import { page } from '../bodies/request-schemas.js';
import { listOf } from '../bodies/response-schemas.js';
import { hasPermission } from '../dispatch/authorize.js';
import { readChartMembers } from '../charts/chart-value.js';
import { defineRoute, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { customerCsv, type RestrictedView } from './customer-csv.js';
import { createCustomerFilter, customerFilters, type CustomerFilters } from './customer-filters.js';
import { listCustomers, type CustomerQuery } from './customer-list.js';
import { customerSorts } from './customer-order.js';
import { presentCustomers } from './present-list.js';
import { customer } from './responses.js';

const search = text(255).optional();
const chartValue = text(2000).optional().meta({
  description:
    'A value of a chart: its ID, `?`, and the parameters of `…/metrics/charts/:chartId/customers`, such as `mrr?period=last_12_months&interval=month&filter=country:DE&bucket=2026-02-01T00:00:00.000Z`.',
});
const selection = z.strictObject({ search, chartValue, ...customerFilters });
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

type SelectionQuery = CustomerFilters &
  Pick<CustomerQuery, 'search' | 'sort' | 'order'> & { readonly chartValue?: string | undefined };
type Requester = { readonly visibility: FieldVisibility; readonly mayReadCharts: boolean };

async function prepareList(
  services: Services,
  projectId: string,
  query: SelectionQuery,
  { visibility, mayReadCharts }: Requester,
) {
  if (query.sort === 'totalSpentUsd' && !visibility.money) {
    throw new HttpError(403, 'not allowed: your role sees no amounts; sort by another field');
  }
  if (query.chartValue !== undefined && !mayReadCharts) {
    throw new HttpError(403, 'not allowed: your role or key reads no charts; omit chartValue');
  }
  const filter = {
    ...(await createCustomerFilter(services, projectId, query, visibility)),
    members: query.chartValue === undefined ? null : await readChartMembers(services, projectId, query.chartValue),
  };
  return { filter, searchesPersonal: visibility.personal };
}

export const customerListRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/customers',
    permission: 'readCustomers',
    summary: 'List customers, with search and pagination',
    description:
      'Filters apply together. `attribute` is `name:value`, or `name` for any value, up to 5 times; it needs a role or key that sees personal data, `minSpentUsd` and `maxSpentUsd` one that sees amounts. Status and access are those of the time of the request. `sort` lists the highest first; `order=asc` the lowest. `country`, `productId` of a subscription, `status=billing_retry` and `grace_period`, and filters that only customers with a purchase or a grant can match read an index; so do the range of `sort`, and first seen. Other filters look at the customers one by one: a page looks at about 2,000, may therefore have fewer than `limit` or none, and `nextPage` continues. `chartValue` lists the customers behind a value of a chart, by ID, with all other filters but `search`; it needs a role or key that reads charts, takes as long as the value does once per 5,000 customers, and leaves out customers that were erased since. With `Accept: text/csv` the list is a whole table, without `limit`.',
    query: listQuery,
    response: listOf(customer),
    handle: async ({ scope, caller, query, visibility, redact, accepts }, services) => {
      const { projectId } = scope;
      const requester = { visibility, mayReadCharts: hasPermission(caller, scope, 'readCharts') };
      const { filter, searchesPersonal } = await prepareList(services, projectId, query, requester);
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
    handle: async ({ scope, caller, query, visibility }, services) => {
      const { projectId } = scope;
      const requester = { visibility, mayReadCharts: hasPermission(caller, scope, 'readCharts') };
      const { filter, searchesPersonal } = await prepareList(services, projectId, query, requester);
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
