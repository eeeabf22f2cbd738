// List of a project's notifications. Parked ones are records of the reaction that parked them; all others are in the read model.
import { encodeCursor } from '../../adapters/documents/index-keys.js';
import { filterParked, parkedBy } from '../../commands/handling/parked-events.js';
import { INBOX_REACTION } from '../../commands/stores/inbox/inbox.js';
import type { NotificationState } from '../../domain/inbox/inbox.js';
import { inboxIdOf } from '../../domain/streams.js';
import { notifications, type NotificationDoc } from '../../projections/models/notifications.js';
import { firstPage, unknownCursorError } from '../bodies/paging.js';
import type { Services } from '../dispatch/services.js';

export type NotificationQuery = {
  readonly appId?: string | undefined;
  readonly state?: NotificationState | undefined;
  readonly since?: string | undefined;
  readonly limit: number;
  readonly startingAfter?: string | undefined;
};

type Row = { readonly id: string; readonly doc: NotificationDoc };
/** `lastId` is the cursor of the next page; null on the last one. */
type NotificationPage = { readonly items: readonly Row[]; readonly lastId: string | null };

/** Limit of the notifications that a page scans. */
const MAX_SCANNED = 2000;
const PAGE_SIZE = 100;

/** Throws {@link HttpError} 400 for an unknown cursor. */
export async function listNotifications(
  services: Services,
  projectId: string,
  q: NotificationQuery,
): Promise<NotificationPage> {
  const last = q.startingAfter === undefined ? null : await requireRow(services, projectId, q.startingAfter);
  return q.state === 'parked' ? listParked(services, projectId, q, last) : listStored(services, projectId, q, last);
}

async function requireRow({ readModels }: Services, projectId: string, id: string): Promise<Row> {
  const doc = await readModels.get(notifications, id);
  if (doc?.projectId !== projectId) throw unknownCursorError();
  return { id, doc };
}

async function listStored(
  services: Services,
  projectId: string,
  { appId, state, since, limit }: NotificationQuery,
  last: Row | null,
): Promise<NotificationPage> {
  const index = state === undefined ? 'project' : 'state';
  const fields = notifications.indexes.find(({ name }) => name === index)?.fields ?? [];
  const eq = state === undefined ? [projectId] : [projectId, state];
  const bounds = since === undefined ? {} : { from: since };
  // A notification that has changed its state since keeps its position.
  const place = last && { id: last.id, guard: '', doc: { ...last.doc, ...(state !== undefined && { state }) } };
  let after = place ? encodeCursor(index, fields, place) : undefined;
  const rows: Row[] = [];
  for (let scanned = 0; ;) {
    const cursor = after === undefined ? {} : { after };
    const page = await services.readModels.scan(notifications, {
      ...{ index, eq, ...bounds, limit: PAGE_SIZE, reverse: true },
      ...cursor,
    });
    const ofApp = page.rows.filter(({ doc }) => appId === undefined || doc.appId === appId);
    const ofState = state === 'waiting' ? await excludeParked(services, ofApp) : ofApp;
    for (const row of ofState) {
      if (rows.length === limit) return { items: rows, lastId: rows.at(-1)?.id ?? null };
      rows.push(row);
    }
    scanned += page.rows.length;
    if (page.next === undefined) return { items: rows, lastId: null };
    if (scanned >= MAX_SCANNED) return { items: rows, lastId: page.rows.at(-1)?.id ?? null };
    after = page.next;
  }
}

async function excludeParked({ deps }: Services, rows: readonly Row[]): Promise<readonly Row[]> {
  const ids = rows.map(({ doc }) => doc.eventId);
  const parked = await filterParked(deps.docs, INBOX_REACTION, ids);
  return rows.filter(({ doc }) => !parked.has(doc.eventId));
}

/** Lists parked notifications. There are few: each was parked by an internal error. */
async function listParked(
  { deps, readModels }: Services,
  projectId: string,
  { appId, since = '', limit }: NotificationQuery,
  last: Row | null,
): Promise<NotificationPage> {
  const parked = await parkedBy(deps.docs, INBOX_REACTION);
  const ids = parked.map(({ stream }) => inboxIdOf(stream));
  const docs = await readModels.getMany(notifications, ids);
  const before = last && sortKeyOf(last);
  const rows = [...docs]
    .map(([id, doc]) => ({ id, doc }))
    .filter(({ doc }) => doc.projectId === projectId && doc.state === 'waiting' && doc.receivedAt >= since)
    .filter((row) => (appId === undefined || row.doc.appId === appId) && (before === null || sortKeyOf(row) < before))
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? 1 : -1));
  return firstPage(rows, limit, ({ id }) => id);
}

function sortKeyOf({ id, doc }: Row): string {
  return `${doc.receivedAt}|${id}`;
}
