// One customer's subscription as the simulated store reports it, on a time line in days since the first purchase.
import { expect } from 'chai';
import { MONTHLY, notification, store, type Harness, type Slice } from '../../support/harness.js';
import type { SetClock } from '../../support/set-clock.js';
import type { SentKinds } from '../../support/webhook-messages.js';

const DAY_MS = 86_400_000;
/** In days. */
export const MILLISECOND = 1 / DAY_MS;

/** `n`-th transaction of the chain. */
export type Period = {
  readonly n: number;
  readonly from: number;
  readonly to: number;
  readonly [field: string]: unknown;
};
export const FIRST: Period = { n: 1, from: 0, to: 31 };

type NotificationParts = {
  readonly period?: Period;
  readonly renewal?: Readonly<Record<string, unknown>>;
  /** The day of its signing, when it arrives later. */
  readonly signed?: number;
  readonly notificationUUID?: string;
};

type Setting = {
  readonly harness: Harness;
  readonly clock: SetClock;
  readonly slice: Slice;
  readonly sentKinds: SentKinds;
  readonly appId: string;
  readonly bundleId: string;
  readonly notificationPath: string;
};

let scenarios = 0;

/** Each scenario has a chain of its own, and begins at the instant at which the clock stands. */
export function beginScenario({ harness, clock, slice, sentKinds, appId, bundleId, notificationPath }: Setting) {
  const start = clock.now();
  const chain = `${4_000_000 + ++scenarios * 100}`;
  const as = { key: slice.secretKey };
  const customersPath = `/v1/projects/${slice.projectId}/customers`;
  const ms = (day: number) => start + Math.round(day * DAY_MS);
  const transaction = ({ n, from, to, ...rest }: Period) => ({
    transactionId: `${chain}${n}`,
    originalTransactionId: `${chain}1`,
    productId: MONTHLY,
    purchaseDate: ms(from),
    originalPurchaseDate: ms(0),
    expiresDate: ms(to),
    price: 9990,
    ...rest,
  });
  const customer = async () => {
    const { body } = await harness.call('GET', `${customersPath}?search=${chain}1`, undefined, as);
    expect(body.items, 'customers found by the transaction').to.have.length(1);
    return (await harness.call('GET', `${customersPath}/${body.items[0].id}`, undefined, as)).body;
  };
  const timeline = async (): Promise<readonly { type: string; at: string; data: Record<string, unknown> }[]> => {
    const { id } = await customer();
    const path = `${customersPath}/${id}/timeline?order=oldest&limit=100`;
    return (await harness.call('GET', path, undefined, as)).body.items;
  };

  return {
    appId,
    ms,
    /** The store tries to charge the second period and leaves access until the 37th day. */
    inGrace: { renewal: { isInBillingRetryPeriod: true, gracePeriodExpiresDate: ms(37) } },
    transaction,
    customer,
    timeline,
    receipt: (period: Period) =>
      store.signedTransaction({
        bundleId,
        environment: 'Production',
        ...transaction(period),
      }),
    bundleId,
    notificationPath,
    /** The store sends a notification; the clock stays, and the call does not wait until it is handled. */
    sendOnly: async (signed: number, type: string, { period = FIRST, renewal = {} }: NotificationParts = {}) => {
      const [notificationType = '', subtype] = type.split('/');
      const body = notification({
        notificationType,
        ...(subtype !== undefined && { subtype }),
        bundleId,
        signedDate: ms(signed),
        transaction: transaction(period),
        renewal: { originalTransactionId: `${chain}1`, productId: MONTHLY, ...renewal },
      });
      expect((await harness.call('POST', notificationPath, body)).status).to.equal(200);
    },
    /** The store sends on this day; resolves when the notification is handled. `type` may have a subtype: `EXPIRED/VOLUNTARY`. */
    notify: async (day: number, type: string, parts: NotificationParts = {}) => {
      clock.set(ms(day));
      const { period = FIRST, renewal = {}, signed = day, notificationUUID } = parts;
      const [notificationType = '', subtype] = type.split('/');
      const body = notification({
        notificationType,
        ...(subtype !== undefined && { subtype }),
        ...(notificationUUID !== undefined && { notificationUUID }),
        bundleId,
        signedDate: ms(signed),
        transaction: transaction(period),
        renewal: { originalTransactionId: `${chain}1`, productId: MONTHLY, ...renewal },
      });
      const response = await harness.call('POST', notificationPath, body);
      expect([response.status, response.body]).to.deep.equal([200, {}]);
      await sentKinds.note();
    },
    /** What support sees on this day: state of the newest subscription, and whether `pro` is open. */
    see: async (day: number, state: string, hasAccess: boolean) => {
      clock.set(ms(day));
      const { subscriptions, entitlements } = await customer();
      const pro = entitlements.find((e: { lookupKey: string }) => e.lookupKey === 'pro');
      expect([subscriptions.at(-1)?.state, pro?.active ?? false], `on day ${day}`).to.deep.equal([state, hasAccess]);
    },
    /** All events but the customer's making: `SubscriptionStarted T+0`. */
    events: async () => {
      const [made, ...others] = await timeline();
      expect(made?.type).to.equal('CustomerCreated');
      return others.map((e) => `${e.type} T+${(Date.parse(e.at) - start) / DAY_MS}`);
    },
    /** What is sent to webhooks: `CANCELLATION UNSUBSCRIBE`. */
    kinds: async () => sentKinds.about((await customer()).appUserId),
    /** The data of the only event of a type. */
    dataOf: async (type: string) => {
      const found = (await timeline()).filter((e) => e.type === type);
      expect(found, type).to.have.length(1);
      return found[0]?.data;
    },
  };
}
