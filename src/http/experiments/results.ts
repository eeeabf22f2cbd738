// Results of an experiment: counts of each variant, the comparison by the primary metric, the check of the ratio, and segments.
import { z } from 'zod';
import {
  chanceOfRate,
  compareVariant,
  comparisonMethods,
  comparisonUnits,
  methodOf,
  methodTexts,
  MIN_CUSTOMERS,
  MIN_OUTCOMES,
  RATIO_THRESHOLD,
} from '../../domain/experiment/comparison.js';
import { primaryMetrics, type PrimaryMetric } from '../../domain/experiment/events.js';
import { summarize, type SegmentedVariantResults, type VariantResults } from '../../domain/experiment/results.js';
import { chanceOfSplit } from '../../domain/experiment/statistics.js';
import type { ExperimentDoc } from '../../projections/models/experiments.js';
import { money } from '../bodies/response-schemas.js';

const rate = z.number().nullable().meta({ description: '0 to 1; null without customers.' });
const chance = z
  .number()
  .nullable()
  .meta({
    description:
      `Probability from 0 to 1 of a better rate than the control’s; null while either has fewer than ${MIN_CUSTOMERS} ` +
      'customers, or completed trials for the trial conversion.',
  });

/** Amounts for metrics of money, so that roles without money see the chance alone. */
const primary = z
  .strictObject({
    value: money(z.number().nullable()).meta({ description: 'A rate from 0 to 1, or a mean per customer.' }),
    difference: money(z.number().nullable()).meta({ description: 'Value minus that of the control.' }),
    interval: money(z.strictObject({ low: z.number(), high: z.number() }).nullable()).meta({
      description: '95 % interval of the difference; null for the control, and with too few customers.',
    }),
    chanceToWin: z.number().nullable().meta({
      description:
        'Probability from 0 to 1 of a better value than the control’s; null for it, and with too few customers.',
    }),
    missing: z
      .strictObject({ customers: z.int(), outcomes: z.int() })
      .nullable()
      .meta({
        description:
          'Customers, and customers with an amount other than zero, that the smaller of the variant and the control ' +
          'lacks for a chance; null if both have enough.',
      }),
  })
  .nullable()
  .meta({ id: 'PrimaryMetricResult', description: 'Null for the metric `customers`, which weights decide.' });

export const results = z
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
    primary,
  })
  .meta({ id: 'VariantResults' });

export const comparison = z
  .strictObject({
    method: z.enum(comparisonMethods),
    unit: z.enum(comparisonUnits).meta({ description: 'Unit of `value`, `difference` and `interval`.' }),
    definition: z.string().meta({ description: 'The method in words, with its assumptions.' }),
    isLowerBetter: z.boolean(),
    minCustomers: z.int().meta({ description: 'Customers that each variant needs before a chance is shown.' }),
    minOutcomes: z.int().nullable().meta({
      description: 'Customers with an amount other than zero that each variant needs; null for rates.',
    }),
  })
  .nullable()
  .meta({ description: 'How the primary metric is compared; null if it is not.' });

export const ratioCheck = z
  .strictObject({
    chance: z
      .number()
      .nullable()
      .meta({
        description:
          'Probability of numbers of customers at least this far from the weights by chance (Pearson’s chi-square test); ' +
          'null if a variant expects fewer than 5 customers.',
      }),
    threshold: z.number(),
    isSuspicious: z.boolean().meta({
      description: 'The chance is below the threshold: customers are missing on one side, so no result can be trusted.',
    }),
  })
  .meta({ description: 'Whether chance explains the ratio of the variants’ customers (sample ratio mismatch).' });

export const segment = z.strictObject({
  value: z.string().nullable().meta({ description: 'Null: not reported when the customer was created.' }),
  results: z.array(z.strictObject({ variantId: z.string(), customers: z.int(), primary })),
});

type VariantDoc = ExperimentDoc['variants'][number];

/** `found` is in the order of the variants. */
export function presentResults(x: ExperimentDoc, found: readonly SegmentedVariantResults[]) {
  const metric = primaryMetrics.find((one) => one === x.primaryMetric);
  const method = metric ? methodOf(metric) : null;
  const whole = found.map((one) => one.whole);
  const control = whole[x.variants.findIndex((v) => v.isControl)];
  return {
    results: x.variants.flatMap((v, i) => {
      const own = whole[i];
      return own ? [presentVariantResults(v, metric, own, v.isControl ? undefined : control)] : [];
    }),
    comparison: method && {
      ...method,
      definition: methodTexts[method.method],
      minCustomers: MIN_CUSTOMERS,
      minOutcomes: method.method === 'welch_normal' ? MIN_OUTCOMES : null,
    },
    ratioCheck: checkRatio(x, whole),
    segments: presentSegments(x, metric, found),
  };
}

function checkRatio({ variants }: ExperimentDoc, found: readonly VariantResults[]) {
  const chance = chanceOfSplit(
    found.map((one) => one.customers),
    variants.map((v) => v.weight),
  );
  return { chance, threshold: RATIO_THRESHOLD, isSuspicious: chance !== null && chance < RATIO_THRESHOLD };
}

function presentSegments(
  x: ExperimentDoc,
  metric: PrimaryMetric | undefined,
  found: readonly SegmentedVariantResults[],
) {
  const byValue = found.map(({ segments }) => new Map(segments.map((one) => [one.value, one.results])));
  const values = [...new Set(byValue.flatMap((own) => [...own.keys()]))];
  const none = summarize([]);
  const segments = values.map((value) => {
    const own = byValue.map((results) => results.get(value) ?? none);
    const control = own[x.variants.findIndex((v) => v.isControl)] ?? null;
    const results = x.variants.map((v, i) => {
      const variantResults = own[i] ?? none;
      const compared = metric ? compareVariant(metric, variantResults, v.isControl ? null : control) : null;
      return { variantId: v.variantId, customers: variantResults.customers, primary: compared };
    });
    return { value, results };
  });
  const customersOf = ({ results }: (typeof segments)[number]) => results.reduce((sum, r) => sum + r.customers, 0);
  return segments.sort((a, b) => customersOf(b) - customersOf(a));
}

function presentVariantResults(
  v: VariantDoc,
  metric: PrimaryMetric | undefined,
  own: VariantResults,
  control: VariantResults | undefined,
) {
  const { revenueMicros, mrrMicros, samples: _samples, ...counts } = own;
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
    primary: metric ? compareVariant(metric, own, control ?? null) : null,
  };
}

type Count = 'initialConversions' | 'customers' | 'trialsConverted' | 'trialsCompleted' | 'payingCustomers';

function chances(own: VariantResults, control: VariantResults) {
  const of = (part: Count, whole: Count) =>
    chanceOfRate({ successes: own[part], of: own[whole] }, { successes: control[part], of: control[whole] });
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
