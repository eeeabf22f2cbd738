// Display names of segment values: `DE` is Germany, `P1M` is 1 month.
import { withStoreNames } from '../../names/stores';
import { sentenceCase, spanName, wordsOf } from '../../parts/format';

const UNKNOWN = 'null';
const NAMES: Readonly<Record<string, string>> = {
  'ios-store': 'App Store',
  'android-store': 'Google Play',
  'test-store': 'Test Store',
  ios: 'iOS',
  ipados: 'iPadOS',
  macos: 'macOS',
  tvos: 'tvOS',
  watchos: 'watchOS',
  visionos: 'visionOS',
  android: 'Android',
  web: 'Web',
  other: 'Other',
};
const AS_IS = new Set(['appId', 'productId', 'offeringId']);
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** `name` is the display name that the server returned; null if there is none. */
export function segmentName(dimension: string, value: string, name: string | null): string {
  if (name !== null) return withStoreNames(name);
  if (value === UNKNOWN) return 'Unknown';
  const known = NAMES[value];
  if (known !== undefined) return known;
  if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
  if (dimension === 'productDuration') return spanName(value);
  return AS_IS.has(dimension) ? value : sentenceCase(wordsOf(value));
}
