// Saved chart views of a member: one record per member of a project, oldest view first. They are a convenience of one person and affect no
// decision and no figure, so that they are records and not events.
import { readRecord, updateRecord, recordsNamed } from '../../adapters/documents/records.js';
import type { JsonObject } from '../../domain/values/json.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

export const chartViewCollection = { name: recordsNamed<ViewsRecord>('chart_views'), indexes: [] };
const { name: c } = chartViewCollection;

export type ChartView = {
  /** `view_…`, sorts by creation. */
  readonly viewId: string;
  readonly name: string;
  /** Id and parameters of the chart. */
  readonly query: JsonObject;
  readonly createdAt: string;
};
type ViewsRecord = Member & { readonly views: readonly ChartView[] };
export type Member = { readonly projectId: string; readonly userId: string };

const MAX_VIEWS = 100;

type Needs = Pick<Deps, 'docs' | 'runtime'>;

/** Throws {@link Rejection} when the member has the maximum number of views. */
export async function saveChartView(
  { docs, runtime }: Needs,
  member: Member,
  o: Pick<ChartView, 'name' | 'query'>,
): Promise<ChartView> {
  const view = { viewId: runtime.newId('view'), ...o, createdAt: isoFromMs(runtime.now()) };
  await updateRecord(docs, c, idOf(member), (doc) => {
    const views = viewsIn(doc);
    if (views.length >= MAX_VIEWS) {
      throw new Rejection(
        'conflict',
        'too-many-views',
        `a member can save at most ${MAX_VIEWS} views; delete one first`,
      );
    }
    return { ...member, views: [...views, view] };
  });
  return view;
}

/** Throws {@link Rejection} when the member has no such view. */
export async function deleteChartView({ docs }: Pick<Needs, 'docs'>, member: Member, viewId: string): Promise<void> {
  await updateRecord(docs, c, idOf(member), (doc) => {
    const views = viewsIn(doc);
    const others = views.filter((v) => v.viewId !== viewId);
    if (others.length === views.length) throw new Rejection('missing', 'view-unknown', 'chart view not found');
    return { ...member, views: others };
  });
}

/** Returns the views, oldest first. */
export async function readChartViews({ docs }: Pick<Needs, 'docs'>, member: Member): Promise<readonly ChartView[]> {
  return viewsIn((await readRecord(docs, c, idOf(member))).doc);
}

function viewsIn(record: ViewsRecord | null): readonly ChartView[] {
  return record?.views ?? [];
}

function idOf({ projectId, userId }: Member): string {
  return `${projectId}|${userId}`;
}
