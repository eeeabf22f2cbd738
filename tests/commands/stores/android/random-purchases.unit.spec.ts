// Random android purchases: received in order, twice, or in any order with reads that all come late, they end as the same
// subscription; and responses that are not quite the store's are refused or understood, never stumbled over.
import { expect } from 'chai';
import fc from 'fast-check';
import { orderSchema } from '../../../../src/adapters/android-store/order-payloads.js';
import { subscriptionSchema } from '../../../../src/adapters/android-store/payloads.js';
import type { AndroidOrder } from '../../../../src/adapters/android-store/port.js';
import { chargesUpTo } from '../../../../src/commands/stores/android/translator/backfill-charges.js';
import { translateAndroidSubscription } from '../../../../src/commands/stores/android/translator/subscription.js';
import { catalogDecider } from '../../../../src/domain/catalog/catalog.js';
import { decideAll } from '../../../../src/domain/decider.js';
import { givesAccess, stateAt } from '../../../../src/domain/subscriber/access.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import type { SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import type { Subscriber } from '../../../../src/domain/subscriber/state/state.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import { money, subscriptionResource } from '../../../../simulator/android-store/payloads.js';
import { figuresOf } from '../../support/chart-figures.js';
import { monthly } from '../../../domain/catalog/samples.js';
import { contextOf, dayMs } from '../ios/samples.js';

const RUNS = { numRuns: Number(process.env['ANDROID_PURCHASES'] ?? 1000) };
const TOKEN = 'token';
const { app, hash, projectId } = contextOf();
const ctx = {
  projectId,
  app,
  hash,
  catalog: catalogDecider.initial(),
  offeringId: null,
  orders: new Map<string, AndroidOrder>(),
  claimed: null,
};

type Message = { readonly day: number; readonly type: string; readonly resource: object };
type Script = { readonly messages: readonly Message[]; readonly orders: ReadonlyMap<string, AndroidOrder> };

const orderIdOf = (n: number) => `GPA.1${n === 0 ? '' : `..${n - 1}`}`;
/** Every charge has a price of its own, so that none is taken for another. */
const priceMilliOf = (n: number) => 9990 + n * 1000;

const CANCELLED = { canceledStateContext: { userInitiatedCancellation: {} } };
const shown = (n: number, state: string, to: number, more: object = {}) =>
  subscriptionResource({
    state,
    productId: 'pro',
    orderId: orderIdOf(n),
    priceMilli: priceMilliOf(n),
    startMs: dayMs(0),
    expiryMs: dayMs(to),
    willRenew: state !== 'CANCELED' && state !== 'EXPIRED',
    ...more,
  });

/** Creates the messages of consecutive 30-day periods; the last fate may end the subscription. */
function scriptOf(fates: readonly string[]): Script {
  const messages: Message[] = [{ day: 0, type: 'SUBSCRIPTION_PURCHASED', resource: shown(0, 'ACTIVE', 30) }];
  const orders = new Map<string, AndroidOrder>();
  const charge = (n: number, from: number) => {
    const servicePeriodStartTime = new Date(dayMs(from)).toISOString();
    const servicePeriodEndTime = new Date(dayMs(from + 30)).toISOString();
    const lineItems = [{ productId: 'pro', subscriptionDetails: { servicePeriodStartTime, servicePeriodEndTime } }];
    const order = { orderId: orderIdOf(n), state: 'PROCESSED', total: money(priceMilliOf(n)), lineItems };
    orders.set(order.orderId, orderSchema.parse(order));
  };
  charge(0, 0);
  let end = 30;
  for (const [index, fate] of fates.entries()) {
    const n = index + 1;
    const add = (day: number, type: string, resource: object) =>
      messages.push({ day, type: `SUBSCRIPTION_${type}`, resource });
    if (fate === 'wavers' || fate === 'leaves')
      add(end - 9, 'CANCELED', shown(index, 'CANCELED', end, { also: CANCELLED }));
    if (fate === 'wavers') add(end - 5, 'RESTARTED', shown(index, 'ACTIVE', end));
    if (fate === 'leaves') {
      add(end, 'EXPIRED', shown(index, 'EXPIRED', end, { also: CANCELLED }));
      return { messages, orders };
    }
    if (fate === 'grace') add(end, 'IN_GRACE_PERIOD', shown(index, 'IN_GRACE_PERIOD', end + 6));
    if (fate === 'hold') add(end, 'ON_HOLD', shown(index, 'ON_HOLD', end));
    if (fate === 'grace') add(end + 3, 'RECOVERED', shown(n, 'ACTIVE', end + 30));
    else if (fate === 'hold') add((end += 8), 'RECOVERED', shown(n, 'ACTIVE', end + 30));
    else add(end, 'RENEWED', shown(n, 'ACTIVE', end + 30));
    charge(n, end);
    end += 30;
  }
  return { messages, orders };
}

type AppliedUpdate = {
  readonly subscriber: Subscriber;
  readonly charges: number;
  readonly events: readonly SubscriberEvent[];
};

const readingOf = ({ charges }: AppliedUpdate, { day, type }: Omit<Message, 'resource'>) => ({
  purchaseToken: TOKEN,
  storeChainId: TOKEN,
  type,
  storeTime: isoFromMs(dayMs(day)),
  replacedProductId: null,
  isReplaced: false,
  handsOnAddOns: false,
  isOtherProduct: false,
  charges,
  known: { storeProductId: null, addOns: [], addOnRoot: null },
});

function apply(
  before: AppliedUpdate,
  message: Message,
  resource: object,
  orders: Script['orders'] = new Map(),
): AppliedUpdate {
  const subscription = subscriptionSchema.parse(resource);
  const reading = { ...readingOf(before, message), subscription };
  const commands = translateAndroidSubscription(reading, { ...ctx, orders }).flatMap((one) => one.commands);
  const events = decideAll(subscriberDecider, commands, before.subscriber);
  const charges = Math.max(before.charges, chargesUpTo(subscription.latestOrderId ?? ''));
  const subscriber = events.reduce(subscriberDecider.evolve, before.subscriber);
  return { subscriber, charges, events: [...before.events, ...events] };
}

const unheard = (): AppliedUpdate => {
  const first = subscriberDecider.initial();
  const made = decideAll(subscriberDecider, [{ kind: 'registerCustomer', appUserId: 'ann', source: 'store' }], first);
  return { subscriber: made.reduce(subscriberDecider.evolve, first), charges: 0, events: made };
};

/** Returns the outcome on the day after the last message. */
function outcome({ subscriber, events }: AppliedUpdate, messages: readonly Message[]) {
  const s = subscriber.profile.subscriptions.at(-1);
  const now = isoFromMs(dayMs((messages.at(-1)?.day ?? 0) + 1));
  if (!s) return null;
  const paid = [...subscriber.transactions.values()]
    .map((t) => [t.transactionId, t.purchasedAt, t.money.amountMicros])
    .sort((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1));
  const { subscriptions } = subscriber.profile;
  const shared = { state: stateAt(s, now), hasAccess: givesAccess(s, now), order: s.purchase.transactionId };
  return {
    ...shared,
    renewals: s.renewalNumber,
    lines: subscriptions.length,
    paid,
    revenue: figuresOf(events, ['money']),
  };
}

const fates = fc.array(fc.constantFrom('renews', 'wavers', 'grace', 'hold', 'leaves'), { minLength: 1, maxLength: 6 });

describe('random purchases in the android-store', () => {
  it('end the same when every notification arrives twice', () =>
    fc.assert(
      fc.property(fates, (drawn) => {
        const { messages } = scriptOf(drawn);
        const once = messages.reduce((s, one) => apply(s, one, one.resource), unheard());
        const twice = messages.reduce((s, one) => apply(apply(s, one, one.resource), one, one.resource), unheard());
        expect(twice).to.deep.equal(once);
      }),
      RUNS,
    ));

  it('end the same in money, renewals and access when all are read late, in any order', () =>
    fc.assert(
      fc.property(fates, fc.infiniteStream(fc.nat()), (drawn, draws) => {
        const { messages, orders } = scriptOf(drawn);
        const draw = () => draws.next().value ?? 0;
        const keyed = messages.map((one, index) => ({ one, index, key: draw() }));
        const inOrder = messages.reduce((s, one) => apply(s, one, one.resource), unheard());
        const wanted = outcome(inOrder, messages);
        expect(wanted).not.to.equal(null);
        let read = 0;
        let late = unheard();
        for (const { one, index } of keyed.sort((a, b) => a.key - b.key)) {
          // The store shows a purchase as it is by then: never older than the message, or than it has been seen.
          read = Math.max(read, index, draw() % messages.length);
          late = apply(late, one, messages[read]?.resource ?? {}, orders);
        }
        expect(outcome(late, messages)).to.deep.equal(wanted);
      }),
      RUNS,
    ));

  it('keep every charge when nothing was read but the end', () =>
    fc.assert(
      fc.property(fates, (drawn) => {
        const { messages, orders } = scriptOf(drawn);
        const last = messages.at(-1);
        if (!last) return;
        const inOrder = messages.reduce((s, one) => apply(s, one, one.resource), unheard());
        expect(outcome(apply(unheard(), last, last.resource, orders), messages)).to.deep.equal(
          outcome(inOrder, messages),
        );
      }),
      RUNS,
    ));

  it('keep renewals whose orders the store does not list, without a price', () => {
    const { messages } = scriptOf(['renews', 'renews', 'renews']);
    const last = messages.at(-1);
    const product = { ...monthly, storeProductId: 'pro', duration: 'P30D' };
    const catalog = { ...ctx.catalog, products: [product] };
    const reading = {
      ...readingOf(unheard(), { day: 90, type: 'SUBSCRIPTION_RENEWED' }),
      subscription: subscriptionSchema.parse(last?.resource),
    };
    const [update] = translateAndroidSubscription(reading, { ...ctx, catalog });
    const periods = (update?.commands ?? []).flatMap((f) => (f.kind === 'recordPeriod' ? [f] : []));
    expect(periods.map((p) => [p.purchase.transactionId, p.purchasedAt, p.money.amountMicros])).to.deep.equal([
      ['GPA.1', isoFromMs(dayMs(0)), null],
      ['GPA.1..0', isoFromMs(dayMs(30)), null],
      ['GPA.1..1', isoFromMs(dayMs(60)), null],
      ['GPA.1..2', isoFromMs(dayMs(90)), priceMilliOf(3) * 1000],
    ]);
  });

  it('are refused or understood when the response is not quite the store’s', () =>
    fc.assert(
      fc.property(fates, fc.nat(), fc.jsonValue(), (drawn, at, value) => {
        const { messages } = scriptOf(drawn);
        const one = messages.at(-1);
        if (!one) return;
        const leaves: (readonly [Record<string, unknown>, string])[] = [];
        const walk = (node: unknown): void => {
          if (typeof node !== 'object' || node === null) return;
          for (const [key, child] of Object.entries(node)) {
            leaves.push([node as Record<string, unknown>, key]);
            walk(child);
          }
        };
        const changed = structuredClone(one.resource);
        walk(changed);
        const [node, key] = leaves[at % leaves.length] ?? [{}, ''];
        node[key] = value;
        if (subscriptionSchema.safeParse(changed).success) apply(unheard(), one, changed);
      }),
      RUNS,
    ));
});
