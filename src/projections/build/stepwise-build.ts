// Builds generations event by event, as a projector does, where the log does not find events by their positions: several times slower than
// all at once. A build that was cut goes on behind its checkpoints.
import { readRecord, updateRecord } from '../../adapters/documents/records.js';
import type { DocStore } from '../../adapters/documents/port.js';
import type { Feed } from '../../adapters/event-log/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import { CannotFold } from '../../domain/errors.js';
import { collectionOf, collectionsOf, type Build } from '../runtime/projection.js';
import { checkpointCollection, openRunner, ProjectionHalted, type Runner, type RunnerDeps } from '../runtime/runner.js';
import { buildCollection, type BulkOptions } from './bulk-build.js';

export type StepwiseDeps = RunnerDeps & { readonly runtime: Pick<Runtime, 'newId'> };
export type StepwiseOptions = Omit<BulkOptions, 'partSize'>;

type Plan = { readonly purpose: string; readonly logIdentity: string; readonly upTo: LogPosition };

const BATCH = 5000;

/** Ends with a checkpoint per build. Throws `CannotFold`, and a plain error once the signal aborts; returns the last position taken in. */
export async function stepwiseBuild(
  deps: StepwiseDeps,
  builds: readonly Build[],
  { signal, seenAs = (event) => event, onProgress = () => undefined, ...o }: StepwiseOptions,
): Promise<LogPosition> {
  const { upTo } = await resume(deps, builds, o);
  // Nobody would read the documents that are left out of a copy.
  const halting = builds.map((b): Build => ({ ...b, projection: { ...b.projection, onPoison: 'halt' } }));
  const runners = await Promise.all(halting.map((build) => openRunner(deps, build, signal)));
  const reached = () => runners.map((r) => r.position()).reduce((a, b) => (a < b ? a : b));
  const families = [...new Set(builds.flatMap((b) => b.projection.families))];
  for await (const feed of deps.log.follow({ after: reached(), families, max: BATCH, signal })) {
    const events = feed.events.filter((e) => e.position <= upTo).flatMap((event) => seenAs(event) ?? []);
    const part = { ...feed, events, upTo: feed.upTo < upTo ? feed.upTo : upTo };
    for (const runner of runners) await advance(runner, part);
    onProgress(Number(part.upTo), Number(upTo));
    if (feed.upTo >= upTo || feed.caughtUp) break;
  }
  if (signal.aborted) throw new Error('the build was stopped; run it again to go on');
  for (const runner of runners) await runner.save();
  return upTo;
}

async function advance(runner: Runner, feed: Feed): Promise<void> {
  try {
    await runner.apply(feed);
  } catch (err) {
    if (!(err instanceof ProjectionHalted)) throw err;
    throw CannotFold.at(err.projection, err.poison.event, err.poison.error);
  }
}

/** Goes on with the same build of the same log, or begins with empty collections. */
async function resume({ log, docs }: StepwiseDeps, builds: readonly Build[], o: StepwisePlan): Promise<Plan> {
  await docs.ensure([buildCollection, checkpointCollection]);
  const name = builds.map((b) => collectionOf(b)).join();
  const [purpose, logIdentity, head] = [o.purpose ?? '', await log.identity(), await log.head()];
  const found = (await readRecord(docs, buildCollection.name, name)).doc as Plan | null;
  if (found?.logIdentity === logIdentity && found.purpose === purpose) return found;
  await empty(docs, builds);
  const plan = { purpose, logIdentity, upTo: o.upTo !== undefined && o.upTo < head ? o.upTo : head };
  await updateRecord(docs, buildCollection.name, name, () => plan);
  return plan;
}

type StepwisePlan = Pick<StepwiseOptions, 'purpose' | 'upTo'>;

async function empty(docs: DocStore, builds: readonly Build[]): Promise<void> {
  for (const build of builds) await updateRecord(docs, checkpointCollection.name, collectionOf(build), () => null);
  for (const { name } of builds.flatMap(collectionsOf)) await docs.drop(name);
}
