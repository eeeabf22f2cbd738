// The ios-store's server on loopback: the history of notifications, the transactions of a chain and its last state. It responds from a
// state that the caller fills.
import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { createIosReportServer, REPORT_PATH, type IosReportServer } from './report-server.js';

export type IosStoreState = {
  /** Signed notifications with the time of sending, in ms since the epoch. */
  readonly notifications: { readonly sentMs: number; readonly signedPayload: string }[];
  /** Signed transactions and renewal infos by original transaction id. */
  readonly chains: Map<
    string,
    { readonly transactions: string[]; readonly renewal: string | undefined; readonly status: number }
  >;
  /** Signed transactions by order id. */
  readonly orders: Map<string, readonly string[]>;
};

export type SimulatedIosStore = IosStoreState & {
  readonly reports: IosReportServer;
  /** Values of `IOS_STORE_API_URL`, `IOS_STORE_SANDBOX_API_URL` and `IOS_STORE_REPORTS_URL`. */
  readonly settings: Readonly<Record<string, string>>;
  /** Method and path of each request. */
  readonly requests: string[];
  /** Time ranges of the requests for notification history, in ms since the epoch. */
  readonly requestedRanges: { readonly startDate: number; readonly endDate: number }[];
  /** Answers to its questions about refunds that it took. */
  readonly consumption: { readonly transactionId: string; readonly body: unknown }[];
  /** Makes the next request with a page token fail. */
  expirePageTokens(): void;
  /** Makes every request fail with this status and the store's error code, after `following` more were answered; null ends that. */
  setFailure(status: number | null, errorCode?: number, following?: number): void;
  close(): Promise<void>;
};

type Reply = { readonly status: number; readonly body?: unknown };

const NOT_FOUND: Reply = { status: 404, body: { errorCode: 4040010, errorMessage: 'not found' } };
const PAGE_SIZE = 20;

const tokenHeader = z.object({ alg: z.literal('ES256'), kid: z.string() });
const tokenClaims = z.object({
  iss: z.string(),
  aud: z.literal('appstoreconnect-v1'),
  bid: z.string(),
  exp: z.number(),
});
const rangeSchema = z.object({ startDate: z.number(), endDate: z.number() });
const payloadSchema = z.object({ transactionId: z.string(), type: z.string(), purchaseDate: z.number() });
/** Product types of transactions, by their name in requests. */
const PRODUCT_TYPES: Readonly<Record<string, string>> = {
  AUTO_RENEWABLE: 'Auto-Renewable Subscription',
  NON_CONSUMABLE: 'Non-Consumable',
  CONSUMABLE: 'Consumable',
  NON_RENEWABLE: 'Non-Renewing Subscription',
};

/** `privateKeys`: issued API keys (PEM) by key ID. */
export async function startIosStore(privateKeys: Readonly<Record<string, string>>): Promise<SimulatedIosStore> {
  const state: IosStoreState = { notifications: [], chains: new Map(), orders: new Map() };
  const { state: reportState, serve: serveReports, setReportFault } = createIosReportServer();
  const requests: string[] = [];
  const requestedRanges: { readonly startDate: number; readonly endDate: number }[] = [];
  const consumption: { readonly transactionId: string; readonly body: unknown }[] = [];
  let failure: Reply | null = null;
  let answeredBefore = 0;
  let arePageTokensExpired = false;

  const respond = (method: string, url: URL, bearer: string, body: string): Reply => {
    requests.push(`${method} ${url.pathname}`);
    if (failure !== null && answeredBefore-- <= 0) return failure;
    if (!isAllowed(bearer, privateKeys)) return { status: 401 };
    const [, asked] = CONSUMPTION.exec(url.pathname) ?? [];
    if (asked !== undefined && method === 'PUT') return takeConsumption(consumption, asked, body);
    const [, version = '', kind = '', id = ''] = /^\/inApps\/(v\d)\/([a-z]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
    if (kind === 'notifications' && id === 'history') {
      const range = rangeSchema.safeParse(JSON.parse(body));
      const names = url.searchParams.has('paginationToken');
      if (!range.success || (names && arePageTokensExpired)) {
        arePageTokensExpired = false;
        return { status: 400 };
      }
      requestedRanges.push(range.data);
      return listNotifications(state, url, range.data);
    }
    if (kind === 'lookup') {
      const signedTransactions = state.orders.get(id);
      return {
        status: 200,
        body: { status: signedTransactions ? 0 : 1, signedTransactions: signedTransactions ?? [] },
      };
    }
    const chain = state.chains.get(id);
    if (!chain) return NOT_FOUND;
    const [first = ''] = chain.transactions;
    const last = chain.transactions.at(-1) ?? first;
    if (kind === 'transactions') {
      const transaction = chain.transactions.findLast((signed) => payloadOf(signed).transactionId === id);
      return { status: 200, body: { signedTransactionInfo: transaction ?? last } };
    }
    if (kind === 'history' && version === 'v2') {
      const types = url.searchParams.getAll('productType');
      const since = Number(url.searchParams.get('startDate') ?? 0);
      const signedTransactions = chain.transactions.filter(
        (signed) => isOfTypes(signed, types) && payloadOf(signed).purchaseDate >= since,
      );
      return { status: 200, body: { signedTransactions, hasMore: false } };
    }
    const lastState = { originalTransactionId: id, status: chain.status };
    const signed = { signedTransactionInfo: last, signedRenewalInfo: chain.renewal };
    return { status: 200, body: { data: [{ lastTransactions: [{ ...lastState, ...signed }] }] } };
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://store');
      if (url.pathname === REPORT_PATH) return serveReports(request, response, url);
      const bearer = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const { status, body } = respond(request.method ?? '', url, bearer, Buffer.concat(chunks).toString());
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}`;
  return {
    ...state,
    reports: { ...reportState, setReportFault },
    settings: { IOS_STORE_API_URL: base, IOS_STORE_SANDBOX_API_URL: base, IOS_STORE_REPORTS_URL: base },
    requests,
    requestedRanges,
    consumption,
    expirePageTokens: () => void (arePageTokensExpired = true),
    setFailure: (status, errorCode, following = 0) => {
      failure = status === null ? null : { status, body: { errorCode } };
      answeredBefore = following;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const CONSUMPTION = /^\/inApps\/v2\/transactions\/consumption\/([^/]+)$/;
/** The body as the store's page "ConsumptionRequest" has it. */
const consumptionSchema = z.strictObject({
  customerConsented: z.literal(true),
  deliveryStatus: z.enum([
    'DELIVERED',
    'UNDELIVERED_QUALITY_ISSUE',
    'UNDELIVERED_WRONG_ITEM',
    'UNDELIVERED_SERVER_OUTAGE',
    'UNDELIVERED_OTHER',
  ]),
  sampleContentProvided: z.boolean(),
  consumptionPercentage: z.int().min(0).max(100_000).optional(),
  refundPreference: z.enum(['DECLINE', 'GRANT_FULL', 'GRANT_PRORATED']).optional(),
});

function takeConsumption(all: SimulatedIosStore['consumption'], transactionId: string, text: string): Reply {
  const { success, data } = consumptionSchema.safeParse(JSON.parse(text));
  if (!success) return { status: 400, body: { errorCode: 4000026, errorMessage: 'Invalid request.' } };
  all.push({ transactionId, body: data });
  return { status: 202 };
}

function listNotifications(
  { notifications }: IosStoreState,
  url: URL,
  { startDate, endDate }: z.output<typeof rangeSchema>,
): Reply {
  const matching = notifications.filter(({ sentMs }) => sentMs >= startDate && sentMs < endDate);
  const from = Number(url.searchParams.get('paginationToken') ?? 0);
  const hasMore = matching.length > from + PAGE_SIZE;
  const notificationHistory = matching.slice(from, from + PAGE_SIZE).map(({ signedPayload }) => ({ signedPayload }));
  return { status: 200, body: { notificationHistory, hasMore, paginationToken: String(from + PAGE_SIZE) } };
}

/** Returns true if the token has the store's audience and the signature of an issued key. */
function isAllowed(bearer: string, privateKeys: Readonly<Record<string, string>>): boolean {
  const [header = '', claims = '', signature = ''] = bearer.split('.');
  const read = tokenHeader.safeParse(decodePart(header));
  const privateKey = read.success ? privateKeys[read.data.kid] : undefined;
  if (privateKey === undefined || !tokenClaims.safeParse(decodePart(claims)).success) return false;
  const key = createPublicKey(privateKey);
  const signed = Buffer.from(`${header}.${claims}`);
  return verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
}

function payloadOf(signed: string): z.output<typeof payloadSchema> {
  const [, part = ''] = signed.split('.');
  return payloadSchema.parse(decodePart(part));
}

/** Without types in the request, every transaction is of them. */
function isOfTypes(signed: string, types: readonly string[]): boolean {
  return types.length === 0 || types.some((type) => PRODUCT_TYPES[type] === payloadOf(signed).type);
}

function decodePart(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString());
  } catch {
    // Invalid JSON; the schema rejects it.
    return undefined;
  }
}
