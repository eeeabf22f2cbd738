// `subledger import revenuecat` and `subledger import facts`: a dry run, then with its digest the import itself; here, or by the service
// that runs on the data.
import { resolve } from 'node:path';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { systemRuntime, type Runtime } from '../../adapters/runtime.js';
import type { ImportProgress } from '../../commands/imports/import-files.js';
import { startImport } from '../../commands/imports/confirm-import.js';
import {
  findImport,
  importCollection,
  type ImportRecord,
  type NewImport,
} from '../../commands/imports/import-records.js';
import { runImport } from '../../commands/imports/run-import.js';
import { createCredentialVerdicts } from '../../commands/projects/credential-checks.js';
import { openDeps } from '../../main/open-deps.js';
import { openStores } from '../../main/open-stores.js';
import { fail, Failure, WrongUse } from '../support/failure.js';
import { onService } from '../support/on-service.js';
import { openForReading } from '../support/open-for-reading.js';
import { startProgressBar, type ProgressBar } from '../support/progress-bar.js';
import { fetchCustomers } from './fetch-customers.js';
import { describeReport } from './report-text.js';

export type ImportCommandOptions = {
  readonly project: string;
  readonly confirm?: string;
  readonly sandbox: 'skip' | 'keep';
  readonly usd: 'keep' | 'ours';
  readonly otherStores: 'skip' | 'grant';
  readonly app?: readonly string[];
  readonly fromApi?: string;
  readonly json?: true;
};

const POLL_MS = 500;

export async function importHistory(source: string, files: readonly string[], o: ImportCommandOptions): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => stopping.abort(new Failure('stopped; the same command continues')));
  try {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const { sandbox, usd, otherStores, app = [], fromApi } = o;
    if (fromApi === undefined && files.length === 0) throw new WrongUse('give files, or --from-api FILE');
    const { signal } = stopping;
    if (fromApi !== undefined) await fetchCustomers(fromApi, { config, runtime, signal, progress: writeCustomers });
    // Of two facts about a purchase that are equally new the last counts: exports know more than the API.
    const paths = [...(fromApi === undefined ? [] : [fromApi]), ...files];
    const request = {
      importId: runtime.newId('imp'),
      projectId: o.project,
      paths: paths.map((file) => resolve(file)),
      isUploaded: false as const,
      options: { sandbox, usd, otherStores, appIds: [...app] },
      confirmed: o.confirm ?? null,
    };
    const bars = createBars();
    const asked = { kind: 'import' as const, request };
    const here = (engine: Engine) => importHere(config, runtime, engine, request, signal, bars.show);
    const started = await onService<ImportRecord>(config, runtime, asked, here);
    const ended = isFollowed(started) ? await waitForService(runtime, started, bars.show) : started;
    bars.stop();
    if (ended.state === 'failed' || !ended.report) throw new Failure(ended.problem ?? 'the import did not finish');
    const given = fromApi === undefined ? files : [...files, '--from-api', fromApi];
    const next = `subledger import ${source} ${given.join(' ')} --project ${o.project}`;
    const text = o.json ? JSON.stringify(ended.report, null, 2) : describeReport(ended.report, next).join('\n');
    process.stdout.write(`${text}\n`);
  } catch (err) {
    fail(err);
  }
}

function writeCustomers(customers: number): void {
  process.stderr.write(`${customers.toLocaleString('en-US')} customers read\n`);
}

/** Runs the import in this process, on an engine that no service uses, or on servers. */
async function importHere(
  config: Config,
  runtime: Runtime,
  engine: Engine,
  request: NewImport,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportRecord> {
  const { docs } = engine;
  const { stores, close } = openStores({ config, runtime, verdicts: createCredentialVerdicts({ docs, runtime }) });
  try {
    const deps = await openDeps(engine, stores, runtime, runtime.newId('proc'));
    const by = { actor: { kind: 'system' as const, id: 'command line' }, requestId: request.importId };
    const record = await startImport(deps, by, request);
    for (;;) {
      await runImport(deps, importFilesOnDisk, record, signal, onProgress);
      const latest = await findImport(deps, record);
      if (!isFollowed(latest)) return latest;
      // Another process has the import; if that ends, this one continues it.
      if (latest.progress) onProgress(latest.progress);
      await runtime.sleep(POLL_MS, signal);
      signal.throwIfAborted();
    }
  } finally {
    await close();
  }
}

/** Follows an import that the running service executes. Throws {@link Failure} if it does not take it up. */
async function waitForService(
  runtime: Runtime,
  started: ImportRecord,
  onProgress: (progress: ImportProgress) => void,
): Promise<ImportRecord> {
  for (;;) {
    const data = await openForReading(process.env);
    const record = await readImport(data.docs, started).finally(() => data.close());
    if (!isFollowed(record)) return record;
    if (record.progress) onProgress(record.progress);
    await runtime.sleep(POLL_MS);
  }
}

function isFollowed({ state }: ImportRecord): boolean {
  return state === 'waiting' || state === 'running';
}

async function readImport(docs: DocStore, key: ImportRecord): Promise<ImportRecord> {
  await docs.ensure([importCollection]);
  return findImport({ docs }, key);
}

/** Shows one bar per stage. */
function createBars() {
  let current: { readonly stage: string; readonly bar: ProgressBar } | null = null;
  return {
    show: ({ stage, done, total }: ImportProgress) => {
      if (current?.stage !== stage) {
        current?.bar.stop();
        const [title, unit] = stage === 'reading' ? ['reading', 'bytes'] : ['customers', 'customers'];
        current = { stage, bar: startProgressBar(title, total, unit) };
      }
      current.bar.reach(done, total);
    },
    stop: () => current?.bar.stop(),
  };
}
