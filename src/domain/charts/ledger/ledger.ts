// The ledger of one project and environment: the rows of all its customers, in columns. A customer's rows lie together; those of one that
// has changed are put behind all others, and what it had is passed over from then on.
import { numberAttributes, numberCells, numberRenewals, type Cells, type RenewalKind } from './dictionaries.js';
import { float64Column, int32Column } from './growing.js';
import type { Attributes, LedgerRows } from './customer/rows.js';
import { partsUnder, type Columns } from './parts.js';

/** By row; `starts` and `ends` by customer: where its rows lie. Good until the next customer is put. */
export type Table<N extends string> = {
  readonly columns: Readonly<Record<N, Float64Array>> & { readonly attributes: Int32Array };
  readonly kinds: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
};

/** Rows count at `at`, and between the moments `from` and `to`. */
type Held = 'at' | 'from' | 'to';

export const earlyKinds = { isSighting: 1, isCrossed: 2, isSeenBetween: 4 } as const;

export type LedgerColumns = {
  readonly customerIds: readonly string[];
  /** The number of the customer among them. */
  placeOf(customerId: string): number | undefined;
  readonly attributes: readonly Attributes[];
  /** The kind of a row is the number of its cell. */
  readonly rows: Table<Held>;
  readonly cells: Cells;
  readonly renewals: Table<Held | 'lapsesAt'>;
  readonly renewalKinds: readonly RenewalKind[];
  /** What was learned before it took effect; kinds are {@link earlyKinds}, added up. */
  readonly early: Table<'at' | 'known'>;
};

/** Stays as it is when customers are put afterwards. Rows that are passed over are not among them. */
export type LedgerParts = {
  readonly customerIds: readonly string[];
  readonly attributes: readonly Attributes[];
  readonly renewalKinds: readonly RenewalKind[];
  readonly columns: Columns;
};

export type Ledger = {
  /** In place of what it has of the customer. */
  put(customerId: string, fresh: LedgerRows): void;
  read(): LedgerColumns;
  /** Rows, with those that are passed over since their customers have changed. */
  size(): { readonly customers: number; readonly rows: number; readonly passedOver: number };
  /** Gives back the room of the rows that are passed over. */
  compact(): void;
  /** All of it, after it was compacted. */
  parts(): LedgerParts;
};

const noParts: LedgerParts = { customerIds: [], attributes: [], renewalKinds: [], columns: {} };

/** `kept`: the parts of another, which become its own. Throws `OtherColumns` when they are of another form. */
export function createLedger(kept = noParts): Ledger {
  const dictionaries = {
    attributes: numberAttributes(kept.attributes),
    cells: numberCells(kept.columns),
    renewals: numberRenewals(kept.renewalKinds),
  };
  const rows = openTable('rows', ['at', 'from', 'to'], kept.columns);
  const renewals = openTable('renewals', ['at', 'from', 'to', 'lapsesAt'], kept.columns);
  const early = openTable('early', ['at', 'known'], kept.columns);
  const customerIds = [...kept.customerIds];
  const places = new Map(customerIds.map((id, place) => [id, place]));
  const placeOf = (customerId: string): number => {
    let place = places.get(customerId);
    if (place === undefined) places.set(customerId, (place = customerIds.push(customerId) - 1));
    return place;
  };
  const read = (): LedgerColumns => ({
    customerIds,
    placeOf: (customerId) => places.get(customerId),
    attributes: dictionaries.attributes.all,
    rows: rows.read(),
    cells: dictionaries.cells.read(),
    renewals: renewals.read(),
    renewalKinds: dictionaries.renewals.all,
    early: early.read(),
  });
  const compact = (): void => {
    rows.compact();
    renewals.compact();
    early.compact();
  };
  return {
    read,
    put: (customerId, fresh) => {
      const place = placeOf(customerId);
      let last: Attributes | undefined;
      let number = 0;
      const numberOf = (attributes: Attributes): number => {
        if (attributes !== last) [last, number] = [attributes, dictionaries.attributes.numberOf(attributes)];
        return number;
      };
      rows.begin(place);
      for (const { from, to, attributes, cell } of fresh.rows) {
        if (from < to) rows.push([cell.at, from, to], numberOf(attributes), dictionaries.cells.numberOf(cell));
      }
      rows.end(place);
      renewals.begin(place);
      for (const { from, to, attributes, status } of fresh.renewals) {
        const kind = dictionaries.renewals.numberOf(status);
        if (from < to) renewals.push([status.at, from, to, status.lapsesAt], numberOf(attributes), kind);
      }
      renewals.end(place);
      early.begin(place);
      for (const { at, known, isSighting, isCrossed, isSeenBetween } of fresh.early) {
        const kind =
          Number(isSighting) * earlyKinds.isSighting +
          Number(isCrossed) * earlyKinds.isCrossed +
          Number(isSeenBetween) * earlyKinds.isSeenBetween;
        early.push([at, known], 0, kind);
      }
      early.end(place);
    },
    size: () => ({ customers: customerIds.length, rows: rows.size(), passedOver: rows.passedOver() }),
    compact,
    parts: () => {
      compact();
      const columns = { ...rows.parts(), ...renewals.parts(), ...early.parts(), ...dictionaries.cells.parts() };
      return {
        customerIds: [...customerIds],
        attributes: [...dictionaries.attributes.all],
        renewalKinds: [...dictionaries.renewals.all],
        columns,
      };
    },
  };
}

function openTable<const N extends string>(name: string, names: readonly N[], kept: Columns) {
  const before = partsUnder(kept, name);
  const numbers = names.map((column) => float64Column(before.float64(column)));
  const [attributes, kinds] = [int32Column(before.int32('attributes')), int32Column(before.int32('kinds'))];
  // What is kept has no holes: the rows of a customer begin where those of the one before end.
  const ends = int32Column(before.int32('ends'));
  const starts = int32Column(ends.pushed().map((_, place, all) => all[place - 1] ?? 0));
  const byRow = [...numbers, attributes, kinds];
  let [size, customers, passedOver] = [kinds.pushed().length, ends.pushed().length, 0];
  return {
    size: () => size,
    passedOver: () => passedOver,
    begin: (place: number) => {
      if (place === customers) {
        starts.push(0);
        ends.push(0);
        customers++;
      }
      passedOver += (ends.values()[place] ?? 0) - (starts.values()[place] ?? 0);
      starts.values()[place] = size;
    },
    push: (values: readonly number[], attribute: number, kind: number) => {
      for (let i = 0; i < numbers.length; i++) numbers[i]?.push(values[i] ?? 0);
      attributes.push(attribute);
      kinds.push(kind);
      size++;
    },
    end: (place: number) => {
      ends.values()[place] = size;
    },
    compact: () => {
      const [from, to] = [starts.values(), ends.values()];
      if (isInOrder(customers, from, to)) return;
      for (const column of byRow) column.keep(customers, from, to);
      size = 0;
      for (let place = 0; place < customers; place++) {
        const length = (to[place] ?? 0) - (from[place] ?? 0);
        from[place] = size;
        to[place] = size += length;
      }
      passedOver = 0;
    },
    parts: (): Columns => {
      const columns = names.map(
        (column, i) => [`${name}.${column}`, numbers[i]?.pushed() ?? new Float64Array(0)] as const,
      );
      return {
        ...Object.fromEntries(columns),
        [`${name}.attributes`]: attributes.pushed(),
        [`${name}.kinds`]: kinds.pushed(),
        [`${name}.ends`]: ends.pushed().slice(),
      };
    },
    read: (): Table<N> => {
      const columns = Object.fromEntries(names.map((name, i) => [name, numbers[i]?.values()]));
      return {
        columns: { ...columns, attributes: attributes.values() } as Table<N>['columns'],
        kinds: kinds.values(),
        starts: starts.values(),
        ends: ends.values(),
      };
    },
  };
}

/** The rows of each customer lie right behind those of the one before. */
function isInOrder(customers: number, from: Int32Array, to: Int32Array): boolean {
  for (let place = 0; place < customers; place++) if (from[place] !== (to[place - 1] ?? 0)) return false;
  return true;
}
