// Keys by which lines of the ios-store's reports and our charges are paired: one for each way in which they may be of the same sale.
import { ourShare, type Amounts, type EntryKind, type OurCharge } from './entries.js';
import {
  monthAfterDay,
  monthBeforeDay,
  monthOfDay,
  type GroupBooks,
  type OurUnits,
  type StoreUnits,
} from './group-units.js';
import type { GroupLine } from './lines.js';
import { roundToUnit } from './report-values.js';

export type Keys = {
  /** `day`: on which the counterpart of the line is looked for. */
  ofStore(units: StoreUnits, day: string, hasCountry: boolean): string;
  ofOurs(units: OurUnits): string;
};

export const priceKeys: Keys = {
  ofStore: ({ kind, line }, day, hasCountry) => keyOf(kind, line, hasCountry, line.priceMicros, day),
  ofOurs: (units) => keyOf(units.kind, units.charge, true, priceOf(units), units.day),
};
/** Adds the proceeds of one sale to {@link priceKeys}: equal sales of a day are of subscribers in their first and in later years. */
export const shareKeys: Keys = {
  ofStore: (units, day, hasCountry) => `${priceKeys.ofStore(units, day, hasCountry)}|${shareOf(units.line) ?? 'mixed'}`,
  ofOurs: (units) => `${priceKeys.ofOurs(units)}|${Math.abs(unitAmounts(units, 1)?.proceeds ?? 0)}`,
};
export const reversalKeys: Keys = {
  ofStore: ({ kind, line }, day, hasCountry) =>
    keyOf(kind === 'charge' ? 'reversal' : null, line, hasCountry, line.priceMicros, day),
  ofOurs: (units) => keyOf(units.kind, units.charge, true, priceOf(units), units.day),
};
export const placeKeys: Keys = {
  ofStore: ({ kind, line }, day, hasCountry) => keyOf(kind, line, hasCountry, null, day),
  ofOurs: (units) => keyOf(units.kind, units.charge, true, null, units.day),
};

/** Keys of lines of a whole fiscal month: in the place of days there are months. */
export function monthKeys({ month, calendar }: GroupBooks) {
  const of =
    (monthOf: typeof monthOfDay) =>
    (keys: Keys): Keys => ({
      ofStore: (units, _day, hasCountry) => keys.ofStore(units, units.month ?? month, hasCountry),
      ofOurs: (units) => keys.ofOurs({ ...units, day: monthOf(calendar, units.day) ?? '' }),
    });
  return { ofSame: of(monthOfDay), ofLate: of(monthAfterDay), ofEarly: of(monthBeforeDay) };
}

type Place = Pick<OurCharge, 'sku' | 'country' | 'currency'>;

function keyOf(
  kind: EntryKind | null,
  { sku, country, currency }: Place,
  hasCountry: boolean,
  price: number | null,
  day: string,
): string {
  const place = [sku, (hasCountry ? country : null) ?? '', currency ?? ''];
  return [kind ?? '', ...place, price ?? '', day].join('|');
}

/** Price of one of a charge, as a report prints it. */
function priceOf({ charge: { amountMicros, currency, quantity } }: OurUnits): number | null {
  return amountMicros === null || currency === null ? null : roundToUnit(Math.round(amountMicros / quantity), currency);
}

/** Returns what the store pays for one sale of a line; null if that is not a whole number, or in another currency. */
function shareOf({ paidMicros, quantity, currency, paidCurrency }: GroupLine): number | null {
  return paidCurrency === currency && quantity > 0 && paidMicros % quantity === 0 ? paidMicros / quantity : null;
}

/** Amounts of some units of a charge or refund. */
export function unitAmounts({ charge, kind, share }: OurUnits, count: number): Amounts | null {
  const part = { ...charge, amountMicros: charge.amountMicros && (charge.amountMicros / charge.quantity) * count };
  return ourShare(kind, part, share);
}
