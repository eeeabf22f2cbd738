// Comparison of one chart with the same chart of another service, in US dollars: each bucket's value on both sides, under the names that
// RevenueCat shows for its measures, and the known reasons of a difference.
import { defaultSelectors, type Chart } from '../charts/catalogue/chart.js';
import type { Unit } from '../charts/catalogue/display-values.js';
import { unpackColumns } from '../charts/result/columns.js';
import { unitOf, type ChartResult } from '../charts/result/result.js';
import { isoFromMs } from '../time.js';
import { findReasons, type ReasonName } from './chart-reasons.js';
import { convertedIn, type ConvertedAmount } from './other-currencies.js';

/** `at`: start of the bucket or cohort, ISO 8601 UTC. `period`: age of the cohort in intervals, else null. Null values: none reported. */
export type ChartCell = {
  readonly measure: string;
  readonly at: string;
  readonly period: number | null;
  readonly there: number | null;
  readonly here: number | null;
  /** `here` less `there`; null if a side has no value. */
  readonly difference: number | null;
  readonly isEqual: boolean;
  /** Known reasons of a difference; none: it is unexplained. */
  readonly reasons: readonly ReasonName[];
};

type ChartComparison = {
  readonly chartId: string;
  readonly cells: readonly ChartCell[];
  /** Measures without a counterpart, by their names there and their IDs here. */
  readonly notCompared: { readonly there: readonly string[]; readonly here: readonly string[] };
};

/** `end`: of the bucket, UTC ms; null for a cohort. */
type OwnValue = {
  readonly values: Readonly<Record<string, number | null>>;
  readonly incomplete: boolean;
  readonly end: number | null;
};

/**
 * `end`: end of the period, UTC ms; ours may continue after it, so that later refunds are known. `converted`: all amounts of the project in
 * other currencies.
 */
type ComparisonTerms = { readonly end: number; readonly converted: readonly ConvertedAmount[] };

/** Both sides have the same chart and interval, in US dollars. */
export function compareChart(
  chart: Chart,
  ownResult: ChartResult,
  vendor: VendorChart,
  { end, converted }: ComparisonTerms,
): ChartComparison {
  const match = matchMeasures(chart, vendor);
  const all = ownValues(ownResult);
  const own = new Map([...all].filter(([place]) => startOf(place) < end));
  const refunds = [...all].map(([place, { values }]) => [startOf(place), values['refunds'] ?? 0] as const);
  const laterRefunds = (from: number) => refunds.reduce((sum, [at, amount]) => (at < from ? sum : sum + amount), 0);
  const points = new Map<string, VendorPoint>();
  for (const point of vendor.points) {
    const id = match.ours.get(point.measure);
    if (id !== undefined) points.set(`${keyOf(point.at, point.period)}|${id}`, point);
  }
  const places = new Set([...own.keys(), ...vendor.points.map(({ at, period }) => keyOf(at, period))]);
  const cells = [...places].toSorted(byPlace).flatMap((place) => {
    const [start, ours] = [startOf(place), own.get(place)];
    const inPlace = {
      ...{ chart, place, own: ours, laterRefunds: laterRefunds(start) },
      converted: convertedIn(chart, converted, { start, end: ours?.end ?? null }),
    };
    return [...match.ours.values()].map((measure) =>
      cellOf({ ...inPlace, measure, point: points.get(`${place}|${measure}`) }),
    );
  });
  return {
    chartId: chart.id,
    cells: explainRates(chart, cells).filter(({ there, here }) => there !== null || here !== null),
    notCompared: { there: match.onlyThere, here: match.onlyHere },
  };
}

type CellSource = {
  readonly chart: Chart;
  readonly measure: string;
  readonly place: string;
  readonly own: OwnValue | undefined;
  readonly point: VendorPoint | undefined;
  readonly laterRefunds: number;
  readonly converted: number;
};

function cellOf({ chart, measure, place, own, point, laterRefunds, converted }: CellSource): ChartCell {
  const [, age = ''] = place.split(' ');
  const there = point?.value ?? null;
  const here = own?.values[measure] ?? null;
  const unit = unitOf(chart, defaultSelectors, chart.measures.find((m) => m.id === measure)?.unit);
  const difference = there === null || here === null ? null : Math.round((here - there) * 100) / 100;
  // A service omits an empty bucket, or reports zero.
  const isEqual = isSame(there ?? (point ? null : 0), here ?? (own ? null : 0), unit);
  const incomplete = own?.incomplete === true || point?.incomplete === true;
  const reasons = isEqual
    ? []
    : findReasons({ chart, measure, unit, there, here, laterRefunds, converted, own: own?.values ?? {}, incomplete });
  const period = age === '' ? null : Number(age);
  return { measure, at: isoFromMs(startOf(place)), period, there, here, difference, isEqual, reasons };
}

/** A rate without a reason of its own follows from a count or an amount of the same bucket that differs for a known reason. */
function explainRates(chart: Chart, cells: readonly ChartCell[]): readonly ChartCell[] {
  const unitIn = (id: string) => unitOf(chart, defaultSelectors, chart.measures.find((m) => m.id === id)?.unit);
  const isRate = ({ measure }: ChartCell) => unitIn(measure) === 'percent';
  return cells.map((cell) => {
    if (cell.isEqual || cell.reasons.length > 0 || !isRate(cell)) return cell;
    const inBucket = cells.filter((c) => c.at === cell.at && c.period === cell.period && !c.isEqual && !isRate(c));
    const isExplained = inBucket.length > 0 && inBucket.every(({ reasons }) => reasons.length > 0);
    return isExplained ? { ...cell, reasons: ['follows_from_counts' as const] } : cell;
  });
}

/** Rounding steps of displayed money and percentages; the other service may round later. */
const TOLERANCE: Readonly<Record<Unit, number>> = { count: 0, usd: 0.011, percent: 0.011 };

function isSame(there: number | null, here: number | null, unit: Unit): boolean {
  if (there === null || here === null) return there === here;
  return Math.abs(there - here) <= TOLERANCE[unit];
}

function ownValues(result: ChartResult): ReadonlyMap<string, OwnValue> {
  if (result.kind === 'series') {
    return new Map(
      result.buckets.map(({ start, end, values, incomplete }) => [keyOf(start, null), { values, incomplete, end }]),
    );
  }
  return new Map(
    result.rows.flatMap(({ start, columns }) =>
      unpackColumns(columns).map(({ index, incomplete, ...values }) => {
        const numbers = values as Readonly<Record<string, number | null>>;
        return [keyOf(start, Number(index)), { values: numbers, incomplete: incomplete === true, end: null }] as const;
      }),
    ),
  );
}

function keyOf(at: number, period: number | null): string {
  return period === null ? String(at) : `${at} ${period}`;
}

function startOf(place: string): number {
  return Number(place.split(' ')[0]);
}

function byPlace(a: string, b: string): number {
  const [first, second] = [a, b].map((place) => place.split(' ').map(Number));
  return (first?.[0] ?? 0) - (second?.[0] ?? 0) || (first?.[1] ?? 0) - (second?.[1] ?? 0);
}

/** `main`: measure of a chart whose values have no name. `names`: further names of measures, normalized; their own names always match. */
type MeasureNames = { readonly main: string; readonly names?: Readonly<Record<string, readonly string[]>> };

const measures: Readonly<Record<string, MeasureNames>> = {
  actives: { main: 'active_subscriptions', names: { active_subscriptions: ['actives'] } },
  actives_movement: { main: 'movement', names: { movement: ['activesubscriptionsmovement'] } },
  actives_new: { main: 'total', names: { total: ['totalnewpaidsubscriptions', 'newpaidsubscriptions'] } },
  mrr: { main: 'mrr', names: { mrr: ['monthlyrecurringrevenue'] } },
  arr: { main: 'arr', names: { arr: ['annualrecurringrevenue'] } },
  mrr_movement: { main: 'movement', names: { movement: ['mrrmovement'] } },
  churn: { main: 'churn_rate', names: { churn_rate: ['churn'] } },
  subscription_status: { main: 'set_to_renew', names: { billing_issue: ['billingissues'] } },
  revenue: { main: 'revenue', names: { tax: ['taxes'], commission: ['storecommissionfees', 'fees'] } },
  refund_rate: { main: 'refund_rate', names: { refunded_transactions: ['refunds', 'refundedtransactions'] } },
  trials: { main: 'active_trials', names: { active_trials: ['trials'] } },
  trials_movement: { main: 'movement', names: { movement: ['activetrialsmovement', 'trialsmovement'] } },
  trials_new: { main: 'new_trials' },
  trial_conversion_rate: {
    main: 'conversion_rate',
    names: {
      trial_starts: ['trials', 'newtrials'],
      conversions: ['trialconversions', 'converted'],
      conversion_rate: ['trialconversionrate'],
    },
  },
  customers_new: { main: 'new_customers' },
  customers_active: { main: 'active_customers' },
  conversion_to_paying: { main: 'conversion_rate', names: { conversion_rate: ['conversiontopaying'] } },
  ltv_per_customer: { main: 'ltv_per_customer', names: { ltv_per_customer: ['realizedltvpercustomer'] } },
  ltv_per_paying_customer: {
    main: 'ltv_per_paying_customer',
    names: { ltv_per_paying_customer: ['realizedltvperpayingcustomer'] },
  },
  subscription_retention: { main: 'retention_rate', names: { retention_rate: ['retention', 'subscriptionretention'] } },
  cohort_explorer: { main: 'value', names: { value: ['revenue'] } },
};

type MeasureMatch = {
  /** Our measure ID by the place of their measure. */
  readonly ours: ReadonlyMap<number, string>;
  /** Measures without a counterpart: their names, and our IDs. */
  readonly onlyThere: readonly string[];
  readonly onlyHere: readonly string[];
};

/** Finds the counterpart of each measure that the other service reports. */
export function matchMeasures(chart: Chart, vendor: VendorChart): MeasureMatch {
  const places = [...new Set(vendor.points.map((p) => p.measure))].toSorted((a, b) => a - b);
  const known = measures[chart.id];
  const measureIds = new Map<number, string>();
  for (const place of places) {
    const name = normalize(vendor.measures[place] ?? '');
    const measure = chart.measures.find(({ id, name: own }) => namesOf(id, own, known).includes(name));
    const isOnly = places.length === 1 && known !== undefined;
    const id = measure?.id ?? (isOnly && (name === '' || vendor.measures.length === 1) ? known.main : undefined);
    if (id !== undefined && ![...measureIds.values()].includes(id)) measureIds.set(place, id);
  }
  const matched = new Set(measureIds.values());
  return {
    ours: measureIds,
    onlyThere: places.filter((p) => !measureIds.has(p)).map((p) => vendor.measures[p] || `measure ${p}`),
    onlyHere: chart.measures.map((m) => m.id).filter((id) => !matched.has(id)),
  };
}

function namesOf(id: string, name: string, known: MeasureNames | undefined): readonly string[] {
  return [normalize(id), normalize(name), ...(known?.names?.[id] ?? [])];
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** `at`: start of the bucket or cohort, UTC ms. `measure`: place in `measures`. `period`: age of a cohort in intervals, else null. */
export type VendorPoint = {
  readonly at: number;
  readonly measure: number;
  readonly period: number | null;
  readonly value: number | null;
  readonly incomplete: boolean;
};

/** `measures`: names, as the service shows them; empty if it names none. */
export type VendorChart = { readonly measures: readonly string[]; readonly points: readonly VendorPoint[] };
