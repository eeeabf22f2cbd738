// What may be asked of a chart besides its period.
import type { Chart, Selectors } from './chart.js';
import type { ConversionTerms } from '../currency.js';
import type { BucketedRange } from '../result/buckets.js';
import type { About } from '../history/history.js';
import type { Environment } from '../history/known-history.js';
import type { WhatIf } from '../what-if.js';

export const purchaseDimensions = [
  'store',
  'appId',
  'productId',
  'productDuration',
  'offeringId',
  'offerType',
  'startReason',
  'country',
] as const;
export const customerDimensions = ['country', 'platform'] as const;
export const dimensions = [...purchaseDimensions, 'platform'] as const;
export type Dimension = (typeof dimensions)[number];

/**
 * Segment of everything that no listed segment has. A value that is itself called so is never listed: it is in this one, so that the
 * name has one meaning.
 */
export const OTHER = 'other';

/** Values by dimension, `null` as the text `null`; all dimensions must match. */
export type Filters = ReadonlyMap<Dimension, ReadonlySet<string>>;

/** A product by what its store calls it. */
export type SoldProduct = { readonly appId: string; readonly storeProductId: string; readonly productId: string };

export type ChartQuery = {
  readonly chart: Chart;
  readonly range: BucketedRange;
  readonly environment: Environment;
  readonly filters: Filters;
  readonly segment: Dimension | null;
  /** The values of the segment that are shown, in their order; {@link OTHER} comes last, and only if there is something else. */
  readonly segments?: readonly string[];
  readonly selectors: Selectors;
  /** What products bought before the catalogue knew them are in it, the first that fits; left out where nothing is asked of products. */
  readonly sold?: readonly SoldProduct[];
  /** Left out for US dollars. */
  readonly conversion?: ConversionTerms;
  /** Other rules than those by which things happened; left out for these. */
  readonly whatIf?: WhatIf;
};

/** Counts of customers alone do not know purchases. */
export function dimensionsOf(chart: Chart): readonly Dimension[] {
  const countsOnlyCustomers = chart.id === 'customers_new' || chart.id === 'customers_active';
  return countsOnlyCustomers ? customerDimensions : dimensions;
}

/** Whom a dimension is asked of: the purchase, or the customer. */
export function asksCustomer(chart: Chart, dimension: Dimension): boolean {
  return dimension === 'platform' || (dimension === 'country' && chart.subject === 'customers');
}

type Who = { readonly country: string | null; readonly platform: string | null };

export function valueOf(q: ChartQuery, dimension: Dimension, who: Who, about: About | null): string {
  if (dimension === 'platform') return who.platform ?? 'null';
  if (asksCustomer(q.chart, dimension)) return who.country ?? 'null';
  if (dimension === 'productId' && about) return productIdOf(about, q.sold) ?? 'null';
  return about?.[dimension] ?? 'null';
}

/** The product in the catalogue; null for one that is not in it. */
export function productIdOf(
  { appId, productId, storeProductId }: About,
  sold: readonly SoldProduct[] = [],
): string | null {
  if (productId !== null || storeProductId === undefined) return productId;
  return sold.find((p) => p.appId === appId && p.storeProductId === storeProductId)?.productId ?? null;
}

/** The segment in which a value of the dimension is shown. */
export function segmentOf({ segments = [] }: ChartQuery, value: string): string {
  return segments.includes(value) ? value : OTHER;
}
