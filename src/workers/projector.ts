// Keeps the read models up: one feed, handed to the runner of every projection. A projection that must stop does not stop the others.
import type { Logger } from 'pino';
import type { DocStore } from '../adapters/documents/port.js';
import type { EventLog, Feed, FollowOptions } from '../adapters/event-log/port.js';
import type { Runtime } from '../adapters/runtime.js';
import type { Family } from '../domain/streams.js';
import type { Progress } from '../projections/progress.js';
import type { Projection } from '../projections/projection.js';
import { openRunner, ProjectionHalted, type Runner } from '../projections/runner.js';
import type { Serving } from '../projections/serving.js';
import { superviseLoop } from './supervise.js';

export type ProjectorDeps = {
  readonly log: EventLog;
  readonly docs: DocStore;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly serving: Serving;
  readonly progress: Progress;
  readonly projections: readonly Projection[];
};

const BATCH = 1000;
/** Up to the head: a page of an index that many documents share is written once per batch, so larger ones are far quicker. */
const CATCH_UP_BATCH = 5000;
const SAVE_EVERY_MS = 1000;

/** Runs until the signal aborts. `onCaughtUp` is called once, when all read models have reached the head of the log. */
export function runProjector(deps: ProjectorDeps, signal: AbortSignal, onCaughtUp: () => void): Promise<void> {
  let announce: (() => void) | null = onCaughtUp;
  return superviseLoop('projector', deps, signal, async () => {
    const open = async (p: Projection) => openRunner(deps, await deps.serving.build(p), signal);
    const runners = await Promise.all(deps.projections.map(open));
    const halted = new Set<Runner>();
    const families = [...new Set(deps.projections.flatMap((p) => p.families))] satisfies Family[];
    const after = runners.map((r) => r.position()).reduce((a, b) => (a < b ? a : b));
    let savedAt = deps.runtime.now();
    const saveAll = () => Promise.all(runners.filter((r) => !halted.has(r)).map((r) => r.save()));
    for await (const feed of feeds(deps.log, { after, families, signal })) {
      if (await isOutdated(deps, runners)) return;
      await Promise.all(runners.filter((r) => !halted.has(r)).map((r) => advance(deps, r, feed, halted)));
      if (feed.caughtUp && announce) {
        announce();
        announce = null;
      }
      if (deps.runtime.now() - savedAt >= SAVE_EVERY_MS) {
        await saveAll();
        savedAt = deps.runtime.now();
      }
    }
    await saveAll();
  });
}

/** Later batches are smaller: the thread answers requests between them. */
async function* feeds(log: EventLog, options: Omit<FollowOptions, 'max'>): AsyncGenerator<Feed> {
  let { after } = options;
  for await (const feed of log.follow({ ...options, max: CATCH_UP_BATCH })) {
    yield feed;
    after = feed.upTo;
    if (feed.caughtUp) break;
  }
  if (!options.signal.aborted) yield* log.follow({ ...options, after, max: BATCH });
}

async function advance(deps: ProjectorDeps, runner: Runner, feed: Feed, halted: Set<Runner>): Promise<void> {
  const { name } = runner.build.projection;
  try {
    await runner.apply(feed);
    deps.progress.moved(name, runner.position());
  } catch (err) {
    if (!(err instanceof ProjectionHalted)) throw err;
    halted.add(runner);
    const { event } = err.poison;
    deps.logger.error(
      { projection: name, eventId: event.id, position: event.position, err: err.cause },
      'projection halted',
    );
  }
}

/** A rebuild has put another generation into service: start over with its runner. */
async function isOutdated(deps: ProjectorDeps, runners: readonly Runner[]): Promise<boolean> {
  const served = await Promise.all(runners.map((r) => deps.serving.build(r.build.projection)));
  return served.some((build, i) => build.generation !== runners[i]?.build.generation);
}
