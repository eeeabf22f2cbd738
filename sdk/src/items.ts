// Iterates over all items of a list, page by page.
import type { Client } from './client.js';
import type { paths } from './types.js';

type ListResponse<T> = { readonly items: readonly T[]; readonly nextPage: string | null };
type Page<T> = { readonly data?: ListResponse<T>; readonly error?: { readonly message: string } };
type ResponseOf<P extends keyof paths> = paths[P] extends {
  get: { responses: { 200: { content: { 'application/json': infer A } } } };
}
  ? A
  : never;

/** Paths whose responses are lists. */
export type ListPath = { [P in keyof paths]: ResponseOf<P> extends ListResponse<unknown> ? P : never }[keyof paths];
export type ItemOf<P extends ListPath> = ResponseOf<P> extends ListResponse<infer T> ? T : never;

export type ListParams = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
};

/** Query parameters of a page; one that is repeated, such as `filter`, has several values. */
export type PageQuery = Readonly<Record<string, string | readonly string[]>>;

/** Returns the query parameters of the next page of a list, which repeat those of the page before. Null after the last page. */
export function nextPageQuery(nextPage: string | null): PageQuery | null {
  if (nextPage === null) return null;
  const { searchParams } = new URL(nextPage, 'http://server');
  const valueOf = ([first = '', ...more]: readonly string[]) => (more.length === 0 ? first : [first, ...more]);
  return Object.fromEntries([...searchParams.keys()].map((name) => [name, valueOf(searchParams.getAll(name))]));
}

/** Iterates over the items. Throws with the server's message if a page fails. */
export async function* items<P extends ListPath>(
  client: Client,
  path: P,
  params: ListParams = {},
): AsyncGenerator<ItemOf<P>> {
  // `GET` is typed by a literal path, which a generic list path is not.
  const get = client.GET as unknown as (path: string, init: object) => Promise<Page<ItemOf<P>>>;
  let query: ListParams['query'] | null = params.query ?? {};
  while (query !== null) {
    const { data, error } = await get(path, { params: { path: params.path, query } });
    if (!data) throw new Error(error?.message ?? 'the response is not a list');
    yield* data.items;
    query = nextPageQuery(data.nextPage);
  }
}
