// Processing of acknowledged notifications of a purchase line before a newer decision about it.
import { Unavailable } from '../../../domain/errors.js';
import { lineKey } from './backlog.js';
import type { StoreDeps } from '../store-integration.js';
import { readReceived } from './inbox.js';

/** `line`: store's identifier of the line, as `lineOf` of the integration returns it. Throws `Unavailable` if the log is unavailable. */
export async function processBacklogOfLine(deps: StoreDeps, appId: string, line: string): Promise<void> {
  const key = lineKey(appId, line);
  for (const stream of deps.backlog.of(key)) {
    const event = await readReceived(deps, stream);
    const store = event && deps.stores.of(event.data.store);
    try {
      if (event) await store?.process(deps, event);
    } catch (err) {
      // A failure here is left to the worker, which retries or parks it.
      if (err instanceof Unavailable && !store?.requiresStoreRequest) throw err;
      return;
    }
    deps.backlog.done(key, stream);
  }
}
