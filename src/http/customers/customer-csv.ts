// The customer list as a CSV table, whole: customers are read page by page while the table is sent. A customer that is first seen meanwhile may
// be missing, and by a sort whose value changes meanwhile one may be missing or occur twice.
import { stringify } from 'csv-stringify/sync';
import { csvRules } from '../../adapters/csv.js';
import { isoFromMs, utcDay } from '../../domain/time.js';
import type { FieldVisibility } from '../../domain/values/field-groups.js';
import { Csv } from '../bodies/send-json.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { Services } from '../dispatch/services.js';
import type { CustomerFilter } from './customer-filters.js';
import { listCustomers, type CustomerQuery } from './customer-list.js';
import { presentCustomers } from './present-list.js';
import type { customer } from './responses.js';

type Customer = BodyOf<typeof customer>;

const columns = [
  ['id', (c) => c.id],
  ['appUserId', (c) => c.appUserId],
  ['aliases', (c) => c.aliases.join(' ')],
  ['status', (c) => c.status],
  ['activeEntitlements', (c) => c.activeEntitlements.join(' ')],
  ['country', (c) => c.country],
  ['platform', (c) => c.platform],
  ['firstSeenAt', (c) => c.firstSeenAt],
  ['lastSeenAt', (c) => c.lastSeenAt],
  ['totalSpentUsd', (c) => c.totalSpentUsd ?? null],
] as const satisfies readonly (readonly [name: string, value: (c: Customer) => string | number | null])[];

/** `redact` removes the fields that the visibility excludes. */
export type RestrictedView = {
  readonly visibility: FieldVisibility;
  readonly redact: (items: readonly Customer[]) => readonly Customer[];
};

const PAGE_SIZE = 500;

/** Creates the table. Columns that the caller may not see are missing. Rejects if the first page cannot be read. */
export async function customerCsv(
  services: Services,
  projectId: string,
  query: CustomerQuery,
  filter: CustomerFilter,
  { visibility, redact }: RestrictedView,
): Promise<Csv> {
  const visibleColumns = columns.filter(([name]) => name !== 'totalSpentUsd' || visibility.money);
  const read = (startingAfter: string | undefined) =>
    listCustomers(services, projectId, { ...query, limit: PAGE_SIZE, startingAfter }, filter);
  const first = await read(query.startingAfter);
  async function* pieces(): AsyncGenerator<Buffer> {
    yield Buffer.from(stringify([visibleColumns.map(([name]) => name)], csvRules));
    for (let page = first; ; page = await read(page.lastId)) {
      const items = redact(await presentCustomers(services, projectId, page.docs));
      const lines = items.map((item) => visibleColumns.map(([, valueOf]) => valueOf(item)));
      if (lines.length > 0) yield Buffer.from(stringify(lines, csvRules));
      if (page.lastId === null) return;
    }
  }
  return new Csv(pieces(), `customers_${utcDay(isoFromMs(services.runtime.now()))}.csv`);
}
