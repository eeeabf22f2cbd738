// Responses about experiments and their variants.
import { z } from 'zod';
import { audience, experimentStatus } from '../../domain/experiment/events.js';
import { pickFields, time, type BodyOf } from '../bodies/response-schemas.js';
import type { SegmentedVariantResults } from '../../domain/experiment/results.js';
import type { ExperimentDoc } from '../../projections/models/experiments.js';
import { comparison, presentResults, ratioCheck, results, segment } from './results.js';

const fields = {
  object: z.literal('experiment'),
  id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  status: experimentStatus,
  enrollmentPercentage: z.int(),
  audience,
  primaryMetric: z.string(),
  winnerVariantId: z.string().nullable(),
  startedAt: time.nullable(),
  stoppedAt: time.nullable(),
  createdAt: time,
  updatedAt: time,
};
export const experiment = z.strictObject(fields).meta({ id: 'Experiment' });

export const variant = z
  .strictObject({
    object: z.literal('variant'),
    id: z.string(),
    experimentId: z.string(),
    name: z.string(),
    offeringId: z.string(),
    weight: z.int(),
    isControl: z.boolean(),
    createdAt: time,
  })
  .meta({ id: 'Variant' });

export const experimentDetail = z
  .strictObject({
    ...fields,
    variants: z.array(variant),
    results: z.array(results),
    comparison,
    ratioCheck,
    segments: z.array(segment).meta({
      description: 'Results by the values of `segment`, those with most customers first; empty without it.',
    }),
  })
  .meta({ id: 'ExperimentDetail' });

export function presentExperiment(x: ExperimentDoc): BodyOf<typeof experiment> {
  return pickFields(experiment, {
    ...x,
    object: 'experiment',
    id: x.experimentId,
    startedAt: x.startedAt === '' ? null : x.startedAt,
    stoppedAt: x.stoppedAt === '' ? null : x.stoppedAt,
  });
}

type VariantDoc = ExperimentDoc['variants'][number];

export function presentVariant(experimentId: string, v: VariantDoc): BodyOf<typeof variant> {
  const { variantId: id, name, offeringId, weight, isControl, createdAt } = v;
  return { object: 'variant', id, experimentId, name, offeringId, weight, isControl, createdAt };
}

/** `found` is in the order of the variants. */
export function presentExperimentDetail(
  x: ExperimentDoc,
  found: readonly SegmentedVariantResults[],
): BodyOf<typeof experimentDetail> {
  return {
    ...presentExperiment(x),
    variants: x.variants.map((v) => presentVariant(x.experimentId, v)),
    ...presentResults(x, found),
  };
}
