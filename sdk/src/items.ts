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
  readonly query?: Readonly<Record<string, string | number | undefined>>;
};

/** Iterates over the items. Throws with the server's message if a page fails. */
export async function* items<P extends ListPath>(
  client: Client,
  path: P,
  params: ListParams = {},
): AsyncGenerator<ItemOf<P>> {
  // `GET` is typed by a literal path, which a generic list path is not.
  const get = client.GET as unknown as (path: string, init: object) => Promise<Page<ItemOf<P>>>;
  let query = { ...params.query };
  for (;;) {
    const { data, error } = await get(path, { params: { path: params.path, query } });
    if (!data) throw new Error(error?.message ?? 'the response is not a list');
    yield* data.items;
    if (data.nextPage === null) return;
    query = Object.fromEntries(new URL(data.nextPage, 'http://server').searchParams);
  }
}
