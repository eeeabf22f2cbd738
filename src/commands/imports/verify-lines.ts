// Verification of all imported purchase lines of a project with their stores, in phases, and each phase in the order of the log, so that an
// interrupted run goes on.
import type { Feed } from '../../adapters/event-log/port.js';
import {
  logPosition,
  type LogPosition,
  type RecordedEvent,
  type RetainedUpdate,
  type StreamName,
} from '../../domain/envelope.js';
import { NoCredentials, Unavailable } from '../../domain/errors.js';
import {
  phaseOf,
  verificationPhases,
  type LineVerdict,
  type VerificationPhase,
} from '../../domain/imports/verification.js';
import { customerIdOf, streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import { lineOf } from '../../domain/subscriber/state/line.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import { isoFromMs } from '../../domain/time.js';
import { load } from '../handling/run-command.js';
import type { StoreDeps, FoundTokens } from '../stores/store-integration.js';
import { createStorePace, type StorePace } from './store-pace.js';
import { addVerdict, changeVerification, type VerificationRecord } from './verification-records.js';
import { MAX_ATTEMPTS, purchaseOf, verifyInTurn, type ImportedLine } from './verify-line.js';

/**
 * Runs the verification from where it was. A store that stays unavailable ends it as failed; any other error is thrown, also the reason
 * of the signal, and the verification continues at the next call.
 */
export async function runVerification(
  deps: StoreDeps,
  record: VerificationRecord,
  signal: AbortSignal,
  onProgress: (progress: { readonly done: number; readonly total: number }) => void = () => undefined,
): Promise<void> {
  const { projectId } = record;
  let { verdicts } = record;
  await changeVerification(deps, projectId, { state: 'running' });
  const finishedAt = () => isoFromMs(deps.runtime.now());
  try {
    await verifyLines(deps, record, {
      signal,
      record: (verdict) => void (verdicts = addVerdict(verdicts, verdict)),
      reached: async (place, progress) => {
        onProgress(progress);
        await changeVerification(deps, projectId, { ...place, verdicts, progress });
      },
    });
    await changeVerification(deps, projectId, { state: 'done', progress: null, finishedAt: finishedAt() });
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    const problem = `${err.message}; the same command continues where the verification stopped`;
    await changeVerification(deps, projectId, { state: 'failed', problem, finishedAt: finishedAt() });
  }
}

/** `after`: position in the log before which all lines of the phase are verified; null from the start. */
type VerificationPlace = { readonly phase?: VerificationPhase; readonly after: string | null };

type VerificationTools = {
  readonly signal: AbortSignal;
  /** Called for each line. */
  readonly record: (verdict: LineVerdict & { readonly customerId: string }) => void;
  /** Called when all lines before the place are verified. `done` of `total` are positions of the log, once for each phase. */
  readonly reached: (
    place: VerificationPlace,
    progress: { readonly done: number; readonly total: number },
  ) => Promise<void>;
};

/** A run that continues repeats at most one batch. */
const EVENTS_PER_BATCH = 500;
/** Lines in progress: at the pace of a store's limit, answers of a third of a second. */
const CONCURRENCY = 16;
const MAX_MERGES = 20;

/** Throws `Unavailable` if a store or the log stays unavailable, and the reason of the signal: a run from `after` continues. */
async function verifyLines(deps: StoreDeps, run: VerificationRecord, tools: VerificationTools): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([tools.signal, stop.signal]);
  const head = await deps.log.head();
  const batches = {
    deps,
    run,
    tools,
    pace: createStorePace(deps.runtime),
    signal,
    withoutCredentials: new Set<string>(),
  };
  // A verification of an earlier version goes on with all lines in one phase.
  const remaining = run.phase ? verificationPhases.slice(verificationPhases.indexOf(run.phase)) : [undefined];
  let from: LogPosition | 'start' = run.after === null ? 'start' : logPosition(run.after);
  try {
    for (const phase of remaining) {
      await verifyPhase({ ...batches, phase }, { from, head, signal });
      from = 'start';
    }
  } finally {
    stop.abort();
  }
}

type Batch = {
  readonly deps: StoreDeps;
  readonly run: VerificationRecord;
  /** Missing: all lines. */
  readonly phase: VerificationPhase | undefined;
  readonly tools: VerificationTools;
  readonly pace: StorePace;
  readonly signal: AbortSignal;
  /** Accounts without credentials: their lines end without a request, so that they need no pace. */
  readonly withoutCredentials: Set<string>;
};

/** Verifies the lines of one phase, and then places the verification at the start of the next one. */
async function verifyPhase(
  batch: Batch,
  {
    from,
    head,
    signal,
  }: { readonly from: LogPosition | 'start'; readonly head: LogPosition; readonly signal: AbortSignal },
): Promise<void> {
  const { deps, phase, tools } = batch;
  const place = phase ? verificationPhases.indexOf(phase) : 0;
  const phases = phase ? verificationPhases.length : 1;
  const next = phase && verificationPhases[place + 1];
  if (from === 'start' || from < head) {
    const follow = deps.log.follow({ after: from, families: ['subscriber'], max: EVENTS_PER_BATCH, signal });
    for await (const feed of follow) {
      await verifyBatch(feed, batch);
      const total = Math.max(Number(head), Number(feed.upTo));
      const done = place * total + Number(feed.upTo);
      await tools.reached({ ...(phase && { phase }), after: feed.upTo }, { done, total: phases * total });
      if (feed.caughtUp || feed.upTo >= head) break;
    }
    tools.signal.throwIfAborted();
  }
  const whole = Number(head);
  if (next) await tools.reached({ phase: next, after: null }, { done: (place + 1) * whole, total: phases * whole });
}

async function verifyBatch({ events }: Feed, batch: Batch): Promise<void> {
  const { deps, run, phase, tools } = batch;
  const times = { exportedAt: run.exportedAt ?? null, at: run.createdAt };
  const updates = new Map<StreamName, RetainedUpdate[]>();
  for (const event of events) {
    const update = importedUpdateOf(event, run.projectId);
    if (update) updates.set(event.stream, [...(updates.get(event.stream) ?? []), update]);
  }
  const lines: ImportedLine[] = [];
  for (const [stream, own] of updates) {
    tools.signal.throwIfAborted();
    const customer = await customerOf(deps, run.projectId, customerIdOf(stream));
    for (const storeChainId of linesBegunBy(own, customer.state)) {
      const known = customer.state.histories.get(storeChainId)?.updates ?? [];
      if (phase && phaseOf(known, times) !== phase) continue;
      const about = await purchaseOf(deps, run.projectId, lineOf(customer.state, storeChainId));
      lines.push({ ...customer, storeChainId, about });
    }
  }
  const waiting = (await withRetries(deps, tools.signal, () => withTokens(deps, lines))).values();
  const verifyOneAfterAnother = async () => {
    for (const line of waiting) {
      const verdict = await verifyInTurn(deps, run, line, batch);
      tools.record({ ...verdict, customerId: line.customerId });
    }
  };
  const results = await Promise.allSettled(Array.from({ length: CONCURRENCY }, verifyOneAfterAnother));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}

/** Returns the update of an imported row that the event is the first effect of; null for any other event. */
function importedUpdateOf({ stream, meta }: RecordedEvent, projectId: string): RetainedUpdate | null {
  if (!meta.update?.importedFrom || streams.subscriber(projectId, customerIdOf(stream)) !== stream) return null;
  return meta.update;
}

/** Returns the lines whose first imported update is among these: each line once, wherever its other rows are in the log. */
function linesBegunBy(updates: readonly RetainedUpdate[], { histories }: Subscriber): readonly string[] {
  return [...histories].flatMap(([storeChainId, history]) => {
    const first = history.updates.find(({ importedFrom }) => importedFrom !== undefined);
    const isHere = first && updates.some((one) => one.saidAt === first.saidAt && one.commands === first.commands);
    return isHere ? [storeChainId] : [];
  });
}

type Customer = Pick<ImportedLine, 'customerId' | 'state'>;

/** Returns the customer after merges. */
async function customerOf(deps: StoreDeps, projectId: string, customerId: string): Promise<Customer> {
  let id = customerId;
  for (let merges = 0; ; merges++) {
    const { state } = await load(deps.log, streams.subscriber(projectId, id), subscriberDecider);
    const { mergedInto } = state.profile;
    if (mergedInto === null || merges === MAX_MERGES) return { customerId: id, state };
    id = mergedInto.customerId;
  }
}

/** Adds the purchase tokens of lines that are known by their orders alone: one request for many lines of an app. */
async function withTokens(deps: StoreDeps, lines: readonly ImportedLine[]): Promise<readonly ImportedLine[]> {
  const all = lines.flatMap(({ about }) => about ?? []);
  const found = new Map<string, FoundTokens>();
  for (const [appId, first] of new Map(all.map((about) => [about.app.appId, about]))) {
    const { findPurchaseTokens } = deps.stores.of(first.app.store);
    if (!findPurchaseTokens) continue;
    const ofApp = all.filter(({ app }) => app.appId === appId);
    try {
      found.set(appId, await findPurchaseTokens(deps, first, ofApp));
    } catch (err) {
      // Each line of the app gets this result itself.
      if (!(err instanceof NoCredentials)) throw err;
    }
  }
  return lines.map((line) => {
    const { about } = line;
    return about
      ? { ...line, about: { ...about, found: found.get(about.app.appId)?.get(about.purchase.transactionId) } }
      : line;
  });
}

/** Waits as long as an unavailable store asks, and repeats. */
async function withRetries<T>({ runtime }: StoreDeps, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await work();
    } catch (err) {
      if (!(err instanceof Unavailable) || attempts === MAX_ATTEMPTS) throw err;
      await runtime.sleep(err.retryAfterSeconds * 1000, signal);
      signal.throwIfAborted();
    }
  }
}
