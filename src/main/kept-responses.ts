// What is kept in memory to respond from, forgotten when the documents that it was made from change.
import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import type { DocStore } from '../adapters/documents/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createKeptOfferings } from '../http/catalog/kept-offerings.js';
import { createReadModelCache } from '../http/dispatch/read-model-cache.js';
import type { Services } from '../http/dispatch/services.js';
import { createRenderedSubscribers } from '../http/subscribers/rendered-subscribers.js';
import type { ReadModels } from '../projections/queries/read-models.js';

const MIB = 1024 * 1024;
/** Of the memory that there is, and of what Node takes for objects at most; MiB at least. */
const [SHARE, SHARE_OF_HEAP] = [1 / 20, 1 / 3];
const LEAST = 48;

/** `megabytes`: for bodies of subscribers; by the memory that there is when it is left out. */
export function keepResponses(
  docs: DocStore,
  readModels: ReadModels,
  runtime: Runtime,
  megabytes = fittingMegabytes(),
): Pick<Services, 'cached' | 'rendered' | 'keptOfferings'> {
  return {
    cached: createReadModelCache(readModels, runtime, docs),
    rendered: createRenderedSubscribers(docs, runtime, megabytes * MIB),
    keptOfferings: createKeptOfferings(docs),
  };
}

/** A container is told of its limit; without one the system names none, or more than there is. */
function fittingMegabytes(): number {
  const memory = Math.min(process.constrainedMemory() || Infinity, totalmem());
  const bytes = Math.min(memory * SHARE, getHeapStatistics().heap_size_limit * SHARE_OF_HEAP);
  return Math.max(LEAST, bytes / MIB);
}
