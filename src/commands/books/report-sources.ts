// Report sources: the places at which the financial reports of an app's account are fetched. Records have the sealed key, the schedule of the
// looks, and what came of the last one. The events contain only their existence, the account and a fingerprint.
import { collectRows, readRecord, recordsNamed, scanPages, updateRecord } from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import type { LookProblem } from '../../domain/books/look-problems.js';
import { requireApp, requireAppOf } from '../../domain/project/decide-app.js';
import type { StoreKind } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps, Requester } from '../handling/deps.js';
import { lockKeys } from '../handling/keyed-mutex.js';
import { openForApp, sealForApp } from '../projects/app-secrets.js';
import type { Terms } from '../projects/credentials.js';
import type { CheckedReportSource } from '../stores/found-reports.js';
import { runProjectCommand } from '../projects/run-project-command.js';

export const reportSourceCollection = {
  name: recordsNamed<ReportSource>('report_sources'),
  indexes: [
    { name: 'project', fields: ['projectId'] },
    { name: 'due', fields: ['dueAt'] },
  ],
};
const { name: c } = reportSourceCollection;
const FIELD = 'reportsPrivateKey';
const PAGE = 100;

/** Record under the ID of the app. */
export type ReportSource = {
  readonly projectId: string;
  readonly store: StoreKind;
  /** Vendor number or bucket. */
  readonly account: string;
  readonly terms: Terms;
  /** Null: the store is read with the credentials of the app. */
  readonly sealedKey: string | null;
  readonly createdAt: string;
  readonly dueAt: string;
  /** Looks since the last one without a problem. */
  readonly attempts: number;
  /** A request for the next look: reports that were fetched before it are fetched again, from this month on; null without one. */
  readonly request: { readonly at: string; readonly fromMonth: string | null } | null;
  /** Reports that were fetched, by their name at the store. */
  readonly fetched: { readonly [name: string]: { readonly version: string | null; readonly at: string } };
  readonly lastLook: Look | null;
};

/** `added`: reports that were new. `unchanged`: how many were not. `unpublished`: names of reports that the store does not have yet. */
export type Look = {
  readonly at: string;
  readonly added: readonly { readonly reportId: string; readonly fileName: string; readonly month: string }[];
  readonly unchanged: number;
  readonly unpublished: readonly string[];
  readonly problem: { readonly code: LookProblem; readonly message: string } | null;
};

/** A source as it is shown: without its key. */
export type ListedSource = Omit<ReportSource, 'projectId' | 'terms' | 'sealedKey' | 'fetched'> & {
  readonly appId: string;
  readonly keyId: string | null;
};

type NewSource = CheckedReportSource & { readonly appId: string; readonly store: StoreKind };

/**
 * Replaces the previous source of the app; the first look follows at once. The record is written before the event: a crash in between leaves a
 * working source that a repeat records. Throws {@link Rejection}.
 */
export function registerReportSource(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: NewSource,
): Promise<ListedSource> {
  const { appId, store, account, terms, secret, fingerprint } = o;
  return deps.mutex.run(lockKeys.credentials(appId), async () => {
    const project = await deps.projects.get(streams.project(projectId));
    if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
    requireAppOf(store, requireApp(project, appId));
    const now = isoFromMs(deps.runtime.now());
    const sealedKey = secret === null ? null : await sealForApp(deps, { projectId, appId }, FIELD, secret);
    const schedule = { createdAt: now, dueAt: now, attempts: 0, request: null, lastLook: null };
    const record: ReportSource = { projectId, store, account, terms, sealedKey, ...schedule, fetched: {} };
    await updateRecord(deps.docs, c, appId, (before) => ({
      ...record,
      fetched: before?.account === account ? before.fetched : {},
    }));
    const source = { appId, store, account, fingerprint };
    await runProjectCommand(deps, by, projectId, { kind: 'registerReportSource', source });
    return listedOf(appId, record);
  });
}

/** Deletes the key first: a crash in between leaves nothing usable. Throws {@link Rejection} when there is none. */
export function deleteReportSource(deps: Deps, by: Requester, projectId: string, appId: string): Promise<void> {
  return deps.mutex.run(lockKeys.credentials(appId), async () => {
    const project = await deps.projects.get(streams.project(projectId));
    if (!project) throw new Rejection('missing', 'project-unknown', 'project not found');
    requireApp(project, appId);
    const wasThere = await deleteStoredReportSource(deps, appId);
    const { eventIds } = await runProjectCommand(deps, by, projectId, { kind: 'deleteReportSource', appId });
    if (wasThere || eventIds.length > 0) return;
    throw new Rejection('missing', 'report-source-unknown', 'the app has no report source');
  });
}

/** Returns true if there was one. */
export async function deleteStoredReportSource({ docs }: Pick<Deps, 'docs'>, appId: string): Promise<boolean> {
  return (await updateRecord(docs, c, appId, () => null)).isChanged;
}

export async function deleteReportSourcesOfProject(deps: Pick<Deps, 'docs'>, projectId: string): Promise<void> {
  for (const { appId } of await listReportSources(deps, projectId)) await deleteStoredReportSource(deps, appId);
}

export async function listReportSources(
  { docs }: Pick<Deps, 'docs'>,
  projectId: string,
): Promise<readonly ListedSource[]> {
  const all = { index: 'project', eq: [projectId], limit: PAGE };
  const rows = await collectRows(all, (scan) => docs.scan(c, scan));
  return rows.map(({ id, doc }) => listedOf(id, doc as ReportSource));
}

/** Makes the looks of a project, or of one app, due now. Throws {@link Rejection} if there is no source. */
export async function requestLooks(
  deps: Pick<Deps, 'docs' | 'runtime'>,
  projectId: string,
  o: { readonly appId: string | null; readonly fromMonth: string | null },
): Promise<void> {
  const sources = (await listReportSources(deps, projectId)).filter(
    ({ appId }) => o.appId === null || appId === o.appId,
  );
  if (sources.length === 0) {
    const message = 'no reports are fetched for it; register a report source of an app first';
    throw new Rejection('missing', 'report-source-unknown', message);
  }
  const at = isoFromMs(deps.runtime.now());
  for (const { appId } of sources) {
    await updateRecord(deps.docs, c, appId, (before) =>
      before ? { ...before, dueAt: at, attempts: 0, request: { at, fromMonth: o.fromMonth } } : undefined,
    );
  }
}

/** Source that is due, with the guard under which it was read. */
export type DueSource = { readonly appId: string; readonly guard: string; readonly source: ReportSource };

/** Yields the sources whose look is due, the longest due first, in pages. */
export async function* dueSources({ docs, runtime }: Pick<Deps, 'docs' | 'runtime'>): AsyncGenerator<DueSource[]> {
  const due = { index: 'due', eq: [], to: isoFromMs(runtime.now() + 1), limit: PAGE };
  for await (const rows of scanPages(due, (scan) => docs.scan(c, scan)))
    yield rows.map(({ id, guard, doc }) => ({ appId: id, guard, source: doc as ReportSource }));
}

/** Returns the key of a source; null if it has none of its own. */
export function openReportsKey(deps: Deps, { appId, source }: DueSource): Promise<string | null> {
  const { projectId, sealedKey } = source;
  if (sealedKey === null) return Promise.resolve(null);
  return openForApp(deps, { projectId, appId }, FIELD, sealedKey);
}

export async function isStillRegistered({ docs }: Pick<Deps, 'docs'>, { appId, source }: DueSource): Promise<boolean> {
  return isSameSource((await readRecord(docs, c, appId)).doc, source);
}

/** Records what came of a look. If somebody asked for another one meanwhile, that one follows; a source registered anew has its own. */
export async function recordLook(
  { docs }: Pick<Deps, 'docs'>,
  { appId, source }: DueSource,
  o: Pick<ReportSource, 'fetched' | 'lastLook'> & { readonly next: Partial<ReportSource> },
): Promise<void> {
  const { fetched, lastLook, next } = o;
  await updateRecord(docs, c, appId, (stored) => {
    if (!stored || !isSameSource(stored, source)) return undefined;
    const isAwaited = stored.request !== null && stored.request.at !== source.request?.at;
    return { ...stored, fetched, lastLook, ...(isAwaited ? {} : next) };
  });
}

function isSameSource(stored: ReportSource | null, { createdAt, account }: ReportSource): boolean {
  return stored?.createdAt === createdAt && stored.account === account;
}

function listedOf(appId: string, source: ReportSource): ListedSource {
  const { store, account, createdAt, dueAt, attempts, request, lastLook, terms } = source;
  const { keyId = null } = terms;
  return {
    ...{ appId, store, account, createdAt, dueAt, attempts, request, lastLook },
    keyId: keyId === null ? null : String(keyId),
  };
}
