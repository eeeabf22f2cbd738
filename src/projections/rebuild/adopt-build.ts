// Adopts read models that another process built in a separate file: copies them next to the served ones, catches up to the newest event,
// advances them together with the served ones, switches reads over without a gap, and drops the previously served ones.
import { z } from 'zod';
import type { Runtime } from '../../adapters/runtime.js';
import { logPosition } from '../../domain/envelope.js';
import { collectionsOf, type Build, type Projection } from '../runtime/projection.js';
import { checkpointCollection, firstCheckpoint, openRunner, type RunnerDeps } from '../runtime/runner.js';
import { servingCollection, type Serving } from './serving.js';

/** `folder`: name of the build in the data directory. `position` and `logIdentity`: those of its checkpoints. */
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
  /** Null if no projector runs. */
  readonly handover: Handover | null;
};

/** Maximum time for which a reader may still use a former build after it looked it up. */
const DROP_AFTER_MS = 2000;
const BATCH = 2000;

/** Throws an error with the reason if the build cannot be served; then nothing has changed. */
export async function adoptBuild(deps: AdoptDeps, builtFile: BuiltFile, signal: AbortSignal): Promise<void> {
  const { log, docs, serving } = deps;
  await docs.ensure([servingCollection]);
  const fresh = buildsOf(deps, builtFile);
  if ((await log.identity()) !== builtFile.logIdentity)
    throw new Error('it was built from another event log; nothing was changed');
  for (const build of fresh) await expectServed(serving, build, build.generation - 1);
  await copyIn(deps, fresh, builtFile);
  for (const build of fresh) await catchUp(deps, build, signal);
  try {
    await deps.handover?.join(fresh);
    for (const { projection, generation } of fresh) {
      if (await serving.move(projection, generation - 1, generation)) continue;
      throw new Error(`another rebuild of ${projection.name} was put into service in the meantime`);
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
      throw new Error(
        `the service has no version ${version} of ${name}; use the CLI of the same version as the service`,
      );
    return { projection, generation };
  });
}

async function expectServed(serving: Serving, { projection }: Build, generation: number): Promise<void> {
  if ((await serving.build(projection)).generation === generation) return;
  throw new Error(`another rebuild of ${projection.name} was put into service in the meantime; nothing was changed`);
}

async function copyIn(
  { docs, fileOf, runtime }: AdoptDeps,
  fresh: readonly Build[],
  builtFile: BuiltFile,
): Promise<void> {
  const { bulk } = docs;
  if (!bulk) throw new Error('this storage engine cannot adopt builds from files');
  const specs = fresh.flatMap(collectionsOf);
  for (const { name } of specs) await docs.drop(name);
  await bulk.begin([...specs, checkpointCollection]);
  await bulk.adopt(fileOf(builtFile.folder), specs);
  await bulk.finish(specs);
  const logIdentity = builtFile.logIdentity;
  const position = logPosition(builtFile.position);
  await bulk.put(fresh.map((build) => firstCheckpoint(build, { position, logIdentity }, runtime)));
}

/** Catches up to the head of the log. Throws if a document was parked: an incomplete build is not served. */
async function catchUp(deps: AdoptDeps, build: Build, signal: AbortSignal): Promise<void> {
  const { name, families } = build.projection;
  const runner = await openRunner(deps, build, signal);
  for await (const batch of deps.log.follow({ after: runner.position(), families, max: BATCH, signal })) {
    await runner.apply(batch);
    if (batch.caughtUp) break;
  }
  if (signal.aborted) throw new Error(`the rebuild of ${name} was stopped; run it again to continue`);
  await runner.save();
  if (runner.parked() > 0) {
    throw new Error(`${runner.parked()} documents of ${name} cannot be folded; fix the cause and run it again`);
  }
}

export type Handover = {
  /** Resolves once the projector advances these builds together with the served ones; rejects if one of them cannot be folded. */
  join(builds: readonly Build[]): Promise<void>;
  /** Ends the handover, after reads have switched over or if they will not. */
  leave(): void;
  /** Restarts the projector, which retries parked documents and halted projections. */
  again(): void;
  readonly projector: {
    pending(): readonly Build[];
    /** Returns a signal that aborts when the pending builds change. */
    change(): AbortSignal;
    joined(): void;
    failed(err: unknown): void;
  };
};

export function createHandover(): Handover {
  let builds: readonly Build[] = [];
  let changing = new AbortController();
  let waiting: { readonly resolve: () => void; readonly reject: (err: unknown) => void } | null = null;
  const change = (next: readonly Build[]) => {
    builds = next;
    changing.abort();
    changing = new AbortController();
  };
  return {
    join: (next) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        change(next);
      }),
    leave: () => change([]),
    again: () => change(builds),
    projector: {
      pending: () => builds,
      change: () => changing.signal,
      joined: () => {
        if (builds.length > 0) waiting?.resolve();
      },
      failed: (err) => waiting?.reject(err),
    },
  };
}
