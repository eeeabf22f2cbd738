// A whole service on a fresh data directory, a simulated store whose root it trusts, and an HTTP client.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type DestinationStream } from 'pino';
import { readConfig } from '../../../src/adapters/configuration/config.js';
import type { Passwords } from '../../../src/adapters/passwords/port.js';
import { createPasswords } from '../../../src/adapters/passwords/worker.js';
import { systemRuntime, type Runtime } from '../../../src/adapters/runtime.js';
import { startService, type Service } from '../../../src/main.js';
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { createReceiptSigner } from '../../adapters/ios-store/app-receipts.js';
import { storePayloads, type NotificationFields } from '../../../simulator/ios-store/payloads.js';
import { ownEngine } from '../../distributed/servers.js';
import { checkResponse } from './response-check.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into field by field
export type Json = any;
export type HttpResponse = { readonly status: number; readonly body: Json; readonly headers: Headers };
export type Credentials = { readonly token?: string; readonly key?: string; readonly headers?: Record<string, string> };

const authority = await createCertificateAuthority();

/** One thread for the services of all specs, and hashes of the lowest cost: as good for a test, in a hundredth of the time. */
const passwords: Passwords = { ...createPasswords({ cost: 4 }), close: async () => undefined };

export type Harness = Awaited<ReturnType<typeof startHarness>>;

/** `runtime` replaces parts of the real one, such as the clock; log lines go to `lines` if it is given. */
export async function startHarness(
  env: Record<string, string> = {},
  runtime: Partial<Runtime> = {},
  lines?: DestinationStream,
) {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-'));
  const root = join(directory, 'root.pem');
  writeFileSync(root, authority.rootPem);
  const dataDir = join(directory, 'data');
  const own = { DATA_DIR: dataDir, PORT: '0', IOS_STORE_ROOT_CERTIFICATES: root };
  // Nobody listens there: no spec asks the real store.
  const reportsAway = { IOS_STORE_REPORTS_URL: 'http://127.0.0.1:9', ANDROID_STORE_REPORTS_URL: 'http://127.0.0.1:9' };
  const away = {
    IOS_STORE_API_URL: 'http://127.0.0.1:9',
    IOS_STORE_SANDBOX_API_URL: 'http://127.0.0.1:9',
    ...reportsAway,
  };
  // All specs can be run with charts computed in several threads.
  const threads = { CHART_THREADS: process.env['CHART_THREADS'] ?? '1' };
  const defaults = { ...own, ...away, ...threads, RATE_LIMITS: 'off', ...ownEngine() };
  const config = readConfig({ ...defaults, ...env });
  const logger = pino({ level: env['LOG_LEVEL'] ?? 'silent' }, lines ?? pino.destination(1));
  const start = async () => {
    const started = await startService(config, { ...systemRuntime(), ...runtime }, logger, { passwords });
    await started.ready;
    return started;
  };
  let service: Service = await start();
  const call = caller(() => service.url ?? '');
  return {
    call,
    service: () => service,
    dataDir,
    /** `meanwhile`: what is done with the data while nobody serves it. */
    restart: async (meanwhile: () => Promise<unknown> = () => Promise.resolve()) => {
      await service.stop();
      await meanwhile();
      service = await start();
    },
    stop: async () => {
      await service.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export type Call = (method: string, path: string, body?: unknown, as?: Credentials) => Promise<HttpResponse>;

/**
 * A client of the address that `url` returns at the time; of a feed without an end it takes the beginning. Throws for a response whose form
 * is not in the route table.
 */
export function caller(url: () => string): Call {
  return async (method, path, body, as = {}) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(as.token !== undefined && { authorization: `Bearer ${as.token}` }),
        ...(as.key !== undefined && { 'x-api-key': as.key }),
        ...as.headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
      await response.body?.cancel();
      return { status: response.status, body: undefined, headers: response.headers };
    }
    const text = await response.text();
    const result = { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    checkResponse(method, path, result.status, result.body);
    return { ...result, headers: response.headers };
  };
}

export const store = storePayloads(authority.sign);
/** Signs app receipts with certificates of the simulated store. */
export const signAppReceipt = await createReceiptSigner(authority);

export type Slice = {
  readonly token: string;
  readonly projectId: string;
  readonly appId: string;
  readonly notificationPath: string;
  readonly secretKey: string;
  readonly publicKey: string;
  readonly productId: string;
  readonly entitlementId: string;
};

export const BUNDLE_ID = 'com.example.app';
export const MONTHLY = 'com.example.app.pro.month';

let users = 0;

/** A user with a project, an iOS app, a monthly product that unlocks `pro`, a secret and a public key. */
export async function setUpProject({ call }: { readonly call: Call }, settings: object = {}): Promise<Slice> {
  const email = `user${++users}@example.com`;
  const registered = await call('POST', '/auth/register', { email, password: 'correct horse battery' });
  const as = { token: registered.body.accessToken };
  const project = await call('POST', '/v1/projects', { name: 'Example', ...settings }, as);
  const base = `/v1/projects/${project.body.id}`;
  const app = await call('POST', `${base}/apps`, { name: 'iOS', platform: 'ios', bundleId: BUNDLE_ID }, as);
  const appId: string = app.body.id;
  const secret = await call('POST', `${base}/api-keys`, { name: 'server' }, as);
  const open = await call('POST', `${base}/api-keys`, { name: 'app', kind: 'public', appId }, as);
  const fields = { appId, storeProductId: MONTHLY, displayName: 'Pro', type: 'subscription', duration: 'P1M' };
  const product = await call('POST', `${base}/products`, fields, as);
  const entitlement = await call('POST', `${base}/entitlements`, { lookupKey: 'pro', displayName: 'Pro' }, as);
  const eid: string = entitlement.body.id;
  await call('POST', `${base}/entitlements/${eid}/products`, { productIds: [product.body.id] }, as);
  return {
    token: registered.body.accessToken,
    projectId: project.body.id,
    appId,
    notificationPath: new URL(app.body.notificationUrl).pathname,
    secretKey: secret.body.key,
    publicKey: open.body.key,
    productId: product.body.id,
    entitlementId: eid,
  };
}

/** A notification of the simulated store about the example app. */
type About = Pick<NotificationFields, 'notificationType' | 'signedDate'> & Partial<NotificationFields>;

export function notification(fields: About) {
  return store.signedNotification({ bundleId: BUNDLE_ID, environment: 'Production', ...fields });
}
