// Conversion of chart money from US dollars, in which it is stored, to another currency. Every transaction uses the rate of its own day,
// also for its later refunds, so that a full refund leaves nothing.
import { createUsdConverter, type UsdConverter } from '../rates/convert.js';
import type { Rates } from '../rates/rates.js';
import { isoFromMs, utcDay } from '../time.js';
import { unitOf, type UnconvertedCharges } from './result/result.js';
import { startOfDay } from './calendar.js';
import type { Chart, Selectors } from './catalogue/chart.js';
import type { Charge, KnownHistory, LiveLine } from './history/known-history.js';
import type { Movement } from './money.js';

/** `isLatest` is true if the rates are the latest known, false for the rates of an earlier instant. */
export type ConversionTerms = { readonly currency: string; readonly rates: Rates; readonly isLatest: boolean };

export type Convert = (history: KnownHistory) => KnownHistory;

/** Returns whether the chart shows money: counts and rates of counts are the same in any currency. */
export function showsMoney(chart: Chart, selectors: Selectors): boolean {
  return chart.measures.some(({ unit }) => unitOf(chart, selectors, unit) === 'usd');
}

/** Creates a conversion that omits the amounts of transactions without a rate. */
export function createConverter({ currency, rates }: Pick<ConversionTerms, 'currency' | 'rates'>): Convert {
  const byDay = new Map<number, UsdConverter | null>();
  const rateOf = (at: number): UsdConverter | null => {
    const day = startOfDay(at);
    let rate = byDay.get(day);
    if (rate === undefined) byDay.set(day, (rate = createUsdConverter(currency, isoFromMs(at), rates)));
    return rate;
  };
  const convertCharge = (charge: Charge, unconverted: number[]): Charge => {
    const { period, price, isPaid, movements } = charge;
    const rate = rateOf(period.at);
    if (!rate && isPaid && price !== null) unconverted.push(period.at);
    const worth = price === null || !rate ? null : rate(price);
    return { ...charge, worth, movements: movements.map((m) => convertMovement(m, rate)) };
  };
  /** Converts refunds of another customer's purchases: the purchase day is unknown here, so the refund's own day is used. */
  const convertStrays = (strays: readonly Movement[], unconverted: number[]): readonly Movement[] => {
    let rate: UsdConverter | null = null;
    return strays.map((m) => {
      if (m.kind === 'refund') rate = rateOf(m.at);
      if (m.kind === 'refund' && !rate && m.usd !== 0) unconverted.push(m.at);
      return convertMovement(m, rate);
    });
  };
  const convertLine = (line: LiveLine): LiveLine => {
    const unconverted: number[] = [];
    const charges = line.charges.map((charge) => convertCharge(charge, unconverted));
    return { ...line, charges, strays: convertStrays(line.strays, unconverted), unconverted };
  };
  return (history) => ({ ...history, lines: history.lines.map(convertLine) });
}

/** Builds the report of unconverted transactions. `days` are day starts, UTC ms. */
export function unconvertedOf(transactions: number, days: Iterable<number>): UnconvertedCharges {
  return { transactions, days: [...days].sort((a, b) => a - b).map((day) => utcDay(isoFromMs(day))) };
}

function convertMovement(m: Movement, rate: UsdConverter | null): Movement {
  if (!rate) return { ...m, usd: 0, tax: 0, fee: 0 };
  return { ...m, usd: rate(m.usd), tax: rate(m.tax), fee: rate(m.fee) };
}
