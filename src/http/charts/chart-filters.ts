// Filters of chart requests: their dimensions and values, checked against the chart.
import type { Chart } from '../../domain/charts/catalogue/chart.js';
import { dimensions, dimensionsOf, type Dimension, type Filters } from '../../domain/charts/catalogue/chart-query.js';
import { spanOf } from '../../domain/charts/calendar.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { offerTypes, startReasons } from '../../domain/subscriber/events/blocks.js';
import { HttpError } from '../bodies/errors.js';

type ParsedFilters = {
  readonly filters: Filters;
  /** Dimensions of purchases, whose filters have no effect on counts of customers. */
  readonly ignoredFilters: readonly Dimension[];
};

/** Throws {@link HttpError} 400 for dimensions and values that the chart does not have. */
export function parseFilters(chart: Chart, filter: string | readonly string[] | undefined): ParsedFilters {
  const filters = new Map<Dimension, ReadonlySet<string>>();
  const ignored = new Set<Dimension>();
  for (const text of [filter ?? []].flat()) {
    const colon = text.indexOf(':');
    const dimension = text.slice(0, colon) as Dimension;
    const isIgnored = dimensions.includes(dimension) && !dimensionsOf(chart).includes(dimension);
    if (!isIgnored) expectDimension(chart, dimension);
    const values = text
      .slice(colon + 1)
      .split(',')
      .filter((v) => v !== '');
    expectFilterValues(dimension, values);
    if (isIgnored) ignored.add(dimension);
    else filters.set(dimension, new Set([...(filters.get(dimension) ?? []), ...values]));
  }
  return { filters, ignoredFilters: [...ignored] };
}

/** Throws {@link HttpError} 400. */
export function expectDimension(chart: Chart, dimension: Dimension): void {
  const allowed = dimensionsOf(chart);
  if (allowed.includes(dimension)) return;
  throw new HttpError(400, `${chart.id} can be filtered by: ${allowed.join(', ')}`);
}

/** Value of a dimension that is unknown. */
const UNKNOWN = 'null';

type ValueRule = { readonly fits: (value: string) => boolean; readonly expected: string };

const listedIn = (values: readonly string[]): ValueRule => ({
  fits: (value) => values.includes(value),
  expected: `one of ${values.join(', ')}`,
});
const idOrUnknown = (thing: string, prefix: string): ValueRule => ({
  fits: (value) => value === UNKNOWN || new RegExp(`^${prefix}_[0-9a-z]{1,40}$`).test(value),
  expected: `the id of ${thing} (${prefix}_…), or ${UNKNOWN}`,
});

const rules: Readonly<Partial<Record<Dimension, ValueRule>>> = {
  store: listedIn(storeKinds),
  startReason: listedIn([...startReasons, UNKNOWN]),
  offerType: listedIn([...offerTypes, UNKNOWN]),
  appId: idOrUnknown('an app', 'app'),
  productId: idOrUnknown('a product', 'prod'),
  offeringId: idOrUnknown('an offering', 'ofr'),
  productDuration: {
    fits: (value) => value === UNKNOWN || spanOf(value) !== null,
    expected: `a duration such as P1M, or ${UNKNOWN}`,
  },
  country: {
    fits: (value) => value === UNKNOWN || /^[A-Z]{2}$/.test(value),
    expected: `an ISO 3166 code such as DE, or ${UNKNOWN}`,
  },
};

/** Throws {@link HttpError} 400 with the allowed values: a misspelt value would give zeros that look like results. */
function expectFilterValues(dimension: Dimension, values: readonly string[]): void {
  const rule = rules[dimension];
  const wrong = rule && values.find((value) => !rule.fits(value));
  if (wrong !== undefined) {
    throw new HttpError(400, `filter: ${dimension} must be ${rule?.expected ?? ''}; ${JSON.stringify(wrong)} is not`);
  }
}
