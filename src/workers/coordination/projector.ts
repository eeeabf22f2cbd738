// Updates the read models from one feed that is passed to the runner of every projection. A projection that must halt does not stop the
// others.
import type { Logger } from 'pino';
import type { DocStore } from '../../adapters/documents/port.js';
import type { EventLog, Feed, FollowOptions } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { KeyedHash } from '../../domain/ids.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import { CannotFold } from '../../domain/errors.js';
import type { Progress } from '../../projections/runtime/progress.js';
import type { Handover } from '../../projections/rebuild/adopt-build.js';
import type { Build, Projection } from '../../projections/runtime/projection.js';
import type { PublishedProgress } from '../../projections/runtime/shared-progress.js';
import { canBulkBuild } from '../../projections/rebuild/bulk-build.js';
import { buildFromStart, discardBuild, type BuildThread } from '../../projections/rebuild/rebuild.js';
import { projectionsWithHistory, dropSuperseded, type Serving } from '../../projections/rebuild/serving.js';
import { openRunner, ProjectionHalted, type Runner } from '../../projections/runtime/runner.js';
import { superviseLoop } from './supervise.js';

export type ProjectorDeps = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly hash: KeyedHash;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly serving: Serving;
  readonly progress: Progress;
  readonly projections: readonly Projection[];
  /** Publishes the progress of read models to other processes; omitted when there are none. */
  readonly publish?: (published: PublishedProgress) => Promise<void>;
  readonly handover: Handover['projector'];
  /** Builds a part of a long build in another thread, if there is one. */
  readonly elsewhere?: BuildThread;
  /** True if all readers that wait for read models are in this process: while none waits, many events are collected into larger batches. */
  readonly isSingleProcess: boolean;
  /** Called when events were folded. */
  readonly onOutcome?: () => void;
  /** Called for each attempt that failed. */
  readonly onFailure?: () => void;
};

/** For halted read models: time of recording (UTC) and position of the event at which they halted. */
type HaltedRunners = Map<Runner, { readonly since: string; readonly at: LogPosition }>;

const BATCH = 1000;
/** Batch size during catch-up: an index page shared by many documents is written once per batch, so larger ones are much faster. */
const CATCH_UP_BATCH = 5000;
/** Minimum interval between live batches while busy: each writes the documents that all events share once. */
const BUSY_INTERVAL_MS = 250;
/** Number of events in that interval from which on it is busy, in any number of batches. */
const BUSY_EVENTS = 32;
const SAVE_INTERVAL_MS = 1000;
/** Minimum number of events for a bulk build; for fewer a runner is as fast. */
const MIN_BULK_EVENTS = 10_000;

/** Runs until the signal aborts. `onCaughtUp` is called once, when all read models have reached the head of the log. */
export function runProjector(deps: ProjectorDeps, signal: AbortSignal, onCaughtUp: () => void): Promise<void> {
  let announce: (() => void) | null = onCaughtUp;
  let replaced: readonly Projection[] | null = null;
  return superviseLoop('projector', deps, signal, async () => {
    replaced ??= await findReplaced(deps);
    await buildLongLog(deps, signal);
    const turn = AbortSignal.any([signal, deps.handover.change()]);
    const open = (build: Build) => openRunner(deps, build, signal);
    const fresh = await Promise.all(deps.handover.pending().map(open));
    const served = await Promise.all(deps.projections.map((p) => deps.serving.build(p)));
    const runners = await Promise.all(served.map(open));
    const halted: HaltedRunners = new Map();
    const families = [...new Set(deps.projections.flatMap((p) => p.families))] satisfies Family[];
    const after = [...fresh, ...runners].map((r) => r.position()).reduce((a, b) => (a < b ? a : b));
    let savedAt = deps.runtime.elapsed();
    const saveAll = () => Promise.all([...fresh, ...runners].filter((r) => !halted.has(r)).map((r) => r.save()));
    for await (const feed of followFeeds(deps, { after, families, signal: turn })) {
      if (await isOutdated(deps, runners)) return;
      // Applied before the served ones, whose progress is published: awaited events are then in whichever build is read.
      await Promise.all(fresh.map((r) => r.apply(feed))).catch(deps.handover.failed);
      await Promise.all(runners.filter((r) => !halted.has(r)).map((r) => advanceRunner(deps, r, feed, halted)));
      await deps.publish?.(toPublished(runners, halted));
      deps.onOutcome?.();
      if (feed.caughtUp) deps.handover.joined();
      if (feed.caughtUp && announce) {
        announce();
        announce = null;
        await dropSuperseded(deps.docs, replaced);
      }
      if (deps.runtime.elapsed() - savedAt >= SAVE_INTERVAL_MS) {
        await saveAll();
        savedAt = deps.runtime.elapsed();
      }
    }
    await saveAll();
  });
}

/** Returns the projections whose earlier versions are no longer read at the log's head. Other processes may still run the previous code. */
async function findReplaced({
  docs,
  serving,
  projections,
  isSingleProcess,
}: ProjectorDeps): Promise<readonly Projection[]> {
  if (isSingleProcess) return projections;
  return projectionsWithHistory(docs, await Promise.all(projections.map((p) => serving.build(p))));
}

/** Builds new read models of a long log in bulk, before they are read; if that fails, their runners continue, which can park. */
async function buildLongLog(deps: ProjectorDeps, signal: AbortSignal): Promise<void> {
  // Checked in this order: only logs that support bulk builds number their events; in others a position counts bytes.
  if (!canBulkBuild(deps) || Number(await deps.log.head()) < MIN_BULK_EVENTS) return;
  const builds = await Promise.all(deps.projections.map((p) => deps.serving.build(p)));
  await buildFromStart(deps, builds, { signal }).catch(async (err: unknown) => {
    if (!(err instanceof CannotFold)) throw err;
    deps.logger.error({ stack: err.stack }, 'bulk build of read models failed; building event by event');
    await discardBuild(deps.docs, builds);
  });
}

/** Yields feeds, after catch-up in smaller batches, so that the thread serves requests in between, and in fewer batches while busy. */
async function* followFeeds(deps: ProjectorDeps, options: Omit<FollowOptions, 'max'>): AsyncGenerator<Feed> {
  const { log, runtime, isSingleProcess } = deps;
  let { after } = options;
  for await (const feed of log.follow({ ...options, max: CATCH_UP_BATCH })) {
    yield feed;
    after = feed.upTo;
    if (feed.caughtUp) break;
  }
  if (options.signal.aborted) return;
  let [since, events] = [runtime.elapsed(), 0];
  for await (const feed of log.follow({ ...options, after, max: BATCH })) {
    const startedAt = runtime.elapsed();
    if (startedAt - since >= BUSY_INTERVAL_MS) [since, events] = [startedAt, 0];
    events += feed.events.length;
    yield feed;
    const isBusy = events >= BUSY_EVENTS && feed.caughtUp;
    if (isBusy && isSingleProcess)
      await collectEvents(deps, startedAt + BUSY_INTERVAL_MS - runtime.elapsed(), options.signal);
  }
}

/** Collects events for a time, or until a reader waits for one of them. */
async function collectEvents({ runtime, progress }: ProjectorDeps, ms: number, signal: AbortSignal): Promise<void> {
  if (ms <= 0 || progress.isAwaited() || signal.aborted) return;
  const early = new AbortController();
  const wake = () => early.abort();
  const leave = progress.onAwaited(wake);
  signal.addEventListener('abort', wake, { once: true });
  await runtime.sleep(ms, early.signal);
  leave();
  signal.removeEventListener('abort', wake);
}

async function advanceRunner(deps: ProjectorDeps, runner: Runner, feed: Feed, halted: HaltedRunners): Promise<void> {
  const { name } = runner.build.projection;
  try {
    await deps.runtime.slice();
    await runner.apply(feed);
    deps.progress.reportPosition(name, runner.position());
  } catch (err) {
    if (!(err instanceof ProjectionHalted)) throw err;
    const { event } = err.poison;
    const stop = { since: event.meta.recordedAt, at: event.position };
    halted.set(runner, stop);
    deps.progress.reportHalted(name, stop.since, stop.at);
    deps.logger.error(
      { projection: name, eventId: event.id, position: event.position, stack: stackOf(err.cause) },
      'projection halted',
    );
  }
}

/** Only the stack: a driver's error contains the data that was to be written. */
function stackOf(err: unknown): string {
  return err instanceof Error ? (err.stack ?? err.message) : String(err);
}

function toPublished(runners: readonly Runner[], halted: HaltedRunners): PublishedProgress {
  const nameOf = (runner: Runner) => runner.build.projection.name;
  const going = runners.filter((r) => !halted.has(r));
  const stops = [...halted].map(([runner, stop]) => [nameOf(runner), stop] as const);
  return {
    positions: Object.fromEntries(going.map((r) => [nameOf(r), r.position()])),
    halted: stops.map(([name]) => name),
    since: Object.fromEntries(stops.map(([name, { since }]) => [name, since])),
    at: Object.fromEntries(stops.map(([name, { at }]) => [name, at])),
  };
}

/** Returns whether a rebuild has switched to another generation: the loop then restarts with its runner. */
async function isOutdated(deps: ProjectorDeps, runners: readonly Runner[]): Promise<boolean> {
  const served = await Promise.all(runners.map((r) => deps.serving.build(r.build.projection)));
  return served.some((build, i) => build.generation !== runners[i]?.build.generation);
}
