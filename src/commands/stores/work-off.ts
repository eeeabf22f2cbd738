// Works off what was acknowledged for a purchase line, before something newer is decided about it.
import { Unavailable } from '../../domain/errors.js';
import { processAndroidNotification } from './android/inbox.js';
import { lineKey } from './backlog.js';
import type { Deps } from '../handling/deps.js';
import { processNotification, receivedIn, type FindByAccountToken } from './inbox.js';

/** `line`: the store's name of it, as `lineOfNotification` says. Throws `Unavailable` when the log cannot be reached. */
export async function workOffLine(deps: Deps, find: FindByAccountToken, appId: string, line: string): Promise<void> {
  const key = lineKey(appId, line);
  for (const stream of deps.backlog.of(key)) {
    const event = await receivedIn(deps, stream);
    try {
      if (event?.data.store === 'android-store') await processAndroidNotification(deps, find, event);
      else if (event) await processNotification(deps, find, event);
    } catch (err) {
      // What cannot be done now is left to the worker, which tries again or parks it.
      if (err instanceof Unavailable && event?.data.store !== 'android-store') throw err;
      return;
    }
    deps.backlog.done(key, stream);
  }
}
