// Generates signed ios-store notifications and an app for them, and starts processes that send or only verify them.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StorePayloads } from '../simulator/ios-store/payloads.js';
import { nodeOn } from './cores.js';
import type { SendResult } from './send-notifications.js';
import type { VerificationResult } from './verify-notifications.js';

const BUNDLE = 'com.example.app';
/** Number of the app in the store. */
const STORE_APP_ID = 4711;
const PRODUCT = 'com.example.app.pro.month';
const DAY_MS = 86_400_000;

/** Returns a purchase by each customer, then a renewal by each, due now: two distinct, signed payloads per customer. */
export function signedNotifications(store: StorePayloads, first: number, customers: number): string[] {
  const start = Date.now() - 30 * DAY_MS;
  const payload = (i: number, period: number): string => {
    const chain = String(2_000_000_000_000 + i);
    const purchaseDate = start + period * 30 * DAY_MS;
    const transaction = {
      transactionId: period === 0 ? chain : String(3_000_000_000_000 + i),
      originalTransactionId: chain,
      productId: PRODUCT,
      purchaseDate,
      originalPurchaseDate: start,
      expiresDate: purchaseDate + 30 * DAY_MS,
      price: 9990,
      currency: 'USD',
      storefront: 'USA',
      transactionReason: period === 0 ? ('PURCHASE' as const) : ('RENEWAL' as const),
    };
    return store.signedNotification({
      notificationType: period === 0 ? 'SUBSCRIBED' : 'DID_RENEW',
      ...(period === 0 && { subtype: 'INITIAL_BUY' }),
      bundleId: BUNDLE,
      appAppleId: STORE_APP_ID,
      environment: 'Production',
      signedDate: purchaseDate,
      transaction,
      renewal: { originalTransactionId: chain, productId: PRODUCT },
    }).signedPayload;
  };
  return [0, 1].flatMap((period) => Array.from({ length: customers }, (_, i) => payload(first + i, period)));
}

const USER = { email: 'bench@example.com', password: 'correct horse battery' };

export type CreatedApp = {
  /** Notification URL. */
  readonly target: URL;
  /** Access token, valid for an hour; see {@link logIn}. */
  readonly token: string;
  readonly projectId: string;
  /** Public API key of the app. */
  readonly publicKey: string;
};

/** Creates a user, a project, an app and its product, over HTTP. */
export async function createApp(url: string): Promise<CreatedApp> {
  const token = String((await post(`${url}/auth/register`, USER))['accessToken']);
  return createAppOfUser(url, token);
}

/** Creates another project of the user of {@link createApp}, with an app and its product. */
export async function createAppOfUser(url: string, token: string): Promise<CreatedApp> {
  const project = await post(`${url}/v1/projects`, { name: 'Bench' }, token);
  const projectId = String(project['id']);
  const base = `${url}/v1/projects/${projectId}`;
  const app = await post(`${base}/apps`, { name: 'iOS', platform: 'ios', bundleId: BUNDLE }, token);
  const product = { appId: app['id'], storeProductId: PRODUCT, displayName: 'Pro' };
  await post(`${base}/products`, { ...product, type: 'subscription', duration: 'P1M' }, token);
  const { key } = await post(`${base}/api-keys`, { name: 'app', kind: 'public', appId: app['id'] }, token);
  const target = new URL(new URL(String(app['notificationUrl'])).pathname, url);
  return { target, token, projectId, publicKey: String(key) };
}

/** Returns a new token of the user of {@link createApp}. */
export async function logIn(url: string): Promise<string> {
  return String((await post(`${url}/auth/login`, USER))['accessToken']);
}

async function post(url: string, body: object, token?: string): Promise<Record<string, unknown>> {
  const headers = {
    'content-type': 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} returned ${response.status}: ${await response.text()}`);
  const reply: Record<string, unknown> = JSON.parse(await response.text());
  return reply;
}

/** Writes request bodies, one per line. */
export function writeNotifications(file: string, signed: readonly string[]): void {
  writeFileSync(file, signed.map((signedPayload) => JSON.stringify({ signedPayload })).join('\n'));
}

/** Sends the notifications of the file, at most `inFlight` at once. Throws unless all get 200. */
export function sendNotifications(target: URL, file: string, inFlight: number, core?: number): Promise<SendResult> {
  return runInProcess('./send-notifications.ts', [target.href, file, String(inFlight)], core);
}

/** Verifies the notifications of the file, and does nothing else. */
export function verifyNotifications(
  file: string,
  rootFile: string,
  inFlight: number,
  core?: number,
): Promise<VerificationResult> {
  return runInProcess('./verify-notifications.ts', [file, rootFile, String(inFlight)], core);
}

/** Runs a script of this folder in a separate process and returns its printed result. */
async function runInProcess<T>(script: string, args: readonly string[], core: number | undefined): Promise<T> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const options = ['--max-semi-space-size=64', '--import=tsx'];
  const child = spawn(...nodeOn(core, [...options, path, ...args]), { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`${script} ended with ${String(code)}`);
  const result: T = JSON.parse(output);
  return result;
}
