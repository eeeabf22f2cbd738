// Compares the finance detail reports of the ios-store with our transactions. A line has no transaction ID: it is a group of equal sales of
// one day, so that a difference names everybody whom it may mean. Pure and deterministic.
import {
  addAmounts,
  amountsOf,
  groupBy,
  NOTHING,
  ourCharge,
  ourRefund,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type OurCharge,
} from './entries.js';
import { compareGroup } from './compare-group.js';
import type { GroupLine } from './lines.js';
import type { CountedLines } from './match-orders.js';
import { ourEntry, type BookMonth } from './our-entries.js';
import { daysBetween, roundToUnit } from './report-values.js';

export type GroupBooks = BookMonth & {
  readonly reports: readonly CountedLines<GroupLine>[];
  /** Reports of the neighbouring months, with their month, for sales near the border. */
  readonly neighbours: readonly (CountedLines<GroupLine> & { readonly month: string })[];
  /** Our charges with a day of their own or of a refund in the period, or up to {@link NEAR_DAYS} days beside it. */
  readonly ours: readonly OurCharge[];
  /** App by product. */
  readonly apps: ReadonlyMap<string, string>;
};

/** Days by which the stores and we may date a sale apart. */
export const NEAR_DAYS = 2;

/** A line that is being matched. `taken`: of its quantity. `month` null: the line is of the month in question. */
type StoreUnits = { readonly line: GroupLine; readonly reportId: string; readonly month: string | null; taken: number };
/** A charge or refund of ours, and how much of its quantity is left. `isHere`: it is of the month in question. */
type OurUnits = {
  readonly charge: OurCharge;
  readonly kind: EntryKind;
  readonly day: string;
  readonly share: number;
  readonly isHere: boolean;
  left: number;
};

/** Returns an entry for each group of sales or refunds, of the month's reports and of ours. */
export function matchGroups(books: GroupBooks): readonly BookEntry[] {
  const store = storeUnitsOf(books);
  const ours = ourUnitsOf(books);
  const entries: BookEntry[] = [];
  const isOpen = (units: StoreUnits) => units.taken < units.line.quantity;
  const pass = (keys: Keys, isNear: (line: GroupLine, day: string) => boolean, cause: Cause | null): void => {
    // Imported purchases may have no country: they are compared after the others, with the sales of all countries.
    for (const hasCountry of [true, false]) {
      const comparable = ours.filter(({ charge }) => (charge.country !== null) === hasCountry);
      const candidates = groupBy(comparable, keys.ofOurs);
      for (const units of store.filter(isOpen)) {
        const near = (candidates.get(keys.ofStore(units.line, hasCountry)) ?? []).filter(
          ({ left, day }) => left > 0 && isNear(units.line, day),
        );
        if (near.length > 0) entries.push(...takeUnits(units, near, cause));
      }
    }
  };
  pass(exactKeys, () => true, null);
  pass(priceKeys, (line, day) => Math.abs(daysBetween(line.day, day)) <= NEAR_DAYS, 'timing');
  pass(dayKeys, () => true, 'price');
  for (const units of store.filter((one) => isOpen(one) && one.month === null)) entries.push(storeEntry(units, books));
  for (const units of store.filter((one) => one.line.quantity === 0 && one.month === null))
    entries.push(adjustmentEntry(units));
  for (const { charge, kind, isHere, left } of ours) {
    const entry = isHere && left > 0 ? ourEntry(kind, charge, books, null) : null;
    if (entry) entries.push(entry);
  }
  return entries;
}

type Keys = { ofStore(line: GroupLine, hasCountry: boolean): string; ofOurs(units: OurUnits): string };

const priceKeys: Keys = {
  ofStore: (line, hasCountry) => keyOf(line.isRefund, ...placeOf(line, hasCountry), line.priceMicros),
  ofOurs: (units) => keyOf(units.kind === 'refund', ...placeOf(units.charge), priceOf(units)),
};
const exactKeys: Keys = {
  ofStore: (line, hasCountry) => `${priceKeys.ofStore(line, hasCountry)}|${line.day}`,
  ofOurs: (units) => `${priceKeys.ofOurs(units)}|${units.day}`,
};
const dayKeys: Keys = {
  ofStore: (line, hasCountry) => `${keyOf(line.isRefund, ...placeOf(line, hasCountry), null)}|${line.day}`,
  ofOurs: (units) => `${keyOf(units.kind === 'refund', ...placeOf(units.charge), null)}|${units.day}`,
};

function keyOf(
  isRefund: boolean,
  sku: string,
  country: string | null,
  currency: string | null,
  price: number | null,
): string {
  return [isRefund ? 'R' : 'S', sku, country ?? '', currency ?? '', price ?? ''].join('|');
}

type Place = Pick<OurCharge, 'sku' | 'country' | 'currency'>;

function placeOf({ sku, country, currency }: Place, hasCountry = true) {
  return [sku, hasCountry ? country : null, currency] as const;
}

/** Price of one of a charge, as a report prints it. */
function priceOf({ charge: { amountMicros, currency, quantity } }: OurUnits): number | null {
  return amountMicros === null || currency === null ? null : roundToUnit(Math.round(amountMicros / quantity), currency);
}

function storeUnitsOf({ reports, neighbours, period }: GroupBooks): StoreUnits[] {
  const isNear = ({ day }: GroupLine) =>
    daysBetween(period.startDate, day) >= -NEAR_DAYS && daysBetween(day, period.endDate) >= -NEAR_DAYS;
  const units = (report: CountedLines<GroupLine>, month: string | null) =>
    report.lines.map((line): StoreUnits => ({ line, reportId: report.reportId, month, taken: 0 }));
  return [
    ...reports.flatMap((report) => units(report, null)),
    ...neighbours.flatMap((report) => units(report, report.month).filter(({ line }) => isNear(line))),
  ];
}

function ourUnitsOf({ ours, period }: GroupBooks): OurUnits[] {
  const isHere = (day: string) => day >= period.startDate && day <= period.endDate;
  return ours.flatMap((charge) => {
    const { day, quantity: left } = charge;
    const sale: OurUnits = { charge, kind: 'charge', day, share: 1, isHere: isHere(day), left };
    const refunds = charge.refunds.map((refund): OurUnits => ({
      charge,
      kind: 'refund',
      ...refund,
      isHere: isHere(refund.day),
      left,
    }));
    // Free periods are in reports as lines without money, or not at all.
    return charge.amountMicros === 0 ? [] : [sale, ...refunds];
  });
}

/** Takes units of ours for a line, and returns the entries of those that belong to the month on either side. */
function takeUnits(units: StoreUnits, near: readonly OurUnits[], cause: Cause | null): BookEntry[] {
  const groups = new Map<boolean, { count: number; amounts: Amounts | null; charges: OurCharge[] }>();
  const { line } = units;
  const takenBefore = units.taken;
  for (const one of near) {
    const count = Math.min(one.left, line.quantity - units.taken);
    if (count === 0) break;
    one.left -= count;
    units.taken += count;
    const group = groups.get(one.isHere) ?? { count: 0, amounts: NOTHING, charges: [] };
    const amounts = unitAmounts(one, count);
    group.amounts = group.amounts && amounts && addAmounts(group.amounts, amounts);
    group.count += count;
    group.charges.push(one.charge);
    groups.set(one.isHere, group);
  }
  let from = takenBefore;
  return [...groups].flatMap(([isHere, { count, amounts, charges }]) => {
    const isOfMonth = units.month === null;
    const paid = paidOf(line, from, count);
    from += count;
    if (!isHere && !isOfMonth) return [];
    const compared = compareGroup(line, count, paid, amounts ?? NOTHING, cause);
    const otherMonth = isOfMonth ? (isHere ? null : (charges[0]?.day.slice(0, 7) ?? null)) : units.month;
    const isSplit = !isHere || !isOfMonth;
    return [
      {
        ...entryOf(line, count, charges),
        cause: isSplit ? 'timing' : compared.cause,
        ours: isHere ? (amounts ?? NOTHING) : null,
        store: isOfMonth ? compared.store : null,
        rows: isOfMonth ? [{ reportId: units.reportId, row: line.row }] : [],
        otherMonth,
        labels: compared.labels,
      },
    ];
  });
}

function entryOf(line: GroupLine, count: number, charges: readonly OurCharge[]) {
  const kind: EntryKind = line.isRefund ? 'refund' : 'charge';
  const { currency, day, sku, country } = line;
  const transactionIds = [...new Set(charges.map(({ transactionId }) => transactionId))];
  return { kind, appId: charges[0]?.appId ?? null, currency, day, sku, country, count, transactionIds, orderId: null };
}

/** Amounts of some units of a charge or refund. */
function unitAmounts({ charge, kind, share }: OurUnits, count: number): Amounts | null {
  const part = { ...charge, amountMicros: charge.amountMicros && (charge.amountMicros / charge.quantity) * count };
  return kind === 'charge' ? ourCharge(part) : ourRefund(part, share);
}

/** Returns the proceeds of some units of a line, so that those of all its units are exactly the line's. */
function paidOf({ paidMicros, quantity }: GroupLine, from: number, count: number): number {
  const upTo = (units: number) => Math.floor((paidMicros * units) / quantity);
  return upTo(from + count) - upTo(from);
}

/** Returns the entry of a line of no sale: an adjustment of what is paid. */
function adjustmentEntry({ line, reportId }: StoreUnits): BookEntry {
  const paid = line.isRefund ? -line.paidMicros : line.paidMicros;
  const rows = [{ reportId, row: line.row }];
  const store = { ...NOTHING, charged: paid, proceeds: paid };
  const fields = { ...entryOf(line, 0, []), currency: line.paidCurrency };
  return { ...fields, cause: 'unexplained', ours: null, store, rows, otherMonth: null, labels: [] };
}

/** Returns the entry of the units of a line that no charge of ours took. */
function storeEntry(units: StoreUnits, { apps }: GroupBooks): BookEntry {
  const { line, reportId, taken } = units;
  const count = line.quantity - taken;
  const paid = paidOf(line, taken, count);
  const appId = apps.get(line.sku) ?? null;
  const gross = line.priceMicros * count;
  const isFree = gross === 0 && paid === 0;
  const deducted = line.paidCurrency === line.currency ? gross - paid : 0;
  return {
    ...entryOf(line, count, []),
    appId,
    cause: isFree ? 'free' : appId === null ? 'other_app' : 'missing_here',
    ours: null,
    store: amountsOf(line.isRefund ? 'refund' : 'charge', gross, 0, deducted),
    rows: [{ reportId, row: line.row }],
    otherMonth: null,
    labels: line.paidCurrency === line.currency ? [] : ['paid_in_other_currency'],
  };
}
