// Validation of filter values: a misspelt value would give zeros that look like results.
import { spanOf } from '../../domain/charts/calendar.js';
import type { Dimension } from '../../domain/charts/catalogue/chart-query.js';
import { offerTypes, startReasons } from '../../domain/subscriber/events/blocks.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { HttpError } from '../bodies/errors.js';

/** Value of a dimension that is unknown. */
const UNKNOWN = 'null';

type ValueRule = { readonly fits: (value: string) => boolean; readonly expected: string };

const oneOf = (values: readonly string[]): ValueRule => ({
  fits: (value) => values.includes(value),
  expected: `one of ${values.join(', ')}`,
});
const idOrUnknown = (what: string, prefix: string): ValueRule => ({
  fits: (value) => value === UNKNOWN || new RegExp(`^${prefix}_[0-9a-z]{1,40}$`).test(value),
  expected: `the id of ${what} (${prefix}_…), or ${UNKNOWN}`,
});

const rules: Readonly<Partial<Record<Dimension, ValueRule>>> = {
  store: oneOf(storeKinds),
  startReason: oneOf([...startReasons, UNKNOWN]),
  offerType: oneOf([...offerTypes, UNKNOWN]),
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

/** Throws {@link HttpError} 400 with the allowed values. */
export function expectFilterValues(dimension: Dimension, values: readonly string[]): void {
  const rule = rules[dimension];
  const wrong = rule && values.find((value) => !rule.fits(value));
  if (wrong !== undefined) {
    throw new HttpError(400, `filter: ${dimension} must be ${rule?.expected ?? ''}; ${JSON.stringify(wrong)} is not`);
  }
}
