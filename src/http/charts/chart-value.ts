// One value of a chart whose customers are asked for: its parameters, its query, and the list of its customers.
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { findChart } from '../../domain/charts/catalogue/catalogue.js';
import type { ChartQuery } from '../../domain/charts/catalogue/chart-query.js';
import { measureWeightsOf } from '../../domain/charts/compare/measure-weights.js';
import { bucketedRangeOf } from '../../domain/charts/result/buckets.js';
import { HttpError } from '../bodies/errors.js';
import { id } from '../bodies/request-schemas.js';
import type { Services } from '../dispatch/services.js';
import { bucketStart, cohortColumn, expectColumnOf } from './chart-customers.js';
import { chartParameters } from './chart-parameters.js';
import { expectFresh, resolveChartRequest } from './chart-request.js';
import type { z } from 'zod';

export const chartValueParameters = chartParameters.extend({
  bucket: bucketStart,
  column: cohortColumn,
  measure: id.optional(),
});

export type ChartValue = {
  /** The chart of the value's own bucket. */
  readonly query: ChartQuery;
  readonly measure: string;
  readonly column: number | undefined;
};

/** Throws {@link HttpError} 400 unless the parameters are those of a value that is made of customers. */
export async function resolveChartValue(
  services: Services,
  projectId: string,
  chart: Chart,
  { bucket, column, measure, ...parameters }: z.output<typeof chartValueParameters>,
): Promise<ChartValue> {
  const read = await resolveChartRequest(services, projectId, chart, parameters);
  expectFresh(read);
  const { chartQuery } = read;
  const { range } = chartQuery;
  const ownMeasure = requireMeasure(chartQuery, measure, column);
  if (bucket === undefined) throw new HttpError(400, 'bucket is required: send the start of a bucket of this chart');
  const found = range.buckets.find(({ start }) => start === Date.parse(bucket));
  if (!found) throw new HttpError(400, 'bucket must be the start of a bucket of this chart');
  const own = bucketedRangeOf({ ...range, start: found.start, end: found.end });
  return { query: { ...chartQuery, range: own, segment: null }, measure: ownMeasure, column };
}

/** Returns the measure whose customers are listed: any but a rate. Cohorts have `size`, and measures by column. */
function requireMeasure(
  { chart, selectors }: ChartQuery,
  requested: string | undefined,
  column: number | undefined,
): string {
  const allowed =
    chart.kind === 'cohort'
      ? measureWeightsOf(chart, selectors).flatMap(({ id: measure, form }) => (form ? [measure] : []))
      : chart.measures.filter((m) => m.unit !== 'percent').map((m) => m.id);
  const measure = requested ?? allowed[0] ?? '';
  if (!allowed.includes(measure)) throw new HttpError(400, `measure must be one of ${allowed.join(', ')}`);
  expectColumnOf(chart, measure, column);
  return measure;
}

/** Pages of customer IDs in order. `after` is an ID or undefined; `isLast` is true if no ID follows. */
export type ReadMembers = (
  size: number,
  after: string | undefined,
) => Promise<{ readonly ids: readonly string[]; readonly isLast: boolean } | null>;

/** Customers that one computation of the value returns: it takes as long for one as for all of them. */
const MEMBERS_AT_ONCE = 5000;

/**
 * Reads the customers of a value in text, such as `mrr?period=last_12_months&interval=month&bucket=2026-02-01T00:00:00.000Z`. The result
 * returns null for an `after` that is not a customer of the value. Throws {@link HttpError} 400 for another text.
 */
export async function readChartMembers(services: Services, projectId: string, text: string): Promise<ReadMembers> {
  const [chartId = '', query = ''] = text.split('?', 2);
  const chart = findChart(chartId);
  if (!chart) throw new HttpError(400, 'chartValue: begin with the ID of a chart and a ?, see GET …/metrics/charts');
  const value = await resolveChartValue(services, projectId, chart, parseQuery(query)).catch((err: unknown) => {
    throw err instanceof HttpError && err.status === 400 ? new HttpError(400, `chartValue: ${err.message}`) : err;
  });
  let read: { readonly ids: readonly string[]; readonly isLast: boolean } | undefined;
  return async (size, after) => {
    const known = read ? membersAfter(read.ids, after) : [];
    if (read && (known.length > 0 || read.isLast)) {
      return { ids: known.slice(0, size), isLast: read.isLast && known.length <= size };
    }
    const page = { after, limit: MEMBERS_AT_ONCE };
    const found = await services.chartLedger.ask('behind', projectId, { ...value, page });
    if (!found) return null;
    const ids = found.found.map(({ customerId }) => customerId);
    read = { ids, isLast: found.isLast };
    return { ids: ids.slice(0, size), isLast: found.isLast && ids.length <= size };
  };
}

function membersAfter(ids: readonly string[], after: string | undefined): readonly string[] {
  if (after === undefined) return ids;
  const next = ids.findIndex((one) => one > after);
  return next === -1 ? [] : ids.slice(next);
}

function parseQuery(query: string): z.output<typeof chartValueParameters> {
  const params = new URLSearchParams(query);
  const names = [...new Set(params.keys())];
  const fields = names.map((name) => {
    const all = params.getAll(name);
    return [name, all.length === 1 ? all[0] : all] as const;
  });
  const { success, data, error } = chartValueParameters.safeParse(Object.fromEntries(fields));
  if (success) return data;
  const [issue] = error.issues;
  throw new HttpError(400, `chartValue: ${[...(issue?.path ?? []), issue?.message].join(' ')}`);
}
