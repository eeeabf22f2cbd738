// Plays lives to the service: what the store tells goes out signed to the notification address, what the app and support do goes out
// with their credentials. One customer's happenings keep their order; customers run beside each other.
import { setTimeout as wait } from 'node:timers/promises';
import { v5 as uuidV5 } from 'uuid';
import { z } from 'zod';
import type { AndroidVoice } from '../android-store/play.js';
import type { Client } from '../client.js';
import type { AppHappening, Life, StoreHappening } from '../happenings.js';
import { ENTITLEMENT } from '../offers.js';
import type { SimulatedProject } from '../project.js';
import { storePayloads, type SignPayload } from './payloads.js';
import { notificationOf, transactionOf } from './words.js';

export type Stage = {
  readonly client: Client;
  readonly project: SimulatedProject;
  readonly sign: SignPayload;
  /** Speaks for the lives that are led in the other store. */
  readonly android: AndroidVoice;
  readonly signal: AbortSignal;
  /** Called after each happening that the service took. */
  onPlayed(isNotification: boolean): void;
};

const CUSTOMERS_AT_ONCE = 32;
const UUID_NAMESPACE = '0b7b1d0e-93c4-4f5e-9a58-3f6d0c2e8a11';
const POLL_MS = 25;
const MOST_POLLS = 400;

const anything = z.unknown();
const found = z.object({ items: z.array(anything) });

/** Resolves when the service has taken every happening; what it makes of the last ones may still be on its way. */
export async function playLives(lives: readonly Life[], stage: Stage): Promise<void> {
  const waiting = lives.values();
  const playOneAfterAnother = async () => {
    // All share one iterator, so that each life is played once.
    for (const life of waiting) await playLife(life, stage);
  };
  await Promise.all(Array.from({ length: CUSTOMERS_AT_ONCE }, playOneAfterAnother));
}

async function playLife(life: Life, stage: Stage): Promise<void> {
  for (const [index, happening] of life.happenings.entries()) {
    stage.signal.throwIfAborted();
    const { kind } = happening;
    const isNotification = kind !== 'receipt' && kind !== 'described' && kind !== 'granted';
    if (isNotification) await tell(life, index, happening, stage);
    else await act(life, happening, stage);
    stage.onPlayed(isNotification);
  }
}

async function tell(
  life: Life,
  index: number,
  happening: StoreHappening,
  { client, project, sign, android }: Stage,
): Promise<void> {
  if (android.plays(life)) return android.tell(life, index, happening);
  const uuid = uuidV5(`${life.index}|${index}`, UUID_NAMESPACE);
  const body = storePayloads(sign).signedNotification(notificationOf(happening, life.storefront, uuid));
  await client.ask(anything, 'POST', project.notificationPath, { body });
}

async function act(life: Life, happening: AppHappening, stage: Stage): Promise<void> {
  const { client, project, sign, android } = stage;
  const isAndroid = android.plays(life);
  const key = isAndroid ? project.androidKey : project.publicKey;
  const path = `/v1/subscribers/${encodeURIComponent(life.appUserId ?? '')}`;
  switch (happening.kind) {
    case 'receipt': {
      if (happening.isLate)
        await untilKnown(isAndroid ? android.receipt(happening.bought).receipt : happening.bought.transactionId, stage);
      const signed = () => storePayloads(sign).signedTransaction(transactionOf(happening.bought, life.storefront));
      const body = isAndroid ? android.receipt(happening.bought) : { store: 'ios-store', receipt: signed() };
      await client.ask(anything, 'POST', `${path}/receipts`, { body, as: { key } });
      return;
    }
    case 'described': {
      const dated = ([key, value]: [string, string]) => [key, { value, updatedAtMs: happening.at }];
      const attributes = Object.fromEntries(Object.entries(happening.attributes).map(dated));
      await client.ask(anything, 'POST', path, {
        body: { attributes, platform: isAndroid ? 'android' : 'ios' },
        as: { key },
      });
      return;
    }
    case 'granted': {
      const body = { entitlementId: ENTITLEMENT, duration: happening.duration };
      const as = { token: project.token, projectId: project.projectId };
      await client.ask(anything, 'POST', `${path}/entitlements`, { body, as });
      return;
    }
  }
}

/** Days lie between the purchase and the log-in that follows it; played in a row, the service may still be at the former. */
async function untilKnown(transactionId: string, { client, project, signal }: Stage): Promise<void> {
  const path = `/v1/projects/${project.projectId}/customers?search=${transactionId}`;
  for (let polls = 0; polls < MOST_POLLS; polls++) {
    const { items } = await client.ask(found, 'GET', path, { as: { key: project.secretKey } });
    if (items.length > 0) return;
    await wait(POLL_MS, undefined, { signal });
  }
  // A receipt before the store's word is legal too: the story only loses its anonymous beginning.
}
