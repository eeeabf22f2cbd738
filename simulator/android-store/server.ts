// The android-store's servers on loopback: purchases by token, orders, voided purchases, access tokens, and the keys of push messages. They
// respond from a state that the caller fills.
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createIdentity, type Identity } from './identity.js';
import { productResourceV2 } from './payloads.js';
import { BUCKET_PATH, createAndroidReportServer, type AndroidReportServer } from './report-server.js';

type Resource = Readonly<Record<string, unknown>>;

/** Resources of the API: purchases by token, orders by ID. */
export type AndroidStoreState = {
  readonly subscriptions: Map<string, Resource>;
  readonly products: Map<string, { readonly productId: string; readonly resource: Resource }>;
  readonly orders: Map<string, Resource>;
  readonly voided: Resource[];
  /** Tokens in the order in which they were acknowledged. */
  readonly acknowledged: string[];
  /** Answers to its questions about refunds, by order. */
  readonly reviews: Map<string, unknown>;
  /** Number of reads by token. */
  readonly reads: Map<string, number>;
};

export type SimulatedAndroidStore = AndroidStoreState & {
  readonly identity: Identity;
  readonly reports: AndroidReportServer;
  /** Values of `ANDROID_STORE_API_URL`, `ANDROID_STORE_TOKEN_URL`, `ANDROID_STORE_JWKS_URL` and `ANDROID_STORE_REPORTS_URL`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Method and path of each API request, with the query of one for many orders. */
  readonly requests: string[];
  /** Status of each response to a request for an access token. */
  readonly tokenResponses: number[];
  /** Makes the purchase API respond with this status, to all paths or to those that match; null ends that. */
  setFailure(status: number | null, paths?: RegExp): void;
  /** Resolves at the next read of the token, or after ten seconds. */
  nextRead(token: string): Promise<void>;
  /** Revokes all access tokens. */
  revokeAccessTokens(): void;
  close(): Promise<void>;
};

const READ_TIMEOUT_MS = 10_000;
const PURCHASE_SCOPE = 'https://www.googleapis.com/auth/androidpublisher';

type Reply = { readonly status: number; readonly body?: unknown };

const API = /^\/androidpublisher\/v3\/applications\/([^/]+)\/(.+)$/;
const NO_APP: Reply = {
  status: 404,
  body: {
    error: {
      code: 404,
      message: 'No application was found for the given package name.',
      errors: [{ domain: 'androidpublisher', reason: 'applicationNotFound', location: 'packageName' }],
    },
  },
};
/** The store's method `orders.reviewrefund`. */
const REVIEW = /^orders\/([^/]+):reviewrefund$/;
const NOT_FOUND: Reply = { status: 404, body: { error: { code: 404, message: 'not found' } } };

/** Push tokens are dated by the system clock, like the library that verifies them. */
export function startAndroidStore(...packageNames: readonly string[]): Promise<SimulatedAndroidStore> {
  return openAndroidStore({ packageNames });
}

/** `sessionSeconds`: lifetime of an access token. */
export async function openAndroidStore({
  packageNames,
  sessionSeconds = 3600,
}: {
  readonly packageNames: readonly string[];
  readonly sessionSeconds?: number;
}): Promise<SimulatedAndroidStore> {
  const identity = createIdentity(() => Date.now());
  const state: AndroidStoreState = {
    subscriptions: new Map(),
    products: new Map(),
    orders: new Map(),
    voided: [],
    acknowledged: [],
    reviews: new Map(),
    reads: new Map(),
  };
  const waiting = new Map<string, Set<() => void>>();
  const recordRead = (token: string): void => {
    state.reads.set(token, (state.reads.get(token) ?? 0) + 1);
    const all = waiting.get(token);
    waiting.delete(token);
    for (const resolve of all ?? []) resolve();
  };
  /** Scopes of access tokens. */
  const sessions = new Map<string, string>();
  const {
    state: reportState,
    serve: serveReports,
    ...reportServer
  } = createAndroidReportServer((t) => sessions.get(t));
  const requests: string[] = [];
  const tokenResponses: number[] = [];
  let failure: { readonly status: number; readonly paths: RegExp } | null = null;

  const grant = (form: string): Reply => {
    const assertion = new URLSearchParams(form).get('assertion') ?? '';
    const scope = identity.scopeOfGrant(assertion);
    if (scope === null) return { status: 400, body: { error: 'invalid_grant' } };
    const token = randomUUID();
    sessions.set(token, scope);
    return { status: 200, body: { access_token: token, expires_in: sessionSeconds, token_type: 'Bearer' } };
  };

  const purchases = (request: IncomingMessage, url: URL, body: string): Reply => {
    const [, name = '', path = ''] = API.exec(url.pathname) ?? [];
    const names = path === 'orders:batchGet' ? url.search : '';
    requests.push(`${request.method ?? ''} ${path}${names}`);
    if (failure?.paths.test(url.pathname)) return { status: failure.status };
    const session = request.headers.authorization?.replace('Bearer ', '') ?? '';
    if (sessions.get(session) !== PURCHASE_SCOPE) return { status: 401, body: { error: { code: 401 } } };
    if (!packageNames.includes(decodeURIComponent(name))) return NO_APP;
    const [, reviewed] = REVIEW.exec(path) ?? [];
    if (request.method === 'POST' && reviewed !== undefined) return review(state, reviewed, body);
    return request.method === 'POST'
      ? acknowledge(state, path)
      : readResource(state, recordRead, path, url.searchParams);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://store');
      const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
      if (BUCKET_PATH.test(url.pathname)) return serveReports(token, response, url);
      const respond = () => {
        if (url.pathname === '/token') {
          const reply = grant(Buffer.concat(chunks).toString());
          tokenResponses.push(reply.status);
          return reply;
        }
        if (url.pathname === '/certs') return { status: 200, body: identity.keySet() };
        return purchases(request, url, Buffer.concat(chunks).toString());
      };
      const { status, body } = respond();
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...state,
    reports: { ...reportState, ...reportServer },
    identity,
    requests,
    tokenResponses,
    settings: {
      ANDROID_STORE_API_URL: url,
      ANDROID_STORE_TOKEN_URL: `${url}/token`,
      ANDROID_STORE_JWKS_URL: `${url}/certs`,
      ANDROID_STORE_REPORTS_URL: url,
    },
    setFailure: (status, paths = /./) => {
      failure = status === null ? null : { status, paths };
    },
    revokeAccessTokens: () => sessions.clear(),
    nextRead: (token) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, READ_TIMEOUT_MS);
        const done = () => {
          clearTimeout(timer);
          resolve();
        };
        waiting.set(token, (waiting.get(token) ?? new Set()).add(done));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function readResource(
  state: AndroidStoreState,
  recordRead: (token: string) => void,
  path: string,
  query: URLSearchParams,
): Reply {
  const subscription = /^purchases\/subscriptionsv2\/tokens\/([^/]+)$/.exec(path);
  if (subscription) {
    recordRead(decodePart(subscription[1]));
    return respondWith(state.subscriptions.get(decodePart(subscription[1])));
  }
  const product = /^purchases\/products\/([^/]+)\/tokens\/([^/]+)$/.exec(path);
  if (product) {
    recordRead(decodePart(product[2]));
    const stored = state.products.get(decodePart(product[2]));
    return respondWith(stored?.productId === decodePart(product[1]) ? stored.resource : undefined);
  }
  const productV2 = /^purchases\/productsv2\/tokens\/([^/]+)$/.exec(path);
  if (productV2) {
    recordRead(decodePart(productV2[1]));
    const stored = state.products.get(decodePart(productV2[1]));
    return respondWith(stored && productResourceV2(stored.productId, stored.resource));
  }
  const order = /^orders\/([^/]+)$/.exec(path);
  if (order) return respondWith(state.orders.get(decodePart(order[1])));
  if (path === 'orders:batchGet') {
    const orders = query.getAll('orderIds').map((id) => state.orders.get(id));
    return respondWith(orders.includes(undefined) ? undefined : { orders });
  }
  if (path !== 'purchases/voidedpurchases') return NOT_FOUND;
  const since = Number(query.get('startTime'));
  const voidedPurchases = state.voided.filter((v) => Number(v['voidedTimeMillis']) >= since);
  return { status: 200, body: voidedPurchases.length > 0 ? { voidedPurchases } : {} };
}

/** The first answer counts; later ones are accepted and ignored. */
function review({ orders, reviews }: AndroidStoreState, orderId: string, body: string): Reply {
  if (!orders.has(orderId)) return NOT_FOUND;
  if (!reviews.has(orderId)) reviews.set(orderId, JSON.parse(body));
  return { status: 200, body: {} };
}

/** Marks the purchase as acknowledged. */
function acknowledge(state: AndroidStoreState, path: string): Reply {
  const [, kind, , token] =
    /^purchases\/(subscriptions|products)\/([^/]+)\/tokens\/([^/]+):acknowledge$/.exec(path) ?? [];
  const name = decodePart(token);
  if (kind === 'subscriptions') {
    const stored = state.subscriptions.get(name);
    if (!stored) return NOT_FOUND;
    state.subscriptions.set(name, { ...stored, acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' });
  } else {
    const stored = state.products.get(name);
    if (!stored) return NOT_FOUND;
    state.products.set(name, { ...stored, resource: { ...stored.resource, acknowledgementState: 1 } });
  }
  state.acknowledged.push(name);
  return { status: 200 };
}

function respondWith(resource: Resource | undefined): Reply {
  return resource ? { status: 200, body: resource } : NOT_FOUND;
}

function decodePart(part: string | undefined): string {
  return decodeURIComponent(part ?? '');
}
