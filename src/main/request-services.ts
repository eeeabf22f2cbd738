// Services that only requests use: their caches, limits and records.
import type { Config } from '../adapters/configuration/config.js';
import type { Engine } from '../adapters/engine/engine.js';
import { createImportUploads } from '../adapters/imports/uploads.js';
import { createKeyUses } from '../commands/accounts/key-uses.js';
import { createIdempotency } from '../commands/idempotency/idempotency.js';
import { createSdkCalls } from '../commands/projects/sdk-calls.js';
import { createStoreRecords } from '../commands/projects/store-records.js';
import type { StoreDeps } from '../commands/stores/store-integration.js';
import { createRateLimits, noRateLimits } from '../http/dispatch/rate-limits.js';
import { createRefusalCounts } from '../http/stores/refusal-counts.js';
import type { ReadModels } from '../projections/queries/read-models.js';
import { createResponseCaches } from './response-caches.js';

export async function createRequestServices(
  config: Config,
  deps: StoreDeps,
  readModels: ReadModels,
  { openCounters }: Pick<Engine, 'openCounters'>,
) {
  const { docs, runtime } = deps;
  return {
    ...createResponseCaches(docs, readModels, runtime, config.RESPONSE_CACHE_MB),
    importUploads: createImportUploads(config.DATA_DIR, config.IMPORT_MAX_MB),
    storeRecords: createStoreRecords(deps),
    refusals: createRefusalCounts(runtime),
    sdkCalls: createSdkCalls(docs, runtime),
    limits: config.RATE_LIMITS === 'on' ? createRateLimits(await openCounters()) : noRateLimits,
    idempotency: createIdempotency(deps),
    keyUses: createKeyUses(docs, runtime),
  };
}
