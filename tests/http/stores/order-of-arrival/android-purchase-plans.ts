// Random purchases in the simulated android-store: what its shelves contain from when on, and the messages that it sends about that.
// Days are whole numbers since the beginning; what happens on one day, happens at one instant.
import {
  aboutSubscription,
  orderResource,
  subscriptionResource,
  type SubscriptionFields,
  type SubscriptionType,
} from '../../../../simulator/android-store/payloads.js';
import type { Random } from '../../../../simulator/random.js';

export const PRODUCTS = ['pro_month', 'pro_plus'] as const;
export const BASE_PLAN = 'p30d';
const PERIOD = 30;
const GRACE = 6;
const USER = { canceledStateContext: { userInitiatedCancellation: {} } };
const SYSTEM = { canceledStateContext: { systemInitiatedCancellation: {} } };
const REPLACED = { canceledStateContext: { replacementCancellation: {} } };

type Resource = Readonly<Record<string, unknown>>;
/** Changes at one instant. */
export type Step = {
  readonly day: number;
  readonly shown: readonly (readonly [token: string, resource: Resource])[];
  readonly orders: readonly (readonly [orderId: string, resource: Resource])[];
  readonly voided: readonly Resource[];
  readonly kinds: readonly { readonly token: string; readonly kind: Resource }[];
  /** Receipt of the device at that time. */
  readonly token: string;
  readonly product: string;
};
export type Script = { readonly appUserId: string; readonly steps: readonly Step[] };

const PASSAGES = [
  'renews',
  'renews',
  'wavers',
  'grace',
  'hold',
  'grace and hold',
  'pause',
  'again',
  'upgrade',
] as const;
const ENDINGS = ['leaves', 'leaves and returns', 'lost', 'refund', 'open'] as const;

/** `name` is part of all its tokens. All that happens before `untilDay`. */
export function drawScript(
  random: Random,
  o: { readonly appUserId: string; readonly name: string; readonly startMs: number; readonly untilDay: number },
): Script {
  const steps: Step[] = [];
  const ms = (day: number) => o.startMs + day * 86_400_000;
  const among = <T>(choices: readonly T[]): T => random.pick(choices.map((choice) => [choice, 1] as const));
  let tokens = 0;
  let token = '';
  let product = 0;
  let bought = 0;
  let charges = 0;
  let linked: string | undefined;
  let end = 0;
  let prices = 0;
  let priceMilli = 0;
  const orders: (readonly [string, Resource])[] = [];

  const orderId = (n = charges) => `GPA.${token}${n === 0 ? '' : `..${n - 1}`}`;
  const purchase = (state: string, more: Partial<SubscriptionFields> = {}) =>
    [
      token,
      subscriptionResource({
        state,
        productId: PRODUCTS[product] ?? '',
        basePlanId: BASE_PLAN,
        orderId: orderId(),
        startMs: ms(bought),
        expiryMs: ms(end),
        priceMilli,
        willRenew: state === 'ACTIVE',
        accountId: o.appUserId,
        ...(linked !== undefined && { linkedPurchaseToken: linked }),
        ...more,
      }),
    ] as const;
  const add = (
    day: number,
    types: readonly (readonly [SubscriptionType, string])[],
    shown: Step['shown'],
    more: Partial<Step> = {},
  ) => {
    const kinds = types.map(([type, of]) => ({ token: of, kind: aboutSubscription(type, of) }));
    const now = { token, product: `${PRODUCTS[product]}:${BASE_PLAN}` };
    steps.push({ day, shown, orders: orders.splice(0), voided: [], kinds, ...now, ...more });
  };
  const charge = (from: number) => {
    end = from + PERIOD;
    priceMilli = 9990 + prices++ * 1000;
    const productId = PRODUCTS[product] ?? '';
    const times = { fromMs: ms(from), toMs: ms(end) };
    orders.push([
      orderId(),
      orderResource({ orderId: orderId(), productId, basePlanId: BASE_PLAN, ...times, priceMilli }),
    ]);
  };
  /** A token of its own, for the period that the former one paid for if it is the same purchase signed up for again. */
  const buy = (day: number, former: string | undefined, goesOn = false) => {
    linked = former;
    token = `${o.name}-${++tokens}`;
    bought = day;
    charges = 0;
    if (!goesOn) charge(day);
  };
  const renew = (from: number) => {
    charges += 1;
    charge(from);
  };
  const cancel = (day: number) => add(day, [['CANCELED', token]], [purchase('CANCELED', { also: USER })]);

  const passages: Record<(typeof PASSAGES)[number], () => void> = {
    renews: () => {
      renew(end);
      add(end - PERIOD, [['RENEWED', token]], [purchase('ACTIVE')]);
    },
    wavers: () => {
      cancel(end - 9);
      add(end - 5, [['RESTARTED', token]], [purchase('ACTIVE')]);
      passages.renews();
    },
    grace: () => {
      const at = end;
      add(
        at,
        [['IN_GRACE_PERIOD', token]],
        [purchase('IN_GRACE_PERIOD', { expiryMs: ms(at + GRACE), willRenew: true })],
      );
      renew(at);
      add(at + 3, [['RECOVERED', token]], [purchase('ACTIVE')]);
    },
    hold: () => {
      const at = end;
      add(at, [['ON_HOLD', token]], [purchase('ON_HOLD', { willRenew: true })]);
      renew(at + 8);
      add(at + 8, [['RECOVERED', token]], [purchase('ACTIVE')]);
    },
    'grace and hold': () => {
      const at = end;
      const shown = { expiryMs: ms(at + GRACE), willRenew: true };
      add(at, [['IN_GRACE_PERIOD', token]], [purchase('IN_GRACE_PERIOD', shown)]);
      add(at + GRACE, [['ON_HOLD', token]], [purchase('ON_HOLD', shown)]);
      renew(at + 12);
      add(at + 12, [['RECOVERED', token]], [purchase('ACTIVE')]);
    },
    pause: () => {
      const at = end;
      const also = { pausedStateContext: { autoResumeTime: new Date(ms(at + 14)).toISOString() } };
      add(at - 10, [['PAUSE_SCHEDULE_CHANGED', token]], [purchase('ACTIVE', random.chance(0.5) ? { also } : {})]);
      add(at, [['PAUSED', token]], [purchase('PAUSED', { also })]);
      renew(at + 14);
      add(at + 14, [['RECOVERED', token]], [purchase('ACTIVE')]);
    },
    again: () => {
      const [at, former] = [end, token];
      cancel(at - 9);
      const over = purchase('EXPIRED', { expiryMs: ms(at - 4), also: REPLACED });
      buy(at - 4, former, true);
      end = at;
      add(
        at - 4,
        [
          ['PURCHASED', token],
          ['EXPIRED', former],
        ],
        [over, purchase('ACTIVE')],
      );
      passages.renews();
    },
    upgrade: () => {
      const [day, former] = [end - PERIOD + 10, token];
      const over = purchase('EXPIRED', { expiryMs: ms(day), also: REPLACED });
      product = 1 - product;
      buy(day, former);
      add(
        day,
        [
          ['PURCHASED', token],
          ['EXPIRED', former],
        ],
        [over, purchase('ACTIVE')],
      );
    },
  };
  const endings: Record<(typeof ENDINGS)[number], () => void> = {
    leaves: () => {
      cancel(end - 9);
      add(end, [['EXPIRED', token]], [purchase('EXPIRED', { also: USER })]);
    },
    'leaves and returns': () => {
      endings.leaves();
      const former = token;
      buy(end + 10, former);
      add(bought, [['PURCHASED', token]], [purchase('ACTIVE')]);
      passages.renews();
    },
    lost: () => {
      add(end, [['ON_HOLD', token]], [purchase('ON_HOLD', { willRenew: true })]);
      add(end + 20, [['EXPIRED', token]], [purchase('EXPIRED', { also: SYSTEM })]);
    },
    refund: () => {
      const day = end - PERIOD + 7;
      const back = { purchaseToken: token, orderId: orderId(), voidedTimeMillis: String(ms(day)) };
      const voidedPurchaseNotification = { purchaseToken: token, orderId: orderId(), productType: 1, refundType: 1 };
      end = day;
      const kinds = [
        { token, kind: { voidedPurchaseNotification } },
        { token, kind: aboutSubscription('REVOKED', token) },
      ];
      add(day, [], [purchase('EXPIRED')], { voided: [back], kinds });
    },
    open: () => undefined,
  };

  buy(random.whole(0, 20), undefined);
  add(bought, [['PURCHASED', token]], [purchase('ACTIVE')]);
  for (let left = random.whole(0, 3); left > 0; left--) passages[among(PASSAGES)]();
  endings[among(ENDINGS)]();
  return { appUserId: o.appUserId, steps: steps.filter(({ day }) => day < o.untilDay) };
}
