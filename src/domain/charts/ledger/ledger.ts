// Ledger of one project and environment: the rows of all its customers, in columns. The rows of a customer are contiguous; those of a
// changed customer are appended, and its former rows are stale from then on.
import { numberAttributes, numberCells, numberRenewals, type Cells, type RenewalKind } from './dictionaries.js';
import type { Attributes, LedgerRows } from './customer/rows.js';
import { columnsOfTable, float64Column, int32Column, type SerializedColumns } from './ledger-column.js';
import { startOfDay } from '../calendar.js';

/** Columns by row; `starts` and `ends` by customer delimit its rows. Valid until the next customer is put. */
type Table<N extends string> = {
  readonly columns: Readonly<Record<N, Float64Array>> & { readonly attributes: Int32Array };
  readonly kinds: Int32Array;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
};

/** Time columns: rows count at `at`, and are valid between the knowledge times `from` and `to`. */
type TimeColumn = 'at' | 'from' | 'to';

export const earlyKinds = { isSighting: 1, isCrossed: 2, isSeenBetween: 4 } as const;

export type LedgerColumns = {
  readonly customerIds: readonly string[];
  /** Returns the number of the customer, undefined if unknown. */
  placeOf(customerId: string): number | undefined;
  readonly attributes: readonly Attributes[];
  /** Rows, whose kind is the number of their cell. */
  readonly rows: Table<TimeColumn>;
  readonly cells: Cells;
  readonly renewals: Table<TimeColumn | 'lapsesAt'>;
  readonly renewalKinds: readonly RenewalKind[];
  /** Entries that were recorded before they took effect; kinds are sums of {@link earlyKinds}. */
  readonly early: Table<'at' | 'known'>;
};

/** Serializable snapshot without stale rows; later changes of the ledger do not affect it. */
export type LedgerParts = {
  readonly customerIds: readonly string[];
  readonly attributes: readonly Attributes[];
  readonly renewalKinds: readonly RenewalKind[];
  readonly columns: SerializedColumns;
};

export type Ledger = {
  /** Replaces the rows of the customer. */
  put(customerId: string, fresh: LedgerRows): void;
  read(): LedgerColumns;
  /** Returns the number of customers and of rows; `staleRows` are stale rows of changed customers, included in `rows`. */
  size(): { readonly customers: number; readonly rows: number; readonly staleRows: number };
  /** Frees the memory of stale rows. */
  compact(): void;
  /** Compacts the ledger and returns all of it. */
  parts(): LedgerParts;
};

const noParts: LedgerParts = { customerIds: [], attributes: [], renewalKinds: [], columns: {} };

/** Creates a ledger from the parts of another one, which it takes over. Throws `OtherColumns` if their format differs. */
export function createLedger(serialized = noParts): Ledger {
  const dictionaries = {
    attributes: numberAttributes(serialized.attributes),
    cells: numberCells(serialized.columns),
    renewals: numberRenewals(serialized.renewalKinds),
  };
  const rows = openTable('rows', ['at', 'from', 'to'], serialized.columns);
  const renewals = openTable('renewals', ['at', 'from', 'to', 'lapsesAt'], serialized.columns);
  const early = openTable('early', ['at', 'known'], serialized.columns);
  const customerIds = [...serialized.customerIds];
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
    size: () => ({ customers: customerIds.length, rows: rows.size(), staleRows: rows.staleRows() }),
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

function openTable<const N extends string>(name: string, names: readonly N[], serialized: SerializedColumns) {
  const before = columnsOfTable(serialized, name);
  const numbers = names.map((column) => float64Column(before.float64(column)));
  const [attributes, kinds] = [int32Column(before.int32('attributes')), int32Column(before.int32('kinds'))];
  // Serialized tables have no gaps: the rows of a customer begin where those of the previous one end.
  const ends = int32Column(before.int32('ends'));
  const starts = int32Column(ends.pushed().map((_, place, all) => all[place - 1] ?? 0));
  const byRow = [...numbers, attributes, kinds];
  let [size, customers, staleRows] = [kinds.pushed().length, ends.pushed().length, 0];
  return {
    size: () => size,
    staleRows: () => staleRows,
    begin: (place: number) => {
      if (place === customers) {
        starts.push(0);
        ends.push(0);
        customers++;
      }
      staleRows += (ends.values()[place] ?? 0) - (starts.values()[place] ?? 0);
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
      staleRows = 0;
    },
    parts: (): SerializedColumns => {
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

/** Returns whether the rows of each customer directly follow those of the previous one. */
function isInOrder(customers: number, from: Int32Array, to: Int32Array): boolean {
  for (let place = 0; place < customers; place++) if (from[place] !== (to[place - 1] ?? 0)) return false;
  return true;
}

/** Returns the customer IDs. `days` are day starts, UTC ms. */
export function customersAt({ rows, customerIds }: LedgerColumns, days: ReadonlySet<number>): readonly string[] {
  const { columns, starts, ends } = rows;
  return customerIds.filter((_, customer) => {
    const end = ends[customer] ?? 0;
    for (let i = starts[customer] ?? 0; i < end; i++) if (days.has(startOfDay(columns.at[i] ?? 0))) return true;
    return false;
  });
}

/** Returns the number of the customer's part, from 0 on: by a hash of its ID (FNV-1a). */
export function partOfCustomer(customerId: string, parts: number): number {
  if (parts === 1) return 0;
  let hash = 0x811c9dc5;
  for (let i = 0; i < customerId.length; i++) hash = Math.imul(hash ^ customerId.charCodeAt(i), 0x01000193);
  return (hash >>> 0) % parts;
}
