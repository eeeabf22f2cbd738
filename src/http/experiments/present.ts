// Bodies of experiments: list item, and details with the results of each variant.
import { chanceToWin } from '../../domain/experiment/chance-to-win.js';
import type { VariantResults } from '../../domain/experiment/results.js';
import type { ExperimentDoc } from '../../projections/models/experiments.js';

export function presentExperiment(x: ExperimentDoc) {
  const { experimentId: id, name, description, status, enrollmentPercentage, audience, primaryMetric } = x;
  const { winnerVariantId, startedAt, stoppedAt, createdAt, updatedAt } = x;
  return {
    object: 'experiment',
    id,
    name,
    description,
    status,
    enrollmentPercentage,
    audience,
    primaryMetric,
    winnerVariantId,
    startedAt: startedAt === '' ? null : startedAt,
    stoppedAt: stoppedAt === '' ? null : stoppedAt,
    createdAt,
    updatedAt,
  };
}

type VariantDoc = ExperimentDoc['variants'][number];

export function presentVariant(experimentId: string, v: VariantDoc) {
  const { variantId: id, name, offeringId, weight, isControl, createdAt } = v;
  return { object: 'variant', id, experimentId, name, offeringId, weight, isControl, createdAt };
}

/** `results` are in the order of the variants. */
export function presentExperimentDetail(x: ExperimentDoc, results: readonly VariantResults[]) {
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
