// What commands need, put together on an opened engine: for the service, and for commands that write without one.
import type { Config } from '../adapters/config.js';
import type { Engine } from '../adapters/engine.js';
import { namingKey } from '../adapters/naming.js';
import type { Runtime } from '../adapters/runtime.js';
import { createCredentialVerdicts } from '../commands/projects/credential-verdicts.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import { createBacklog } from '../commands/stores/inbox/backlog.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { createBurstPriority } from '../commands/handling/burst-priority.js';
import { createSharedMutex } from '../commands/handling/shared-mutex.js';
import { createStateCache } from '../commands/handling/state-cache.js';
import { catalogDecider } from '../domain/catalog/catalog.js';
import { keyedHash } from '../domain/ids.js';
import { projectDecider } from '../domain/project/decide.js';
import { ratesDecider } from '../domain/rates/rates.js';
import { activityDecider } from '../domain/subscriber/state/activity.js';
import { openStores, type StoreParts } from './open-stores.js';
import { passingCollections, recordCollections } from '../workers/coordination/collections.js';

export type OpenDeps = { readonly deps: StoreDeps; closeStores(): Promise<void> };

/** The stores must be closed. `processId` names who holds shared locks. */
export async function openDeps(
  engine: Engine,
  config: Config,
  runtime: Runtime,
  processId: string,
  alsoTrust?: StoreParts['alsoTrust'],
): Promise<OpenDeps> {
  const { log, docs, dataKeys } = engine;
  await docs.ensure([...recordCollections, ...passingCollections]);
  const opened = openStores({ config, runtime, verdicts: createCredentialVerdicts({ docs, runtime }), alsoTrust });
  const deps: StoreDeps = {
    log,
    docs,
    runtime,
    hash: keyedHash(await namingKey(engine)),
    dataKeys,
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    activities: createStateCache(log, activityDecider),
    rates: createStateCache(log, ratesDecider),
    mutex: engine.isShared ? createSharedMutex({ docs, runtime, owner: processId }) : createKeyedMutex(),
    burst: createBurstPriority(runtime),
    backlog: createBacklog(),
    stores: opened.stores,
  };
  return { deps, closeStores: opened.close };
}
