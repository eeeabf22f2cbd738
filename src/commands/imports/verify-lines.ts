// Verification of all imported purchase lines of a project with their stores, in the order of the log, so that an interrupted run goes on.
import type { Feed } from '../../adapters/event-log/port.js';
import { Unavailable } from '../../domain/errors.js';
import type { LogPosition, RecordedEvent, RetainedUpdate, StreamName } from '../../domain/envelope.js';
import type { LineVerdict } from '../../domain/imports/verification.js';
import { customerIdOf, streams } from '../../domain/streams.js';
import { subscriberDecider } from '../../domain/subscriber/decide/decider.js';
import type { Subscriber } from '../../domain/subscriber/state/state.js';
import { load } from '../handling/run-command.js';
import type { FindByAccountToken } from '../stores/notification-types.js';
import type { StoreDeps } from '../stores/store-integration.js';
import { verifyLine, type ImportedLine, type VerificationRun } from './verify-line.js';

/** `after`: position in the log before which all lines are verified; null from the start. */
export type VerificationTools = {
  readonly after: string | null;
  readonly signal: AbortSignal;
  /** Called for each line. */
  readonly note: (verdict: LineVerdict & { readonly customerId: string }) => void;
  /** Called when all lines before the position are noted. `done` of `total` are positions of the log. */
  readonly reached: (position: string, progress: { readonly done: number; readonly total: number }) => Promise<void>;
};

/** A run that continues repeats at most one batch. */
const EVENTS_PER_BATCH = 100;
/** Lines in progress. */
const CONCURRENCY = 4;
/** Minimum time between the starts of two lines. A line takes up to three requests, and Apple's limits are not published. */
const LINE_INTERVAL_MS = 100;
const MAX_ATTEMPTS = 6;
const MAX_MERGES = 20;

/** Throws `Unavailable` if a store or the log stays unavailable, and the reason of the signal: a run from `after` continues. */
export async function verifyLines(
  deps: StoreDeps,
  find: FindByAccountToken,
  run: VerificationRun,
  tools: VerificationTools,
): Promise<void> {
  const stop = new AbortController();
  const signal = AbortSignal.any([tools.signal, stop.signal]);
  const head = await deps.log.head();
  const after = (tools.after ?? 'start') as LogPosition | 'start';
  if (after !== 'start' && after >= head) return;
  const inTurn = createPace(deps, signal);
  const follow = deps.log.follow({ after, families: ['subscriber'], max: EVENTS_PER_BATCH, signal });
  try {
    for await (const feed of follow) {
      await verifyBatch(feed, { deps, find, run, tools, inTurn });
      await tools.reached(feed.upTo, { done: Number(feed.upTo), total: Math.max(Number(head), Number(feed.upTo)) });
      if (feed.caughtUp || feed.upTo >= head) return;
    }
    tools.signal.throwIfAborted();
  } finally {
    stop.abort();
  }
}

type Batch = {
  readonly deps: StoreDeps;
  readonly find: FindByAccountToken;
  readonly run: VerificationRun;
  readonly tools: VerificationTools;
  readonly inTurn: (signal: AbortSignal) => Promise<void>;
};

async function verifyBatch({ events }: Feed, { deps, find, run, tools, inTurn }: Batch): Promise<void> {
  const updates = new Map<StreamName, RetainedUpdate[]>();
  for (const event of events) {
    const update = importedUpdateOf(event, run.projectId);
    if (update) updates.set(event.stream, [...(updates.get(event.stream) ?? []), update]);
  }
  const waiting = updates.entries();
  const verifyOneAfterAnother = async () => {
    for (const [stream, own] of waiting) {
      const customer = await customerOf(deps, run.projectId, customerIdOf(stream));
      for (const storeChainId of linesBegunBy(own, customer.state)) {
        await inTurn(tools.signal);
        const verdict = await withRetries(deps, tools.signal, { ...customer, storeChainId }, (line) =>
          verifyLine(deps, find, run, line),
        );
        tools.note({ ...verdict, customerId: customer.customerId });
      }
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

/** Waits as long as an unavailable store asks, and repeats. */
async function withRetries(
  { runtime }: StoreDeps,
  signal: AbortSignal,
  line: ImportedLine,
  verify: (line: ImportedLine) => Promise<LineVerdict>,
): Promise<LineVerdict> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await verify(line);
    } catch (err) {
      if (!(err instanceof Unavailable) || attempts === MAX_ATTEMPTS) throw err;
      await runtime.sleep(err.retryAfterSeconds * 1000, signal);
      signal.throwIfAborted();
    }
  }
}

/** Spreads the starts of lines evenly. */
function createPace({ runtime }: StoreDeps, stopped: AbortSignal) {
  let nextAt = 0;
  return async (signal: AbortSignal): Promise<void> => {
    const now = runtime.now();
    const at = Math.max(now, nextAt);
    nextAt = at + LINE_INTERVAL_MS;
    if (at > now) await runtime.sleep(at - now, signal);
    stopped.throwIfAborted();
  };
}
