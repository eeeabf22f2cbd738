// Plays one purchase at the current time: a new customer buys a month, the device submits the receipt, the store sends its notification.
import { randomInt } from 'node:crypto';
import { v4 as uuidV4 } from 'uuid';
import { z } from 'zod';
import type { Client, Credentials } from '../client.js';
import { addDuration, offers } from '../offers.js';
import { notificationOf, transactionOf } from './notifications.js';
import { storePayloads, type SignPayload } from './payloads.js';

export type PurchaseRequest = {
  readonly appId: string;
  /** Path that the store sends its notifications to. */
  readonly notificationPath: string;
  /** Credentials for the receipt. */
  readonly as: Credentials;
  readonly nowMs: number;
};

const STOREFRONT = 'USA';
const anything = z.unknown();

export async function playPurchase(
  client: Client,
  sign: SignPayload,
  { appId, notificationPath, as, nowMs }: PurchaseRequest,
): Promise<{ readonly appUserId: string; readonly transactionId: string; readonly storeProductId: string }> {
  const at = Math.floor(nowMs / 1000) * 1000;
  const transactionId = `70${at}${randomInt(100, 1000)}`;
  const { priceMilli, storeProductId } = offers.monthly;
  const bought = {
    ...{ transactionId, chainId: transactionId, chainStartedAt: at, offer: 'monthly' as const },
    ...{
      periodType: 'normal' as const,
      purchasedAt: at,
      expiresAt: addDuration(at, 'P1M'),
      priceMilli,
      isRenewal: false,
    },
  };
  const appUserId = `live-${randomInt(100_000, 1_000_000)}`;
  const payloads = storePayloads(sign);
  const receipt = payloads.signedTransaction(transactionOf(bought, STOREFRONT));
  const body = { store: 'ios-store', receipt, appId };
  await client.ask(anything, 'POST', `/v1/subscribers/${appUserId}/receipts`, { body, as });
  const started = { kind: 'started' as const, at, bought, willRenew: true, graceEndsAt: null };
  const notification = payloads.signedNotification(notificationOf(started, STOREFRONT, uuidV4()));
  await client.ask(anything, 'POST', notificationPath, { body: notification });
  return { appUserId, transactionId, storeProductId };
}
