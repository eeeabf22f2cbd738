// `subledger verify-import`: compares imported purchases with their stores, here or by the service that runs on the data.
import { tableKeys } from '../../domain/values/table-keys.js';
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { load } from '../../commands/handling/run-command.js';
import { runVerification } from '../../commands/imports/verify-lines.js';
import {
  countUnexplained,
  findVerification,
  requestVerification,
  verificationCollection,
  type VerdictCount,
  type VerificationRecord,
} from '../../commands/imports/verification-records.js';
import {
  verificationClasses,
  type VerificationClass,
  type VerificationReason,
} from '../../domain/imports/verification.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { Failure } from '../support/outcome.js';
import { followRecord, isOpen, type Following, untilInterrupted } from '../support/long-work.js';
import { onService, withDeps } from '../support/on-service.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { startProgressBar, type ProgressBar } from '../support/progress-bar.js';

/** Exits with 1 if a difference is unexplained, or a store could not be asked. */
export function verifyImport(o: { readonly project: string; readonly json?: true }): Promise<void> {
  return untilInterrupted('stopped; the same command continues', async (signal) => {
    const outcome = await verify(o.project, signal);
    if (outcome.state === 'failed') throw new Failure(outcome.problem ?? 'the verification did not finish');
    const unexplained = countUnexplained(outcome.verdicts);
    const verdicts = await withReading((data) => nameCustomers(data, outcome));
    const text = o.json
      ? JSON.stringify({ projectId: o.project, finishedAt: outcome.finishedAt, unexplained, verdicts }, null, 2)
      : describeVerification(verdicts, unexplained).join('\n');
    process.stdout.write(`${text}\n`);
    if (unexplained > 0) process.exitCode = 1;
  });
}

/** Has the verification run, shows its progress, and returns its record at the end. */
async function verify(projectId: string, signal: AbortSignal): Promise<VerificationRecord> {
  const config = readConfig(process.env);
  const runtime = systemRuntime();
  const bar = createBar();
  const following = { config, runtime, signal, onProgress: bar.show };
  try {
    const here = (engine: Engine) => verifyHere(config, engine, projectId, following);
    const started = await onService<VerificationRecord>(config, runtime, { kind: 'verify-import', projectId }, here);
    return isOpen(started) ? await followRecord((data) => readRecord(data, projectId), following) : started;
  } finally {
    bar.stop();
  }
}

/** Runs the verification in this process, on an engine that no service uses; on servers, the service runs it. */
async function verifyHere(
  config: Config,
  engine: Engine,
  projectId: string,
  { runtime, signal, onProgress }: Following<VerificationProgress>,
): Promise<VerificationRecord> {
  return withDeps(config, runtime, engine, async (deps) => {
    const record = await requestVerification(deps, projectId);
    // The service on the same servers takes the request up, and must not run it twice.
    if (engine.isShared) return record;
    await runVerification(deps, record, signal, onProgress);
    return findVerification(deps, projectId);
  });
}

async function readRecord({ docs }: Pick<ReadOnlyData, 'docs'>, projectId: string): Promise<VerificationRecord> {
  await docs.ensure([verificationCollection]);
  return findVerification({ docs }, projectId);
}

/** Replaces customer IDs with app user IDs, which a record does not contain: it outlives an erasure. */
function nameCustomers(
  { log }: Pick<ReadOnlyData, 'log'>,
  { projectId, verdicts }: VerificationRecord,
): Promise<readonly VerdictCount[]> {
  const nameOf = async (id: string) => {
    const { state } = await load(log, streams.subscriber(projectId, id), subscriberDecider);
    return state.profile.appUserId === '' ? id : state.profile.appUserId;
  };
  return Promise.all(
    verdicts.map(async (one) => ({ ...one, customers: await Promise.all(one.customers.map(nameOf)) })),
  );
}

type VerificationProgress = { readonly done: number; readonly total: number };

/** Shows how much of the log is verified. */
function createBar(): { readonly show: (progress: VerificationProgress) => void; stop(): void } {
  let bar: ProgressBar | undefined;
  return {
    show: ({ done, total }) => {
      bar ??= startProgressBar('verifying', total, 'positions');
      bar.reach(done, total);
    },
    stop: () => bar?.stop(),
  };
}

const meanings: Readonly<Record<VerificationClass, string>> = {
  agrees: 'the store reports what was imported',
  store_knew_more: 'the store reported more, which is recorded now',
  store_forgot: 'the store does not know them any more, and what was imported stays',
  store_contradicts: 'the store reports something else',
  unknown_to_store: 'the store does not know them',
  could_not_ask: 'the store could not be asked',
};

const adviceFor: Readonly<Record<VerificationReason, string>> = {
  access_end:
    'access ends at another time; the store counts where it extends or ends a subscription: run subledger compare access',
  price: 'another price; a recorded price is never replaced: check the columns of price and currency in the export',
  purchase_time: 'bought at another time; the recorded time stays: check the time zone of the export',
  refund: 'refunded in the export, and not at the store: check the refund with the store’s order management',
  transaction:
    'the store lists other transactions of the subscription: check which app and customer the row belongs to',
  not_found: 'check that the purchase belongs to this app and environment',
  ended_long_ago: 'nothing to do: stores delete purchases that ended more than 60 days ago',
  no_credentials: 'add the app’s store credentials for this environment, then run the command again',
  forbidden: 'the store refused the app’s credentials: run subledger doctor, correct them, then run the command again',
  no_token: 'import a file with user_id, google_purchase_token, google_product_id, then run the command again',
  unproven:
    'the signature of the store’s response is invalid for this app: check its bundle ID and the root certificate',
  app_deleted: 'the app was deleted: register it again and import again',
  moved: 'the purchase got another customer in the meantime: run the command again',
};

const count = (n: number) => n.toLocaleString('en-US');

/** `verdicts`: with app user IDs. */
function describeVerification(verdicts: readonly VerdictCount[], unexplained: number): readonly string[] {
  const lines = verdicts.reduce((sum, one) => sum + one.count, 0);
  if (lines === 0) return ['No imported purchases: there is nothing to verify.'];
  const sorted = tableKeys(verificationClasses).flatMap((name) => verdicts.filter((one) => one.class === name));
  return [
    `${count(lines)} imported purchases compared with their stores.`,
    ...sorted.flatMap(describeVerdict),
    '',
    `${count(unexplained)} differences are unexplained.`,
  ];
}

function describeVerdict({ class: name, reason, count: n, customers }: VerdictCount): readonly string[] {
  const mark = verificationClasses[name] ? '' : ' (UNEXPLAINED)';
  const head = `${name}${mark}: ${count(n)} — ${meanings[name]}`;
  if (reason === null) return ['', head];
  return ['', `${head}; ${reason}: ${adviceFor[reason]}`, ...customers.map((id) => `  ${id}`)];
}
