// One customer's subscription as the simulated store reports it, on a time line in days since the first purchase.
import { expect } from 'chai';
import { MONTHLY, notification, store } from '../../support/harness.js';
import { scenarioCustomer, type ScenarioGround } from '../scenario-customer.js';

const DAY_MS = 86_400_000;
/** One millisecond in days. */
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

type Setting = ScenarioGround & {
  readonly appId: string;
  readonly bundleId: string;
  readonly notificationPath: string;
};

let scenarios = 0;

/** Each scenario has a chain of its own, and begins at the instant at which the clock stands. */
export function beginScenario(setting: Setting) {
  const { harness, clock, sentKinds, appId, bundleId, notificationPath } = setting;
  const chain = `${4_000_000 + ++scenarios * 100}`;
  const customer = scenarioCustomer(setting, `${chain}1`);
  const { ms } = customer;
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

  return {
    ...customer,
    appId,
    /** The store tries to charge the second period and leaves access until the 37th day. */
    inGrace: { renewal: { isInBillingRetryPeriod: true, gracePeriodExpiresDate: ms(37) } },
    transaction,
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
  };
}
