// Dependencies of commands on an opened engine: for the service, and for CLI commands that write without one.
import type { Engine } from '../adapters/engine/engine.js';
import { ensureNamingKey } from '../adapters/engine/hash-key.js';
import type { Runtime } from '../adapters/runtime.js';
import type { StoreDeps, Stores } from '../commands/stores/store-integration.js';
import { createBacklog } from '../commands/stores/inbox/backlog.js';
import { createCertificateStore } from '../commands/stores/inbox/certificates.js';
import { createKeyedMutex } from '../commands/handling/keyed-mutex.js';
import { createBurstPriority } from '../commands/handling/burst-priority.js';
import { createSharedMutex } from '../commands/handling/shared-mutex.js';
import { createStateCache } from '../commands/handling/state-cache.js';
import { catalogDecider } from '../domain/catalog/catalog.js';
import { keyedHash } from '../domain/ids.js';
import { projectDecider } from '../domain/project/decide.js';
import { ratesDecider } from '../domain/rates/rates.js';
import { activityDecider } from '../domain/subscriber/state/activity.js';
import { createFindByAccountToken } from '../projections/queries/find-customer.js';
import { createFindRecentCharges } from '../projections/queries/recent-charges.js';
import { createFindTokensOfOrder } from '../projections/queries/tokens-of-order.js';
import { createReadModels } from '../projections/queries/read-models.js';
import { createServing } from '../projections/rebuild/serving.js';
import { ephemeralCollections, recordCollections } from '../workers/coordination/collections.js';
import { removeNamesOfFormerImports, renameFormerRecords } from '../workers/coordination/former-records.js';

/** Opens the dependencies. `processId` identifies the owner of shared locks. `readModels`: those of the process, if it has opened them. */
export async function openDeps(
  engine: Engine,
  stores: Stores,
  runtime: Runtime,
  processId: string,
  readModels = createReadModels(engine.docs, createServing(engine.docs, runtime)),
): Promise<StoreDeps> {
  const { log, docs, dataKeys } = engine;
  await docs.ensure([...recordCollections, ...ephemeralCollections]);
  await renameFormerRecords(docs);
  await removeNamesOfFormerImports(docs);
  return {
    log,
    docs,
    runtime,
    hash: keyedHash(await ensureNamingKey(engine)),
    dataKeys,
    projects: createStateCache(log, projectDecider),
    catalogs: createStateCache(log, catalogDecider),
    activities: createStateCache(log, activityDecider),
    rates: createStateCache(log, ratesDecider),
    mutex: engine.isShared ? createSharedMutex({ docs, runtime, owner: processId }) : createKeyedMutex(),
    burst: createBurstPriority(runtime),
    backlog: createBacklog(),
    certificates: createCertificateStore(),
    findByAccountToken: createFindByAccountToken(readModels),
    findRecentCharges: createFindRecentCharges(readModels),
    findTokensOfOrder: createFindTokensOfOrder(readModels),
    stores,
  };
}
