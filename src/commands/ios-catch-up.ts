// Reads what the ios-store has sent while nobody answered: its history of notifications, through the same door as the notifications
// themselves. What is known already appends nothing.
import { checkBelongsToApp, InvalidSignedData } from '../adapters/ios-store/port.js';
import type { App } from '../domain/project/events.js';
import { isoFromMs } from '../domain/time.js';
import { openIosKey } from './credentials.js';
import type { Deps } from './deps.js';
import { receiveIosNotification } from './inbox.js';
import { NoCredentials } from './no-credentials.js';
import { addStoreTask, type StoreWork } from './store-tasks.js';

type CatchUp = Extract<StoreWork, { kind: 'catch-up' }>;

const DAY_MS = 86_400_000;
const FIRST_LOOK_MS = 30 * DAY_MS;
/** A notification is in the history a little after it was sent; and clocks differ. */
const OVERLAP_MS = 3_600_000;
export const CATCH_UP_EVERY_MS = DAY_MS / 4;

/** Once for each app; it goes on by itself. */
export async function startCatchingUp(deps: Deps, projectId: string, appId: string): Promise<void> {
  const now = deps.runtime.now();
  const work = { kind: 'catch-up' as const, sinceMs: now - FIRST_LOOK_MS };
  await addStoreTask(deps, `catch-up|${appId}`, { projectId, appId, dueAt: isoFromMs(now), work });
}

/** What the next look is to do. Throws {@link NoCredentials}, `IosStoreRefusal` and `Unavailable`; then the same is looked at again. */
export async function catchUp(
  deps: Deps,
  owner: { readonly projectId: string; readonly app: App },
  { sinceMs }: CatchUp,
): Promise<CatchUp> {
  const untilMs = deps.runtime.now();
  const { projectId, app } = owner;
  const key = await openIosKey(deps, { projectId, appId: app.appId });
  if (!key) throw new NoCredentials(app.appId, 'ios-store');
  const store = { appId: app.appId, bundleId: app.storeIdentifier, key };
  for (const environment of key.environments) {
    const sent = deps.iosStore.api.notifications(store, environment, { fromMs: sinceMs, untilMs });
    for await (const signedPayload of sent) await take(deps, owner, signedPayload);
  }
  return { kind: 'catch-up', sinceMs: untilMs - OVERLAP_MS };
}

/** What does not verify, or is another app's, is passed over: the history is as little trusted as a notification. */
async function take(
  deps: Deps,
  { projectId, app }: { readonly projectId: string; readonly app: App },
  signedPayload: string,
): Promise<void> {
  try {
    const decoded = await deps.iosStore.signedData.verifyNotification(signedPayload);
    const storeAppId = app.storeAppId ?? undefined;
    if (checkBelongsToApp(decoded, { bundleId: app.storeIdentifier, storeAppId }) !== null) return;
    await receiveIosNotification(deps, { projectId, app, rawBody: JSON.stringify({ signedPayload }), decoded });
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
  }
}
