// Saved chart views: one record per member of a project, and one for the views that are shared with it, oldest view first. They are a
// convenience and affect no decision and no figure, so that they are records and not events.
import { readRecords, updateRecord, recordsNamed } from '../../adapters/documents/records.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

export const chartViewCollection = { name: recordsNamed<ViewsRecord>('chart_views'), indexes: [] };
const { name: c } = chartViewCollection;

type StoredView = {
  /** `view_…`, sorts by creation. */
  readonly viewId: string;
  readonly name: string;
  /** Id and parameters of the chart. */
  readonly query: JsonObject;
  readonly createdAt: string;
  /** Query of the dashboard's page when the view was saved; absent from views of former versions. */
  readonly pageQuery?: string;
  readonly isOnOverview?: boolean;
  /** Member who saved it; absent from private views of former versions. */
  readonly authorId?: string;
};
type ViewsRecord = Member & { readonly views: readonly StoredView[] };
export type Member = { readonly projectId: string; readonly userId: string };

export type ChartView = Required<StoredView> & { readonly isShared: boolean };
export type ChartViewChanges = {
  readonly name?: string | undefined;
  readonly isShared?: boolean | undefined;
  readonly isOnOverview?: boolean | undefined;
};

/** Member, and true for `managesShared` if the member may change shared views of others. */
export type ViewUser = Member & { readonly managesShared: boolean };

/** In the place of a user ID: the record of the shared views. */
const SHARED = 'shared';
const MAX_VIEWS = 100;

type Needs = Pick<Deps, 'docs' | 'runtime'>;

/** Throws {@link Rejection} when the member, or the project for a shared view, has the maximum number of views. */
export async function saveChartView(
  { docs, runtime }: Needs,
  member: Member,
  { isShared, ...o }: Pick<ChartView, 'name' | 'query' | 'pageQuery' | 'isOnOverview' | 'isShared'>,
): Promise<ChartView> {
  const createdAt = isoFromMs(runtime.now());
  const view = { viewId: runtime.newId('view'), ...o, createdAt, authorId: member.userId };
  await addView(docs, isShared ? sharedOf(member) : member, view);
  return { ...view, isShared };
}

/** Throws {@link Rejection} when the member sees no such view, or may not change it. */
export async function changeChartView(
  { docs }: Pick<Needs, 'docs'>,
  user: ViewUser,
  viewId: string,
  changes: ChartViewChanges,
): Promise<ChartView> {
  const before = await findForChange(docs, user, viewId);
  const { name = before.name, isShared: shares = before.isShared, isOnOverview = before.isOnOverview } = changes;
  const after = { ...before, name, isShared: shares, isOnOverview };
  const { isShared, ...view } = after;
  if (isShared === before.isShared) await replaceView(docs, placeOf(user, before), view);
  else {
    // A view that is in both places after a crash counts as shared, and the next change removes the rest.
    await addView(docs, placeOf(user, after), view);
    await removeView(docs, placeOf(user, before), viewId);
  }
  return after;
}

/** Throws {@link Rejection} when the member sees no such view, or may not delete it. */
export async function deleteChartView({ docs }: Pick<Needs, 'docs'>, user: ViewUser, viewId: string): Promise<void> {
  const view = await findForChange(docs, user, viewId);
  await removeView(docs, { projectId: user.projectId, userId: view.authorId }, viewId);
  if (view.isShared) await removeView(docs, sharedOf(user), viewId);
}

/** Returns the member's own views and those shared with the project, oldest first. */
export async function readChartViews({ docs }: Pick<Needs, 'docs'>, member: Member): Promise<readonly ChartView[]> {
  const found = await readRecords(docs, c, [idOf(member), idOf(sharedOf(member))]);
  const byId = new Map<string, ChartView>();
  for (const record of found.values()) {
    const isShared = record.userId === SHARED;
    for (const view of record.views) {
      if (!isShared && byId.has(view.viewId)) continue;
      const absent = { pageQuery: '', isOnOverview: false, authorId: record.userId };
      byId.set(view.viewId, { ...absent, ...view, isShared });
    }
  }
  return [...byId.values()].sort((a, b) => (a.viewId < b.viewId ? -1 : 1));
}

async function findForChange(docs: Deps['docs'], user: ViewUser, viewId: string): Promise<ChartView> {
  const view = (await readChartViews({ docs }, user)).find((one) => one.viewId === viewId);
  if (!view) throw unknownView();
  if (view.authorId === user.userId || user.managesShared) return view;
  throw new Rejection('forbidden', 'view-of-other', 'only its author, an owner or an admin may change a shared view');
}

function placeOf({ projectId }: Member, { isShared, authorId }: ChartView): Member {
  return isShared ? { projectId, userId: SHARED } : { projectId, userId: authorId };
}

function sharedOf({ projectId }: Member): Member {
  return { projectId, userId: SHARED };
}

async function addView(docs: Deps['docs'], place: Member, view: StoredView): Promise<void> {
  await updateRecord(docs, c, idOf(place), (doc) => {
    const views = (doc?.views ?? []).filter(({ viewId }) => viewId !== view.viewId);
    if (views.length >= MAX_VIEWS) {
      const whose = place.userId === SHARED ? 'a project can share' : 'a member can save';
      throw new Rejection('conflict', 'too-many-views', `${whose} at most ${MAX_VIEWS} views; delete one first`);
    }
    return { ...place, views: [...views, view] };
  });
}

async function replaceView(docs: Deps['docs'], place: Member, view: StoredView): Promise<void> {
  await updateRecord(docs, c, idOf(place), (doc) => {
    const views = doc?.views ?? [];
    if (!views.some(({ viewId }) => viewId === view.viewId)) throw unknownView();
    return { ...place, views: views.map((one) => (one.viewId === view.viewId ? view : one)) };
  });
}

async function removeView(docs: Deps['docs'], place: Member, viewId: string): Promise<void> {
  await updateRecord(docs, c, idOf(place), (doc) => ({
    ...place,
    views: (doc?.views ?? []).filter((v) => v.viewId !== viewId),
  }));
}

function unknownView(): Rejection {
  return new Rejection('missing', 'view-unknown', 'chart view not found');
}

function idOf({ projectId, userId }: Member): string {
  return `${projectId}|${userId}`;
}
