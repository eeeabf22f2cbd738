// The caches that requests are served from, and the memory that they may take.
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { DocStore } from '../adapters/documents/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createReadModelCache } from '../http/dispatch/read-model-cache.js';
import { createResponseCache } from '../http/dispatch/response-cache.js';
import type { Services } from '../http/dispatch/services.js';
import { entitlements, products, unlocks } from '../projections/models/catalogue.js';
import { offerings } from '../projections/models/offerings.js';
import { apps, projects } from '../projections/models/projects.js';
import type { ReadModels } from '../projections/queries/read-models.js';

const MIB = 1024 * 1024;
/** Shares of the memory of the machine, and of the largest heap of Node. */
const [SHARE, SHARE_OF_HEAP] = [1 / 20, 1 / 3];
const MIN_MEGABYTES = 48;
const MAX_OFFERING_BYTES = 16 * MIB;

/** `megabytes`: for bodies of subscribers; by default a share of the memory. */
export function createResponseCaches(
  docs: DocStore,
  readModels: ReadModels,
  runtime: Runtime,
  megabytes = fittingMegabytes(),
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
      // Once as text, and about twice as much as objects.
      sizeOf: ({ text }) => 3 * text.length,
    }),
  };
}

/** A container is told of its limit; without one the system names none, or more than there is. */
function fittingMegabytes(): number {
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const bytes = Math.min(memory * SHARE, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  return Math.max(MIN_MEGABYTES, bytes / MIB);
}
