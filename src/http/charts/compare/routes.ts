// Routes of comparisons: a chart at two instants, in two replays or in two periods, and the customers of a reason.
import { reasonNumber } from '../../../domain/charts/ledger/compare/reason-kinds.js';
import { measureWeightsOf } from '../../../domain/charts/compare/measure-weights.js';
import { shownAmount } from '../../../domain/charts/compare/differences.js';
import type { ReasonPlace } from '../../../domain/charts/compare/packed-reasons.js';
import type { ChartQuery } from '../../../domain/charts/catalogue/chart-query.js';
import { unitOf } from '../../../domain/charts/result/result.js';
import { z } from 'zod';
import { customerHistories } from '../../../projections/charts/customer-histories.js';
import { HttpError } from '../../bodies/errors.js';
import { listBody, unknownCursorError } from '../../bodies/paging.js';
import { listOf } from '../../bodies/response-schemas.js';
import { id, limit } from '../../bodies/request-schemas.js';
import { defineRoute, type Route } from '../../dispatch/route.js';
import {
  bucketStart,
  cohortColumn,
  expectColumnOf,
  nextPageParameters,
  presentChartCustomers,
} from '../chart-customers.js';
import { chartParams, expectFresh, requireChart, type ChartRequest } from '../chart-request.js';
import { customerOfReason } from '../responses.js';
import { expectFits, rankSegments, readDisplayNames, withSegments } from '../segments.js';
import { readComparison, presentComparison } from './comparison-response.js';
import { chartComparison } from './responses.js';
import { resolveSides, compareParameters } from './comparison-request.js';
import { describeReasons } from './reason-descriptions.js';

export const compareRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/compare',
    access: 'project',
    permission: 'readCharts',
    summary: 'Compare chart data',
    description:
      'In addition to the parameters of the chart, send one pair: `thenAsOf` and `nowAsOf` (now unless given), `thenReplay` and `nowReplay` (live unless given), or `previous` for another period as on the chart. Each difference between two instants or replays has its reasons: the types of events recorded in between. A chart of more than 50,000 values contains only changes, see `isOfChanges`.',
    params: chartParams,
    query: compareParameters,
    response: chartComparison,
    handle: async ({ params, scope: { projectId }, query }, services) => {
      const chart = requireChart(params.chartId);
      const all = await resolveSides(services, projectId, chart, query);
      const ranks = await rankSegments(services, projectId, [all.then, all.now]);
      const show = (side: ChartRequest) => withSegments(side, ranks, query.segmentLimit);
      const sides = { ...all, then: show(all.then), now: show(all.now) };
      const { now } = sides;
      expectFits(now.chartQuery);
      const compared = await readComparison(services, projectId, sides);
      const names = await readDisplayNames(services, now.chartQuery.segment, now.chartQuery.segments ?? []);
      const { staleSince, asOf, now: requestedAt, ignoredFilters: ignored } = now;
      const context = { asOf, requestedAt, staleSince, currency: query.currency, ignored };
      return { body: presentComparison(sides, compared, context, names) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/v1/projects/:id/metrics/charts/:chartId/compare/customers',
    access: 'project',
    permission: 'readCharts',
    summary: 'List the customers behind a reason',
    description:
      'Takes the parameters of the comparison, the start of the `bucket` (or of a cohort row, with the index of the `column`), and the `kind` of the reason. `value` is the customer’s share, `sentence` what changed it.',
    params: chartParams,
    query: compareParameters.extend({
      bucket: bucketStart,
      column: cohortColumn,
      measure: id.optional(),
      kind: z.string().min(1).max(64).optional(),
      limit,
      startingAfter: id.optional(),
    }),
    response: listOf(customerOfReason),
    handle: async ({ params, scope: { projectId }, query }, services) => {
      const chart = requireChart(params.chartId);
      const { bucket, column, measure, kind, limit: size, startingAfter, ...ofChart } = query;
      const sides = await resolveSides(services, projectId, chart, { ...ofChart, segment: undefined });
      if (sides.periodPairs)
        throw new HttpError(400, 'comparisons of periods have no reasons; send thenAsOf or thenReplay');
      for (const side of [sides.then, sides.now]) expectFresh(side);
      const place = reasonPlaceOf(sides.now.chartQuery, { bucket, column, measure, kind });
      if (startingAfter !== undefined && !(await services.readModels.get(customerHistories, startingAfter)))
        throw unknownCursorError();
      const page = { after: startingAfter, limit: size + 1 };
      const reasonQuery = { then: sides.then.chartQuery, now: sides.now.chartQuery, place, page };
      const found = await services.chartLedger.ask('reason', projectId, reasonQuery);
      const unit = unitOfMeasure(sides.now.chartQuery, place.measure);
      const pageOfCustomers = found.slice(0, size).map((c) => ({ ...c, value: shownAmount(c.value, unit) }));
      const lastId = found.length > size ? (pageOfCustomers.at(-1)?.customerId ?? null) : null;
      const url = `/v1/projects/${projectId}/metrics/charts/${chart.id}/compare/customers`;
      const ids = pageOfCustomers.map(({ customerId }) => customerId);
      const describe = await describeReasons(services.readModels, sides, ids);
      const period = chart.kind === 'series' ? (sides.now.chartQuery.range.buckets[place.index] ?? null) : null;
      const items = (await presentChartCustomers(services, pageOfCustomers)).map((item) => {
        const own = { kind: place.kind, count: 1, customers: [item.customerId] };
        return { ...item, sentence: describe(own, period) };
      });
      return { body: listBody(url, items, { lastId, limit: size, extra: nextPageParameters(query) }) };
    },
  }),
];

type ReasonParameters = {
  readonly bucket: string | undefined;
  readonly column: number | undefined;
  readonly measure: string | undefined;
  readonly kind: string | undefined;
};

function reasonPlaceOf(
  { chart, range, selectors }: ChartQuery,
  { bucket, column, measure, kind }: ReasonParameters,
): ReasonPlace {
  const allowed = measureWeightsOf(chart, selectors).flatMap((f) => (f.form ? [f.id] : []));
  const visibleMeasure = measure ?? allowed[0] ?? '';
  if (!allowed.includes(visibleMeasure)) throw new HttpError(400, `measure must be one of ${allowed.join(', ')}`);
  if (kind === undefined) throw new HttpError(400, 'kind is required: the kind of a reason in the comparison');
  if (reasonNumber(kind) === undefined)
    throw new HttpError(400, `unknown kind "${kind}": send the kind of a reason in the comparison`);
  if (bucket === undefined) throw new HttpError(400, 'bucket is required: send the start of a bucket of this chart');
  const at = range.buckets.findIndex((b) => b.start === Date.parse(bucket));
  if (at < 0) throw new HttpError(400, 'bucket must be the start of a bucket of this chart');
  expectColumnOf(chart, visibleMeasure, column);
  return chart.kind === 'cohort'
    ? { kind, measure: visibleMeasure, track: at, index: column ?? 0 }
    : { kind, measure: visibleMeasure, track: 0, index: at };
}

function unitOfMeasure({ chart, selectors }: ChartQuery, measure: string) {
  const own = chart.measures.find((m) => m.id === measure)?.unit;
  return own === undefined ? 'count' : unitOf(chart, selectors, own);
}
