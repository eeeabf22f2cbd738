// `subledger import revenuecat` and `subledger import facts`: a dry run, then with its digest the import itself; here, or by the service
// that runs on the data.
import { resolve } from 'node:path';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { importFilesOnDisk } from '../../adapters/imports/files.js';
import { systemRuntime } from '../../adapters/runtime.js';
import type { ImportProgress } from '../../commands/imports/import-files.js';
import { startImport } from '../../commands/imports/confirm-import.js';
import {
  findImport,
  importCollection,
  type ImportRecord,
  type NewImport,
} from '../../commands/imports/import-records.js';
import { runImport } from '../../commands/imports/run-import.js';
import type { OperatorRequest } from '../../projections/rebuild/operator-request.js';
import { Failure, WrongUse } from '../support/failure.js';
import { followRecord, isOpen, pause, type Following } from '../support/follow-record.js';
import { onService } from '../support/on-service.js';
import { startProgressBar, type ProgressBar } from '../support/progress-bar.js';
import { untilInterrupted } from '../support/until-interrupted.js';
import { withDeps } from '../support/with-deps.js';
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

export function importHistory(source: string, files: readonly string[], o: ImportCommandOptions): Promise<void> {
  return untilInterrupted('stopped; the same command continues', async (signal) => {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const { sandbox, usd, otherStores, app = [], fromApi } = o;
    if (fromApi === undefined && files.length === 0) throw new WrongUse('give files, or --from-api FILE');
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
    const ended = await runToEnd(config, request, { runtime, signal });
    if (ended.state === 'failed' || !ended.report) throw new Failure(ended.problem ?? 'the import did not finish');
    const given = fromApi === undefined ? files : [...files, '--from-api', fromApi];
    const next = `subledger import ${source} ${given.join(' ')} --project ${o.project}`;
    const text = o.json ? JSON.stringify(ended.report, null, 2) : describeReport(ended.report, next).join('\n');
    process.stdout.write(`${text}\n`);
    if (ended.report.customers === 0) throw new Failure('the files contain no customer that can be imported');
  });
}

type ImportRequest = Extract<OperatorRequest, { readonly kind: 'import' }>['request'];

/** Has the import run, shows its progress, and returns its record at the end. */
async function runToEnd(
  config: Config,
  request: ImportRequest,
  { runtime, signal }: Pick<Following<ImportProgress>, 'runtime' | 'signal'>,
): Promise<ImportRecord> {
  const bars = createBars();
  const following = { config, runtime, signal, onProgress: bars.show };
  try {
    const here = (engine: Engine) => importHere(config, engine, request, following);
    const started = await onService<ImportRecord>(config, runtime, { kind: 'import', request }, here);
    return isOpen(started) ? await followRecord(({ docs }) => readImport(docs, started), following) : started;
  } finally {
    bars.stop();
  }
}

function writeCustomers(customers: number): void {
  process.stderr.write(`${customers.toLocaleString('en-US')} customers read\n`);
}

/** Runs the import in this process, on an engine that no service uses, or on servers. */
async function importHere(
  config: Config,
  engine: Engine,
  request: NewImport,
  { runtime, signal, onProgress }: Following<ImportProgress>,
): Promise<ImportRecord> {
  return withDeps(config, runtime, engine, async (deps) => {
    const by = { actor: { kind: 'system' as const, id: 'command line' }, requestId: request.importId };
    const record = await startImport(deps, by, request);
    for (;;) {
      await runImport(deps, importFilesOnDisk, record, signal, onProgress);
      const latest = await findImport(deps, record);
      if (!isOpen(latest)) return latest;
      // Another process has the import; if that ends, this one continues it.
      if (latest.progress) onProgress(latest.progress);
      await pause(runtime, signal);
    }
  });
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
