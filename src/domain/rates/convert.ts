// Converts micro-units of any currency to US dollars and back in integer arithmetic: the rates are decimal texts and never become floats.
import type { Money } from '../money.js';
import { isoFromMs, msFromIso, utcDay } from '../time.js';
import { ratesOf, type Rates } from './rates.js';
import { isSameJson } from '../values/json.js';

/** Maximum age in days of the rates that a day without its own uses, for weekends and holidays. */
const DAYS_BACK = 7;
const DAY_MS = 86_400_000;
/** Decimals of the reported rate; the amount is computed from the unrounded one. */
const SHOWN_DECIMALS = 8;

/** Adds the USD value at the rate of the UTC day of `at`. Returns `money` unchanged if the value is known or there is no rate. */
export function inUsd(money: Money, at: string, rates: Rates): Money {
  const { currency, amountMicros, usdMicros } = money;
  if (usdMicros !== null || amountMicros === null || currency === null) return money;
  if (currency === 'USD') return { ...money, usdMicros: amountMicros, fxRate: '1' };
  const rate = crossOn(currency, at, rates);
  if (!rate) return money;
  const converted = Number(divided(BigInt(amountMicros) * rate.over, rate.under));
  // A result that a number cannot represent exactly is not a plausible amount.
  if (!Number.isSafeInteger(converted)) return money;
  return { ...money, usdMicros: converted, fxRate: shown(rate), fxDate: rate.fxDate };
}

/** Converts micros of US dollars to micros of another currency, rounded to the nearest, halves away from zero. */
export type FromUsd = (usdMicros: number) => number;

/** Returns the conversion at the rate of the UTC day of `at`; null when there is no rate. */
export function fromUsd(currency: string, at: string, rates: Rates): FromUsd | null {
  const rate = crossOn(currency, at, rates);
  return rate && ((usdMicros) => Number(divided(BigInt(usdMicros) * rate.under, rate.over)));
}

function crossOn(currency: string, at: string, rates: Rates): (Cross & { readonly fxDate: string }) | null {
  for (let back = 0; back <= DAYS_BACK; back++) {
    const fxDate = utcDay(isoFromMs(msFromIso(at) - back * DAY_MS));
    const day = ratesOf(rates, fxDate);
    const [dollars, units] = [day?.['USD'], currency === 'EUR' ? '1' : day?.[currency]];
    if (dollars === undefined || units === undefined) continue;
    const rate = crossOf(dollars, units);
    if (rate) return { ...rate, fxDate };
  }
  return null;
}

type Cross = { readonly over: bigint; readonly under: bigint };

/** Returns USD for one unit, from two rates quoted for one euro. A rate of zero is invalid and returns null. */
function crossOf(dollars: string, units: string): Cross | null {
  const [over, under] = [scaled(dollars), scaled(units)];
  const cross = { over: over.digits * 10n ** under.places, under: under.digits * 10n ** over.places };
  return cross.over === 0n || cross.under === 0n ? null : cross;
}

function scaled(decimal: string): { readonly digits: bigint; readonly places: bigint } {
  const [whole = '0', fraction = ''] = decimal.split('.');
  return { digits: BigInt(whole + fraction), places: BigInt(fraction.length) };
}

/** Divides and rounds to the nearest integer, halves away from zero. */
function divided(over: bigint, under: bigint): bigint {
  const doubled = 2n * (over < 0n ? -over : over);
  const nearest = (doubled + under) / (2n * under);
  return over < 0n ? -nearest : nearest;
}

function shown({ over, under }: Cross): string {
  const digits = divided(over * 10n ** BigInt(SHOWN_DECIMALS), under)
    .toString()
    .padStart(SHOWN_DECIMALS + 1, '0');
  const text = `${digits.slice(0, -SHOWN_DECIMALS)}.${digits.slice(-SHOWN_DECIMALS)}`;
  return text.replace(/(?<=[1-9])0+$|\.0+$/, '');
}

/** Returns the starts (ms) of the UTC days whose rates differ between the two, and of the days that fall back on such a day. */
export function changedDays(a: Rates, b: Rates): ReadonlySet<number> {
  const changed = new Set<number>();
  for (const year of new Set([...Object.keys(a), ...Object.keys(b)])) {
    const [before = {}, after = {}] = [a[year], b[year]];
    for (const day of new Set([...Object.keys(before), ...Object.keys(after)])) {
      if (isSameJson(before[day] ?? {}, after[day] ?? {})) continue;
      for (let on = 0; on <= DAYS_BACK; on++) changed.add(Date.parse(day) + on * DAY_MS);
    }
  }
  return changed;
}
