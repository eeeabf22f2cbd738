// Measures of charts under the names that RevenueCat shows for them.
import type { Chart } from '../charts/catalogue/chart.js';
import type { VendorChart } from './vendor-chart.js';

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

export type MeasureMatch = {
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
  const ours = new Map<number, string>();
  for (const place of places) {
    const name = normalize(vendor.measures[place] ?? '');
    const named = chart.measures.find(({ id, name: own }) => namesOf(id, own, known).includes(name));
    const isOnly = places.length === 1 && known !== undefined;
    const id = named?.id ?? (isOnly && (name === '' || vendor.measures.length === 1) ? known.main : undefined);
    if (id !== undefined && ![...ours.values()].includes(id)) ours.set(place, id);
  }
  const matched = new Set(ours.values());
  return {
    ours,
    onlyThere: places.filter((p) => !ours.has(p)).map((p) => vendor.measures[p] || `measure ${p}`),
    onlyHere: chart.measures.map((m) => m.id).filter((id) => !matched.has(id)),
  };
}

function namesOf(id: string, name: string, known: MeasureNames | undefined): readonly string[] {
  return [normalize(id), normalize(name), ...(known?.names?.[id] ?? [])];
}

function normalize(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
