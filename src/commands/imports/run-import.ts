// Runs one recorded import on this machine's files and keeps its record up to date.
import type { DocStore } from '../../adapters/documents/port.js';
import { updateRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { LogPosition } from '../../domain/envelope.js';
import { Rejection } from '../../domain/errors.js';
import { families } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { Deps } from '../handling/deps.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { importFiles, TurnOver, type ImportMark, type ImportProgress, type ImportTurn } from './import-files.js';
import { markOf, type ImportRecord, importCollection, isFinished } from './import-records.js';
import type { ImportReport } from './import-report.js';
import { SourceEnded, type FactSource } from './read-facts.js';

export type ImportFiles = {
  /** Returns true if this process can read the file. */
  isHere(path: string): boolean;
  /** Opens what the files contain. */
  openSource(paths: readonly string[]): FactSource;
  /** Returns true for an error that says what is wrong with a file. */
  isFileFault(err: unknown): err is Error;
};

const RECORD_EVERY_MS = 1000;
/** Turn of an import that nobody else waits for. */
const WITHOUT_END: ImportTurn = { prepared: () => undefined, isOver: () => false };
/** Endings in a row after which an import is not tried again: of the process that reads its files, and of the one that runs it. */
const MAX_SOURCE_ENDINGS = 2;
const MAX_ENDINGS = 4;

/**
 * Checks or runs the import, unless another run has it: the record shows the result of whichever run finishes it. A fault of a file,
 * files that changed since the check, or a process that its files ended twice end it as failed; any other error is thrown, and the import
 * continues at the next call. It also does after the end of its turn.
 */
export async function runImport(
  deps: StoreDeps,
  files: ImportFiles,
  { importId }: Pick<ImportRecord, 'importId'>,
  signal: AbortSignal,
  onProgress: (progress: ImportProgress) => void = () => undefined,
  turn: ImportTurn = WITHOUT_END,
): Promise<void> {
  const run = { importId, runId: deps.runtime.newId('run') };
  const record = await claimImport(deps, run);
  if (!record) return;
  try {
    await releaseImport(deps, run, await resultOf(deps, files, { ...run, record, signal, onProgress, turn }));
  } catch (err) {
    if (err instanceof ImportClaimLost) return;
    // A claim that cannot be released expires.
    await releaseImport(deps, run, {}).catch(() => undefined);
    throw err;
  }
}

const ENDED_SERVICE =
  'the service ended several times while it ran this import; split the files, and see its log for the reason';

type ClaimedRun = RunningImport & {
  readonly record: ImportRecord;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly turn: ImportTurn;
};
type ImportResult = Partial<
  Pick<ImportRecord, 'state' | 'report' | 'mark' | 'problem' | 'progress' | 'finishedAt' | 'endings'>
>;

async function resultOf(deps: StoreDeps, files: ImportFiles, run: ClaimedRun): Promise<ImportResult> {
  const { record } = run;
  const finished = () => ({ progress: null, finishedAt: isoFromMs(deps.runtime.now()) });
  const lost = new AbortController();
  const signal = AbortSignal.any([run.signal, lost.signal]);
  let { endings = 0 } = record;
  if (endings >= MAX_ENDINGS) return { state: 'failed', problem: ENDED_SERVICE, ...finished() };
  const source = files.openSource(record.paths);
  const progress = createProgressRecorder(deps, run, (err) => lost.abort(err));
  try {
    const begin = record.confirmed === null ? null : (record.begin ?? (await deps.log.head()));
    await changeRunning(deps, run, { begin });
    const reached = (mark: ImportMark) => {
      endings = 0;
      return changeRunning(deps, run, { mark, endings });
    };
    const tools = { source, progress: progress.record, signal, mark: markOf(record), reached, turn: run.turn };
    const report = await importFiles(deps, record, tools);
    const renew = () => changeRunning(deps, run, {});
    if (begin === null) return { state: 'checked', report, mark: null, ...finished() };
    const events = await recordedEvents(deps.log, { importId: run.importId, begin, renew }, signal);
    return { state: 'done', report: { ...report, events }, mark: null, ...finished() };
  } catch (err) {
    if (err instanceof TurnOver) return { state: 'waiting' };
    if (err instanceof SourceEnded) {
      if (endings + 1 < MAX_SOURCE_ENDINGS) return { endings: endings + 1 };
      return {
        state: 'failed',
        problem: `${err.message}, twice; split the files, or export them again`,
        ...finished(),
      };
    }
    if (!(err instanceof Rejection || files.isFileFault(err))) throw err;
    return { state: 'failed', problem: err.message, ...finished() };
  } finally {
    await progress.written();
    source.close();
  }
}

/** Records the progress about once a second, which renews the claim. `onLost` receives a lost claim. */
function createProgressRecorder(deps: StoreDeps, run: ClaimedRun, onLost: (err: ImportClaimLost) => void) {
  let recordedAt = 0;
  let writing = Promise.resolve();
  return {
    record: (progress: ImportProgress) => {
      run.onProgress(progress);
      if (deps.runtime.elapsed() - recordedAt < RECORD_EVERY_MS) return;
      recordedAt = deps.runtime.elapsed();
      // Any other fault of the store also ends the next write of the run itself.
      const onFault = (err: unknown) => (err instanceof ImportClaimLost ? onLost(err) : undefined);
      writing = writing.then(() => changeRunning(deps, run, { progress })).catch(onFault);
    },
    written: () => writing,
  };
}

const BATCH = 1000;

/**
 * Counts the events of an import by type since the position. Only the log has all of them: an interrupted run appended some, and a reaction
 * some, where it completed a merge first.
 */
async function recordedEvents(
  log: EventLog,
  o: { readonly importId: string; readonly begin: LogPosition; readonly renew: () => Promise<void> },
  signal: AbortSignal,
): Promise<ImportReport['events']> {
  const counts = new Map<string, number>();
  for await (const { events, caughtUp } of log.follow({ after: o.begin, families, max: BATCH, signal })) {
    for (const { type, meta } of events)
      if (meta.actor.kind === 'import' && meta.actor.id === o.importId) counts.set(type, (counts.get(type) ?? 0) + 1);
    if (caughtUp) break;
    await o.renew();
  }
  signal.throwIfAborted();
  return Object.fromEntries([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

type Needs = Pick<Deps, 'docs' | 'runtime'>;
type RunningImport = Pick<ImportRecord, 'importId'> & { readonly runId: string };
type ImportChanges = Partial<
  Pick<ImportRecord, 'state' | 'progress' | 'begin' | 'mark' | 'endings' | 'report' | 'problem' | 'finishedAt'>
>;

const { name: c } = importCollection;
/** Longer than any time without progress, and than clocks of servers differ. */
const CLAIM_MS = 120_000;

/** The claim of a run expired and another run has the import, or the import was deleted. */
export class ImportClaimLost extends Error {
  constructor() {
    super('another run has the import');
    this.name = 'ImportClaimLost';
  }
}

/**
 * Claims a waiting or interrupted import for a run: one run executes an import at a time, in whichever process. A claim expires, so that
 * another run continues after a crash; the fence of every later write then ends a run that was only slow.
 * Returns null if another run has it, or if there is nothing to run.
 */
export async function claimImport(
  { docs, runtime }: Needs,
  { importId, runId }: RunningImport,
): Promise<ImportRecord | null> {
  const { doc, isChanged } = await updateRecord(docs, c, importId, (record) => {
    if (!record || isFinished(record) || record.state === 'checked' || isHeld(record, docs, runtime.now()))
      return undefined;
    const endings = (record.endings ?? 0) + (record.claim === null ? 0 : 1);
    return { ...record, state: 'running' as const, problem: null, endings, claim: claimOf(runtime.now(), runId) };
  });
  return isChanged ? doc : null;
}

/** Only one process writes a local store, and starts no import that it runs: a claim in it is of a process that ended. */
function isHeld({ claim }: ImportRecord, docs: DocStore, nowMs: number): boolean {
  return docs.local === null && claim !== null && claim.until > isoFromMs(nowMs);
}

function claimOf(nowMs: number, runId: string) {
  return { runId, until: isoFromMs(nowMs + CLAIM_MS) };
}

/** Changes the record of a run's import and renews the claim. Throws {@link ImportClaimLost}. */
export function changeRunning({ docs, runtime }: Needs, run: RunningImport, changes: ImportChanges): Promise<void> {
  return changeClaimed(docs, run, (record) => ({ ...record, ...changes, claim: claimOf(runtime.now(), run.runId) }));
}

/** Changes the record and releases the claim. Throws {@link ImportClaimLost}. */
export function releaseImport(
  { docs }: Pick<Needs, 'docs'>,
  run: RunningImport,
  changes: ImportChanges,
): Promise<void> {
  return changeClaimed(docs, run, (record) => ({ ...record, ...changes, claim: null }));
}

async function changeClaimed(
  docs: DocStore,
  { importId, runId }: RunningImport,
  change: (record: ImportRecord) => ImportRecord,
): Promise<void> {
  await updateRecord(docs, c, importId, (record) => {
    if (record?.claim?.runId !== runId) throw new ImportClaimLost();
    return change(record);
  });
}
