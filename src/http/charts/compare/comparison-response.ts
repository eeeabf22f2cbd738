// Values of a comparison: both sides with their reasons, or only the changes if there are very many values.
import {
  MAX_LISTED,
  reasonsAlong,
  type ReasonsAlong,
  type Results,
} from '../../../domain/charts/compare/packed-reasons.js';
import { placesOf } from '../../../domain/charts/compare/places.js';
import type { UnconvertedCharges } from '../../../domain/charts/result/result.js';
import { readSides } from '../../../projections/charts/requests/comparison-sides.js';
import type { Releasable } from '../../../projections/charts/requests/chart-requests.js';
import type { Services } from '../../dispatch/services.js';
import type { ComparisonRequest } from './comparison-request.js';

export type Comparison = Releasable & {
  readonly then: Results;
  readonly now: Results;
  /** Null if differences have no reasons. */
  readonly reasonsAlong: ReasonsAlong | null;
  /** True if only changed values that both sides have are included, and reasons have no customers. */
  readonly isOfChanges: boolean;
  /** Transactions of the later side without an exchange rate; omitted without a conversion. */
  readonly unconverted?: UnconvertedCharges;
};

/** Largest number of values, without segments, that are all shown. */
const MAX_PLACES = 50_000;

export async function readComparison(
  { chartLedger }: Pick<Services, 'chartLedger'>,
  projectId: string,
  { then, now, isOfPeriods }: ComparisonRequest,
): Promise<Comparison> {
  const isOfChanges = placesOf(now.chartQuery) > MAX_PLACES;
  if (isOfPeriods) return { ...(await readSides(projectId, then, now)), reasonsAlong: null, isOfChanges };
  const mostListed = isOfChanges ? 0 : MAX_LISTED;
  const query = { then: then.chartQuery, now: now.chartQuery, mostListed };
  const { reasons, ...found } = await chartLedger.ask('compare', projectId, query);
  return { ...found, reasonsAlong: reasonsAlong(reasons), isOfChanges };
}
