// Table for a list that is loaded page by page: a button appends the next page.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { nextPageQuery } from '../api/client';
import { useQuery } from '../api/query';
import { QueryView } from './states';

export type PageQuery = Readonly<Record<string, string>>;
type ListPage<T> = { readonly items: readonly T[]; readonly nextPage: string | null };
export type Column = { readonly name: string; readonly isNumber?: true };

type Props<T> = {
  /** Name of the items, in the plural. */
  readonly what: string;
  readonly caption: ComponentChildren;
  readonly columns: readonly Column[];
  /** Cache key: everything that the response depends on, except the page. */
  readonly of: string;
  readonly load: (page: PageQuery, signal: AbortSignal) => Promise<ListPage<T>>;
  readonly row: (item: T) => ComponentChildren;
  readonly empty: ComponentChildren;
};

export function PagedTable<T>(props: Props<T>) {
  return <Pages key={props.of} {...props} />;
}

function Pages<T>(props: Props<T>) {
  const [pages, setPages] = useState<readonly PageQuery[]>([{}]);
  const { caption, columns } = props;
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber && 'number'}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {pages.map((page) => (
          <Rows
            key={JSON.stringify(page)}
            {...props}
            page={page}
            onMore={page === pages.at(-1) ? (next) => setPages([...pages, next]) : null}
          />
        ))}
      </table>
    </div>
  );
}

function Rows<T>({
  what,
  columns,
  of,
  load,
  row,
  empty,
  page,
  onMore,
}: Props<T> & { readonly page: PageQuery; readonly onMore: ((next: PageQuery) => void) | null }) {
  const response = useQuery(`${of}|${JSON.stringify(page)}`, (signal) => load(page, signal));
  const next = nextPageQuery(response.data?.nextPage ?? null);
  const isNone = response.data?.items.length === 0 && next === null && Object.keys(page).length === 0;
  return (
    <tbody>
      {response.data?.items.map(row)}
      {(!response.data || response.error || isNone || (onMore && next)) && (
        <tr>
          <td colSpan={columns.length}>
            <QueryView of={response} what={what}>
              {() =>
                isNone ? (
                  empty
                ) : (
                  <button type="button" onClick={() => next && onMore?.(next)}>
                    Show more
                  </button>
                )
              }
            </QueryView>
          </td>
        </tr>
      )}
    </tbody>
  );
}
