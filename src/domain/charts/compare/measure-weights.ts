// Weights of sums in the measures of a chart, derived by evaluating the formulas of the catalogue with sums of one.
import type { Chart, Selectors, SeriesChart, Sums } from '../catalogue/chart.js';
import type { Raw } from '../catalogue/display-values.js';
import { measureNames, type Measure } from '../measures.js';

/** Sums of a cohort row, by column; `size` has only column 0. */
type CohortSum = 'size' | 'eligible' | 'sum';
export type SumName = Measure | CohortSum;

/** Weight of a sum at its own place (`flow`), from its place on (`stock`), and from the next place on (`before`). */
export type Weight = { readonly flow: number; readonly stock: number; readonly before: number };
/** Weights of one measure, by sum. */
type MeasureWeights = ReadonlyMap<SumName, Weight>;

export type WeightedMeasure = {
  readonly id: string;
  /** Null for a ratio, because ratios do not add up. */
  readonly form: MeasureWeights | null;
  /** Numerator and denominator of a ratio, if both are measures of the chart; for a mean per customer, `realized_ltv` and `size`. */
  readonly ratio: { readonly of: string; readonly per: string } | null;
};

export const sumNames: readonly SumName[] = [...measureNames, 'size', 'eligible', 'sum'];

/** Returns the weights of every measure of the chart; cohorts start with `size`. */
export function measureWeightsOf(chart: Chart, selectors: Selectors): readonly WeightedMeasure[] {
  return chart.kind === 'series' ? seriesForms(chart, selectors) : cohortForms(chart.of, selectors);
}

const flow: Weight = { flow: 1, stock: 0, before: 0 };
const stock: Weight = { flow: 0, stock: 1, before: 0 };
const ofSum = (id: string, sum: SumName, weight = flow): WeightedMeasure => ({
  id,
  form: new Map([[sum, weight]]),
  ratio: null,
});

function cohortForms(of: 'customers' | 'subscriptions', { cohortMeasure }: Selectors): readonly WeightedMeasure[] {
  const size = ofSum('size', 'size');
  if (of === 'subscriptions') {
    const rate = { id: 'retention_rate', form: null, ratio: { of: 'retained', per: 'eligible' } };
    return [size, ofSum('eligible', 'eligible'), ofSum('retained', 'sum'), rate];
  }
  if (cohortMeasure === 'realized_ltv_per_customer') {
    return [size, { id: 'value', form: null, ratio: { of: 'realized_ltv', per: 'size' } }];
  }
  return [size, ofSum('value', 'sum', cohortMeasure === 'realized_ltv' ? stock : flow)];
}

function seriesForms(chart: SeriesChart, selectors: Selectors): readonly WeightedMeasure[] {
  const responses = measureNames.flatMap((name) => {
    const values = (kind: keyof Sums) => chart.values(one(name, kind), selectors);
    return [{ name, flow: values('flow'), stock: values('stock'), before: values('before') }];
  });
  /** Returns null if the value is a ratio and no part of it was requested. */
  const formOf = (id: string, part?: 'of' | 'per'): MeasureWeights | null => {
    const form = new Map<SumName, Weight>();
    for (const { name, ...values } of responses) {
      const [flow, stock, before] = (['flow', 'stock', 'before'] as const).map((kind) =>
        partOf(values[kind][id], part),
      );
      if (flow === null || stock === null || before === null) return null;
      if (flow || stock || before) form.set(name, { flow: flow ?? 0, stock: stock ?? 0, before: before ?? 0 });
    }
    return form;
  };
  const additive = chart.measures.map(({ id }) => ({ id, form: formOf(id) }));
  const additiveIdOf = (form: MeasureWeights | null) =>
    additive.find((m) => form && m.form && isSame(m.form, form))?.id;
  return additive.map(({ id, form }) => {
    if (form) return { id, form, ratio: null };
    const [of, per] = [additiveIdOf(formOf(id, 'of')), additiveIdOf(formOf(id, 'per'))];
    return { id, form: null, ratio: of !== undefined && per !== undefined ? { of, per } : null };
  });
}

function one(measure: Measure, kind: keyof Sums): Sums {
  const only = (candidate: keyof Sums) => (m: Measure) => (candidate === kind && m === measure ? 1 : 0);
  return { flow: only('flow'), stock: only('stock'), before: only('before') };
}

function partOf(raw: Raw | undefined, part: 'of' | 'per' | undefined): number | null {
  if (raw === undefined) return 0;
  if (typeof raw === 'number') return part === undefined ? raw : null;
  return part === undefined ? null : raw[part];
}

function isSame(a: MeasureWeights, b: MeasureWeights): boolean {
  if (a.size !== b.size) return false;
  return [...a].every(([name, w]) => {
    const other = b.get(name);
    return other?.flow === w.flow && other.stock === w.stock && other.before === w.before;
  });
}

/** Returns how often a sum at place `at` counts in the value at `index`. */
export function timesIn({ flow, stock, before }: Weight, at: number, index: number): number {
  return (at === index ? flow : 0) + (at <= index ? stock : 0) + (at < index ? before : 0);
}
