// Starts the projector: with other processes as a singleton under a lease, alone at once.
import type { Engine } from '../adapters/engine/engine.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import type { Handover } from '../projections/rebuild/adopt-build.js';
import { projections } from '../projections/rebuild/registry.js';
import type { Serving } from '../projections/rebuild/serving.js';
import type { Progress } from '../projections/runtime/progress.js';
import { createHaltPublisher, createPublisher } from '../projections/runtime/shared-progress.js';
import { runProjector } from '../workers/coordination/projector.js';
import { watchRetryRequests, type SingletonDeps, type Singletons } from '../workers/coordination/singleton.js';
import { buildInThread } from './builds/build-thread.js';

type ProjectorOptions = {
  readonly engine: Engine;
  readonly deps: StoreDeps;
  readonly serving: Serving;
  readonly progress: Progress;
  readonly handover: Handover;
  /** Called when the read models have reached the head of the log. */
  readonly onCaughtUp: () => void;
};

/** Time without progress while events wait. */
const PROJECTOR_STALL_MS = 60_000;

/** Starts the loops of the projector, which end when the signal aborts. */
export function startProjector(
  { engine, deps, serving, progress, handover, onCaughtUp }: ProjectorOptions,
  common: SingletonDeps,
  runSingleton: Singletons['run'],
  signal: AbortSignal,
): readonly Promise<void>[] {
  const isSingleProcess = !engine.isShared;
  const projector = {
    ...common,
    hash: deps.hash,
    serving,
    projections,
    handover: handover.projector,
    isSingleProcess,
    ...(engine.files && engine.target && { elsewhere: buildInThread(engine.files, engine.target) }),
  };
  const going = () => projections.map((p) => p.name).filter((name) => !progress.haltedReadModels().includes(name));
  const follower = { names: going, limitMs: PROJECTOR_STALL_MS };
  const work: Parameters<typeof runSingleton>[1] = (s, { isHeld, ...watched }) => {
    const publish = isSingleProcess ? createHaltPublisher(deps.docs) : createPublisher(deps.docs, isHeld);
    return runProjector({ ...projector, publish, ...watched }, s, onCaughtUp);
  };
  const projecting = runSingleton('projector', work, follower);
  return engine.isShared ? [projecting, watchRetryRequests(common, signal, handover.again)] : [projecting];
}
