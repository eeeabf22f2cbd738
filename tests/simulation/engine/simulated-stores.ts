// Both simulated app stores: the purchases of their customers, the notifications, and the responses of their APIs.
import type { IosStorePort, IosNotification } from '../../../src/adapters/ios-store/port.js';
import {
  appTransactionSchema,
  notificationSchema,
  renewalInfoSchema,
  transactionSchema,
} from '../../../src/adapters/ios-store/payloads.js';
import { orderSchema } from '../../../src/adapters/android-store/order-payloads.js';
import {
  productSchema,
  productV2Schema,
  subscriptionSchema,
  voidedPurchaseSchema,
} from '../../../src/adapters/android-store/payloads.js';
import type { AndroidStorePort } from '../../../src/adapters/android-store/port.js';
import { integrateAndroidStore } from '../../../src/commands/stores/android/store.js';
import { integrateIosStore } from '../../../src/commands/stores/ios/store.js';
import { storesOf, type Stores } from '../../../src/commands/stores/store-integration.js';
import { AndroidStoreRefusal, InvalidSignedData, Unavailable } from '../../../src/domain/errors.js';
import { productResourceV2 } from '../../../simulator/android-store/payloads.js';
import { createAndroidPlayer } from '../../../simulator/android-store/play.js';
import type { AndroidStoreState, SimulatedAndroidStore } from '../../../simulator/android-store/server.js';
import type { StoreTransaction, Lifecycle, StoreEvent } from '../../../simulator/lifecycle-events.js';
import { notificationOf, transactionOf } from '../../../simulator/ios-store/notifications.js';
import {
  storePayloads,
  subscriptionStatus,
  type RenewalFields,
  type TransactionFields,
} from '../../../simulator/ios-store/payloads.js';
import type { Timeline } from './timeline.js';
import type { Host, FaultInjector } from './fault-injector.js';

export type Receipt = {
  readonly store: 'ios-store' | 'android-store';
  readonly receipt: string;
  readonly productId?: string;
};

export type SimulatedStores = {
  /** Applies a store event to the store's state and returns the notification body. */
  applyEvent(
    lifecycle: Lifecycle,
    index: number,
    happening: StoreEvent,
  ): Promise<{ readonly store: Receipt['store']; readonly body: unknown }>;
  createReceipt(lifecycle: Lifecycle, bought: StoreTransaction): Receipt;
  connect(host: Host, faults: FaultInjector): Ports;
};

type Ports = { readonly ios: IosStorePort['api']; readonly android: AndroidStorePort['api'] };

/** Connects each app to the simulated stores of its tenant. */
export function connectStores<T extends string>(
  stores: Readonly<Record<T, SimulatedStores>>,
  tenants: Readonly<Record<T, { readonly appIds: readonly string[] }>>,
  host: Host,
  faults: FaultInjector,
): Stores {
  const names = Object.keys(stores) as T[];
  const ports = new Map(
    names.flatMap((name) => {
      const ofTenant = stores[name].connect(host, faults);
      return tenants[name].appIds.map((appId) => [appId, ofTenant] as const);
    }),
  );
  const of = ({ appId }: { readonly appId: string }): Ports => {
    const found = ports.get(appId);
    if (!found) throw new Error(`unknown app ${appId}`);
    return found;
  };
  const ios: IosStorePort['api'] = {
    transaction: (app, ...rest) => of(app).ios.transaction(app, ...rest),
    history: (app, ...rest) => of(app).ios.history(app, ...rest),
    statuses: (app, ...rest) => of(app).ios.statuses(app, ...rest),
    order: (app, ...rest) => of(app).ios.order(app, ...rest),
    sendConsumption: (app, ...rest) => of(app).ios.sendConsumption(app, ...rest),
    notifications: (app, ...rest) => of(app).ios.notifications(app, ...rest),
  };
  const android: AndroidStorePort['api'] = {
    subscription: (app, ...rest) => of(app).android.subscription(app, ...rest),
    product: (app, ...rest) => of(app).android.product(app, ...rest),
    oldProduct: (app, ...rest) => of(app).android.oldProduct(app, ...rest),
    order: (app, ...rest) => of(app).android.order(app, ...rest),
    orders: (app, ...rest) => of(app).android.orders(app, ...rest),
    voidedPurchases: (app, ...rest) => of(app).android.voidedPurchases(app, ...rest),
    reviewRefund: (app, ...rest) => of(app).android.reviewRefund(app, ...rest),
    acknowledge: (app, ...rest) => of(app).android.acknowledge(app, ...rest),
  };
  return storesOf([
    integrateIosStore({ api: ios, reports: { report: noReports }, signedData }),
    integrateAndroidStore({
      api: android,
      reports: { list: noReports, download: noReports },
      pushTokens: { verify: () => Promise.resolve() },
    }),
  ]);
}

/** No app of a simulation has the credentials of reports. */
const noReports = () => Promise.reject(new Unavailable('no report server here'));

type Chain = {
  readonly transactions: Map<string, TransactionFields & { readonly bundleId: string }>;
  renewal: RenewalFields | undefined;
};

/** Encodes a payload without a signature: signatures do not matter in a simulation. */
const sign = (payload: object) => `signed${Buffer.from(JSON.stringify(payload)).toString('base64')}`;
const payloads = storePayloads(sign);

export function createSimulatedStores(timeline: Timeline, tenant: string): SimulatedStores {
  const chains = new Map<string, Chain>();
  const sent: { readonly atMs: number; readonly signedPayload: string }[] = [];
  const androidState: AndroidStoreState = {
    subscriptions: new Map(),
    products: new Map(),
    orders: new Map(),
    voided: [],
    acknowledged: [],
    reviews: new Map(),
    reads: new Map(),
  };
  let pushBody: unknown;
  const androidPlayer = createAndroidPlayer({
    store: { ...androidState, nextRead: () => Promise.resolve() } as unknown as SimulatedAndroidStore,
    client: {
      ask: (_schema: unknown, _method: string, _path: string, o: { body: unknown }) =>
        Promise.resolve((pushBody = o.body)),
    } as never,
    notificationPath: '',
  });
  const chainOf = (id: string): Chain => {
    const known = chains.get(id) ?? { transactions: new Map(), renewal: undefined };
    chains.set(id, known);
    return known;
  };

  const applyIosEvent = (lifecycle: Lifecycle, index: number, happening: StoreEvent) => {
    const fields = notificationOf(happening, lifecycle.storefront, `${tenant}-${lifecycle.index}-${index}`);
    const chain = chainOf(happening.bought.chainId);
    const transaction = withCurrency(lifecycle, fields.transaction as TransactionFields);
    chain.transactions.set(transaction.transactionId, { ...transaction, bundleId: fields.bundleId });
    chain.renewal = fields.renewal as RenewalFields | undefined;
    const body = payloads.signedNotification({ ...fields, transaction });
    sent.push({ atMs: happening.at, signedPayload: body.signedPayload });
    return { store: 'ios-store' as const, body };
  };

  return {
    applyEvent: async (lifecycle, index, happening) => {
      if (!androidPlayer.plays(lifecycle)) return applyIosEvent(lifecycle, index, happening);
      await androidPlayer.notify(lifecycle, index, happening);
      return { store: 'android-store', body: pushBody };
    },
    createReceipt: (lifecycle, bought) => {
      if (androidPlayer.plays(lifecycle)) return androidPlayer.receipt(bought);
      const { transactions } = chainOf(bought.chainId);
      const known =
        transactions.get(bought.transactionId) ?? withCurrency(lifecycle, transactionOf(bought, lifecycle.storefront));
      transactions.set(bought.transactionId, known);
      return { store: 'ios-store', receipt: payloads.signedTransaction({ ...known, signedDate: timeline.now() }) };
    },
    connect: (host, faults) => {
      const ask = <T>(name: string, look: () => T) => faults.run(host, 'store', 'read', name, look);
      return { ios: iosApi(ask, timeline, chains, sent), android: androidApi(ask, androidState) };
    },
  };
}

/** Prices transactions outside of the USA in euros, whose rates are imported late and corrected. */
function withCurrency<T extends TransactionFields>({ storefront }: Lifecycle, transaction: T): T {
  return storefront === 'USA' ? transaction : { ...transaction, currency: 'EUR' };
}

type CallStore = <T>(name: string, look: () => T) => Promise<T>;

function iosApi(
  ask: CallStore,
  timeline: Timeline,
  chains: ReadonlyMap<string, Chain>,
  sent: readonly { atMs: number; signedPayload: string }[],
): IosStorePort['api'] {
  const chainWith = (id: string) => [...chains].find(([, { transactions }]) => transactions.has(id));
  const signed = (t: TransactionFields & { readonly bundleId: string }) =>
    payloads.signedTransaction({ ...t, signedDate: timeline.now() });
  return {
    transaction: (_app, _environment, id) =>
      ask('transaction', () => {
        const found = chainWith(id)?.[1].transactions.get(id);
        return found ? signed(found) : null;
      }),
    history: (_app, _environment, id) =>
      ask('history', () => {
        const found = chainWith(id)?.[1];
        return found
          ? [...found.transactions.values()].sort((a, b) => a.purchaseDate - b.purchaseDate).map(signed)
          : null;
      }),
    statuses: (_app, _environment, id) =>
      ask('statuses', () => {
        const [originalTransactionId = '', chain] = chainWith(id) ?? [];
        if (!chain) return null;
        const last = [...chain.transactions.values()].sort((a, b) => a.purchaseDate - b.purchaseDate).at(-1);
        if (!last) return null;
        const status = subscriptionStatus(last, chain.renewal, timeline.now()) ?? 1;
        const renewal =
          chain.renewal &&
          payloads.signedRenewalInfo({ environment: 'Production', ...chain.renewal, signedDate: timeline.now() });
        return [{ originalTransactionId, status, signedTransactionInfo: signed(last), signedRenewalInfo: renewal }];
      }),
    order: () => ask('order', () => []),
    sendConsumption: () => ask('consumption', () => undefined),
    notifications: (_app, environment, { fromMs, untilMs }) =>
      ask('notifications', () => {
        const found = environment === 'Production' ? sent.filter(({ atMs }) => atMs >= fromMs && atMs < untilMs) : [];
        return { signedPayloads: found.map(({ signedPayload }) => signedPayload), next: null };
      }),
  };
}

function androidApi(
  ask: CallStore,
  { subscriptions, products, orders, voided, acknowledged }: AndroidStoreState,
): AndroidStorePort['api'] {
  const found = <T>(resource: T | undefined): T => {
    if (resource === undefined) throw new AndroidStoreRefusal('unknown', 'purchase not found');
    return resource;
  };
  return {
    subscription: (_app, token) => ask('subscription', () => subscriptionSchema.parse(found(subscriptions.get(token)))),
    product: (_app, _productId, token) =>
      ask('product', () => {
        const { productId, resource } = found(products.get(token));
        return productV2Schema.parse(productResourceV2(productId, resource));
      }),
    oldProduct: (_app, _productId, token) =>
      ask('product', () => productSchema.parse(found(products.get(token)).resource)),
    order: (_app, orderId) => ask('order', () => orderSchema.parse(found(orders.get(orderId)))),
    orders: (_app, orderIds) =>
      ask('orders', () => new Map(orderIds.map((id) => [id, orderSchema.parse(found(orders.get(id)))]))),
    reviewRefund: () => ask('review', () => undefined),
    voidedPurchases: (_app, sinceMs) =>
      ask('voided', () => {
        const since = voided.filter((v) => Number(v['voidedTimeMillis']) >= sinceMs);
        return since.map((row) => voidedPurchaseSchema.parse(row));
      }),
    acknowledge: (_app, kind, _productId, token) =>
      ask('acknowledge', () => {
        if (kind === 'subscription') {
          const resource = found(subscriptions.get(token));
          subscriptions.set(token, { ...resource, acknowledgementState: 'ACKNOWLEDGEMENT_STATE_ACKNOWLEDGED' });
        } else {
          const product = found(products.get(token));
          products.set(token, { ...product, resource: { ...product.resource, acknowledgementState: 1 } });
        }
        acknowledged.push(token);
      }),
  };
}

/** `revocationChecked` is always false, as without online checks. */
const signedData = createSignedData();

function createSignedData(): IosStorePort['signedData'] {
  const decode = (text: string): Record<string, unknown> => {
    if (!text.startsWith('signed')) throw new InvalidSignedData('unreadable', 'not signed');
    return JSON.parse(Buffer.from(text.slice('signed'.length), 'base64').toString());
  };
  const verified = async <T extends object>(read: () => T) => ({ ...read(), revocationChecked: false });
  return {
    verifyNotification: (text) =>
      verified((): IosNotification => {
        const { data, appData: _, ...outer } = notificationSchema.parse(decode(text));
        if (!data) throw new Unavailable('unsupported notification');
        const { signedTransactionInfo: t, signedRenewalInfo: r, ...about } = data;
        const transaction = t === undefined ? {} : { transaction: transactionSchema.parse(decode(t)) };
        const renewal = r === undefined ? {} : { renewal: renewalInfoSchema.parse(decode(r)) };
        return { ...outer, data: { ...about, ...transaction, ...renewal } };
      }),
    verifyTransaction: (text) => verified(() => transactionSchema.parse(decode(text))),
    verifyRenewalInfo: (text) => verified(() => renewalInfoSchema.parse(decode(text))),
    verifyAppTransaction: (text) => verified(() => appTransactionSchema.parse(decode(text))),
    isSignedAppReceipt: async () => false,
  };
}
