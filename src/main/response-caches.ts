// Caches of responses, and their memory limits.
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { DocStore } from '../adapters/documents/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createReadModelCache } from '../http/caches/read-model-cache.js';
import { createResponseCache } from '../http/caches/response-cache.js';
import type { Services } from '../http/dispatch/services.js';
import { entitlements, products, unlocks } from '../projections/models/catalogue.js';
import { offerings } from '../projections/models/offerings.js';
import { apps, projects } from '../projections/models/projects.js';
import type { ReadModels } from '../projections/queries/read-models.js';

const MIB = 1024 * 1024;
/** Maximum shares of the machine's memory, and of Node's heap limit. */
const [SHARE, SHARE_OF_HEAP] = [1 / 20, 1 / 3];
const MIN_MEGABYTES = 48;
const MAX_OFFERING_BYTES = 16 * MIB;

/** Creates the caches. `megabytes` limits the bodies of subscribers; by default a share of the memory. */
export function createResponseCaches(
  docs: DocStore,
  readModels: ReadModels,
  runtime: Runtime,
  megabytes = defaultMegabytes(),
): Pick<Services, 'cached' | 'subscriberResponses' | 'offeringResponses'> {
  return {
    cached: createReadModelCache(readModels, runtime, docs),
    subscriberResponses: createResponseCache(docs, runtime, {
      common: [unlocks, entitlements, apps, projects],
      maxBytes: megabytes * MIB,
      sizeOf: (text: string) => text.length,
    }),
    offeringResponses: createResponseCache(docs, runtime, {
      common: [offerings, products],
      maxBytes: MAX_OFFERING_BYTES,
      // The text, and about twice its size as objects.
      sizeOf: ({ text }) => 3 * text.length,
    }),
  };
}

/** Returns the default limit. A container has a memory limit; without one the system reports none, or more than exists. */
function defaultMegabytes(): number {
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const bytes = Math.min(memory * SHARE, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  return Math.max(MIN_MEGABYTES, bytes / MIB);
}
