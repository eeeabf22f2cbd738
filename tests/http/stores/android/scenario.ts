// One customer's subscription in the simulated android-store, on a time line in days since the first purchase.
import { expect } from 'chai';
import type { SimulatedAndroidStore } from '../../../../src/simulator/android-store/server.js';
import {
  aboutSubscription,
  pushBody,
  subscriptionResource,
  type SubscriptionFields,
  type SubscriptionType,
} from '../../../../src/simulator/android-store/payloads.js';
import type { Harness, Slice } from '../../support/harness.js';
import type { SetClock } from '../../support/set-clock.js';
import type { SentKinds } from '../../support/webhook-messages.js';

const DAY_MS = 86_400_000;
export const PACKAGE = 'com.example.stargazer';
export const PRO = 'pro_month';
export const BASE_PLAN = 'p1m';

export type AndroidGround = {
  readonly harness: Harness;
  readonly clock: SetClock;
  readonly slice: Slice;
  readonly sentKinds: SentKinds;
  readonly store: SimulatedAndroidStore;
  readonly notificationPath: string;
};

/** The purchase as the store shows it from a day on; `n` renewals have been paid. */
export type Shown = Partial<Omit<SubscriptionFields, 'orderId' | 'startMs' | 'expiryMs'>> & {
  readonly n?: number;
  /** Days. */
  readonly from?: number;
  readonly to?: number;
  readonly token?: string;
};

let scenarios = 0;

/** Each scenario has a purchase token of its own, and begins at the instant at which the clock stands. */
export function beginAndroidScenario({ harness, clock, slice, sentKinds, store, notificationPath }: AndroidGround) {
  const start = clock.now();
  const scenario = ++scenarios;
  const purchase = `token-${scenario}`;
  const as = { key: slice.secretKey };
  const customersPath = `/v1/projects/${slice.projectId}/customers`;
  const ms = (day: number) => start + Math.round(day * DAY_MS);
  let messages = 0;

  const orderOf = (n: number, token = purchase) => `GPA.${token}${n === 0 ? '' : `..${n - 1}`}`;
  const show = ({ n = 0, from = 0, to = 31, token = purchase, ...fields }: Shown = {}) => {
    const named = { productId: PRO, basePlanId: BASE_PLAN, orderId: orderOf(n, token) };
    const times = { startMs: ms(from), expiryMs: ms(to) };
    store.subscriptions.set(token, subscriptionResource({ ...named, ...times, ...fields }));
  };
  const push = async (
    day: number,
    kind: Readonly<Record<string, unknown>>,
    messageId = `${scenario}-${++messages}`,
  ) => {
    const body = pushBody({ packageName: PACKAGE, atMs: ms(day), messageId, kind });
    const response = await harness.call('POST', notificationPath, body);
    expect([response.status, response.body]).to.deep.equal([200, {}]);
    await sentKinds.note();
  };
  const customer = async () => {
    const { body } = await harness.call('GET', `${customersPath}?search=${purchase}`, undefined, as);
    expect(body.items, 'customers found by the purchase token').to.have.length(1);
    return (await harness.call('GET', `${customersPath}/${body.items[0].id}`, undefined, as)).body;
  };
  const timeline = async (): Promise<readonly { type: string; at: string; data: Record<string, unknown> }[]> => {
    const { id } = await customer();
    const path = `${customersPath}/${id}/timeline?order=oldest&limit=100`;
    return (await harness.call('GET', path, undefined, as)).body.items;
  };

  return {
    purchase,
    ms,
    orderOf,
    show,
    push,
    customer,
    timeline,
    /** From this day on the store shows the purchase so, and says what has happened to it. */
    notify: async (day: number, type: SubscriptionType | number, shown: Shown = {}) => {
      clock.set(ms(day));
      show(shown);
      await push(day, aboutSubscription(type, shown.token ?? purchase));
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
