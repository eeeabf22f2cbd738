// `subledger doctor`: checks an installation and prints problems with their remedies.
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import { logServerName } from '../../adapters/configuration/servers.js';
import { WrongConfiguration } from '../../adapters/configuration/wrong-configuration.js';
import { Unavailable } from '../../domain/errors.js';
import { systemRuntime, type Runtime } from '../../adapters/runtime.js';
import { hasServers } from '../../adapters/engine/engine.js';
import { IncompleteData } from '../../adapters/engine/data-completeness.js';
import { DirectoryInUse, lockDirectory } from '../../adapters/sqlite/lock.js';
import { ephemeralCollections, recordCollections } from '../../workers/coordination/collections.js';
import {
  checkClock,
  checkCredentials,
  checkReportSources,
  checkDisk,
  checkFiles,
  checkHealth,
  checkKeyRing,
  checkResponse,
  type Check,
} from './doctor-checks.js';
import { mastersOf, openForReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { collectionOf } from '../../projections/runtime/projection.js';
import { createProgress } from '../../projections/runtime/progress.js';
import { projections } from '../../projections/rebuild/registry.js';
import { readCheckpoint } from '../../projections/runtime/runner.js';
import { createServing } from '../../projections/rebuild/serving.js';
import { readPublished, applyHalted } from '../../projections/runtime/shared-progress.js';
import { reportHealth, type HealthReport } from '../../workers/coordination/health.js';
import { askService } from '../support/on-service.js';
import { Failure, printResult } from '../support/outcome.js';

const MARKS = { ok: 'ok     ', warn: 'warning', problem: 'PROBLEM' } as const;

/** Exits with 1 for a problem, not for warnings. */
export async function doctor(o: { readonly json?: true }): Promise<void> {
  const checks = await examine(readConfig(process.env));
  const lines = checks.map(({ name, state, detail }) => `${MARKS[state]}  ${name}: ${detail}`);
  printResult(o, { checks }, lines);
  if (checks.some(({ state }) => state === 'problem')) process.exitCode = 1;
}

async function examine(config: Config): Promise<readonly Check[]> {
  const runtime = systemRuntime();
  const isShared = hasServers(config);
  const places = `log ${config.EVENTSTORE_URL ? `on ${logServerName(config.EVENTSTORE_URL)}` : 'in DATA_DIR'}, documents ${config.MONGODB_URL ? 'on MongoDB' : 'in DATA_DIR'}`;
  const checks: Check[] = [{ name: 'configuration', state: 'ok', detail: places }];
  if (!isShared) checks.push(...checkFiles(config));
  if (checks.some(({ state }) => state === 'problem')) return checks;
  const opened = await openForReading(process.env).catch((err: unknown) => {
    if (err instanceof Unavailable || err instanceof IncompleteData) return err;
    throw err;
  });
  if (opened instanceof Error) {
    const name = opened instanceof Unavailable ? 'connections' : 'data';
    return [...checks, { name, state: 'problem', detail: opened.message }];
  }
  try {
    const { log, docs } = opened;
    checks.push(await checkResponse('event log', runtime, async () => `head at ${Number(await log.head())}`));
    const ensured = async () => docs.ensure([...recordCollections, ...ephemeralCollections]);
    checks.push(await checkResponse('documents', runtime, async () => ensured().then(() => 'reachable')));
    if (checks.some(({ state }) => state === 'problem')) return checks;
    const runs = isShared ? null : isRunning(config.DATA_DIR);
    if (runs !== null) {
      const detail = runs ? 'running' : 'not running';
      checks.push({ name: 'service', state: runs ? 'ok' : 'warn', detail });
    }
    checks.push(await checkKeyRing(docs, mastersOf(config)), await checkClock({ log, docs }, runtime));
    checks.push(await checkCredentials(docs), await checkReportSources(docs));
    const health = await healthOf(config, opened, runtime, runs === true).catch((err: unknown) => {
      if (err instanceof WrongConfiguration || err instanceof Failure) return err;
      throw err;
    });
    if (health instanceof Error) checks.push({ name: 'service', state: 'problem', detail: problemOf(health) });
    else checks.push(...checkHealth(health, runs !== false));
  } finally {
    await opened.close();
  }
  if (!isShared) checks.push(await checkDisk(config.DATA_DIR));
  return checks;
}

/** The service was not reached with a request, such as on a full disk; the other checks do not need it. */
function problemOf(err: WrongConfiguration | Failure): string {
  return err instanceof WrongConfiguration ? err.problems.join('; ') : err.message;
}

function isRunning(dataDir: string): boolean {
  try {
    lockDirectory(dataDir)();
    return false;
  } catch (err) {
    if (err instanceof DirectoryInUse) return true;
    throw err;
  }
}

/** Checkpoints of reactions are saved once a second, so on servers only each worker's own `/healthz` has their lag. */
async function healthOf(
  config: Config,
  { log, docs }: Pick<ReadOnlyData, 'log' | 'docs'>,
  runtime: Runtime,
  isAlongside: boolean,
): Promise<HealthReport> {
  if (isAlongside) return askService(config, runtime, { kind: 'health' });
  const serving = createServing(docs, runtime);
  const progress = createProgress();
  const published = await readPublished(docs);
  for (const projection of projections) {
    const saved = (await readCheckpoint(docs, collectionOf(await serving.build(projection)))).position;
    progress.reportPosition(projection.name, published?.positions[projection.name] ?? saved);
  }
  if (published) applyHalted(progress, published);
  const sending = { delivered: 0, failed: 0, inFlight: 0, openBreakers: 0 };
  // The disk of a stopped service is examined separately.
  const diskFree = () => Promise.resolve(null);
  return reportHealth({
    log,
    docs,
    diskFree,
    runtime,
    progress,
    serving,
    projections,
    reactions: [],
    stalled: [],
    sending,
    processId: null,
  });
}
