// Converts micro-units of any currency to US dollars and back in integer arithmetic: the rates are decimal texts and never become floats.
import type { Money } from '../money.js';
import { isoFromMs, msFromIso, utcDay } from '../time.js';
import { ratesOf, type Rates } from './rates.js';
import { isSameJson } from '../values/json.js';

/** Maximum age in days of the rates that a day without its own uses, for weekends and holidays. */
const MAX_DAYS_BACK = 7;
const DAY_MS = 86_400_000;
/** Decimals of the reported rate; the amount is computed from the unrounded one. */
const RATE_DECIMALS = 8;

/** Adds the USD value at the rate of the UTC day of `at`. Returns `money` unchanged if the value is known or there is no rate. */
export function convertToUsd(money: Money, at: string, rates: Rates): Money {
  const { currency, amountMicros, usdMicros } = money;
  if (usdMicros !== null || amountMicros === null || currency === null) return money;
  if (currency === 'USD') return { ...money, usdMicros: amountMicros, fxRate: '1' };
  const rate = crossRateOn(currency, at, rates);
  if (!rate) return money;
  const converted = Number(divideRounded(BigInt(amountMicros) * rate.over, rate.under));
  // A result that a number cannot represent exactly is not a plausible amount.
  if (!Number.isSafeInteger(converted)) return money;
  return { ...money, usdMicros: converted, fxRate: formatRate(rate), fxDate: rate.fxDate };
}

/** Converts micros of US dollars to micros of another currency, rounded to the nearest, halves away from zero. */
export type UsdConverter = (usdMicros: number) => number;

/** Returns the conversion at the rate of the UTC day of `at`; null when there is no rate. */
export function createUsdConverter(currency: string, at: string, rates: Rates): UsdConverter | null {
  const rate = crossRateOn(currency, at, rates);
  return rate && ((usdMicros) => Number(divideRounded(BigInt(usdMicros) * rate.under, rate.over)));
}

function crossRateOn(currency: string, at: string, rates: Rates): (CrossRate & { readonly fxDate: string }) | null {
  for (let back = 0; back <= MAX_DAYS_BACK; back++) {
    const fxDate = utcDay(isoFromMs(msFromIso(at) - back * DAY_MS));
    const day = ratesOf(rates, fxDate);
    const [dollars, units] = [day?.['USD'], currency === 'EUR' ? '1' : day?.[currency]];
    if (dollars === undefined || units === undefined) continue;
    const rate = crossRateOf(dollars, units);
    if (rate) return { ...rate, fxDate };
  }
  return null;
}

type CrossRate = { readonly over: bigint; readonly under: bigint };

/** Returns USD for one unit, from two rates quoted for one euro. A rate of zero is invalid and returns null. */
function crossRateOf(dollars: string, units: string): CrossRate | null {
  const [over, under] = [parseDecimal(dollars), parseDecimal(units)];
  const cross = { over: over.digits * 10n ** under.places, under: under.digits * 10n ** over.places };
  return cross.over === 0n || cross.under === 0n ? null : cross;
}

function parseDecimal(decimal: string): { readonly digits: bigint; readonly places: bigint } {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return { digits: BigInt(whole + fraction), places: BigInt(fraction.length) };
}

/** Divides and rounds to the nearest integer, halves away from zero. */
function divideRounded(over: bigint, under: bigint): bigint {
  const doubled = 2n * (over < 0n ? -over : over);
  const nearest = (doubled + under) / (2n * under);
  return over < 0n ? -nearest : nearest;
}

function formatRate({ over, under }: CrossRate): string {
  const digits = divideRounded(over * 10n ** BigInt(RATE_DECIMALS), under)
    .toString()
    .padStart(RATE_DECIMALS + 1, '0');
  const text = `${digits.slice(0, -RATE_DECIMALS)}.${digits.slice(-RATE_DECIMALS)}`;
  return text.replace(/(?<=[1-9])0+$|\.0+$/, '');
}

/** Returns the starts (ms) of the UTC days whose rates differ between the two, and of the days that fall back on such a day. */
export function daysWithChangedRates(a: Rates, b: Rates): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const year of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [before = {}, after = {}] = [a[year], b[year]];
    for (const day of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isSameJson(before[day] ?? {}, after[day] ?? {})) continue;
      for (let on = 0; on <= MAX_DAYS_BACK; on++) changed.add(Date.parse(day) + on * DAY_MS);
    }
  }
  return changed;
}
