// Imports rows of the neutral form as an operator does: a dry run, then the run that its digest confirms.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importFiles } from '../../../src/commands/imports/import-files.js';
import type { ImportReport } from '../../../src/commands/imports/import-report.js';
import type { StoreDeps } from '../../../src/commands/stores/store-integration.js';
import { filesHere } from './files-here.js';

/** `folder`: for the file. Returns the report of the run. */
export async function importRows(
  { deps, projectId, folder }: { readonly deps: StoreDeps; readonly projectId: string; readonly folder: string },
  rows: readonly object[],
): Promise<ImportReport> {
  const path = join(folder, 'facts.ndjson');
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  const { digest } = await importFile({ deps, projectId }, path, null);
  return importFile({ deps, projectId }, path, digest);
}

/** `confirmed`: digest of the dry run; null for one. */
export async function importFile(
  { deps, projectId }: { readonly deps: StoreDeps; readonly projectId: string },
  path: string,
  confirmed: string | null,
): Promise<ImportReport> {
  const options = { sandbox: 'skip', usd: 'keep', otherStores: 'skip', appIds: [] } as const;
  const source = filesHere.openSource([path]);
  const turn = { prepared: () => undefined, isOver: () => false };
  const [progress, reached] = [() => undefined, () => Promise.resolve()];
  const tools = { source, progress, reached, signal: new AbortController().signal, mark: null, turn };
  const request = { importId: 'imp_1', projectId, paths: [path], options, confirmed };
  return importFiles(deps, request, tools).finally(source.close);
}
