// The customer list in the URL: filters and order as the API names them, and the shown columns.
import { environment, query, setQuery } from '../context/router';

/** Parameters of the URL that are not the API's. */
const OWN: ReadonlySet<string> = new Set(['environment', 'columns']);
const ORDER: ReadonlySet<string> = new Set(['sort', 'order']);

export type ListQuery = Readonly<Record<string, string | string[]>>;

/** Returns the parameters of the list. An order does not apply to a search or to a value of a chart. */
export function readListQuery(): ListQuery {
  const names = [...new Set(query.value.keys())].filter((name) => !OWN.has(name));
  const isSearch = hasOwnOrder(Object.fromEntries(query.value));
  const entries = names
    .filter((name) => !isSearch || !ORDER.has(name))
    .map((name) => {
      const all = query.value.getAll(name);
      return [name, all.length > 1 ? all : (all[0] ?? '')] as const;
    });
  return { ...Object.fromEntries(entries), ...(environment.value === 'sandbox' && { environment: 'sandbox' }) };
}

/** Returns whether the list cannot be sorted. */
export function hasOwnOrder(list: ListQuery): boolean {
  return list['search'] !== undefined || list['chartValue'] !== undefined;
}

/** Returns the filters alone, as a count takes them. */
export function filtersOf(list: ListQuery): ListQuery {
  return Object.fromEntries(Object.entries(list).filter(([name]) => !ORDER.has(name)));
}

/** Returns the filters and the order without the search and the value of a chart, as a segment stores them. */
export function segmentOf({ search: _search, chartValue: _value, ...rest }: ListQuery): ListQuery {
  return rest;
}

/** Replaces the whole list in the URL. */
export function showList(list: ListQuery): void {
  const cleared = Object.fromEntries(
    [...query.value.keys()].filter((name) => !OWN.has(name)).map((name) => [name, null]),
  );
  const { environment: _environment, ...rest } = list;
  setQuery({ ...cleared, ...rest }, { replaces: false });
}

export type Sort = 'firstSeenAt' | 'lastSeenAt' | 'totalSpentUsd';

export function sortOf(list: ListQuery): { readonly sort: Sort; readonly isAscending: boolean } {
  return { sort: (list['sort'] ?? 'firstSeenAt') as Sort, isAscending: list['order'] === 'asc' };
}

/** Sorts by a column, the highest first; in the other direction if it is sorted by this column already. */
export function toggleSort(list: ListQuery, column: Sort): void {
  const { sort, isAscending } = sortOf(list);
  const isOther = sort === column && !isAscending;
  setQuery({ sort: column === 'firstSeenAt' ? null : column, order: isOther ? 'asc' : null });
}
