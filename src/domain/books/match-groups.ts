// Compares the finance reports of the ios-store with our transactions. A line has no transaction ID: it is a group of equal sales of one day
// or one fiscal month, so that a difference names everybody whom it may mean. Pure and deterministic.
import {
  addAmounts,
  amountsOf,
  NOTHING,
  type Amounts,
  type BookEntry,
  type Cause,
  type EntryKind,
  type OurCharge,
} from './entries.js';
import { compareGroup } from './compare-group.js';
import { monthKeys, placeKeys, priceKeys, reversalKeys, shareKeys, unitAmounts, type Keys } from './group-keys.js';
import type { GroupLine } from './lines.js';
import { ourUnitsOf, storeUnitsOf, NEAR_DAYS, type GroupBooks, type OurUnits, type StoreUnits } from './group-units.js';
import { ourEntry } from './our-entries.js';
import { addDays } from './report-values.js';
import { groupInSteps, type Steps } from './steps.js';

/** Returns an entry for each group of sales or refunds, of the month's reports and of ours. */
export function* matchGroups(books: GroupBooks): Steps<readonly BookEntry[]> {
  const store = yield* storeUnitsOf(books);
  const ours = yield* ourUnitsOf(books);
  const entries: BookEntry[] = [];
  const detailed = store.filter(({ line }) => line.kind === 'finance_detail');
  const monthly = store.filter(({ line }) => line.kind === 'financial');
  const pass = function* (
    lines: readonly StoreUnits[],
    keys: Keys,
    days: readonly number[],
    cause: Cause | null,
  ): Steps<void> {
    // Imported purchases may have no country: they are compared after the others, with the sales of all countries.
    for (const hasCountry of lines.length === 0 ? [] : [true, false]) {
      const comparable = ours.filter(({ charge }) => (charge.country !== null) === hasCountry);
      const queues = yield* queuesOf(comparable, keys);
      for (const units of lines) {
        for (const distance of days) {
          if (units.taken >= units.line.quantity) break;
          const queue = queues.get(keys.ofStore(units, addDays(units.line.day, distance), hasCountry));
          if (queue) entries.push(...(yield* takeUnits(units, queue, cause)));
        }
        yield;
      }
    }
  };
  const hasReversals = ours.some(({ kind }) => kind === 'reversal');
  // A neighbour's line does not take a sale before the month's own lines did.
  const isOwn = ({ month }: StoreUnits) => month === null;
  yield* pass(detailed.filter(isOwn), shareKeys, [0], null);
  yield* pass(detailed, priceKeys, [0], null);
  yield* pass(detailed, priceKeys, NEAR, 'timing');
  if (hasReversals) {
    // A reversal may stand as a new sale.
    yield* pass(detailed, reversalKeys, [0], null);
    yield* pass(detailed, reversalKeys, NEAR, 'timing');
  }
  yield* pass(detailed, placeKeys, [0], 'price');
  const { ofSame, ofLate, ofEarly } = monthKeys(books);
  yield* pass(monthly.filter(isOwn), ofSame(shareKeys), [0], null);
  yield* pass(monthly, ofSame(priceKeys), [0], null);
  if (hasReversals) yield* pass(monthly, ofSame(reversalKeys), [0], null);
  yield* pass(monthly, ofLate(priceKeys), [0], 'timing');
  yield* pass(monthly, ofEarly(priceKeys), [0], 'timing');
  yield* pass(monthly, ofSame(placeKeys), [0], 'price');
  for (const units of store) {
    const isOpen = units.taken < units.line.quantity;
    if (units.month === null && isOpen) entries.push(storeEntry(units, books));
    if (units.month === null && units.line.quantity === 0) entries.push(adjustmentEntry(units));
    yield;
  }
  for (const { charge, kind, isHere, left } of ours) {
    const entry = isHere && left > 0 ? ourEntry(kind, charge, books, null) : null;
    if (entry) entries.push(entry);
    yield;
  }
  return entries;
}

/** Days beside that of a sale on which its counterpart may be, the nearest first. */
const NEAR = Array.from({ length: NEAR_DAYS }, (_, i) => [i + 1, -(i + 1)]).flat();

/** Units of ours in their order; `from` is the first that is not used up. */
type Queue = { readonly units: readonly OurUnits[]; from: number };

function* queuesOf(ours: readonly OurUnits[], keys: Keys): Steps<ReadonlyMap<string, Queue>> {
  const groups = yield* groupInSteps(ours, keys.ofOurs);
  return new Map([...groups].map(([key, units]) => [key, { units, from: 0 }]));
}

/** Takes units of ours for a line, and returns the entries of those that belong to the month on either side. */
function* takeUnits(units: StoreUnits, queue: Queue, cause: Cause | null): Steps<BookEntry[]> {
  const groups = new Map<boolean, { count: number; amounts: Amounts | null; charges: OurCharge[] }>();
  const { line } = units;
  let kind = units.kind;
  const takenBefore = units.taken;
  for (; units.taken < line.quantity; queue.from++) {
    const one = queue.units[queue.from];
    if (!one) break;
    const count = Math.min(one.left, line.quantity - units.taken);
    if (count === 0) continue;
    one.left -= count;
    kind = one.kind;
    units.taken += count;
    const group = groups.get(one.isHere) ?? { count: 0, amounts: NOTHING, charges: [] };
    const amounts = unitAmounts(one, count);
    group.amounts = group.amounts && amounts && addAmounts(group.amounts, amounts);
    group.count += count;
    group.charges.push(one.charge);
    groups.set(one.isHere, group);
    yield;
    // It may have units left for the next line.
    if (one.left > 0) break;
  }
  let from = takenBefore;
  return [...groups].flatMap(([isHere, { count, amounts, charges }]) => {
    const isOfMonth = units.month === null;
    const paid = paidOf(line, from, count);
    from += count;
    if (!isHere && !isOfMonth) return [];
    const compared = compareGroup(line, kind, count, paid, amounts ?? NOTHING, cause);
    const otherMonth = isOfMonth ? (isHere ? null : (charges[0]?.day.slice(0, 7) ?? null)) : units.month;
    const isSplit = !isHere || !isOfMonth;
    return [
      {
        ...entryOf(line, kind, count, charges),
        cause: isSplit ? 'timing' : compared.cause,
        ours: isHere ? (amounts ?? NOTHING) : null,
        store: isOfMonth ? compared.store : null,
        paid: isOfMonth ? paidFor(line, compared.store, paid) : null,
        rows: isOfMonth ? [{ reportId: units.reportId, row: line.row }] : [],
        otherMonth,
        labels: compared.labels,
      },
    ];
  });
}

function entryOf(line: GroupLine, kind: EntryKind, count: number, charges: readonly OurCharge[]) {
  const { currency, day, sku, country } = line;
  const transactionIds = [...new Set(charges.map(({ transactionId }) => transactionId))];
  return { kind, appId: charges[0]?.appId ?? null, currency, day, sku, country, count, transactionIds, orderId: null };
}

/** Returns the proceeds of some units of a line, so that those of all its units are exactly the line's. */
function paidOf({ paidMicros, quantity }: GroupLine, from: number, count: number): number {
  const upTo = (units: number) => Math.floor((paidMicros * units) / quantity);
  return upTo(from + count) - upTo(from);
}

/** Returns the rate at which the proceeds are what the store pays. */
function paidFor({ currency, paidCurrency }: GroupLine, { proceeds }: Amounts, paid: number): BookEntry['paid'] {
  if (paidCurrency === currency) return { currency, rate: 1 };
  return proceeds === 0 ? null : { currency: paidCurrency, rate: paid / Math.abs(proceeds) };
}

/** Returns the entry of a line of no sale: an adjustment of what is paid. */
function adjustmentEntry({ line, kind, reportId }: StoreUnits): BookEntry {
  const paid = line.isRefund ? -line.paidMicros : line.paidMicros;
  const rows = [{ reportId, row: line.row }];
  const store = { ...NOTHING, charged: paid, proceeds: paid };
  const fields = { ...entryOf(line, kind, 0, []), currency: line.paidCurrency };
  return { ...fields, cause: 'unexplained', ours: null, store, paid: null, rows, otherMonth: null, labels: [] };
}

/** Returns the entry of the units of a line that no charge of ours took. */
function storeEntry(units: StoreUnits, { apps }: GroupBooks): BookEntry {
  const { line, kind, reportId, taken } = units;
  const count = line.quantity - taken;
  const paid = paidOf(line, taken, count);
  const appId = apps.get(line.sku) ?? null;
  const gross = line.priceMicros * count;
  const isFree = gross === 0 && paid === 0;
  const deducted = line.paidCurrency === line.currency ? gross - paid : 0;
  return {
    ...entryOf(line, kind, count, []),
    appId,
    cause: isFree ? 'free' : appId === null ? 'other_app' : 'missing_here',
    ours: null,
    store: amountsOf(kind, gross, 0, deducted),
    paid: null,
    rows: [{ reportId, row: line.row }],
    otherMonth: null,
    labels: line.paidCurrency === line.currency ? [] : ['paid_in_other_currency'],
  };
}
