// Chart replays: named instants and rules, by which charts are computed on request. They hold no figures, so nothing has to be built or
// updated, and new chart versions support them: records, not events.
import type { DocStore } from '../../adapters/documents/port.js';
import {
  collectRows,
  createRecord,
  readRecord,
  updateRecord,
  recordsNamed,
  scanRecords,
} from '../../adapters/documents/records.js';
import type { WhatIf } from '../../domain/charts/what-if.js';
import { Rejection } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';

export const chartReplayCollection = { name: recordsNamed<ReplayRecord>('chart_replays'), indexes: [] };
const { name: c } = chartReplayCollection;

export type ChartReplay = {
  /** Null: replay of the installation, which every project can read. */
  readonly projectId: string | null;
  readonly name: string;
  /** Requested instant; null for everything recorded when the replay was created. */
  readonly until: string | null;
  /** End of the covered time, exclusive. */
  readonly endsAt: string;
  readonly whatIf: WhatIf;
  readonly madeAt: string;
};
export type ReplayKey = Pick<ChartReplay, 'projectId' | 'name'>;
export type ReplayRequest = ReplayKey & Pick<ChartReplay, 'until' | 'whatIf'>;

const MAX_REPLAYS = 20;
const PAGE = 100;

type Needs = Pick<Deps, 'docs' | 'runtime'>;

/** Throws {@link Rejection} for an existing name, and when the project has the maximum number of replays. */
export async function createChartReplay({ docs, runtime }: Needs, request: ReplayRequest): Promise<ChartReplay> {
  const { projectId, until } = request;
  const there = (await recordsOf(docs, projectId)).length;
  if (projectId !== null && there >= MAX_REPLAYS) {
    throw new Rejection(
      'conflict',
      'too-many-replays',
      `a project can have at most ${MAX_REPLAYS} replays; delete one first`,
    );
  }
  const replay = { ...request, ...replayTimesOf(until, runtime.now()) };
  if (await createRecord(docs, c, idOf(request), replay)) return replay;
  throw new Rejection('conflict', 'replay-exists', 'a replay with this name exists; delete it or use another name');
}

/**
 * Replaces the replay of this name; null deletes it. Returns the current one. Throws {@link Rejection} where there is nothing to delete.
 */
export async function setChartReplay(
  { docs, runtime }: Needs,
  { projectId, name, replay }: ReplayKey & { readonly replay: Pick<ChartReplay, 'until' | 'whatIf'> | null },
): Promise<ChartReplay | null> {
  if (!replay) return deleteChartReplay({ docs }, { projectId, name }).then(() => null);
  const { until, whatIf } = replay;
  const created = { projectId, name, until, whatIf, ...replayTimesOf(until, runtime.now()) };
  await updateRecord(docs, c, idOf(created), () => created);
  return created;
}

/** Finds the project's replay of that name, or else the installation's. */
export async function findChartReplay(
  { docs }: Pick<Needs, 'docs'>,
  projectId: string,
  name: string,
): Promise<ChartReplay | undefined> {
  for (const owner of [projectId, null]) {
    const { doc } = await readRecord(docs, c, idOf({ projectId: owner, name }));
    if (doc) return parseChartReplay(doc);
  }
  return undefined;
}

/** Returns the replays that the project may read, sorted by name. */
export async function listChartReplays(
  { docs }: Pick<Needs, 'docs'>,
  projectId: string,
): Promise<readonly ChartReplay[]> {
  const all = [...(await recordsOf(docs, null)), ...(await recordsOf(docs, projectId))];
  const byName = new Map(all.map((replay) => [replay.name, replay]));
  return [...byName.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Throws {@link Rejection} for an unknown replay, and when a project tries to delete one of the installation. */
export async function deleteChartReplay({ docs }: Pick<Needs, 'docs'>, key: ReplayKey): Promise<void> {
  const { isChanged } = await updateRecord(docs, c, idOf(key), () => null);
  if (isChanged) return;
  const { projectId, name } = key;
  if (projectId !== null && (await findChartReplay({ docs }, projectId, name))) {
    const message = `this replay belongs to all projects; the operator can delete it with: subledger replay --delete ${name}`;
    throw new Rejection('conflict', 'replay-shared', message);
  }
  throw new Rejection('missing', 'replay-unknown', 'replay not found; GET …/metrics/replays lists them');
}

/** Deletes all replays of a project. Safe to repeat. */
export async function deleteChartReplaysOf({ docs }: Pick<Needs, 'docs'>, projectId: string): Promise<void> {
  for (const replay of await recordsOf(docs, projectId)) await updateRecord(docs, c, idOf(replay), () => null);
}

async function recordsOf(docs: DocStore, projectId: string | null): Promise<readonly ChartReplay[]> {
  const scan = { index: 'id', eq: [], from: idOf({ projectId, name: '' }), to: idOf({ projectId, name: '~' }) };
  const rows = await collectRows({ ...scan, limit: PAGE }, (page) => scanRecords(docs, c, page));
  return rows.map(({ doc }) => parseChartReplay(doc));
}

/** Excludes everything that is recorded later, so that a replay never changes. */
function replayTimesOf(until: string | null, now: number): Pick<ChartReplay, 'endsAt' | 'madeAt'> {
  const end = isoFromMs(now + 1);
  return { endsAt: until !== null && until < end ? until : end, madeAt: isoFromMs(now) };
}

function idOf({ projectId, name }: ReplayKey): string {
  return `${projectId ?? ''}|${name}`;
}

/** Former replays were copies of the charts: the copy contained the creation time and the end. */
type ReplayRecord = Omit<ChartReplay, 'endsAt' | 'madeAt'> & {
  readonly endsAt?: string;
  readonly madeAt?: string;
  readonly requestedAt?: string;
  readonly copy?: { readonly info: Pick<ChartReplay, 'endsAt' | 'madeAt'> } | null;
};

function parseChartReplay(record: ReplayRecord): ChartReplay {
  const { projectId, name, until, whatIf, requestedAt = '', copy, ...rest } = record;
  const { endsAt = until ?? requestedAt, madeAt = requestedAt } = copy?.info ?? rest;
  return { projectId, name, until, endsAt, whatIf, madeAt };
}
