// What is kept in memory to respond from, forgotten when the documents that it was made from change.
import { totalmem } from 'node:os';
import type { DocStore } from '../adapters/documents/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createKeptOfferings } from '../http/catalog/kept-offerings.js';
import { createReadModelCache } from '../http/dispatch/read-model-cache.js';
import type { Services } from '../http/dispatch/services.js';
import { createRenderedSubscribers } from '../http/subscribers/rendered-subscribers.js';
import type { ReadModels } from '../projections/queries/read-models.js';

const MIB = 1024 * 1024;
/** Of the memory that the process may use, and at least and at most so many MiB. */
const SHARE = 1 / 50;
const [LEAST, MOST] = [48, 512];

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
  const bytes = Math.min(process.constrainedMemory() || Infinity, totalmem());
  return Math.min(MOST, Math.max(LEAST, (bytes * SHARE) / MIB));
}
