// `subledger compare access`: compares who has which entitlement until when, here and at another service, with or without a running
// service.
import { hash } from 'node:crypto';
import pLimit from 'p-limit';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { createRevenueCatAccess } from '../../adapters/revenuecat/access.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { readExportedAccess } from '../../commands/imports/revenuecat/exported-access.js';
import { compareAccess, ownAccess, type AccessSource } from '../../domain/comparison/access.js';
import { storeKinds } from '../../domain/store-kinds.js';
import { isoFromMs } from '../../domain/time.js';
import { currentCatalog, readProfile } from '../timeline/customer-timeline.js';
import { Failure, printResult } from '../support/outcome.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { readIds } from '../support/id-list.js';
import { startProgressBar } from '../support/progress-bar.js';
import { untilInterrupted, INTERRUPTED, withRevenueCat } from '../support/long-work.js';
import { accessReportText, accessResult, reportAccess, type AccessResult } from './access-report.js';
import { openResultFile } from './result-file.js';

export type CompareAccessOptions = {
  readonly project: string;
  readonly ids?: string;
  readonly fromExport?: readonly string[];
  readonly progress?: string;
  readonly json?: true;
};

/** Requests to the other side at a time: responses take longer than the pace between two requests. */
const PARALLEL = 8;

/** Compares with RevenueCat's API, or with an export of it. Exits with 1 for an unexplained difference. */
export async function compareAccessWithRevenueCat(o: CompareAccessOptions): Promise<void> {
  if (o.fromExport) return compareWithExport(o.fromExport, o);
  await withRevenueCat(async (revenueCat, signal) => {
    if (o.ids === undefined) throw new Failure('give --ids FILE, or --from-export FILE to compare all its customers');
    await compareAccessWith(createRevenueCatAccess(revenueCat), { ...o, ids: readIds(o.ids) }, signal);
  });
}

/** Compares all customers of the files, or those of `--ids`. */
async function compareWithExport(paths: readonly string[], o: CompareAccessOptions): Promise<void> {
  await untilInterrupted(INTERRUPTED, async (signal) => {
    const files = await Promise.all(paths.map((path) => importFilesOnDisk.open(path)));
    const { source, ids, exportedAt, unreadable } = await readExportedAccess(files, systemRuntime().now(), signal);
    if (unreadable.count > 0) {
      const text = `${unreadable.count} rows cannot be read and are not compared; the first: ${unreadable.first ?? ''}`;
      process.stderr.write(`${text}\n`);
    }
    const compared = o.ids === undefined ? ids : readIds(o.ids);
    if (compared.length === 0) throw new Failure('the export contains no customers');
    await compareAccessWith(source, { ...o, ids: compared, knownUntil: exportedAt }, signal);
    if (unreadable.count > 0) process.exitCode = 1;
  });
}

type Comparison = Omit<CompareAccessOptions, 'ids'> & {
  readonly ids: readonly string[];
  /** Time of the export, ISO 8601 UTC. */
  readonly knownUntil?: string | null;
};

/** Compares the access of the customers with any other side, and prints the report. */
async function compareAccessWith(other: AccessSource, o: Comparison, signal: AbortSignal): Promise<void> {
  const { ids, knownUntil = null } = o;
  const terms = { kind: 'access', project: o.project, other: other.name, ids: hash('sha256', ids.join('\n')) };
  const file = openResultFile(o.progress, terms, accessResult);
  await withReading(async (reading) => {
    const compare = await createComparison(other, reading, { projectId: o.project, knownUntil }, signal);
    const compared = new Set(file.results.map(({ appUserId }) => appUserId));
    const remaining = ids.filter((id) => !compared.has(id));
    await compareAll(remaining, async (id) => file.add(await compare(id)), signal);
  });
  const report = reportAccess(o.project, other.name, file.results);
  printResult(o, report, accessReportText(report));
  if (report.unexplained > 0) process.exitCode = 1;
}

type Reading = Pick<ReadOnlyData, 'log' | 'hash'>;

/**
 * Returns the comparison of one customer, by the catalogue as it is now. A difference is looked at twice, the second time with stores, grants
 * and grace.
 */
async function createComparison(
  other: AccessSource,
  reading: Reading,
  { projectId, knownUntil }: { readonly projectId: string; readonly knownUntil: string | null },
  signal: AbortSignal,
) {
  const runtime = systemRuntime();
  const stores = new Set<string>(storeKinds);
  const { catalog, rules } = await currentCatalog(reading.log, projectId);
  const entitlements = new Set(catalog.entitlements.map((e) => e.lookupKey));
  const read = async (appUserId: string, detail: 'ends' | 'sources') => {
    const there = await other.accessOf(appUserId, detail, signal);
    const profile = await readProfile(reading, projectId, appUserId);
    const at = isoFromMs(runtime.now());
    const here = ownAccess(profile, at, rules);
    return { at, there, here, differences: compareAccess(there, here, { at, knownUntil, entitlements, stores }) };
  };
  return async (appUserId: string): Promise<AccessResult> => {
    const first = await read(appUserId, 'ends');
    const { at, there, here, differences } = first.differences.length === 0 ? first : await read(appUserId, 'sources');
    return { appUserId, at, there: there.status, here: here.status, differences: [...differences] };
  };
}

async function compareAll(
  ids: readonly string[],
  compare: (id: string) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const bar = startProgressBar('comparing', ids.length, 'customers');
  const limit = pLimit(PARALLEL);
  try {
    await Promise.all(
      ids.map((id) =>
        limit(async () => {
          signal.throwIfAborted();
          await compare(id);
          bar.step();
        }),
      ),
    );
  } finally {
    limit.clearQueue();
    bar.stop();
  }
}
