// Query of a chart: its period, filters, segments and selectors.
import type { Chart, Selectors } from './chart.js';
import type { SettledBuckets } from '../../books/settled-buckets.js';
import type { ConversionTerms } from '../currency.js';
import type { BucketedRange } from '../result/buckets.js';
import type { About } from '../history/history.js';
import type { Environment } from '../history/known-history.js';
import type { WhatIf } from '../what-if.js';

const purchaseDimensions = [
  'store',
  'appId',
  'productId',
  'productDuration',
  'offeringId',
  'offerType',
  'startReason',
  'country',
] as const;
const customerDimensions = ['country', 'platform'] as const;
export const dimensions = [...purchaseDimensions, 'platform'] as const;
export type Dimension = (typeof dimensions)[number];

/**
 * Segment of all values that are not listed. A value with this name is never listed itself: it is part of this segment, so that the name
 * has one meaning.
 */
export const OTHER = 'other';

/** Values by dimension, `null` as the text `null`; all dimensions must match. */
export type Filters = ReadonlyMap<Dimension, ReadonlySet<string>>;

/** Product as its store identifies it. */
export type SoldProduct = { readonly appId: string; readonly storeProductId: string; readonly productId: string };

export type ChartQuery = {
  readonly chart: Chart;
  readonly range: BucketedRange;
  readonly environment: Environment;
  readonly filters: Filters;
  readonly segment: Dimension | null;
  /** Listed values of the segment, in display order; {@link OTHER} comes last, and only if there are other values. */
  readonly segments?: readonly string[];
  readonly selectors: Selectors;
  /**
   * Products that may have been bought before they were in the catalogue; the first match applies. Omitted if the query does not use
   * products.
   */
  readonly sold?: readonly SoldProduct[];
  /** Omitted for US dollars. */
  readonly conversion?: ConversionTerms;
  /** Amounts of the stores' reports, which replace estimates; omitted for estimates alone. */
  readonly settled?: SettledBuckets;
  /** Hypothetical rules; omitted for the rules that applied. */
  readonly whatIf?: WhatIf;
};

/** Returns the dimensions of a chart: pure customer counts have no purchase dimensions. */
export function dimensionsOf(chart: Chart): readonly Dimension[] {
  const countsOnlyCustomers = chart.id === 'customers_new' || chart.id === 'customers_active';
  return countsOnlyCustomers ? customerDimensions : dimensions;
}

/** Returns whether the dimension is an attribute of the customer rather than of the purchase. */
export function isCustomerDimension(chart: Chart, dimension: Dimension): boolean {
  return dimension === 'platform' || (dimension === 'country' && chart.subject === 'customers');
}

type CustomerAttributes = { readonly country: string | null; readonly platform: string | null };

export function valueOf(
  q: ChartQuery,
  dimension: Dimension,
  customer: CustomerAttributes,
  about: About | null,
): string {
  if (dimension === 'platform') return customer.platform ?? 'null';
  if (isCustomerDimension(q.chart, dimension)) return customer.country ?? 'null';
  if (dimension === 'productId' && about) return productIdOf(about, q.sold) ?? 'null';
  return about?.[dimension] ?? 'null';
}

/** Returns the product ID in the catalogue; null if the product is not in it. */
export function productIdOf(
  { appId, productId, storeProductId }: About,
  sold: readonly SoldProduct[] = [],
): string | null {
  if (productId !== null || storeProductId === undefined) return productId;
  return sold.find((p) => p.appId === appId && p.storeProductId === storeProductId)?.productId ?? null;
}

/** Returns the segment that shows a value of the dimension. */
export function segmentOf({ segments = [] }: ChartQuery, value: string): string {
  return segments.includes(value) ? value : OTHER;
}
