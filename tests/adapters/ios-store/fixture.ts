// Two authorities, the store's and a stranger's, and what the specs of ios-store signed data sign and ask with them.
import { once } from 'node:events';
import type { IosSignedData } from '../../../src/adapters/ios-store/port.js';
import { InvalidSignedData } from '../../../src/domain/errors.js';
import { createIosSignedData } from '../../../src/adapters/ios-store/signed-data.js';
import {
  createCertificateAuthority,
  type CertificateAuthority,
} from '../../../simulator/ios-store/certificate-authority.js';
import { storePayloads, type NotificationFields } from '../../../simulator/ios-store/payloads.js';

export const BUNDLE = 'app.example.weather';
export const NOW = Date.UTC(2026, 10, 20);
export const DAY_MS = 86_400_000;
export const TRANSACTION = {
  transactionId: '2000000002',
  originalTransactionId: '2000000001',
  productId: 'monthly',
  purchaseDate: NOW,
  expiresDate: NOW + 31 * DAY_MS,
  price: 10_990,
};
export const RENEWAL = { originalTransactionId: '2000000001', productId: 'monthly', renewalDate: NOW + 31 * DAY_MS };
export const RENEWED = {
  notificationType: 'DID_RENEW',
  notificationUUID: '11111111-2222-4333-8444-555555555555',
  bundleId: BUNDLE,
  signedDate: NOW,
  transaction: TRANSACTION,
  renewal: RENEWAL,
};

export const store = await createCertificateAuthority();
export const stranger = await createCertificateAuthority();

const untilAborted = async (_ms: number, signal?: AbortSignal): Promise<void> => {
  if (signal && !signal.aborted) await once(signal, 'abort');
};

/** `sleep`: how the limit of an online check passes; without it, never. */
export function verifier(authority = store, now = NOW, onlineChecks = false, sleep = untilAborted): IosSignedData {
  const runtime = { now: () => now, sleep };
  return createIosSignedData({ roots: [Buffer.from(authority.rootPem)], onlineChecks, runtime });
}

export function notification(authority: CertificateAuthority, changes: Partial<NotificationFields> = {}): string {
  return storePayloads(authority.sign).signedNotification({ ...RENEWED, ...changes }).signedPayload;
}

/** Why the text is refused; `accepted` when it is not. Other errors pass through. */
export async function refusal(text: string, ios = verifier()): Promise<string> {
  try {
    await ios.verifyNotification(text);
    return 'accepted';
  } catch (error) {
    if (error instanceof InvalidSignedData) return error.reason;
    throw error;
  }
}

export function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/** Sets bits of the last character that a lenient decoder throws away. */
export function respelled(part: string): string {
  const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return part.slice(0, -1) + ALPHABET[ALPHABET.indexOf(part.slice(-1)) + 1];
}
