// Paging of lists: newest first, `limit` items. The next page begins after the ID of the last item.
import type { Doc } from '../../adapters/documents/port.js';
import type { Projection } from '../../projections/runtime/projection.js';
import type { ReadModelPage, ReadModels } from '../../projections/queries/read-models.js';
import { HttpError } from './errors.js';
import type { PageQuery } from './request-schemas.js';

/** IDs that sort by creation. */
const ULID_ID = /^[a-z]+_[0-9a-hjkmnp-tv-z]{26}$/;

export type ListBody<T> = {
  readonly object: 'list';
  readonly items: readonly T[];
  readonly nextPage: string | null;
  readonly url: string;
};

/** `lastId` is null on the last page. `extra` contains the query parameters that the next page must repeat. */
export type ListOptions = {
  readonly lastId: string | null;
  readonly limit: number;
  readonly extra?: Readonly<Record<string, string | readonly string[] | undefined>> | undefined;
};

export function listBody<T>(url: string, items: readonly T[], o: ListOptions): ListBody<T> {
  if (o.lastId === null) return { object: 'list', items, nextPage: null, url };
  const query = new URLSearchParams({ startingAfter: o.lastId, limit: String(o.limit) });
  for (const [name, value] of Object.entries(o.extra ?? {})) {
    for (const one of value === undefined ? [] : [value].flat()) query.append(name, one);
  }
  return { object: 'list', items, nextPage: `${url}?${query.toString()}`, url };
}

/** ID prefixes by the document field that contains the ID. These IDs sort by creation. */
const idPrefixes: Readonly<Record<string, string>> = {
  projectId: 'proj',
  keyId: 'key',
  appId: 'app',
  productId: 'prod',
  entitlementId: 'ent',
  offeringId: 'ofr',
  paywallId: 'pw',
  webhookId: 'wh',
  experimentId: 'exp',
  viewId: 'view',
  sessionId: 'ses',
};

/**
 * Reads a page of documents whose index is (owner, id) or (owner, filters, id) with IDs that sort by creation. `lastId` is the ID of the
 * last item if there are more. The next page begins at the ID itself, so its document may be deleted in between.
 */
export async function readNewestFirst<D extends Doc>(
  readModels: ReadModels,
  projection: Projection<D>,
  index: string,
  owner: string | readonly string[],
  { limit, startingAfter }: PageQuery,
): Promise<{ docs: readonly D[]; isLast: boolean; lastId: string | null }> {
  const idField = projection.indexes.find((i) => i.name === index)?.fields.at(-1) ?? '';
  const page: ReadModelPage<D> = await readModels.scan(projection, {
    index,
    eq: typeof owner === 'string' ? [owner] : owner,
    limit,
    reverse: true,
    ...olderThanBound(startingAfter, idField),
  });
  const docs = page.rows.map((r) => r.doc);
  const last = docs.at(-1)?.[idField];
  const isLast = page.next === undefined;
  return { docs, isLast, lastId: isLast || typeof last !== 'string' ? null : last };
}

/** Returns the bound of a scan, newest first, over IDs that sort by creation. Throws for an ID of another kind. */
export function olderThanBound(startingAfter: string | undefined, idField: string): { readonly to?: string } {
  if (startingAfter === undefined) return {};
  const [prefix] = startingAfter.split('_');
  if (!ULID_ID.test(startingAfter) || prefix !== idPrefixes[idField]) throw unknownCursorError();
  return { to: startingAfter };
}

export function unknownCursorError(): HttpError {
  return new HttpError(400, 'startingAfter is not an item of this list; use nextPage of a response');
}

type PageItems<T> = { readonly items: readonly T[]; readonly lastId: string | null };

/** Returns a page of a list that was read whole. Throws {@link HttpError} 400 if it has no item with the ID of the cursor. */
export function pageAfter<T extends { readonly id: string }>(
  all: readonly T[],
  { limit, startingAfter }: PageQuery,
): PageItems<T> {
  const at = startingAfter === undefined ? -1 : all.findIndex(({ id }) => id === startingAfter);
  if (startingAfter !== undefined && at < 0) throw unknownCursorError();
  return firstPage(all.slice(at + 1), limit, ({ id }) => id);
}

/** Returns the first page of rows that may be more than one page. */
export function firstPage<T>(rows: readonly T[], limit: number, idOf: (row: T) => string): PageItems<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, lastId: last !== undefined && rows.length > limit ? idOf(last) : null };
}
