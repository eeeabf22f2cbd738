// What is kept in memory to respond from, forgotten when the documents that it was made from change.
import type { DocStore } from '../adapters/documents/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createKeptOfferings } from '../http/catalog/kept-offerings.js';
import { createReadModelCache } from '../http/dispatch/read-model-cache.js';
import type { Services } from '../http/dispatch/services.js';
import { createRenderedSubscribers } from '../http/subscribers/rendered-subscribers.js';
import type { ReadModels } from '../projections/queries/read-models.js';

export function keepResponses(
  docs: DocStore,
  readModels: ReadModels,
  runtime: Runtime,
): Pick<Services, 'cached' | 'rendered' | 'keptOfferings'> {
  return {
    cached: createReadModelCache(readModels, runtime, docs),
    rendered: createRenderedSubscribers(docs, runtime),
    keptOfferings: createKeptOfferings(docs),
  };
}
