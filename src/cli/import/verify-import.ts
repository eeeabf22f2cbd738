// `subledger verify-import`: compares imported purchases with their stores, here or by the service that runs on the data.
import { readConfig, type Config } from '../../adapters/configuration/config.js';
import type { Engine } from '../../adapters/engine/engine.js';
import { systemRuntime } from '../../adapters/runtime.js';
import { load } from '../../commands/handling/run-command.js';
import { runVerification } from '../../commands/imports/run-verification.js';
import {
  countUnexplained,
  findVerification,
  requestVerification,
  verificationCollection,
  type VerdictCount,
  type VerificationRecord,
} from '../../commands/imports/verification-records.js';
import { streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { Failure } from '../support/failure.js';
import { followRecord, isOpen, type Following } from '../support/follow-record.js';
import { onService } from '../support/on-service.js';
import { withReading, type ReadOnlyData } from '../support/open-for-reading.js';
import { startProgressBar, type ProgressBar } from '../support/progress-bar.js';
import { untilInterrupted } from '../support/until-interrupted.js';
import { withDeps } from '../support/with-deps.js';
import { describeVerification } from './verification-text.js';

export type VerifyImportOptions = { readonly project: string; readonly json?: true };

/** Exits with 1 if a difference is unexplained, or a store could not be asked. */
export function verifyImport(o: VerifyImportOptions): Promise<void> {
  return untilInterrupted('stopped; the same command continues', async (signal) => {
    const ended = await verify(o.project, signal);
    if (ended.state === 'failed') throw new Failure(ended.problem ?? 'the verification did not finish');
    const unexplained = countUnexplained(ended.verdicts);
    const verdicts = await withReading((data) => nameCustomers(data, ended));
    const text = o.json
      ? JSON.stringify({ projectId: o.project, finishedAt: ended.finishedAt, unexplained, verdicts }, null, 2)
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
