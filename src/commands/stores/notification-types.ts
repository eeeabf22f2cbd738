// Forms of a store notification: raw, decoded, stored and applied.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { InboxEvent, Outcome } from '../../domain/inbox/inbox.js';
import type { StoreApp } from '../../domain/project/events.js';
import type { CommandContext } from '../handling/run-command.js';
import type { LineUpdate } from './line-update.js';

/** Notification as received. `contentType`: of the body. */
export type RawNotification = {
  readonly projectId: string;
  readonly app: Pick<StoreApp, 'appId' | 'store'>;
  readonly rawBody: string;
  readonly contentType?: string | undefined;
};

export type StoredNotification = Extract<RecordedEvent<InboxEvent>, { type: 'StoreNotificationReceived' }>;

/** Verified and decoded notification. */
export type ReadNotification = Pick<
  StoredNotification['data'],
  'key' | 'notificationType' | 'subtype' | 'decoded' | 'signedAt'
>;

export type AppliedNotification = {
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly eventIds: readonly string[];
  /** Omitted if no customer is affected. */
  readonly customerId?: string | undefined;
};

/** Returns the command context of a translation: equal translations have equal command ids. */
export type NameTranslation = (
  event: StoredNotification,
  translated: LineUpdate | readonly LineUpdate[],
) => CommandContext;
