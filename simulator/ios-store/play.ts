// Sends the events of a lifecycle to the service: signed store notifications to the notification URL, requests of the app and of support
// with their credentials.
import { v5 as uuidV5 } from 'uuid';
import { z } from 'zod';
import type { AndroidPlayer } from '../android-store/play.js';
import type { Client } from '../client.js';
import type { AppEvent, LifecycleEvent, Lifecycle, StoreEvent } from '../lifecycle-events.js';
import { ENTITLEMENT } from '../offers.js';
import type { SimulatedProject } from '../project.js';
import type { Turn } from '../schedule.js';
import { storePayloads, type SignPayload } from './payloads.js';
import { notificationOf, transactionOf } from './notifications.js';

export type PlaybackContext = {
  readonly client: Client;
  readonly project: SimulatedProject;
  readonly sign: SignPayload;
  /** Plays the lifecycles of the android-store. */
  readonly android: AndroidPlayer;
  /** Access token of the project's owner. */
  readonly supportToken: string;
  /** Resolves when the service has processed everything sent so far. */
  waitForReactions(): Promise<void>;
};

const UUID_NAMESPACE = '0b7b1d0e-93c4-4f5e-9a58-3f6d0c2e8a11';
const anything = z.unknown();

/** Resolves when the service has accepted the event; its processing may not be finished. */
export async function play({ lifecycle, index, event: happening }: Turn, stage: PlaybackContext): Promise<void> {
  // Earlier events must be processed first: dates in a stream never go back, and the android-store is polled for its current state.
  if (index > 0) await stage.waitForReactions();
  return isStoreEvent(happening)
    ? sendNotification(lifecycle, index, happening, stage)
    : performAppEvent(lifecycle, happening, stage);
}

/** Returns true for events that the store reports in a notification. */
export function isStoreEvent(happening: LifecycleEvent): happening is StoreEvent {
  const { kind } = happening;
  return kind !== 'receipt' && kind !== 'described' && kind !== 'granted';
}

async function sendNotification(
  lifecycle: Lifecycle,
  index: number,
  happening: StoreEvent,
  { client, project, sign, android }: PlaybackContext,
): Promise<void> {
  if (android.plays(lifecycle)) return android.notify(lifecycle, index, happening);
  const uuid = uuidV5(`${lifecycle.index}|${index}`, UUID_NAMESPACE);
  const body = storePayloads(sign).signedNotification(notificationOf(happening, lifecycle.storefront, uuid));
  await client.ask(anything, 'POST', project.notificationPath, { body, atMs: happening.at });
}

async function performAppEvent(lifecycle: Lifecycle, happening: AppEvent, stage: PlaybackContext): Promise<void> {
  const { client, project, sign, android } = stage;
  const atMs = happening.at;
  const isAndroid = android.plays(lifecycle);
  const key = isAndroid ? project.androidKey : project.publicKey;
  const path = `/v1/subscribers/${encodeURIComponent(lifecycle.appUserId ?? '')}`;
  switch (happening.kind) {
    case 'receipt': {
      const signed = () => storePayloads(sign).signedTransaction(transactionOf(happening.bought, lifecycle.storefront));
      const body = isAndroid ? android.receipt(happening.bought) : { store: 'ios-store', receipt: signed() };
      await client.ask(anything, 'POST', `${path}/receipts`, { body, as: { key }, atMs });
      return;
    }
    case 'described': {
      const dated = ([key, value]: [string, string]) => [key, { value, updatedAtMs: happening.at }];
      const attributes = Object.fromEntries(Object.entries(happening.attributes).map(dated));
      await client.ask(anything, 'POST', path, {
        body: { attributes, platform: isAndroid ? 'android' : 'ios' },
        as: { key },
        atMs,
      });
      return;
    }
    case 'granted': {
      const body = { entitlementId: ENTITLEMENT, duration: happening.duration };
      const as = { token: stage.supportToken, projectId: project.projectId };
      await client.ask(anything, 'POST', `${path}/entitlements`, { body, as, atMs });
      return;
    }
  }
}
