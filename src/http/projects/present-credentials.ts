// Responses about credentials: their existence, their public fields, and the notifications of their store.
import type { CredentialsCheck } from '../../commands/projects/credential-checks.js';
import type { CredentialsRecord } from '../../commands/projects/credentials.js';
import { moduleOf } from '../../commands/stores/modules.js';
import type { App } from '../../domain/project/events.js';
import { isoFromMs } from '../../domain/time.js';
import type { AppNotificationsDoc, HourDoc } from '../../projections/models/app-notifications.js';

export function presentCredentials({ store, createdAt, terms }: CredentialsRecord) {
  const named = moduleOf(store).credentials.show(terms);
  return { object: 'appCredentials', store, configured: true, ...named, createdAt };
}

type StatusSource = {
  readonly app: App;
  readonly isConfigured: boolean;
  readonly check: CredentialsCheck;
  readonly url: string | null;
  readonly received: AppNotificationsDoc | undefined;
  /** Notifications that failed verification, which append no events. */
  readonly refusedOnReceipt: number;
  /** Latest attempt to forward a notification; `status` is null if there was no response. */
  readonly lastForwarding: { readonly at: string; readonly status: number | null } | null;
  readonly nowMs: number;
};

const UNCHECKED: CredentialsCheck = { valid: null, lastCheckedAt: null, lastError: null };
const DAY_MS = 24 * 3600 * 1000;

/** Presents the status of credentials. `valid` is null until they were used at the store. */
export function presentCredentialsStatus({
  app,
  isConfigured,
  check,
  url,
  received: notified,
  refusedOnReceipt: refusedAtDoor,
  lastForwarding: forwarded,
  nowMs,
}: StatusSource) {
  const from = isoFromMs(nowMs - DAY_MS).slice(0, 13);
  const hours = (notified?.hours ?? []).filter((h) => h.hour >= from);
  const sum = (count: Exclude<keyof HourDoc, 'hour'>) => hours.reduce((total, h) => total + h[count], 0);
  return {
    object: 'credentialsStatus',
    store: app.store,
    configured: isConfigured,
    ...(isConfigured ? check : UNCHECKED),
    notifications: {
      url,
      lastReceivedAt: notified?.lastReceivedAt ?? null,
      lastTestAt: notified?.lastTestAt ?? null,
      last24h: {
        received: sum('received'),
        processed: sum('processed'),
        refused: sum('refused') + refusedAtDoor,
      },
      forwarding: {
        url: app.notificationForwardingUrl,
        lastStatus: forwarded?.status ?? null,
        lastAt: forwarded?.at ?? null,
      },
    },
  };
}
