// Customers of one value of a chart or of one reason of a comparison: the parameters that identify it, and their presentation.
import { z } from 'zod';
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { customers } from '../../projections/models/customers.js';
import { HttpError } from '../bodies/errors.js';
import type { Services } from '../dispatch/services.js';
import type { BodyOf } from '../bodies/response-schemas.js';
import type { customerBehindValue } from './responses.js';

export const bucketStart = z
  .string()
  .max(40)
  .refine((t) => !Number.isNaN(Date.parse(t)), 'must be the start of a bucket')
  .optional();

/** Index of a cohort column. */
export const cohortColumn = z.coerce.number().int().min(0).max(10_000).optional();

/** Throws {@link HttpError} 400 unless the column is sent with the measures of a cohort chart, and only with them. */
export function expectColumnOf(chart: Chart, measure: string, column: number | undefined): void {
  if ((chart.kind === 'cohort' && measure !== 'size') === (column !== undefined)) return;
  throw new HttpError(
    400,
    'column is the index of a cohort column: send it with the measures of a cohort chart other than size, and only then',
  );
}

/** Presents customers and their values, with the app user ID. */
export async function presentChartCustomers(
  { readModels }: Services,
  found: readonly { readonly customerId: string; readonly value: number }[],
): Promise<readonly BodyOf<typeof customerBehindValue>[]> {
  const customersById = await readModels.getMany(
    customers,
    found.map((c) => c.customerId),
  );
  return found.map(({ customerId, value }) => {
    const appUserId = customersById.get(customerId)?.profile.appUserId ?? '';
    return { object: 'chartCustomer', customerId, appUserId: appUserId === '' ? null : appUserId, value };
  });
}

/** Returns the parameters of the next page; null is an unbounded timeframe. */
export function nextPageParameters(
  query: Readonly<Record<string, unknown>>,
): Record<string, string | string[] | undefined> {
  const parameters = Object.entries(query).filter(([name]) => name !== 'limit' && name !== 'startingAfter');
  const boundText = (v: unknown) => (v === null ? 'unbounded' : String(v));
  return Object.fromEntries(
    parameters.map(([name, v]) => [name, v === undefined ? v : Array.isArray(v) ? v.map(boundText) : boundText(v)]),
  );
}
