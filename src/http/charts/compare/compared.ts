// What a comparison shows: both sides with their reasons, or where there are very many values, the changes alone.
import {
  MAX_LISTED,
  reasonsAlong,
  type ReasonsAlong,
  type Results,
} from '../../../domain/charts/compare/packed-reasons.js';
import { placesOf } from '../../../domain/charts/compare/places.js';
import type { Unconverted } from '../../../domain/charts/result/result.js';
import { readSides } from '../../../projections/charts/requests/comparison-sides.js';
import type { Releasable } from '../../../projections/charts/requests/chart-requests.js';
import type { Services } from '../../dispatch/services.js';
import type { Sides } from './sides.js';

export type Compared = Releasable & {
  readonly then: Results;
  readonly now: Results;
  /** Null where differences have no reasons. */
  readonly reasonsAlong: ReasonsAlong | null;
  /** Only places that both sides have and in which something has changed, and reasons without customers. */
  readonly isOfChanges: boolean;
  /** Of the later knowledge; left out where nothing is converted. */
  readonly unconverted?: Unconverted;
};

/** Most values, of a chart without segments, that are all shown. */
const MAX_PLACES = 50_000;

export async function readCompared(
  { chartLedger }: Pick<Services, 'chartLedger'>,
  projectId: string,
  { then, now, isOfPeriods }: Sides,
): Promise<Compared> {
  const isOfChanges = placesOf(now.chartQuery) > MAX_PLACES;
  if (isOfPeriods) return { ...(await readSides(projectId, then, now)), reasonsAlong: null, isOfChanges };
  const mostListed = isOfChanges ? 0 : MAX_LISTED;
  const asked = { then: then.chartQuery, now: now.chartQuery, mostListed };
  const { reasons, ...found } = await chartLedger.ask('compare', projectId, asked);
  return { ...found, reasonsAlong: reasonsAlong(reasons), isOfChanges };
}
