// Responses about experiments, their variants and results.
import { z } from 'zod';
import { audience, experimentStatus } from '../../domain/experiment/events.js';
import { pickFields, money, time, type BodyOf } from '../bodies/response-schemas.js';
import { chanceToWin, type VariantResults } from '../../domain/experiment/results.js';
import type { ExperimentDoc } from '../../projections/models/experiments.js';

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

const rate = z.number().nullable().meta({ description: '0 to 1; null without customers.' });
const chance = z.number().meta({ description: 'Probability from 0 to 1 of a better rate than the control’s.' });

const results = z
  .strictObject({
    variantId: z.string(),
    name: z.string(),
    isControl: z.boolean(),
    customers: z.int(),
    initialConversions: z.int().meta({ description: 'Customers with a purchase or a trial.' }),
    initialConversionRate: rate,
    trialsStarted: z.int(),
    trialsCompleted: z.int().meta({ description: 'Converted or expired trials.' }),
    trialsConverted: z.int(),
    trialConversionRate: rate,
    payingCustomers: z.int(),
    conversionToPayingRate: rate,
    activeSubscribers: z.int(),
    churnedSubscribers: z.int(),
    refundedCustomers: z.int(),
    realizedLtvUsd: money(z.number()),
    realizedLtvPerCustomer: money(z.number().nullable()),
    realizedLtvPerPayingCustomer: money(z.number().nullable()),
    mrr: money(z.number()),
    mrrPerCustomer: money(z.number().nullable()),
    chanceToWin: z
      .strictObject({ initialConversionRate: chance, trialConversionRate: chance, conversionToPayingRate: chance })
      .nullable()
      .meta({ description: 'Null for the control.' }),
  })
  .meta({ id: 'VariantResults' });

export const experimentDetail = z
  .strictObject({ ...fields, variants: z.array(variant), results: z.array(results) })
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

/** `results` are in the order of the variants. */
export function presentExperimentDetail(
  x: ExperimentDoc,
  results: readonly VariantResults[],
): BodyOf<typeof experimentDetail> {
  const control = results[x.variants.findIndex((v) => v.isControl)];
  return {
    ...presentExperiment(x),
    variants: x.variants.map((v) => presentVariant(x.experimentId, v)),
    results: x.variants.flatMap((v, i) => {
      const own = results[i];
      return own ? [presentResults(v, own, v.isControl ? undefined : control)] : [];
    }),
  };
}

function presentResults(v: VariantDoc, own: VariantResults, control: VariantResults | undefined) {
  const { revenueMicros, mrrMicros, ...counts } = own;
  return {
    variantId: v.variantId,
    name: v.name,
    isControl: v.isControl,
    ...counts,
    realizedLtvUsd: usd(revenueMicros),
    realizedLtvPerCustomer: per(revenueMicros, own.customers),
    realizedLtvPerPayingCustomer: per(revenueMicros, own.payingCustomers),
    mrr: usd(mrrMicros),
    mrrPerCustomer: per(mrrMicros, own.customers),
    chanceToWin: control ? chances(own, control) : null,
  };
}

function chances(own: VariantResults, control: VariantResults) {
  const of = (part: keyof VariantResults, whole: keyof VariantResults) =>
    chanceToWin(
      { successes: own[part] ?? 0, of: own[whole] ?? 0 },
      { successes: control[part] ?? 0, of: control[whole] ?? 0 },
    );
  return {
    initialConversionRate: of('initialConversions', 'customers'),
    trialConversionRate: of('trialsConverted', 'trialsCompleted'),
    conversionToPayingRate: of('payingCustomers', 'customers'),
  };
}

function usd(micros: number): number {
  return Math.round(micros / 10_000) / 100;
}

function per(micros: number, count: number): number | null {
  return count === 0 ? null : usd(micros / count);
}
