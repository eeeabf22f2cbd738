// Service on an empty directory for recording the API examples: its clock advances by a second with each change, both stores are simulated,
// and responses are recorded by route.
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { readConfig } from '../../src/adapters/configuration/config.js';
import type { Runtime } from '../../src/adapters/runtime.js';
import { createPasswords } from '../../src/adapters/passwords/worker.js';
import { startService } from '../../src/main.js';
import { startAndroidStore } from '../../simulator/android-store/server.js';
import { startIosStore } from '../../simulator/ios-store/api-server.js';
import { createCertificateAuthority } from '../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../simulator/ios-store/payloads.js';
import { BUNDLE_ID } from '../../simulator/offers.js';
import { seededRuntime } from './seeded-runtime.js';

// oxlint-disable-next-line typescript/no-explicit-any -- responses are looked into field by field
export type Json = any;
export type RequestCredentials = { readonly token?: string; readonly key?: string; readonly projectId?: string };

export type ExampleService = Awaited<ReturnType<typeof startExampleService>>;

/** Last response by route and status. */
export type RecordedResponses = Map<string, Map<number, unknown>>;

/** Advance of the clock per change. */
const STEP_MS = 1000;
/** Time that no recording takes. */
const MAX_RECORDING_MS = 86_400_000;
const SET_LOOPS: ReadonlySet<string> = new Set(['deadlines', 'report looks']);
/** URL in the recordings. */
const PUBLIC_URL = 'https://subledger.example.com';
const RECEIVER_URL = 'https://hooks.example.com';
const SDK_URL = 'https://sdk.example.com';
/** URL where a response is about the address itself. */
const OWN_URL = 'http://127.0.0.1:3000';
export const IOS_KEY_ID = '2X9R4HXF34';

export async function startExampleService(startMs: number, recorded: RecordedResponses) {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-examples-'));
  const pem = { type: 'pkcs8', format: 'pem' } as const;
  const pair = generateKeyPairSync('ec', {
    ...{ namedCurve: 'P-256', privateKeyEncoding: pem },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const [authority, ios, android] = await Promise.all([
    createCertificateAuthority(),
    startIosStore({ [IOS_KEY_ID]: pair.privateKey }),
    startAndroidStore(BUNDLE_ID),
  ]);
  const root = join(directory, 'root.pem');
  writeFileSync(root, authority.rootPem);
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => response.writeHead(200).end('thank you'));
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const config = readConfig({
    ...{ DATA_DIR: join(directory, 'data'), PORT: '0', COMPAT_PORT: '0', RATE_LIMITS: 'off' },
    ...{ EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.1/32', IOS_STORE_ROOT_CERTIFICATES: root },
    ...{ ...ios.settings, ...android.settings, ACCESS_TOKEN_TTL_SECONDS: '86400' },
  });
  let nowMs = startMs;
  const seeded = seededRuntime(() => nowMs);
  // Deadlines pass, and reports are looked for, only when the clock is advanced.
  const pause: Runtime['pause'] = (loop, ms, signal) =>
    seeded.pause(loop, SET_LOOPS.has(loop) ? MAX_RECORDING_MS : ms, signal);
  const runtime = { ...seeded, pause };
  const passwords = createPasswords({ cost: 4 });
  // Log lines about a demo that is interrupted when the service stops are not of interest.
  const logger = pino({ level: 'silent' });
  const service = await startService(config, runtime, logger, { passwords });
  await service.ready;
  const url = service.url ?? '';

  /**
   * Sends a request. `route` is as in the route table, such as `GET /v1/projects/:id`, with parameters in `o.path`. Throws on an error
   * response.
   */
  const ask = async (route: string, o: RequestOptions = {}): Promise<Json> => {
    const [method = '', template = ''] = route.split(' ');
    if (method !== 'GET') nowMs += STEP_MS;
    const path = template.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(o.path?.[name] ?? missing(name)));
    const response = await fetch(`${url}${path}${o.query ? `?${new URLSearchParams(o.query).toString()}` : ''}`, {
      method,
      headers: {
        ...(o.body !== undefined && { 'content-type': 'application/json' }),
        ...(o.as?.token !== undefined && { authorization: `Bearer ${o.as.token}` }),
        ...(o.as?.key !== undefined && { 'x-api-key': o.as.key }),
        ...(o.as?.projectId !== undefined && { 'x-project-id': o.as.projectId }),
        ...o.headers,
      },
      ...(o.body !== undefined && { body: JSON.stringify(o.body) }),
      ...(o.file !== undefined && { body: o.file }),
    });
    const isFeed = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
    const text = isFeed ? await firstLine(response) : await response.text();
    if (!response.ok) throw new Error(`${route} returned ${response.status}: ${text}`);
    const withNames = text.replaceAll(receiverUrl, RECEIVER_URL).replaceAll(service.compatUrl ?? receiverUrl, SDK_URL);
    const shownUrl = route.endsWith('/notification-check') ? OWN_URL : PUBLIC_URL;
    const body: Json = JSON.parse(withNames.replaceAll(url, shownUrl));
    const statuses = recorded.get(route) ?? new Map<number, unknown>();
    recorded.set(route, statuses.set(response.status, body));
    return body;
  };
  const missing = (name: string): never => {
    throw new Error(`missing path parameter :${name}`);
  };
  return {
    ask,
    ...{ ios, android, iosKey: pair.privateKey, payloads: storePayloads(authority.sign), receiverUrl },
    now: () => nowMs,
    /** Advances the clock and passes the deadlines that are due. */
    goOnTo: async (iso: string) => {
      nowMs = Date.parse(iso);
      await service.passDeadlines();
      await service.idle();
    },
    /** Submits a receipt of the test store with a key of its app, as the SDKs do. */
    buyInTestStore: async (key: string, receipt: object): Promise<void> => {
      nowMs += STEP_MS;
      const response = await fetch(`${service.compatUrl ?? ''}/v1/receipts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(receipt),
      });
      if (!response.ok) throw new Error(`the receipt got ${response.status}: ${await response.text()}`);
    },
    idle: () => service.idle(),
    close: async () => {
      await service.stop();
      await Promise.all([ios.close(), android.close()]);
      receiver.closeAllConnections();
      receiver.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

type RequestOptions = {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Record<string, string>;
  readonly body?: unknown;
  /** Content of an uploaded file. */
  readonly file?: string;
  readonly as?: RequestCredentials;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Returns the data of the first line of a live feed. */
async function firstLine(response: Response): Promise<string> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    const [, data] = /^data: (.*)$/m.exec(text) ?? [];
    if (data !== undefined) return data;
  }
  throw new Error('the live feed ended without a line');
}
