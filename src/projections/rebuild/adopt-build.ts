// Takes over read models that another process built in a file of their own: copies them in beside the served ones, brings them up to the
// newest event, lets reads go over, and drops what was served before.
import { z } from 'zod';
import type { Runtime } from '../../adapters/runtime.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Handover } from './handover.js';
import { collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, firstCheckpoint, openRunner, type RunnerDeps } from '../runtime/runner.js';
import { servingCollection, type Serving } from './serving.js';

/** `folder` names the build among those of the data directory; `position` and `logIdentity` are those of its checkpoints. */
export const builtFileSchema = z.strictObject({
  folder: z.string().regex(/^[a-z0-9_-]{1,100}$/),
  logIdentity: z.string(),
  position: z.string().regex(/^\d{20}$/),
  builds: z.array(z.strictObject({ name: z.string(), version: z.int(), generation: z.int() })).min(1),
});
export type BuiltFile = z.output<typeof builtFileSchema>;

export type AdoptDeps = RunnerDeps & {
  readonly runtime: Runtime;
  readonly serving: Serving;
  readonly projections: readonly Projection[];
  readonly fileOf: (folder: string) => string;
  /** Null when no projector runs. */
  readonly handover: Handover | null;
};

/** Whoever looked up a former build may still be reading it for as long. */
const DROP_AFTER_MS = 2000;
const BATCH = 2000;

/** Throws a plain error that says why the build cannot be served; nothing has changed then. */
export async function adoptBuild(deps: AdoptDeps, built: BuiltFile, signal: AbortSignal): Promise<void> {
  const { log, docs, serving } = deps;
  await docs.ensure([servingCollection]);
  const fresh = buildsOf(deps, built);
  if ((await log.identity()) !== built.logIdentity)
    throw new Error('it was built from another event log; nothing was changed');
  for (const build of fresh) await expectServed(serving, build, build.generation - 1);
  await copyIn(deps, fresh, built);
  for (const build of fresh) await catchUp(deps, build, signal);
  try {
    await deps.handover?.join(fresh);
    for (const { projection, generation } of fresh) {
      if (await serving.move(projection, generation - 1, generation)) continue;
      throw new Error(`another rebuild of ${projection.name} was served meanwhile`);
    }
  } finally {
    deps.handover?.leave();
  }
  await deps.runtime.sleep(DROP_AFTER_MS, signal);
  for (const { projection, generation } of fresh) {
    for (const { name } of collectionsOf({ projection, generation: generation - 1 })) await docs.drop(name);
  }
}

function buildsOf({ projections }: AdoptDeps, { builds }: BuiltFile): readonly Build[] {
  return builds.map(({ name, version, generation }) => {
    const projection = projections.find((p) => p.name === name && p.version === version);
    if (!projection)
      throw new Error(`the service has no ${name} of version ${version}; use the command line of its own version`);
    return { projection, generation };
  });
}

async function expectServed(serving: Serving, { projection }: Build, generation: number): Promise<void> {
  if ((await serving.build(projection)).generation === generation) return;
  throw new Error(`another rebuild of ${projection.name} was served meanwhile; nothing was changed`);
}

async function copyIn({ docs, fileOf, runtime }: AdoptDeps, fresh: readonly Build[], built: BuiltFile): Promise<void> {
  const { bulk } = docs;
  if (!bulk) throw new Error('this engine takes no builds over from files');
  const specs = fresh.flatMap(collectionsOf);
  for (const { name } of specs) await docs.drop(name);
  await bulk.begin([...specs, checkpointCollection]);
  await bulk.adopt(fileOf(built.folder), specs);
  await bulk.finish(specs);
  const logIdentity = built.logIdentity;
  const position = built.position as LogPosition;
  await bulk.put(fresh.map((build) => firstCheckpoint(build, { position, logIdentity }, runtime)));
}

/** Up to the head of the log. Throws when something had to be parked: a build that lacks something is not served. */
async function catchUp(deps: AdoptDeps, build: Build, signal: AbortSignal): Promise<void> {
  const { name, families } = build.projection;
  const runner = await openRunner(deps, build, signal);
  for await (const batch of deps.log.follow({ after: runner.position(), families, max: BATCH, signal })) {
    await runner.apply(batch);
    if (batch.caughtUp) break;
  }
  if (signal.aborted) throw new Error(`the rebuild of ${name} was stopped; run it again to go on`);
  await runner.save();
  if (runner.parked() > 0) {
    throw new Error(`${runner.parked()} documents of ${name} cannot be folded; repair that and run it again`);
  }
}
