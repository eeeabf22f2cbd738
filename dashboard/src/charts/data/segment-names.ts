// Display names of segment values: `DE` is Germany, `P1M` is 1 month.
import { wordsOf } from '../../parts/format';

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
const SPAN = /^P(\d+)([DWMY])$/;
const UNITS: Readonly<Record<string, string>> = { D: 'day', W: 'week', M: 'month', Y: 'year' };
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

/** `name` is the display name that the server returned; null if there is none. */
export function segmentName(dimension: string, value: string, name: string | null): string {
  if (name !== null) return name;
  if (value === UNKNOWN) return 'Unknown';
  const known = NAMES[value];
  if (known !== undefined) return known;
  if (dimension === 'country') return /^[A-Z]{2}$/.test(value) ? (regions.of(value) ?? value) : value;
  if (dimension === 'productDuration') return spanName(value);
  return AS_IS.has(dimension) ? value : capitalized(wordsOf(value));
}

/** Converts `P3M` to `3 months`. */
export function spanName(span: string): string {
  const [, count = '', letter = ''] = SPAN.exec(span) ?? [];
  const unit = UNITS[letter];
  return unit === undefined ? span : `${count} ${unit}${count === '1' ? '' : 's'}`;
}

/** Converts `last 28 days` to `Last 28 days`. */
export function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
