// The android-store: the parts of Play Developer API v3 about purchases, of which every read is a full snapshot, over one outbound client,
// which may reach the configured addresses even when they are private.
import { z } from 'zod';
import { AndroidStoreRefusal, type StoreRefusalReason, StoreUnavailable } from '../../domain/errors.js';
import type { Config } from '../configuration/config.js';
import { type CredentialVerdicts, callWithCredentials, requestStore, readResponse } from '../outbound/store-request.js';
import type { Outbound, OutboundResponse } from '../outbound/port.js';
import { createOutbound } from '../outbound/undici.js';
import type { Runtime } from '../runtime.js';
import { createStoreAccessTokens, type AccessTokens } from './access-tokens.js';
import { orderSchema, ordersSchema } from './order-payloads.js';
import {
  productSchema,
  productV2Schema,
  subscriptionSchema,
  voidedPurchaseSchema,
  voidedPurchasesSchema,
} from './payloads.js';
import type { AndroidStorePort, AndroidApp, AndroidStoreApi, AndroidVoidedPurchase } from './port.js';
import { createPushTokens } from './push-tokens.js';
import { createAndroidReports, REPORT_SCOPE } from './report-bucket.js';

type AndroidStore = AndroidStorePort & { prepare(): Promise<void>; close(): Promise<void> };

type Parts = {
  readonly config: Config;
  readonly runtime: Pick<Runtime, 'now' | 'elapsed'>;
  readonly verdicts: CredentialVerdicts;
};

export function openAndroidStore({ config, runtime, verdicts }: Parts): AndroidStore {
  const { ANDROID_STORE_API_URL: baseUrl, ANDROID_STORE_TOKEN_URL: tokenUrl, ANDROID_STORE_JWKS_URL: jwksUrl } = config;
  const { ANDROID_STORE_REPORTS_URL: reportsUrl } = config;
  const outbound = createOutbound({
    egress: { allowHttp: false, allowCidrs: [] },
    trusted: [baseUrl, tokenUrl, jwksUrl, reportsUrl],
  });
  const accessTokens = createStoreAccessTokens({ outbound, tokenUrl, scope: PURCHASE_SCOPE, runtime });
  const reportTokens = createStoreAccessTokens({ outbound, tokenUrl, scope: REPORT_SCOPE, runtime });
  const pushTokens = createPushTokens({ outbound, jwksUrl, runtime });
  return {
    api: createAndroidStoreApi({ outbound, accessTokens, baseUrl, verdicts }),
    reports: createAndroidReports({ outbound, accessTokens: reportTokens, baseUrl: reportsUrl }),
    pushTokens,
    // This store loads no library of its own.
    prepare: () => Promise.resolve(),
    close: () => outbound.close(),
  };
}

const PURCHASE_SCOPE = 'https://www.googleapis.com/auth/androidpublisher';
/** Limit of a million entries: an endless list must not be read endlessly. */
const MAX_PAGES = 1000;

/** Creates the client. `baseUrl` has no trailing slash. */
function createAndroidStoreApi(o: {
  readonly outbound: Outbound;
  readonly accessTokens: AccessTokens;
  readonly baseUrl: string;
  readonly verdicts: CredentialVerdicts;
}): AndroidStoreApi {
  const isRefused = (err: unknown) => err instanceof AndroidStoreRefusal && err.reason === 'forbidden';

  function call(app: AndroidApp, method: 'GET' | 'POST', path: string): Promise<OutboundResponse> {
    const { verdicts } = o;
    return callWithCredentials({ verdicts, appId: app.appId, isRefused }, () => send(app, method, path));
  }

  async function send(
    app: AndroidApp,
    method: 'GET' | 'POST',
    path: string,
    content?: object,
  ): Promise<OutboundResponse> {
    const url = `${o.baseUrl}/androidpublisher/v3/applications/${encodeURIComponent(app.packageName)}${path}`;
    const authorized = async () => {
      const accepted = { authorization: `Bearer ${await o.accessTokens.get(app)}`, accept: 'application/json' };
      const headers = content === undefined ? accepted : { ...accepted, 'content-type': 'application/json' };
      return requestStore(o.outbound, {
        method,
        url,
        headers,
        call: template(path),
        ...(method === 'POST' && { body: content === undefined ? '' : JSON.stringify(content) }),
      });
    };
    const first = await authorized();
    if (first.status !== 401) return expectSuccess(first);
    // The token may have been revoked early; a second 401 is final.
    o.accessTokens.forget(app);
    return expectSuccess(await authorized());
  }

  async function read<S extends z.ZodType>(schema: S, app: AndroidApp, path: string): Promise<z.output<S>> {
    return readResponse(schema, await call(app, 'GET', path));
  }

  const readOldProduct = (app: AndroidApp, productId: string, token: string) =>
    read(productSchema, app, `/purchases/products/${part(productId)}/tokens/${part(token)}`);

  return {
    subscription: (app, token) => read(subscriptionSchema, app, `/purchases/subscriptionsv2/tokens/${part(token)}`),
    product: async (app, productId, token) => {
      try {
        return await read(productV2Schema, app, `/purchases/productsv2/tokens/${part(token)}`);
      } catch (err) {
        if (!(err instanceof AndroidStoreRefusal) || err.reason === 'forbidden') throw err;
        return readOldProduct(app, productId, token);
      }
    },
    oldProduct: readOldProduct,
    // An account with access to purchases may have none to orders: a refusal here is not recorded as a fault of its key.
    order: async (app, orderId) => readResponse(orderSchema, await send(app, 'GET', `/orders/${part(orderId)}`)),
    orders: async (app, orderIds) => {
      const query = new URLSearchParams(orderIds.map((id): [string, string] => ['orderIds', id])).toString();
      const { orders } = readResponse(ordersSchema, await send(app, 'GET', `/orders:batchGet?${query}`));
      return new Map(orders.flatMap((order) => (order.orderId === undefined ? [] : [[order.orderId, order]])));
    },
    voidedPurchases: async (app, sinceMs) => {
      const voided: AndroidVoidedPurchase[] = [];
      const faults: string[] = [];
      let page: string | undefined;
      for (let pages = 0; pages < MAX_PAGES; pages++) {
        const query = new URLSearchParams({ startTime: String(sinceMs), type: '1', maxResults: '1000' });
        query.set('includeQuantityBasedPartialRefund', 'true');
        if (page !== undefined) query.set('token', page);
        const response = await read(voidedPurchasesSchema, app, `/purchases/voidedpurchases?${query.toString()}`);
        for (const row of response.voidedPurchases) {
          const { success, data, error } = voidedPurchaseSchema.safeParse(row);
          if (success) voided.push(data);
          else faults.push(...error.issues.map((issue) => issue.path.join('.') || issue.message));
        }
        page = response.tokenPagination?.nextPageToken;
        if (page === undefined) break;
      }
      await o.verdicts.record(app.appId, { kind: 'readInPart', error: describeFaults(faults) });
      return voided;
    },
    reviewRefund: async (app, orderId, review) => {
      await send(app, 'POST', `/orders/${part(orderId)}:reviewrefund`, review);
    },
    acknowledge: async (app, kind, productId, token) => {
      const collection = kind === 'subscription' ? 'subscriptions' : 'products';
      await call(app, 'POST', `/purchases/${collection}/${part(productId)}/tokens/${part(token)}:acknowledge`);
    },
  };
}

/** Encodes an ID of the client. Throws {@link AndroidStoreRefusal} for one that URL parsers remove: the request would reach another resource. */
function part(id: string): string {
  if (id === '.' || id === '..') throw new AndroidStoreRefusal('unknown', `the store knows no ${id}`);
  return encodeURIComponent(id);
}

/** Returns the kind of resource in a path, without the IDs and tokens, which must not be traced: `/purchases/products`. */
function template(path: string): string {
  const [, first = '', second = ''] = path.split(/[/?]/);
  return first === 'purchases' ? `/${first}/${second}` : `/${first}`;
}

function describeFaults(faults: readonly string[]): string | null {
  const names = [...new Set(faults)].slice(0, MAX_NAMED_FAULTS).join(', ');
  return names === '' ? null : `some voided purchases were skipped because of invalid fields: ${names}`;
}

const MAX_NAMED_FAULTS = 5;

const REFUSALS: Readonly<Record<number, StoreRefusalReason>> = {
  401: 'forbidden',
  403: 'forbidden',
  404: 'unknown',
  410: 'gone',
};

function expectSuccess(response: OutboundResponse): OutboundResponse {
  if (response.status < 300) return response;
  // The store is changing the purchase itself.
  if (response.status === 409) throw new StoreUnavailable('the store is busy with this purchase', 5);
  const detail = `the store responded with ${response.status}`;
  if (response.status === NOT_FOUND && isAboutPackage(response))
    throw new AndroidStoreRefusal('forbidden', `${detail}: it knows no app with this package name`);
  throw new AndroidStoreRefusal(REFUSALS[response.status] ?? 'invalid', detail);
}

const NOT_FOUND = 404;
const notFound = z.object({
  error: z.object({
    message: z.string().default(''),
    errors: z.array(z.object({ reason: z.string().default('') })).default([]),
  }),
});

/** A wrong package name is a fault of the app's registration: no purchase of a customer may be refused for it. */
function isAboutPackage(response: OutboundResponse): boolean {
  const { message, errors } = readResponse(notFound.catch(NO_DETAILS), response).error;
  return (
    errors.some(({ reason }) => reason === 'applicationNotFound') || /^(Package not found|No application)/.test(message)
  );
}

const NO_DETAILS = { error: { message: '', errors: [] } };
