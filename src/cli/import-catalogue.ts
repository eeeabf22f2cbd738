// `subledger import catalogue`: copies the catalogue of a RevenueCat project, with or without a running service. A dry run comes first.
import { readConfig } from '../adapters/configuration/config.js';
import { readRevenueCatCatalogue, type ReadCatalogue } from '../adapters/revenuecat/catalogue.js';
import { systemRuntime } from '../adapters/runtime.js';
import { importCatalogue, type CatalogueImport } from '../commands/catalog/import-catalogue.js';
import type { ForeignCatalogue } from '../domain/catalog/foreign-catalogue.js';
import { requireProjectId, withRevenueCat } from './support/long-work.js';
import { onService, withDeps } from './support/on-service.js';
import { printResult } from './support/outcome.js';
import { startProgressBar } from './support/progress-bar.js';

export type ImportCatalogueOptions = { readonly project: string; readonly confirm?: string; readonly json?: true };

/** Exits with 1 if an object could not be created. */
export async function importRevenueCatCatalogue(o: ImportCatalogueOptions): Promise<void> {
  await withRevenueCat(async (revenueCat, signal) => {
    const projectId = requireProjectId(revenueCat);
    const bar = startProgressBar('reading', 4, 'lists');
    const { catalogue, otherApps } = await readRevenueCatCatalogue({
      ...{ requests: revenueCat.requests, projectId, signal },
      onProgress: bar.reach,
    }).finally(bar.stop);
    const result = await runImport(o.project, catalogue, o.confirm ?? null);
    printResult(o, { ...result, otherApps }, describe(result, otherApps));
    if (result.failed.length > 0) process.exitCode = 1;
  });
}

function runImport(projectId: string, catalogue: ForeignCatalogue, confirm: string | null): Promise<CatalogueImport> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const request = { kind: 'catalogue' as const, projectId, catalogue, confirm };
  return onService(config, runtime, request, (engine) =>
    withDeps(config, runtime, engine, (deps) => importCatalogue(deps, request)),
  );
}

const verbs = { create: 'new', exists: 'exists', skip: 'SKIPPED' } as const;

function describe(
  { objects, isDryRun, created, failed, digest }: CatalogueImport,
  otherApps: ReadCatalogue['otherApps'],
): readonly string[] {
  const countOf = (action: keyof typeof verbs) => objects.filter((one) => one.action === action).length;
  const lines = objects.map(({ kind, name, action, reason }) => {
    return `${verbs[action].padEnd(8)}${kind} ${name}${reason === null ? '' : `: ${reason}`}`;
  });
  const others = otherApps.map(({ name, store }) => `SKIPPED app ${name}: Subledger does not serve ${store}`);
  const counts = `${countOf('exists')} exist, ${countOf('skip') + others.length} skipped`;
  if (!isDryRun) {
    const refused = failed.map(({ kind, reason }) => `FAILED  ${kind}: ${reason}`);
    return [...lines, ...others, ...refused, `${created} created, ${counts}, ${failed.length} failed.`];
  }
  const next =
    countOf('create') === 0 ? 'Nothing to do.' : `Nothing is changed yet. To create them, add: --confirm ${digest}`;
  return [...lines, ...others, `${countOf('create')} new, ${counts}.`, next];
}
