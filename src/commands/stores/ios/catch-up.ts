// Catch-up on notifications that the ios-store sent while the service did not respond: reads its notification history and handles it like
// notifications. Duplicates append nothing.
import { InvalidSignedData, IosStoreRefusal } from '../../../domain/errors.js';
import { z } from 'zod';
import type { IosApp, IosNotificationPage } from '../../../adapters/ios-store/port.js';
import { isoFromMs } from '../../../domain/time.js';
import { openIosApp } from './credentials.js';
import type { Deps } from '../../handling/deps.js';
import { receiveNotification } from '../inbox/inbox.js';
import type { AppOwner } from '../store-integration.js';
import { addStoreTask, type NextWork } from '../tasks.js';
import { readNotification, verifyNotification, type IosDeps } from './inbox.js';

/** `at`: position of the scan in progress. */
const scanFields = {
  sinceMs: z.number(),
  at: z
    .object({ environment: z.enum(['Production', 'Sandbox']), untilMs: z.number(), token: z.string().nullable() })
    .exactOptional(),
};
export const catchUpWork = z.object({ kind: z.literal('catch-up'), ...scanFields });
type CatchUpWork = z.output<typeof catchUpWork>;
/** One scan of everything that the store retains, on request. */
export const pastNotificationsWork = z.object({ kind: z.literal('past-notifications'), ...scanFields });
type PastNotificationsWork = z.output<typeof pastNotificationsWork>;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FIRST_SCAN_MS = 30 * DAY_MS;
/** Retention of the store's notifications, less an hour for clock differences. */
const RETENTION_MS = { Production: 180 * DAY_MS - HOUR_MS, Sandbox: 30 * DAY_MS - HOUR_MS };
/** Overlap of scans: a notification appears in the history some time after it was sent, and clocks differ. */
const OVERLAP_MS = HOUR_MS;
const EVERY_MS = DAY_MS / 4;
/** Pages of twenty notifications. A longer history is read in several runs, so that other work gets its turn and a crash costs little. */
const MAX_PAGES_PER_RUN = 25;

/** Starts the catch-up, once for each app; it reschedules itself. */
export async function scheduleCatchUp(deps: Deps, projectId: string, appId: string): Promise<void> {
  const now = deps.runtime.now();
  const work = { kind: 'catch-up' as const, sinceMs: now - FIRST_SCAN_MS };
  await addStoreTask(deps, `catch-up|${appId}`, { projectId, appId, dueAt: isoFromMs(now), work });
}

/** Adds one scan of all notifications that the store retains. Does nothing while such a scan is pending. */
export async function schedulePastNotifications(deps: Deps, projectId: string, appId: string): Promise<void> {
  const now = deps.runtime.now();
  const work = { kind: 'past-notifications' as const, sinceMs: now - RETENTION_MS.Production };
  await addStoreTask(deps, `past-notifications|${appId}`, { projectId, appId, dueAt: isoFromMs(now), work });
}

/** Throws `NoCredentials`, `IosStoreRefusal` and `Unavailable`; then the same scan is repeated. */
export async function catchUp(deps: IosDeps, owner: AppOwner, work: CatchUpWork): Promise<NextWork<CatchUpWork>> {
  const outcome = await scan(deps, owner, work);
  const { sinceMs } = work;
  if ('untilMs' in outcome) {
    return { work: { kind: 'catch-up', sinceMs: outcome.untilMs - OVERLAP_MS }, inMs: EVERY_MS };
  }
  return { work: { kind: 'catch-up', sinceMs, ...outcome.next }, inMs: outcome.inMs };
}

/** Returns null after the last page. Throws as {@link catchUp} does. */
export async function readPastNotifications(
  deps: IosDeps,
  owner: AppOwner,
  work: PastNotificationsWork,
): Promise<NextWork<PastNotificationsWork> | null> {
  const outcome = await scan(deps, owner, work);
  if ('untilMs' in outcome) return null;
  return { work: { kind: 'past-notifications', sinceMs: work.sinceMs, ...outcome.next }, inMs: outcome.inMs };
}
/** End of a complete scan in UTC ms, or the position from which it continues after `inMs`. */
type ScanOutcome = { readonly untilMs: number } | { readonly next: Pick<CatchUpWork, 'at'>; readonly inMs: number };

async function scan(
  deps: IosDeps,
  owner: AppOwner,
  { sinceMs, at }: Pick<CatchUpWork, 'sinceMs' | 'at'>,
): Promise<ScanOutcome> {
  const now = deps.runtime.now();
  const untilMs = at?.untilMs ?? now;
  const store = await openIosApp(deps, owner);
  const { environments } = store.key;
  const firstIndex = at === undefined ? 0 : Math.max(0, environments.indexOf(at.environment));
  let pages = 0;
  for (const environment of environments.slice(firstIndex)) {
    // The store refuses earlier times; notifications from before are lost.
    const span = { fromMs: Math.max(sinceMs, now - RETENTION_MS[environment]), untilMs };
    let token = at?.environment === environment ? at.token : null;
    do {
      const place = { environment, untilMs, token };
      if (pages++ === MAX_PAGES_PER_RUN) return { next: { at: place }, inMs: 0 };
      const page = await pageOf(deps, store, place, span);
      if (!page) return { next: {}, inMs: HOUR_MS };
      for (const signedPayload of page.signedPayloads) await receiveFromHistory(deps, owner, signedPayload);
      token = page.next;
    } while (token !== null);
  }
  return { untilMs };
}

/** Returns null if the store no longer accepts the page token, so that the scan must start again. */
async function pageOf(
  deps: IosDeps,
  store: IosApp,
  { environment, token }: NonNullable<CatchUpWork['at']>,
  span: { readonly fromMs: number; readonly untilMs: number },
): Promise<IosNotificationPage | null> {
  try {
    return await deps.iosStore.api.notifications(store, environment, span, token);
  } catch (err) {
    if (token === null || !(err instanceof IosStoreRefusal) || err.reason !== 'invalid') throw err;
    return null;
  }
}

/** Skips notifications that do not verify or belong to another app: the history is trusted no more than a notification. */
async function receiveFromHistory(deps: IosDeps, owner: AppOwner, signedPayload: string): Promise<void> {
  try {
    const decoded = await verifyNotification(deps, owner.app, signedPayload);
    const raw = { ...owner, rawBody: JSON.stringify({ signedPayload }) };
    await receiveNotification(deps, raw, readNotification(decoded));
  } catch (err) {
    if (!(err instanceof InvalidSignedData)) throw err;
  }
}
