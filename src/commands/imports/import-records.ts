// Records of imports: their files, state, progress and report. An interrupted run continues from its record.
import type { DocStore } from '../../adapters/documents/port.js';
import {
  createRecord,
  readRecord,
  removeRecord,
  collectRows,
  updateRecord,
  recordsNamed,
  scanRecords,
} from '../../adapters/documents/records.js';
import { Rejection } from '../../domain/errors.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { ImportOptions } from '../../domain/imports/context.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import type { ImportMark, ImportProgress } from './import-files.js';
import type { ImportReport } from './import-report.js';

export const importCollection = {
  name: recordsNamed<ImportRecord>('imports'),
  indexes: [
    { name: 'project', fields: ['projectId', 'createdAt'] },
    { name: 'state', fields: ['state', 'createdAt'] },
  ],
};
const { name: c } = importCollection;

/**
 * `waiting`: to be checked or run; `checked`: the dry run is done and can be confirmed; `done`: everything is recorded; `failed`: see
 * `problem`.
 */
export const importStates = ['waiting', 'running', 'checked', 'done', 'failed'] as const;
export type ImportState = (typeof importStates)[number];

/** Claim of a run. `until`: UTC; another run may claim the import from then on. */
type ImportClaim = { readonly runId: string; readonly until: string };

export type ImportRecord = {
  readonly importId: string;
  readonly projectId: string;
  readonly createdAt: string;
  /** Paths of the files on the machine of the process that runs the import. */
  readonly paths: readonly string[];
  /** True if the files were uploaded: they are deleted after the run. */
  readonly isUploaded: boolean;
  readonly options: ImportOptions;
  /** Digest of the confirmed dry run; null for a dry run. */
  readonly confirmed: string | null;
  readonly state: ImportState;
  readonly progress: ImportProgress | null;
  /** Newest event of the log before the run appended anything; null before that. */
  readonly begin: LogPosition | null;
  /** Order of the customers of a run, which differs between versions; absent in older records. */
  readonly order?: number;
  /** Mark at which the run continues. It counts customers in the order of the run: a customer's key would be a name that an erasure misses. */
  readonly mark?: ImportMark | null;
  /** Runs in a row, without a customer recorded between them, that ended with their process. Missing in older records. */
  readonly endings?: number;
  /** Run that executes the import; null if there is none. */
  readonly claim: ImportClaim | null;
  readonly report: ImportReport | null;
  readonly problem: string | null;
  readonly finishedAt: string | null;
};

type Needs = Pick<Deps, 'docs' | 'runtime'>;
export type ImportKey = Pick<ImportRecord, 'importId' | 'projectId'>;
export type NewImport = Pick<ImportRecord, 'importId' | 'projectId' | 'paths' | 'isUploaded' | 'options' | 'confirmed'>;

/** Customers come in the order of their first row. */
const ORDER = 2;
const PAGE = 100;
const MAX_OPEN_UPLOADS = 5;

export async function createImport({ docs, runtime }: Needs, o: NewImport): Promise<ImportRecord> {
  const record: ImportRecord = {
    ...o,
    createdAt: isoFromMs(runtime.now()),
    state: 'waiting',
    progress: null,
    begin: null,
    order: ORDER,
    mark: null,
    endings: 0,
    claim: null,
    report: null,
    problem: null,
    finishedAt: null,
  };
  await createRecord(docs, c, o.importId, record);
  return record;
}

/** Throws {@link Rejection} for an import that was not checked, and for another digest than that of its report. */
export function expectConfirmable(record: ImportRecord, digest: string): ImportRecord {
  if (record.state !== 'checked') {
    const text = `the import is ${record.state}; only a checked import can be confirmed`;
    throw new Rejection('conflict', 'import-not-checked', text);
  }
  if (record.report?.digest === digest) return record;
  throw new Rejection('conflict', 'import-changed', 'the digest is not that of the report; read the report again');
}

/** Has a checked import run. Throws as {@link expectConfirmable}. */
export async function startConfirmed(
  { docs }: Pick<Needs, 'docs'>,
  key: ImportKey,
  digest: string,
): Promise<ImportRecord> {
  const { doc } = await updateRecord(docs, c, key.importId, (stored) => {
    const record = owned(stored, key);
    expectConfirmable(record, digest);
    const cleared = { progress: null, report: null, order: ORDER, mark: null, endings: 0 };
    return { ...record, confirmed: digest, state: 'waiting' as const, ...cleared };
  });
  return owned(doc, key);
}

/** Has an import continue that was interrupted or failed, with the same files. */
export async function restartImport({ docs }: Pick<Needs, 'docs'>, key: ImportKey): Promise<ImportRecord> {
  const { doc } = await updateRecord(docs, c, key.importId, (stored) => {
    const record = owned(stored, key);
    if (record.state === 'running') return undefined;
    return { ...record, state: 'waiting' as const, problem: null, finishedAt: null, endings: 0 };
  });
  return owned(doc, key);
}

/** Returns where a run goes on: at the start after a version that had another order or stored no counts. A repeat adds nothing. */
export function markOf({ order, mark }: Pick<ImportRecord, 'order' | 'mark'>): ImportMark | null {
  return order === ORDER ? (mark ?? null) : null;
}

/** Returns the names of the files without their folders. */
export function fileNamesOf({ paths }: Pick<ImportRecord, 'paths'>): readonly string[] {
  return paths.map((path) => path.split(/[\\/]/).at(-1) ?? path);
}

/** Adds a file to an import that was not confirmed, and ends its check, which begins again. Throws {@link Rejection} for another one. */
export async function addImportFile(
  { docs }: Pick<Needs, 'docs'>,
  key: ImportKey,
  path: string,
): Promise<ImportRecord> {
  const { doc } = await updateRecord(docs, c, key.importId, (stored) => {
    const record = expectExtensible(owned(stored, key));
    return {
      ...record,
      paths: [...record.paths, path],
      state: 'waiting' as const,
      progress: null,
      report: null,
      mark: null,
      endings: 0,
      claim: null,
    };
  });
  return owned(doc, key);
}

/** Throws {@link Rejection} for an import that takes no more files. */
export function expectExtensible(record: ImportRecord): ImportRecord {
  if (record.isUploaded && record.confirmed === null && !isFinished(record)) return record;
  const state = isFinished(record) ? record.state : 'confirmed';
  const text = `the import is ${state}; files can be added to an uploaded import until it is confirmed`;
  throw new Rejection('conflict', 'import-not-checked', text);
}

/** Throws {@link Rejection} if a project has too many uploads that arrive, or were neither imported nor expired. `arriving`: others. */
export async function expectRoomForUpload(
  needs: Pick<Needs, 'docs'>,
  projectId: string,
  arriving: number,
): Promise<void> {
  const open = await openUploads(needs, projectId);
  if (open.length + arriving >= MAX_OPEN_UPLOADS) throw tooManyUploads(open.length + arriving);
}

/** Creates the import of an uploaded file. Throws {@link Rejection} if another process has created too many since the check. */
export async function createUploadedImport(needs: Needs, o: NewImport): Promise<ImportRecord> {
  const record = await createImport(needs, o);
  const open = await openUploads(needs, o.projectId);
  if (open.slice(0, MAX_OPEN_UPLOADS).some(({ importId }) => importId === o.importId)) return record;
  await removeRecord(needs.docs, c, o.importId);
  throw tooManyUploads(open.length);
}

/** Returns the unfinished uploads of a project, oldest first. */
async function openUploads(needs: Pick<Needs, 'docs'>, projectId: string): Promise<readonly ImportRecord[]> {
  return (await listImports(needs, projectId)).filter((one) => one.isUploaded && !isFinished(one)).toReversed();
}

function tooManyUploads(count: number): Rejection {
  const text = `the project has ${count} unfinished imports; confirm one, or wait until they expire a day after their upload`;
  return new Rejection('conflict', 'imports-unfinished', text);
}

export function isFinished({ state }: Pick<ImportRecord, 'state'>): boolean {
  return state === 'done' || state === 'failed';
}

/** Deletes the records of a deleted project. Their uploaded files go with the next sweep of the process that has them. */
export async function deleteImportsOf({ docs }: Pick<Needs, 'docs'>, projectId: string): Promise<void> {
  for (const { importId } of await listImports({ docs }, projectId)) await removeRecord(docs, c, importId);
}

/** Returns null for an import without a record. */
export async function readImport({ docs }: Pick<Needs, 'docs'>, importId: string): Promise<ImportRecord | null> {
  return (await readRecord(docs, c, importId)).doc;
}

/** Throws {@link Rejection} for an unknown import. */
export async function findImport({ docs }: Pick<Needs, 'docs'>, key: ImportKey): Promise<ImportRecord> {
  return owned((await readRecord(docs, c, key.importId)).doc, key);
}

/** Returns the imports of a project, newest first. */
export async function listImports({ docs }: Pick<Needs, 'docs'>, projectId: string): Promise<readonly ImportRecord[]> {
  return (await scanAll(docs, { index: 'project', eq: [projectId], limit: PAGE })).toReversed();
}

/** Returns the imports of all projects in these states, oldest first. */
export async function unfinishedImports({ docs }: Pick<Needs, 'docs'>): Promise<readonly ImportRecord[]> {
  const [running, waiting] = [
    await scanAll(docs, { index: 'state', eq: ['running'], limit: PAGE }),
    await scanAll(docs, { index: 'state', eq: ['waiting'], limit: PAGE }),
  ];
  return [...running, ...waiting];
}

/** Ends a checked import that was not confirmed in time; one that was confirmed at this moment stays. */
export async function expireImport({ docs, runtime }: Needs, importId: string, problem: string): Promise<boolean> {
  const finishedAt = isoFromMs(runtime.now());
  const { isChanged } = await updateRecord(docs, c, importId, (stored) =>
    stored?.state === 'checked' ? { ...stored, state: 'failed' as const, problem, finishedAt } : undefined,
  );
  return isChanged;
}

async function scanAll(docs: DocStore, scan: Parameters<DocStore['scan']>[1]): Promise<ImportRecord[]> {
  const rows = await collectRows(scan, (page) => scanRecords(docs, c, page));
  return rows.map(({ doc }) => doc);
}

function owned(record: ImportRecord | null, { projectId }: Pick<ImportRecord, 'projectId'>): ImportRecord {
  if (record?.projectId === projectId) return record;
  throw new Rejection('missing', 'import-unknown', 'import not found; GET …/imports lists them');
}
