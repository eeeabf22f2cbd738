// The 21 charts by brute force: every value of every bucket is counted anew, by the letter of the definitions. Slow, and meant to be.
import type { NormalEvent } from '../domain/charts/normal-form.js';
import { explorer, retention } from './cohorts.js';
import { readReferenceData, type ReferenceData } from './reference-data.js';
import type { Options } from './options.js';
import { valuesOf } from './series.js';
import { bucketsOf, DAY, dayOf, type Bucket } from './time.js';

export function createReference(events: readonly NormalEvent[], now: number, environment = 'production') {
  const fixture = readReferenceData(events, now, environment);
  return (id: string, o: Options) => result(filtered(fixture, o.filter, CUSTOMER_CHARTS.has(id)), fixture, id, o);
}

const CUSTOMER_CHARTS = new Set([
  ...[
    'customers_new',
    'customers_active',
    'conversion_to_paying',
    'ltv_per_customer',
    'ltv_per_paying_customer',
    'cohort_explorer',
  ],
]);

function filtered(w: ReferenceData, filter: Options['filter'], isOfCustomers: boolean): ReferenceData {
  if (!filter) return w;
  const [dimension, value] = filter;
  const isCustomers = dimension === 'platform' || (dimension === 'country' && isOfCustomers);
  if (isCustomers) {
    const customers = w.customers.filter((c) => c[dimension] === value);
    const roots = new Set(customers.map((c) => c.root));
    return {
      ...w,
      customers,
      subs: w.subs.filter((s) => roots.has(s.root)),
      txns: w.txns.filter((t) => roots.has(t.root)),
    };
  }
  const fits = (start: NormalEvent) => ((start as Record<string, unknown>)[dimension] ?? 'null') === value;
  return { ...w, subs: w.subs.filter((s) => fits(s.start)), txns: w.txns.filter((t) => fits(t.start)) };
}

function result(w: ReferenceData, whole: ReferenceData, id: string, o: Options): unknown {
  const buckets = bucketsOf(o.start, o.end, o.interval, o.now);
  const edges = ({ a, b }: Bucket) => ({ start: new Date(a).toISOString(), end: new Date(b).toISOString() });
  if (id === 'cohort_explorer' || id === 'subscription_retention') {
    const of = id === 'cohort_explorer' ? explorer : retention;
    const rows = buckets.map((k) => ({ ...edges(k), incomplete: k.b > o.now, ...of(w, k, o) }));
    return { kind: 'cohort', rows };
  }
  return {
    kind: 'series',
    buckets: buckets.map((k) => {
      const values = valuesOf(w, whole, id, k, o);
      const days =
        id === 'conversion_to_paying' ? o.conversionTimeframe : id.startsWith('ltv') ? o.customerLifetime : null;
      const closes = days == null ? k.b : Math.max(k.b, dayOf(k.b - 1) + (days + 1) * DAY);
      const incomplete = closes > o.now || (id === 'trial_conversion_rate' && (values['pending'] ?? 0) > 0);
      return { ...edges(k), incomplete, values };
    }),
  };
}
