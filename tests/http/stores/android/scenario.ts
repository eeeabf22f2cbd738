// One customer's subscription in the simulated android-store, on a time line in days since the first purchase.
import { expect } from 'chai';
import type { SimulatedAndroidStore } from '../../../../simulator/android-store/server.js';
import {
  aboutSubscription,
  pushBody,
  subscriptionResource,
  type SubscriptionFields,
  type SubscriptionType,
} from '../../../../simulator/android-store/payloads.js';
import { scenarioCustomer, type ScenarioGround } from '../scenario-customer.js';

export const PACKAGE = 'com.example.stargazer';
export const PRO = 'pro_month';
export const BASE_PLAN = 'p1m';

export type AndroidGround = ScenarioGround & {
  readonly store: SimulatedAndroidStore;
  readonly notificationPath: string;
};

/** The purchase as the store shows it from a day on; `n` renewals have been paid. */
export type SubscriptionView = Partial<Omit<SubscriptionFields, 'orderId' | 'startMs' | 'expiryMs'>> & {
  readonly n?: number;
  /** Days. */
  readonly from?: number;
  readonly to?: number;
  readonly token?: string;
};

let scenarios = 0;

/** Each scenario has a purchase token of its own, and begins at the instant at which the clock stands. */
export function beginAndroidScenario(ground: AndroidGround) {
  const { harness, clock, sentKinds, store, notificationPath } = ground;
  const scenario = ++scenarios;
  const purchase = `token-${scenario}`;
  const customer = scenarioCustomer(ground, purchase);
  const { ms } = customer;
  let messages = 0;

  const orderOf = (n: number, token = purchase) => `GPA.${token}${n === 0 ? '' : `..${n - 1}`}`;
  const show = ({ n = 0, from = 0, to = 31, token = purchase, ...fields }: SubscriptionView = {}) => {
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

  return {
    ...customer,
    purchase,
    orderOf,
    show,
    push,
    /** Changes the purchase in the store from this day on, and sends the notification. */
    notify: async (day: number, type: SubscriptionType | number, shown: SubscriptionView = {}) => {
      clock.set(ms(day));
      show(shown);
      await push(day, aboutSubscription(type, shown.token ?? purchase));
    },
  };
}
