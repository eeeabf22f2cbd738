// `subledger replay`: rebuilds read models from the log while the old ones are served, or creates a named chart replay.
import { createHash } from 'node:crypto';
import { rmSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../../adapters/configuration/config.js';
import { buildFolder } from '../../adapters/configuration/data-directory.js';
import { openEmbeddedDocuments } from '../../adapters/documents/embedded/store.js';
import { ensureNamingKey } from '../../adapters/engine/hash-key.js';
import { openOperatorRequests } from '../../adapters/operator-requests/folder.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { lockDirectory } from '../../adapters/sqlite/lock.js';
import { keyedHash } from '../../domain/ids.js';
import { buildInThread } from '../../main/builds/build-thread.js';
import { sealPersonalFields } from '../../main/personal-fields.js';
import { customerHistories } from '../../projections/charts/customer-histories.js';
import { adoptBuild } from '../../projections/rebuild/adopt-build.js';
import { buildSeparately, type BuildResult, type BuildComparison } from '../../projections/rebuild/rebuild.js';
import { projections } from '../../projections/rebuild/registry.js';
import { createServing } from '../../projections/rebuild/serving.js';
import type { Projection } from '../../projections/runtime/projection.js';
import { WrongUse, Failure, printResult } from '../support/outcome.js';
import { onService } from '../support/on-service.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { startProgressBar } from '../support/progress-bar.js';
import { deleteReplay, replayCharts, type ChartReplayOptions } from './replay-charts.js';

/** Options of both kinds of replay; `as`, `delete`, `until`, `whatIf` and `project` belong to a named chart replay. */
type ReplayOptions = ChartReplayOptions & { readonly as?: string; readonly delete?: string };

export async function replay(what: string | undefined, o: ReplayOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
  const name = o.as ?? o.delete;
  if (name !== undefined && what !== undefined && what !== 'charts') {
    throw new WrongUse(`${what} cannot have a named replay; omit it, or give charts`);
  }
  if (o.delete !== undefined) return deleteReplay(o.delete, o);
  if (o.as !== undefined) return replayCharts(o.as, o, stopping.signal);
  if (o.until !== undefined || o.whatIf !== undefined || o.project !== undefined) {
    throw new WrongUse('--until, --what-if and --project require a named replay; name it with --as');
  }
  await replayLive(what ?? 'all', o, stopping.signal);
}

async function replayLive(what: string, o: { readonly json?: true }, signal: AbortSignal): Promise<void> {
  const config = readConfig(process.env);
  if (config.EVENTSTORE_URL !== undefined || config.MONGODB_URL !== undefined) {
    throw new Failure('read models on servers are rebuilt by their projector; replay supports only DATA_DIR');
  }
  const runtime = systemRuntime();
  const { fileOf } = openOperatorRequests(config.DATA_DIR);
  const chosen = projectionsNamed(what);
  await withReading(async (reading) => {
    const release = lockDirectory(buildFolder(config.DATA_DIR, what));
    try {
      const { built: beside, compared } = await buildIn(fileOf(what), reading, chosen, signal);
      const built = { folder: what, ...beside };
      await onService(config, runtime, { kind: 'adopt', built }, async ({ log, docs, dataKeys }) => {
        const hash = keyedHash(await ensureNamingKey({ log, dataKeys }));
        const own = { log, docs, hash, runtime, serving: createServing(docs, runtime) };
        await adoptBuild({ ...own, projections, fileOf, handover: null }, built, signal);
      });
      printResult(o, compared, compared.map(describe));
    } finally {
      release();
    }
  });
  rmSync(buildFolder(config.DATA_DIR, what), { recursive: true, force: true });
}

/** Resolves `all`, `charts`, or the name of a read model. */
function projectionsNamed(what: string): readonly Projection[] {
  if (what === 'all') return projections;
  const found = projections.filter(
    ({ name }) => name === what || (what === 'charts' && name === customerHistories.name),
  );
  if (found.length > 0) return found;
  throw new Failure(
    `unknown read model ${what}; give all, charts, or one of ${projections.map((p) => p.name).join(', ')}`,
  );
}

/** Leaves `file` in place when the build is interrupted; the next run resumes it. */
async function buildIn(
  file: string,
  { log, docs, dataKeys, hash, files }: ReadOnlyData,
  chosen: readonly Projection[],
  signal: AbortSignal,
): Promise<BuildResult> {
  const target = await openEmbeddedDocuments({ file });
  const bar = startProgressBar('replay', Number(await log.head()), 'events');
  try {
    const runtime = systemRuntime();
    const serving = createServing(docs, runtime);
    // A build of other code is not resumed: that code may be the one that was repaired.
    const o = { signal, onProgress: bar.reach, purpose: codeFingerprint() };
    const elsewhere = files && { elsewhere: buildInThread(files, target) };
    const built = sealPersonalFields(target, dataKeys, runtime);
    return await buildSeparately({ log, docs, hash, runtime, serving, ...elsewhere }, built, chosen, o);
  } finally {
    bar.stop();
    await target.close();
  }
}

function describe({ name, generation, differences: { count, ids } }: BuildComparison): string {
  if (count === 0) return `${name}: generation ${generation} is served, no differences`;
  const more = count > ids.length ? ', …' : '';
  return `${name}: generation ${generation} is served, ${count} documents differ: ${ids.join(', ')}${more}`;
}

const FOLDERS = ['domain', 'projections'];

/** Hashes the files of domain and projections as they are on the disk now; takes some milliseconds. */
function codeFingerprint(): string {
  const hash = createHash('sha256');
  for (const folder of FOLDERS) {
    const root = fileURLToPath(new URL(`../../${folder}`, import.meta.url));
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => /\.[jt]s$/.test(name));
    for (const name of files.sort()) hash.update(name).update(readFileSync(join(root, name)));
  }
  return hash.digest('hex');
}
