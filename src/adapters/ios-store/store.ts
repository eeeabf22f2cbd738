// The ios-store: verification of signed data, and the parts of App Store Server API 1.x about purchases and notifications. The API client
// may reach the configured addresses even when they are private.
import { z } from 'zod';
import { IosStoreRefusal, StoreUnavailable, UnusableKey } from '../../domain/errors.js';
import type { Config } from '../configuration/config.js';
import { type CredentialVerdicts, callWithCredentials, requestStore, readResponse } from '../outbound/store-request.js';
import { signJwt } from '../keys/signing-keys.js';
import type { Outbound, OutboundResponse } from '../outbound/port.js';
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import { createIosReports } from './finance-reports.js';
import type { IosStorePort, IosApp, IosHistoryScope, IosStoreApi, IosEnvironment } from './port.js';
import { loadRootCertificates } from './root-certificates.js';
import { createIosSignedData } from './signed-data.js';

/** Store with lifecycle: `prepare` loads in advance what the first notification or receipt needs. */
type IosStore = IosStorePort & { prepare(): Promise<void>; close(): Promise<void> };

type Parts = {
  readonly config: Config;
  readonly runtime: Pick<Runtime, 'now' | 'sleep'>;
  readonly verdicts: CredentialVerdicts;
};

/** Opens the store. Throws `UnusableRootCertificates`. */
export function openIosStore({ config, runtime, verdicts }: Parts): IosStore {
  const urls = { production: config.IOS_STORE_API_URL, sandbox: config.IOS_STORE_SANDBOX_API_URL };
  const trusted = loadRootCertificates(config.IOS_STORE_ROOT_CERTIFICATES);
  const egress = { allowHttp: false, allowCidrs: [] };
  const outbound = createOutbound({ egress, trusted: [urls.production, urls.sandbox, config.IOS_STORE_REPORTS_URL] });
  const signedData = createIosSignedData({ ...trusted, onlineChecks: config.IOS_STORE_ONLINE_CHECKS, runtime });
  return {
    api: createIosStoreApi({ outbound, urls, runtime, verdicts }),
    reports: createIosReports({ outbound, baseUrl: config.IOS_STORE_REPORTS_URL, runtime }),
    signedData,
    prepare: signedData.prepare,
    close: () => outbound.close(),
  };
}

const AUDIENCE = 'appstoreconnect-v1';
/** The store accepts tokens with a lifetime of up to an hour. */
const TOKEN_TTL_S = 1200;
/** Limit against endless paging: a weekly subscription reaches it after two centuries. */
const MAX_PAGES = 500;

const PRODUCT_TYPES: Readonly<Record<IosHistoryScope, readonly string[]>> = {
  subscriptions: ['AUTO_RENEWABLE'],
  restorable: ['AUTO_RENEWABLE', 'NON_CONSUMABLE', 'NON_RENEWABLE'],
  all: ['AUTO_RENEWABLE', 'NON_CONSUMABLE', 'NON_RENEWABLE', 'CONSUMABLE'],
};
/** Error codes with status 404 that the store asks to retry: of the account, the app and the purchase. */
const RETRYABLE_CODES: ReadonlySet<number> = new Set([4040002, 4040004, 4040006]);

const APP_NOT_FOUND = 4040003;

const errorCodeResponse = z.object({ errorCode: z.number() }).catch({ errorCode: 0 });
const transactionResponse = z.object({ signedTransactionInfo: z.string() });
const historyResponse = z.object({
  signedTransactions: z.array(z.string()),
  hasMore: z.boolean().default(false),
  revision: z.string().optional(),
});
const statusResponse = z.object({
  data: z.array(
    z.object({
      lastTransactions: z.array(
        z.object({
          originalTransactionId: z.string(),
          status: z.int(),
          signedTransactionInfo: z.string(),
          signedRenewalInfo: z.string().optional(),
        }),
      ),
    }),
  ),
});
const VALID_ORDER = 0;
const orderResponse = z.object({ status: z.int(), signedTransactions: z.array(z.string()).default([]) });
const notificationsResponse = z.object({
  notificationHistory: z.array(z.object({ signedPayload: z.string() })),
  hasMore: z.boolean().default(false),
  paginationToken: z.string().optional(),
});

/** Creates the client. The URLs have no trailing slash. */
export function createIosStoreApi(o: {
  readonly outbound: Outbound;
  readonly urls: { readonly production: string; readonly sandbox: string };
  readonly runtime: Pick<Runtime, 'now'>;
  readonly verdicts: CredentialVerdicts;
}): IosStoreApi {
  const isRefused = (err: unknown) => err instanceof IosStoreRefusal && err.reason === 'forbidden';

  function call(
    app: IosApp,
    environment: IosEnvironment,
    path: string,
    body?: object,
    method: 'POST' | 'PUT' = 'POST',
  ): Promise<OutboundResponse | null> {
    const { verdicts } = o;
    const request = () => send(app, environment, path, body, method);
    return callWithCredentials({ verdicts, appId: app.appId, isRefused }, request);
  }

  async function send(
    app: IosApp,
    environment: IosEnvironment,
    path: string,
    body: object | undefined,
    method: 'POST' | 'PUT',
  ): Promise<OutboundResponse | null> {
    const base = environment === 'Sandbox' ? o.urls.sandbox : o.urls.production;
    const token = await signBearerToken(app, Math.floor(o.runtime.now() / 1000));
    const headers = { authorization: `Bearer ${token}`, accept: 'application/json' };
    const request = body === undefined ? { method: 'GET' as const, headers } : toJsonRequest(method, headers, body);
    const response = await requestStore(o.outbound, {
      ...request,
      url: `${base}/inApps${path}`,
      call: pathWithoutId(path),
    });
    if (response.status < 300) return response;
    if (response.status === 404) return checkNotFound(response, path);
    throw new IosStoreRefusal(
      response.status === 401 ? 'forbidden' : 'invalid',
      `${pathWithoutId(path)} responded with ${response.status}`,
    );
  }

  return {
    async transaction(app, environment, transactionId) {
      const response = await call(app, environment, `/v1/transactions/${encodeURIComponent(transactionId)}`);
      return response && readResponse(transactionResponse, response).signedTransactionInfo;
    },

    async history(app, environment, transactionId, scope, sinceMs) {
      const all: string[] = [];
      const types = PRODUCT_TYPES[scope].map((type) => `&productType=${type}`).join('');
      const since = sinceMs === undefined ? '' : `&startDate=${sinceMs}`;
      const path = `/v2/history/${encodeURIComponent(transactionId)}?sort=ASCENDING${types}${since}`;
      for (let page = 0, revision = ''; page < MAX_PAGES; page++) {
        const response = await call(app, environment, path + revision);
        if (!response) return null;
        const read = readResponse(historyResponse, response);
        all.push(...read.signedTransactions);
        if (!read.hasMore || read.revision === undefined) break;
        revision = `&revision=${encodeURIComponent(read.revision)}`;
      }
      return all;
    },

    async statuses(app, environment, transactionId) {
      const response = await call(app, environment, `/v1/subscriptions/${encodeURIComponent(transactionId)}`);
      if (!response) return null;
      const { data } = readResponse(statusResponse, response);
      return data.flatMap(({ lastTransactions }) =>
        lastTransactions.map((t) => ({ ...t, signedRenewalInfo: t.signedRenewalInfo })),
      );
    },

    async order(app, orderId) {
      const response = await call(app, 'Production', `/v1/lookup/${encodeURIComponent(orderId)}`);
      if (!response) return [];
      const { status, signedTransactions } = readResponse(orderResponse, response);
      return status === VALID_ORDER ? signedTransactions : [];
    },

    async sendConsumption(app, environment, transactionId, information) {
      const path = `/v2/transactions/consumption/${encodeURIComponent(transactionId)}`;
      const response = await call(app, environment, path, information, 'PUT');
      if (!response) throw new IosStoreRefusal('invalid', `${pathWithoutId(path)} does not know the transaction`);
    },

    async notifications(app, environment, { fromMs: startDate, untilMs: endDate }, token) {
      const page = token === null ? '' : `?paginationToken=${encodeURIComponent(token)}`;
      const response = await call(app, environment, `/v1/notifications/history${page}`, { startDate, endDate });
      if (!response) return { signedPayloads: [], next: null };
      const { notificationHistory, hasMore, paginationToken = null } = readResponse(notificationsResponse, response);
      const signedPayloads = notificationHistory.map(({ signedPayload }) => signedPayload);
      return { signedPayloads, next: hasMore ? paginationToken : null };
    },
  };
}

/** Returns the path without its last part, which identifies a transaction and must be neither logged nor traced. */
function pathWithoutId(path: string): string {
  return path.split('/').slice(0, 3).join('/');
}

/** Returns null: the store does not know what was asked for. Throws {@link StoreUnavailable} where it may know it later, {@link IosStoreRefusal} where it knows no such app. */
function checkNotFound(response: OutboundResponse, path: string): null {
  const { errorCode } = readResponse(errorCodeResponse, response);
  // The bundle ID of the app is wrong, or its key is for another app: no purchase of a customer may be refused for it.
  if (errorCode === APP_NOT_FOUND)
    throw new IosStoreRefusal('forbidden', `${pathWithoutId(path)} knows no app with this bundle ID`);
  if (RETRYABLE_CODES.has(errorCode)) throw new StoreUnavailable(`${pathWithoutId(path)} answered ${errorCode}`, 60);
  return null;
}

function toJsonRequest(method: 'POST' | 'PUT', headers: Readonly<Record<string, string>>, body: object) {
  const typed = { ...headers, 'content-type': 'application/json' };
  return { method, headers: typed, body: JSON.stringify(body) };
}

/** Signs the token of a request. Format: the store's page "Generating JSON Web Tokens for API requests". */
async function signBearerToken({ bundleId, key }: IosApp, nowS: number): Promise<string> {
  const claims = { iss: key.issuerId, iat: nowS, exp: nowS + TOKEN_TTL_S, aud: AUDIENCE, bid: bundleId };
  try {
    return await signJwt('ES256', key.privateKey, { keyId: key.keyId, claims });
  } catch (err) {
    throw err instanceof UnusableKey ? new IosStoreRefusal('forbidden', `privateKey ${err.message}`) : err;
  }
}
