// Table for a list that is loaded page by page: a button appends the next page.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { useQuery } from '../api/query';
import { QueryView } from './states';

type ListPage<T> = { readonly items: readonly T[]; readonly nextPage: string | null };
export type Column = {
  readonly name: string;
  readonly isNumber?: true;
  /** The name is a button that sorts by the column. */
  readonly sort?: { readonly direction: 'ascending' | 'descending' | 'none'; readonly toggle: () => void };
};
const MARKS = { ascending: ' ↑', descending: ' ↓', none: '' };

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

const FIRST_PAGE: PageQuery = {};

function Pages<T>(props: Props<T>) {
  const [pageCount, setPageCount] = useState(1);
  const { caption, columns } = props;
  return (
    <div class="scroll">
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber, sort }) => (
              <th key={name} scope="col" class={isNumber && 'number'} aria-sort={sort?.direction}>
                {sort ? (
                  <button type="button" class="as-link" onClick={sort.toggle}>
                    {name}
                    <span aria-hidden="true">{MARKS[sort.direction]}</span>
                  </button>
                ) : (
                  name
                )}
              </th>
            ))}
          </tr>
        </thead>
        <Rows {...props} page={FIRST_PAGE} pageCount={pageCount} onMore={() => setPageCount(pageCount + 1)} />
      </table>
    </div>
  );
}

type RowsProps<T> = Props<T> & {
  readonly page: PageQuery;
  /** Number of pages that are shown, from this one on. */
  readonly pageCount: number;
  readonly onMore: () => void;
};

/** Each page begins where the one before ends now: after a reload with new items, none is missing between them. */
function Rows<T>(props: RowsProps<T>) {
  const { what, columns, of, load, row, empty, page, pageCount, onMore } = props;
  const response = useQuery(`${of}|${JSON.stringify(page)}`, (signal) => load(page, signal));
  const next = nextPageQuery(response.data?.nextPage ?? null);
  const isNone = response.data?.items.length === 0 && next === null && page === FIRST_PAGE;
  return (
    <>
      <tbody>
        {response.data?.items.map(row)}
        {(!response.data || response.error || isNone || (pageCount === 1 && next)) && (
          <tr>
            <td colSpan={columns.length}>
              <QueryView of={response} what={what}>
                {() =>
                  isNone ? (
                    empty
                  ) : (
                    <button type="button" onClick={onMore}>
                      Show more
                    </button>
                  )
                }
              </QueryView>
            </td>
          </tr>
        )}
      </tbody>
      {pageCount > 1 && next && <Rows {...props} page={next} pageCount={pageCount - 1} />}
    </>
  );
}
