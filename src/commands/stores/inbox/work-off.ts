// Processing of acknowledged notifications of a purchase line before a newer decision about it.
import { Unavailable } from '../../../domain/errors.js';
import { lineKey } from './backlog.js';
import type { FindByAccountToken } from '../received.js';
import type { StoreDeps } from '../store-integration.js';
import { receivedIn } from './inbox.js';

/** `line`: the store's name of it, as `lineOfNotification` returns it. Throws `Unavailable` when the log cannot be reached. */
export async function workOffLine(
  deps: StoreDeps,
  find: FindByAccountToken,
  appId: string,
  line: string,
): Promise<void> {
  const key = lineKey(appId, line);
  for (const stream of deps.backlog.of(key)) {
    const event = await receivedIn(deps, stream);
    const store = event && deps.stores.of(event.data.store);
    try {
      if (event) await store?.workOff(deps, find, event);
    } catch (err) {
      // A failure here is left to the worker, which retries or parks it.
      if (err instanceof Unavailable && !store?.asksToWorkOff) throw err;
      return;
    }
    deps.backlog.done(key, stream);
  }
}
