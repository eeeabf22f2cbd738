// Confirmation of an import: who allowed it is recorded in the project before anything else is.
import type { Deps, Requester } from '../handling/deps.js';
import { commandIds } from '../handling/command-ids.js';
import { contextOf } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';
import { projectDecider } from '../../domain/project/decide.js';
import { streams } from '../../domain/streams.js';
import { isSameJson } from '../../domain/values/json.js';
import {
  createImport,
  expectConfirmable,
  fileNamesOf,
  findImport,
  listImports,
  restartImport,
  startConfirmed,
  type ImportKey,
  type ImportRecord,
  type NewImport,
} from './import-records.js';
import type { ImportReport } from './import-report.js';

/** Starts the run of a checked import. Throws `Rejection` if it was not checked, or the digest is another one. */
export async function confirmImport(deps: Deps, by: Requester, key: ImportKey, digest: string): Promise<ImportRecord> {
  const record = expectConfirmable(await findImport(deps, key), digest);
  await recordConfirmation(deps, by, record, record.report);
  return startConfirmed(deps, key, digest);
}

/** Creates an import of files on this machine. A run of the same confirmed files that did not end continues instead. */
export async function startImport(deps: Deps, by: Requester, request: NewImport): Promise<ImportRecord> {
  const { confirmed, projectId, paths } = request;
  if (confirmed === null) return createImport(deps, request);
  const earlier = await listImports(deps, projectId);
  const checked = earlier.find(({ report }) => report?.dryRun === true && report.digest === confirmed);
  // With other options, or other files, the digest was refused: that import ended, and is none to continue.
  const isSame = (one: ImportRecord) => isSameJson(one.options, request.options) && isSameJson(one.paths, paths);
  const isOpen = (one: ImportRecord) => one.confirmed === confirmed && one.state !== 'done' && !one.isUploaded;
  const unfinished = earlier.find((one) => isOpen(one) && isSame(one));
  await recordConfirmation(deps, by, unfinished ?? request, checked?.report ?? null);
  return unfinished ? restartImport(deps, unfinished) : createImport(deps, request);
}

async function recordConfirmation(
  deps: Deps,
  by: Requester,
  record: Pick<NewImport, 'importId' | 'projectId' | 'paths'>,
  report: ImportReport | null,
): Promise<void> {
  const { importId, projectId } = record;
  const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);
  const confirmation = {
    importId,
    files: [...fileNamesOf(record)],
    customers: report && report.customers,
    transactions: report && sum(report.transactions),
    events: report && sum(report.events),
  };
  const stream = streams.project(projectId);
  const ctx = { ...contextOf(by, projectId), commandId: commandIds.confirmedImport(importId) };
  await deps.mutex.run(stream, () =>
    runCommand(deps, stream, projectDecider, [{ kind: 'confirmImport', confirmation }], ctx, deps.projects.load),
  );
}
