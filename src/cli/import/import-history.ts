// `subledger import revenuecat` and `subledger import facts`: a dry run, then with its digest the import itself; here, or by the service
// that runs on the data.
import { resolve } from 'node:path';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { startImport } from '../../commands/imports/confirm-import.js';
import type { ImportProgress } from '../../commands/imports/import-files.js';
import {
  findImport,
  importCollection,
  type ImportRecord,
  type NewImport,
} from '../../commands/imports/import-records.js';
import type { ImportReport } from '../../commands/imports/import-report.js';
import { runImport } from '../../commands/imports/run-import.js';
import { importFilesElsewhere } from '../../main/imports/read-elsewhere.js';
import type { OperatorRequest } from '../../projections/rebuild/operator-request.js';
import { Failure, WrongUse } from '../support/outcome.js';
import { followRecord, isOpen, pause, type Following, untilInterrupted } from '../support/long-work.js';
import { onService, withDeps } from '../support/on-service.js';
import { readIds } from '../support/id-list.js';
import { startProgressBar, type ProgressBar } from '../support/progress-bar.js';
import { describeFetch, fetchCustomers } from './fetch-customers.js';

type ImportCommandOptions = {
  readonly project: string;
  readonly confirm?: string;
  readonly sandbox: 'skip' | 'keep';
  readonly usd: 'keep' | 'ours';
  readonly otherStores: 'skip' | 'grant';
  readonly app?: readonly string[];
  readonly fromApi?: string;
  readonly ids?: string;
  readonly json?: true;
};

export function importHistory(source: string, files: readonly string[], o: ImportCommandOptions): Promise<void> {
  return untilInterrupted('stopped; the same command continues', async (signal) => {
    const config = readConfig(process.env);
    const runtime = systemRuntime();
    const { sandbox, usd, otherStores, app = [], fromApi } = o;
    if (fromApi === undefined && files.length === 0) throw new WrongUse('give files, or --from-api FILE');
    if (fromApi === undefined && o.ids !== undefined) throw new WrongUse('--ids belongs to --from-api FILE');
    if (fromApi !== undefined) {
      const ids = o.ids === undefined ? [] : readIds(o.ids);
      const fetched = await fetchCustomers(fromApi, { config, runtime, signal, ids, progress: writeCustomers });
      if (fetched) process.stderr.write(`${describeFetch(fetched).join('\n')}\n`);
    }
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
    const outcome = await runToEnd(config, request, { runtime, signal });
    if (outcome.state === 'failed' || !outcome.report)
      throw new Failure(outcome.problem ?? 'the import did not finish');
    const next = commandOf(source, files, o);
    const text = o.json ? JSON.stringify(outcome.report, null, 2) : describeReport(outcome.report, next).join('\n');
    process.stdout.write(`${text}\n`);
    if (outcome.report.customers === 0) throw new Failure('the files contain no customer that can be imported');
  });
}

/** Returns the command that was run, for a shell, without the digest. Options that take several values stand last. */
function commandOf(source: string, files: readonly string[], o: ImportCommandOptions): string {
  const choices = {
    '--sandbox': [o.sandbox, 'skip'],
    '--usd': [o.usd, 'keep'],
    '--other-stores': [o.otherStores, 'skip'],
  };
  const chosen = Object.entries(choices).flatMap(([name, [value, usual]]) => (value === usual ? [] : [name, value]));
  const api = o.fromApi === undefined ? [] : ['--from-api', o.fromApi];
  const ids = o.ids === undefined ? [] : ['--ids', o.ids];
  const apps = o.app === undefined ? [] : ['--app', ...o.app];
  // A name that begins with a dash would be an option.
  const paths = files.map((file) => (file.startsWith('-') ? `./${file}` : file));
  const words = ['import', source, ...paths, '--project', o.project, ...api, ...ids, ...chosen, ...apps];
  return ['subledger', ...words.map((word) => quoteForShell(word ?? ''))].join(' ');
}

/** Quotes a word unless a shell takes it as it is. */
function quoteForShell(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
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
    const files = importFilesElsewhere({ maxMiB: config.IMPORT_MAX_MB, maxRows: config.IMPORT_MAX_ROWS });
    for (;;) {
      await runImport(deps, files, record, signal, onProgress);
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

const count = (n: number) => n.toLocaleString('en-US');

/** `command`: the command that runs the import, without the digest. */
function describeReport(report: ImportReport, command: string): readonly string[] {
  const events = Object.values(report.events).reduce((sum, n) => sum + n, 0);
  return [
    ...report.files.flatMap(describeFile),
    '',
    `${count(report.customers)} customers with ${count(report.aliases)} other names, ${count(report.purchaseLines)} purchase lines, ` +
      `${count(report.activeSubscriptions)} active subscriptions, ${count(report.refunds)} refunds, ${count(report.grants)} grants`,
    ...Object.entries(report.transactions).map(([store, n]) => `${store}: ${count(n)} transactions`),
    ...(report.firstPurchaseAt ? [`from ${report.firstPurchaseAt} to ${report.lastPurchaseAt ?? ''}`] : []),
    ...(report.exportedAt ? [`renewals are known until ${report.exportedAt}`] : []),
    ...grossByCurrency(report),
    '',
    `${count(events)} events ${report.dryRun ? 'would be recorded' : 'recorded'}`,
    ...Object.entries(report.events).map(([type, n]) => `  ${type}: ${count(n)}`),
    ...describeProblems(report),
    ...describeProducts(report),
    '',
    ...(report.dryRun
      ? ['Nothing was recorded. To import:', `  ${command} --confirm ${report.digest}`]
      : ['Imported. Facts are known here since now: ?asOf= before the import does not show them.']),
  ];
}

function describeFile({ name, kind, rows, missing, ignoredColumns }: ImportReport['files'][number]): readonly string[] {
  return [
    `${name}: ${kind}, ${count(rows)} rows`,
    ...missing.map(({ column, consequence }) => `  without ${column}: ${consequence}`),
    ...(ignoredColumns.length > 0 ? [`  not used: ${ignoredColumns.join(', ')}`] : []),
  ];
}

function grossByCurrency({ gross }: ImportReport): readonly string[] {
  const sums = new Map<string, number>();
  for (const { currency, amountMicros } of gross) sums.set(currency, (sums.get(currency) ?? 0) + amountMicros);
  return [...sums].map(([currency, micros]) => `gross ${currency}: ${(micros / 1_000_000).toFixed(2)}`);
}

function describeProblems({ problems }: ImportReport): readonly string[] {
  return problems.flatMap(({ code, costsAccess, meaning, wayOut, count: n, examples }) => [
    '',
    `${costsAccess ? 'COSTS ACCESS: ' : ''}${count(n)} × ${code}: ${meaning}. ${wayOut[0]?.toUpperCase() ?? ''}${wayOut.slice(1)}.`,
    ...examples.map(({ file, row, detail }) => `  ${file}, row ${row}${detail && `: ${detail}`}`),
  ]);
}

function describeProducts({ unknownProducts }: ImportReport): readonly string[] {
  if (unknownProducts.length === 0) return [];
  const lines = unknownProducts.map(({ store, storeProductId, transactions }) => {
    return `  ${store} ${storeProductId}: ${count(transactions)} transactions`;
  });
  return ['', 'Products that are not in the catalogue (POST /v1/projects/{id}/products adds one):', ...lines];
}
