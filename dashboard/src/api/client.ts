// API client of the dashboard: the same typed client that other programs use.
import { createClient, type Schemas } from '#sdk/client';
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { authorizedFetch } from '../session/session';

export type { Schemas };

export const api = createClient({ baseUrl: window.location.origin, attempts: 3, fetch: authorizedFetch });

/** Error response of the server, with the server's message. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

type ApiResponse<T> = { readonly data?: T; readonly error?: unknown; readonly response: Response };

/** Returns the body of a response. Throws {@link ApiError}. */
export async function unwrap<T>(asking: Promise<ApiResponse<T>>): Promise<T> {
  const { data, error, response } = await asking;
  if (data !== undefined) return data;
  const message = (error as { readonly message?: string } | undefined)?.message;
  throw new ApiError(response.status, message ?? `The server returned ${response.status}.`);
}

type ListPage<T> = { readonly items: readonly T[]; readonly nextPage: string | null };

const WHOLE_LIST: PageQuery = { limit: '100' };

/** Returns all items of a list, page by page. Throws {@link ApiError}. */
export async function unwrapAll<T>(
  load: (query: PageQuery) => Promise<ApiResponse<ListPage<T>>>,
): Promise<{ items: T[] }> {
  const items: T[] = [];
  for (let query: PageQuery | null = WHOLE_LIST; query !== null;) {
    const page: ListPage<T> = await unwrap(load(query));
    items.push(...page.items);
    query = nextPageQuery(page.nextPage);
  }
  return { items };
}

/** Returns the header that selects the project on SDK paths, for requests of a user. */
export function projectHeaders(projectId: string) {
  return { headers: { 'x-project-id': projectId } };
}
