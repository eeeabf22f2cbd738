// Derives the formula of a chart from its code: every value is a sum of measures with integer factors, or a ratio of two such sums.
import { defaultSelectors, type SeriesChart, type Sums } from '../../src/domain/charts/catalogue/chart.js';
import type { Raw } from '../../src/domain/charts/catalogue/display-values.js';

/** Factor by term; a term is `actives.new`, `total(actives.new)` or `totalBefore(actives.new)`. */
type Linear = ReadonlyMap<string, number>;
type Form = { readonly of: Linear; readonly per: Linear | null };
export type Formula = { readonly id: string; readonly text: string };

const terms = {
  flow: (measure: string) => measure,
  stock: (measure: string) => `total(${measure})`,
  before: (measure: string) => `totalBefore(${measure})`,
} as const satisfies Record<keyof Sums, unknown>;

/** Returns one formula for each value of the chart, and the measures that they use. */
export function formulasOf(chart: SeriesChart): { formulas: readonly Formula[]; measures: readonly string[] } {
  const used = new Map<string, string>();
  valuesWith(chart, (term, measure) => {
    used.set(term, measure);
    return 0;
  });
  const forms = new Map(chart.measures.map(({ id }) => [id, formOf(chart, id, [...used.keys()])]));
  const formulas = chart.measures.map(({ id, unit }) => ({ id, text: textOf(id, unit === 'percent', forms) }));
  return { formulas, measures: [...new Set(used.values())] };
}

function valuesWith(chart: SeriesChart, value: (term: string, measure: string) => number) {
  const sums: Sums = {
    flow: (measure) => value(terms.flow(measure), measure),
    stock: (measure) => value(terms.stock(measure), measure),
    before: (measure) => value(terms.before(measure), measure),
  };
  return chart.values(sums, defaultSelectors);
}

function formOf(chart: SeriesChart, id: string, used: readonly string[]): Form {
  const figure = (value: (term: string) => number): Raw => {
    const raw = valuesWith(chart, value)[id];
    if (raw === undefined) throw new Error(`${chart.id} has no value ${id}`);
    return raw;
  };
  const linear = (part: (raw: Raw) => number): Linear => {
    const factors = used.map((term) => [term, part(figure((t) => Number(t === term)))] as const);
    const primes = new Map(used.map((term, i) => [term, 7 ** i]));
    const sum = factors.reduce((all, [term, factor]) => all + factor * (primes.get(term) ?? 0), 0);
    if (part(figure((t) => primes.get(t) ?? 0)) !== sum) throw new Error(`${chart.id}.${id} is not a sum of measures`);
    return new Map(factors.filter(([, factor]) => factor !== 0));
  };
  const of = linear((raw) => (typeof raw === 'number' ? raw : raw.of));
  const isRatio = typeof figure(() => 0) !== 'number';
  return { of, per: isRatio ? linear((raw) => (typeof raw === 'number' ? 1 : raw.per)) : null };
}

function textOf(id: string, isPercent: boolean, forms: ReadonlyMap<string, Form>): string {
  const form = forms.get(id);
  if (!form) throw new Error(`no formula for ${id}`);
  if (!form.per) return sumText(form.of);
  const nameOrSum = (linear: Linear) => nameOf(linear, forms) ?? `(${sumText(linear)})`;
  return `${isPercent ? '100 × ' : ''}${nameOrSum(form.of)} / ${nameOrSum(form.per)}`;
}

/** Returns the value of the chart that equals this sum. */
function nameOf(linear: Linear, forms: ReadonlyMap<string, Form>): string | undefined {
  const text = sumText(linear);
  return [...forms].find(([, { of, per }]) => per === null && sumText(of) === text)?.[0];
}

function sumText(linear: Linear): string {
  return [...linear]
    .map(([term, factor], i) => {
      const sign = factor < 0 ? (i === 0 ? '−' : ' − ') : i === 0 ? '' : ' + ';
      return `${sign}${Math.abs(factor) === 1 ? '' : `${Math.abs(factor)} × `}${term}`;
    })
    .join('');
}
