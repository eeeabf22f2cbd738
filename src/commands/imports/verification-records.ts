// Records of verifications of imports: state, progress and report. An interrupted run continues from its record.
import {
  createRecord,
  readRecord,
  removeRecord,
  updateRecord,
  recordsNamed,
  scanRecords,
} from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import {
  verificationClasses,
  type LineVerdict,
  type VerificationClass,
  type VerificationPhase,
  type VerificationReason,
} from '../../domain/imports/verification.js';
import { streams } from '../../domain/streams.js';
import { earliest, isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import { importCollection, listImports } from './import-records.js';

export const verificationCollection = {
  name: recordsNamed<VerificationRecord>('import_verifications'),
  indexes: [{ name: 'state', fields: ['state', 'createdAt'] }],
};
const { name: c } = verificationCollection;

/** `reason`: null for a class without reasons. `customers`: their IDs, at most {@link MAX_SAMPLES}. */
export type VerdictCount = {
  readonly class: VerificationClass;
  readonly reason: VerificationReason | null;
  readonly count: number;
  readonly customers: readonly string[];
};

export type VerificationRecord = {
  readonly verificationId: string;
  readonly projectId: string;
  readonly createdAt: string;
  /** `failed`: see `problem`; the next request continues it. */
  readonly state: 'waiting' | 'running' | 'done' | 'failed';
  readonly progress: { readonly done: number; readonly total: number } | null;
  /** Missing in records of earlier versions, which had one phase with all lines. */
  readonly phase?: VerificationPhase;
  /** Time up to which the oldest import knows renewals; null if that is unknown. */
  readonly exportedAt?: string | null;
  /** Position in the log before which all lines of the phase are counted. */
  readonly after: string | null;
  readonly verdicts: readonly VerdictCount[];
  readonly problem: string | null;
  readonly finishedAt: string | null;
};

type Needs = Pick<Deps, 'docs' | 'runtime' | 'projects'>;
const MAX_SAMPLES = 20;

/**
 * Requests the verification of a project's imports; one that did not end continues where it was. A project has one record: that of its
 * last verification. Throws {@link Rejection} for an unknown project.
 */
export async function requestVerification(
  { docs, runtime, projects }: Needs,
  projectId: string,
): Promise<VerificationRecord> {
  if (!(await projects.get(streams.project(projectId))))
    throw new Rejection('missing', 'project-unknown', 'project not found');
  const verificationId = runtime.newId('ver');
  const created: VerificationRecord = {
    ...{ verificationId, projectId, createdAt: isoFromMs(runtime.now()), state: 'waiting', progress: null },
    ...{ phase: 'ended_since_export', exportedAt: await oldestExport({ docs }, projectId) },
    ...{ after: null, verdicts: [], problem: null, finishedAt: null },
  };
  if (await createRecord(docs, c, projectId, created)) return created;
  const { doc } = await updateRecord(docs, c, projectId, (stored) => {
    if (!stored || stored.state === 'done') return created;
    return stored.state === 'failed'
      ? { ...stored, state: 'waiting' as const, problem: null, finishedAt: null }
      : undefined;
  });
  return doc ?? created;
}

/** Returns the time up to which all imports of a project know renewals; null if none of them knows. */
async function oldestExport(needs: Pick<Needs, 'docs'>, projectId: string): Promise<string | null> {
  await needs.docs.ensure([importCollection]);
  const done = (await listImports(needs, projectId)).filter(({ state }) => state === 'done');
  const times = done.flatMap(({ report }) => report?.exportedAt ?? []);
  return times.length === 0 ? null : times.reduce(earliest);
}

/** Throws {@link Rejection} without a verification. */
export async function findVerification({ docs }: Pick<Deps, 'docs'>, projectId: string): Promise<VerificationRecord> {
  const { doc } = await readRecord(docs, c, projectId);
  if (!doc) throw new Rejection('missing', 'verification-unknown', 'no import of this project was verified yet');
  return doc;
}

/** Returns the verifications that did not end, at most as many as one page contains. */
export async function unfinishedVerifications({ docs }: Pick<Deps, 'docs'>): Promise<readonly VerificationRecord[]> {
  const pages = await Promise.all(
    ['running', 'waiting'].map((state) => scanRecords(docs, c, { index: 'state', eq: [state], limit: 100 })),
  );
  return pages.flatMap(({ rows }) => rows.map(({ doc }) => doc));
}

export async function changeVerification(
  { docs }: Pick<Deps, 'docs'>,
  projectId: string,
  changes: Partial<VerificationRecord>,
): Promise<void> {
  await updateRecord(docs, c, projectId, (doc) => (doc === null ? undefined : { ...doc, ...changes }));
}

export async function deleteVerificationOf({ docs }: Pick<Deps, 'docs'>, projectId: string): Promise<void> {
  await removeRecord(docs, c, projectId);
}

/** Returns the counts with one more line. */
export function addVerdict(
  counts: readonly VerdictCount[],
  { class: name, reason, customerId }: LineVerdict & { readonly customerId: string },
): readonly VerdictCount[] {
  const known = counts.find((one) => one.class === name && one.reason === reason);
  if (!known) return [...counts, { class: name, reason, count: 1, customers: [customerId] }];
  const isListed = known.customers.length >= MAX_SAMPLES || known.customers.includes(customerId);
  const customers = isListed ? known.customers : [...known.customers, customerId];
  return counts.map((one) => (one === known ? { ...one, count: one.count + 1, customers } : one));
}

/** Returns the number of lines whose result has no explanation. */
export function countUnexplained(verdicts: readonly VerdictCount[]): number {
  return verdicts.reduce((sum, one) => sum + (verificationClasses[one.class] ? 0 : one.count), 0);
}
