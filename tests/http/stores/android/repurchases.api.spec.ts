// The same product bought again under a token of its own, which the android-store links to the former one: in every state that the former
// purchase can be in, and for every form of name that the catalogue can have. The order and the times decide whether money was taken.
import { expect } from 'chai';
import { orderResource } from '../../../../simulator/android-store/payloads.js';
import { setUpAndroidScenarios } from './scenarios.js';
import { BASE_PLAN, PRO, type beginAndroidScenario, type SubscriptionView } from './scenario.js';

type Scenario = ReturnType<typeof beginAndroidScenario>;
/** A product by its store IDs, and whether the catalogue contains it. */
type PlanName = { readonly productId: string; readonly basePlanId: string; readonly isListed: boolean };
type Outcome = {
  /** Day of the second purchase, the day of its expiry, and the state of the newest subscription in between. */
  readonly day: number;
  readonly to: number;
  /** Events that buying again led to. */
  readonly events: readonly string[];
  readonly kinds: readonly string[];
  readonly subscriptions: number;
  readonly spent: number;
};
type Row = Outcome & {
  readonly former: string;
  readonly lead: (s: Scenario, notify: Notify, show: Show) => Promise<void>;
  /** The former purchase as the store shows it once its place is taken, where that is not for the replacement. */
  readonly then?: SubscriptionView;
};
type Notify = (day: number, type: Parameters<Scenario['notify']>[1], shown?: SubscriptionView) => Promise<void>;
type Show = (shown?: SubscriptionView) => void;

const BY_USER = { canceledStateContext: { userInitiatedCancellation: {} } };
const REPLACED = { canceledStateContext: { replacementCancellation: {} } };
const CANCELLED: SubscriptionView = { state: 'CANCELED', willRenew: false, also: BY_USER };
const PRICE = 9.99;

const START = 'SubscriptionStarted';
const CANCELLATION = 'CANCELLATION UNSUBSCRIBE';
const goesOn = (day: number) => [`SubscriptionAutoRenewEnabled T+${day}`];
const beginsAnew = (day: number) => [`${START} T+${day}`];

const charged = { subscriptions: 2, spent: 2 * PRICE };
const uncharged = { to: 31, subscriptions: 1, spent: PRICE };

const ROWS: readonly Row[] = [
  {
    former: 'runs and is to be renewed, to be charged at its end',
    lead: (_, notify) => notify(0, 'PURCHASED'),
    ...{ day: 9, ...uncharged, events: [], kinds: ['INITIAL_PURCHASE'] },
  },
  {
    former: 'runs and is to be renewed, charged at once',
    lead: (_, notify) => notify(0, 'PURCHASED'),
    ...{ day: 9, to: 62, subscriptions: 1, spent: 2 * PRICE },
    ...{ events: ['SubscriptionRenewed T+9'], kinds: ['INITIAL_PURCHASE', 'RENEWAL'] },
  },
  {
    former: 'is cancelled and runs, to be charged at its end',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(5, 'CANCELED', CANCELLED);
    },
    ...{ day: 9, ...uncharged, events: goesOn(9), kinds: ['INITIAL_PURCHASE', CANCELLATION, 'UNCANCELLATION'] },
  },
  {
    former: 'is cancelled and runs, charged at once',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(5, 'CANCELED', CANCELLED);
    },
    ...{ day: 9, to: 62, subscriptions: 1, spent: 2 * PRICE, events: ['SubscriptionRenewed T+9', ...goesOn(9)] },
    kinds: ['INITIAL_PURCHASE', CANCELLATION, 'RENEWAL', 'UNCANCELLATION'],
  },
  {
    former: 'is in its grace period',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(31, 'IN_GRACE_PERIOD', { state: 'IN_GRACE_PERIOD', to: 37 });
    },
    ...{ day: 34, to: 65, ...charged, events: ['SubscriptionExpired T+34', ...beginsAnew(34)] },
    kinds: [
      ...['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION BILLING_ERROR'],
      ...['EXPIRATION BILLING_ERROR', 'INITIAL_PURCHASE'],
    ],
  },
  {
    former: 'is on hold',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(31, 'ON_HOLD', { state: 'ON_HOLD' });
    },
    ...{ day: 59, to: 90, ...charged, events: ['SubscriptionExpired T+59', ...beginsAnew(59)] },
    kinds: [
      ...['INITIAL_PURCHASE', 'BILLING_ISSUE', 'CANCELLATION BILLING_ERROR', 'EXPIRATION BILLING_ERROR'],
      'INITIAL_PURCHASE',
    ],
  },
  {
    former: 'is paused',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(31, 'PAUSED', { state: 'PAUSED' });
    },
    ...{ day: 40, to: 71, ...charged, events: ['SubscriptionExpired T+40', ...beginsAnew(40)] },
    kinds: ['INITIAL_PURCHASE', 'EXPIRATION SUBSCRIPTION_PAUSED', 'INITIAL_PURCHASE'],
  },
  {
    former: 'has expired',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(22, 'CANCELED', CANCELLED);
      await notify(31, 'EXPIRED', { ...CANCELLED, state: 'EXPIRED' });
    },
    ...{ day: 41, to: 72, ...charged, events: beginsAnew(41) },
    kinds: ['INITIAL_PURCHASE', CANCELLATION, 'EXPIRATION UNSUBSCRIBE', 'INITIAL_PURCHASE'],
  },
  {
    former: 'was revoked, on the day after it began',
    lead: async (_, notify) => {
      await notify(0, 'PURCHASED');
      await notify(1, 'REVOKED', { state: 'EXPIRED', to: 1, willRenew: false });
    },
    ...{ day: 1.5, to: 32.5, ...charged, events: beginsAnew(1.5) },
    kinds: ['INITIAL_PURCHASE', 'EXPIRATION UNKNOWN', 'INITIAL_PURCHASE'],
  },
  {
    former: 'is known only by its receipt, and runs',
    lead: async (s, _, show) => {
      show();
      await present(s);
    },
    ...{ day: 9, ...uncharged, events: [], kinds: ['INITIAL_PURCHASE'] },
  },
  {
    former: 'is known only by its receipt, and is over',
    lead: async (s, _, show) => {
      show();
      await present(s);
      await passTimeUntil(s, 40);
    },
    ...{ day: 41, to: 72, ...charged, events: beginsAnew(41) },
    kinds: ['INITIAL_PURCHASE', 'EXPIRATION UNKNOWN', 'INITIAL_PURCHASE'],
  },
  {
    former: 'waits for its payment',
    lead: (_, notify) => notify(0, 'PURCHASED', { state: 'PENDING', item: { expiryTime: undefined } }),
    then: { state: 'PENDING_PURCHASE_CANCELED', item: { expiryTime: undefined } },
    ...{ day: 3, to: 34, subscriptions: 2, spent: PRICE, kinds: ['INITIAL_PURCHASE'] },
    events: ['SubscriptionPendingCancelled T+3', ...beginsAnew(3)],
  },
];

let present: (s: Scenario, token?: string) => Promise<void>;
/** Records what has ended by then, which the service otherwise does at some later moment. */
let passTimeUntil: (s: Scenario, day: number) => Promise<void>;

describe('an android product bought again', function () {
  this.timeout(120_000);
  const ground = setUpAndroidScenarios();
  const { scenario, store, sell, call, clock, idle } = ground;
  const NAMES: Readonly<Record<string, PlanName>> = {
    'a product with its base plan': { productId: PRO, basePlanId: BASE_PLAN, isListed: true },
    'a product without its base plan': { productId: 'solo', basePlanId: 'monthly', isListed: true },
    'a product that the catalogue lacks': { productId: 'unheard', basePlanId: 'monthly', isListed: false },
  };
  before(async () => {
    await sell('solo', { gracePeriodDuration: 'P6D' });
    await sell('duo:month');
    await sell('duo:year', { duration: 'P1Y' });
    await sell(`archive:${BASE_PLAN}`);
    await sell('steady:p31d', { duration: 'P31D' });
  });

  const tools = (s: Scenario, { productId, basePlanId }: PlanName) => {
    const named = { productId, basePlanId, accountId: buyerOf(s) };
    const notify: Notify = (day, type, shown) => s.notify(day, type, { ...named, ...shown });
    const show: Show = (shown) => s.show({ ...named, ...shown });
    /** A token of its own, with an order of its own. */
    const again = (
      from: number,
      to: number,
      n = 1,
      linked = s.purchase,
    ): SubscriptionView & { readonly token: string } => {
      const token = `${s.purchase}-${n}`;
      const orderId = `GPA.${token}`;
      return {
        ...{ token, from, to, linkedPurchaseToken: linked, ...named },
        item: { latestSuccessfulOrderId: orderId },
        also: { latestOrderId: orderId },
      };
    };
    passTimeUntil = async (_, day) => {
      clock.set(s.ms(day));
      await ground.harness().service().passDeadlines();
      await s.kinds();
    };
    present = async (_, receipt = s.purchase) => {
      const body = { store: 'android-store', receipt, productId: `${productId}:${basePlanId}`, appId: ground.appId() };
      await call('POST', `/v1/subscribers/${buyerOf(s)}/receipts`, body);
      await s.kinds();
    };
    return { notify, show, again };
  };
  const buyerOf = ({ purchase }: Scenario) => `buyer-of-${purchase}`;
  const replaced = (to: number): SubscriptionView => ({ state: 'EXPIRED', to, willRenew: false, also: REPLACED });
  const isNews = (event: string) => !event.startsWith('SubscriptionConfirmed');
  const eventsOf = async (s: Scenario) => (await s.events()).filter(isNews);
  /** Expects access until the expiry, and none afterwards. */
  const expectAccess = async (s: Scenario, { day, to, isListed }: { day: number; to: number; isListed: boolean }) => {
    await s.see(day, 'active', isListed);
    await s.see(to - 0.01, 'active', isListed);
    const { subscriptions } = await s.customer();
    const newest = subscriptions.toSorted((a: Sold, b: Sold) => (a.startedAt < b.startedAt ? -1 : 1)).at(-1);
    expect(newest.currentPeriodEndsAt).to.equal(new Date(s.ms(to)).toISOString());
  };

  for (const [form, named] of Object.entries(NAMES))
    describe(`as ${form}`, () => {
      for (const { former, lead, day, to, then = replaced(day), ...wanted } of ROWS) {
        it(`when the former purchase ${former}`, async () => {
          const s = scenario();
          const { notify, show, again } = tools(s, named);
          await call('POST', `/v1/subscribers/${buyerOf(s)}`, {});
          await lead(s, notify, show);
          const before = await eventsOf(s).catch(() => []);
          const successor = again(day, to);
          show(then);
          await notify(day, 'PURCHASED', successor);
          expect((await eventsOf(s)).slice(before.length)).to.deep.equal(wanted.events);
          // Whatever the store still sends about the former purchase ends nothing of the next.
          await notify(day + 0.01, 'EXPIRED', then);
          await s.push(day + 0.02, { subscriptionNotification: { notificationType: 5, purchaseToken: s.purchase } });
          await s.push(day + 0.03, { subscriptionNotification: { notificationType: 12, purchaseToken: s.purchase } });
          await present(s, successor.token);
          expect((await eventsOf(s)).slice(before.length)).to.deep.equal(wanted.events);
          const { subscriptions, totalSpentUsd } = await s.customer();
          expect([subscriptions.length, totalSpentUsd]).to.deep.equal([wanted.subscriptions, wanted.spent]);
          await expectAccess(s, { day: day + 0.04, to, isListed: named.isListed });
          expect(await s.kinds()).to.deep.equal(wanted.kinds);
          // The renewal of the successor is the only other charge.
          const renewed = { latestSuccessfulOrderId: `GPA.${successor.token}..0` };
          await notify(to, 'RENEWED', {
            ...successor,
            to: to + 31,
            item: renewed,
            also: { latestOrderId: `GPA.${successor.token}..0` },
          });
          await s.see(to + 30, 'active', named.isListed);
          expect((await s.customer()).totalSpentUsd).to.be.closeTo(wanted.spent + PRICE, 0.001);
        });
      }
    });

  const STEADY: PlanName = { productId: 'steady', basePlanId: 'p31d', isListed: true };

  describe('when nothing was heard of the former purchase', () => {
    const NAMED = STEADY;

    it('charges once for what runs on', async () => {
      const s = scenario();
      const { notify, show, again } = tools(s, NAMED);
      show(replaced(9));
      await notify(9, 'PURCHASED', again(9, 31));
      expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0']);
      expect((await s.customer()).totalSpentUsd).to.equal(PRICE);
      await expectAccess(s, { day: 10, to: 31, isListed: true });
    });

    it('charges twice for what was bought after it was over', async () => {
      const s = scenario();
      const { notify, show, again } = tools(s, NAMED);
      show({ state: 'EXPIRED', willRenew: false, also: REPLACED });
      await notify(59, 'PURCHASED', again(59, 90));
      expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionStarted T+59']);
      expect((await s.customer()).totalSpentUsd).to.equal(2 * PRICE);
      await expectAccess(s, { day: 60, to: 90, isListed: true });
    });

    it('charges once when the store has forgotten it', async () => {
      const s = scenario();
      const { notify, again } = tools(s, NAMED);
      await notify(59, 'PURCHASED', again(59, 90));
      expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+59']);
      expect((await s.customer()).totalSpentUsd).to.equal(PRICE);
      await expectAccess(s, { day: 60, to: 90, isListed: true });
    });
  });

  it('after another that had taken the place of the first already', async () => {
    const s = scenario();
    const { notify, show, again } = tools(s, NAMES['a product with its base plan'] as PlanName);
    await notify(0, 'PURCHASED');
    await notify(5, 'CANCELED', CANCELLED);
    show(replaced(9));
    await notify(9, 'PURCHASED', again(9, 31));
    await notify(20, 'CANCELED', { ...again(9, 31), ...CANCELLED, also: { ...BY_USER } });
    s.show({ ...again(9, 25), ...replaced(25) });
    const third = again(25, 62, 2, `${s.purchase}-1`);
    await notify(25, 'PURCHASED', third);
    await notify(25.1, 'EXPIRED', replaced(9));
    await notify(25.2, 'EXPIRED', { ...again(9, 25), ...replaced(25) });
    expect((await eventsOf(s)).map((event) => event.replace('Subscription', ''))).to.deep.equal([
      'Started T+0',
      'AutoRenewDisabled T+5',
      'AutoRenewEnabled T+9',
      'AutoRenewDisabled T+20',
      'Renewed T+25',
      'AutoRenewEnabled T+25',
    ]);
    expect((await s.customer()).totalSpentUsd).to.equal(2 * PRICE);
    await expectAccess(s, { day: 26, to: 62, isListed: true });
  });

  it('after a refund counts the new charge, and another refund of the former charge ends nothing', async () => {
    const s = scenario();
    const { notify, again } = tools(s, NAMES['a product with its base plan'] as PlanName);
    await notify(0, 'PURCHASED');
    const voided = { purchaseToken: s.purchase, orderId: s.orderOf(0), voidedTimeMillis: String(s.ms(1)) };
    store().voided.push(voided);
    clock.set(s.ms(1));
    const kind = { voidedPurchaseNotification: { ...voided, productType: 1, refundType: 1 } };
    await s.push(1, kind);
    await notify(1.5, 'PURCHASED', again(1.5, 32.5));
    await s.push(2, kind);
    await idle();
    expect(await eventsOf(s)).to.deep.equal([
      'SubscriptionStarted T+0',
      'TransactionRefunded T+1',
      'SubscriptionExpired T+1',
      'SubscriptionStarted T+1.5',
    ]);
    expect((await s.customer()).totalSpentUsd).to.equal(PRICE);
    await expectAccess(s, { day: 3, to: 32.5, isListed: true });
  });

  it('keeps the successor when the former charge is given back after it', async () => {
    const s = scenario();
    const { notify, again } = tools(s, NAMES['a product with its base plan'] as PlanName);
    await notify(0, 'PURCHASED');
    await notify(31, 'ON_HOLD', { state: 'ON_HOLD' });
    await notify(40, 'PURCHASED', again(40, 71));
    const voided = { purchaseToken: s.purchase, orderId: s.orderOf(0), voidedTimeMillis: String(s.ms(41)) };
    store().voided.push(voided);
    clock.set(s.ms(41));
    await s.push(41, { voidedPurchaseNotification: { ...voided, productType: 1, refundType: 1 } });
    expect((await s.customer()).totalSpentUsd).to.equal(PRICE);
    await expectAccess(s, { day: 42, to: 71, isListed: true });
  });

  describe('with the charge that its order shows', () => {
    const orders = (s: Scenario, token: string, from: number, to: number, priceMilli: number) => {
      const named = { orderId: `GPA.${token}`, productId: PRO, basePlanId: BASE_PLAN, priceMilli };
      store().orders.set(`GPA.${token}`, orderResource({ ...named, fromMs: s.ms(from), toMs: s.ms(to) }));
    };

    it('counts what was paid though it ends with the former purchase', async () => {
      const s = scenario();
      const { notify, show, again } = tools(s, NAMES['a product without its base plan'] as PlanName);
      await notify(0, 'PURCHASED');
      const successor = { ...again(9, 31), basePlanId: 'monthly-plus' };
      orders(s, successor.token, 9, 31, 2500);
      show(replaced(9));
      await notify(9, 'PURCHASED', successor);
      expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+9']);
      expect((await s.customer()).totalSpentUsd).to.equal(12.49);
      await expectAccess(s, { day: 10, to: 31, isListed: true });
    });

    it('counts nothing for time that was only moved', async () => {
      const s = scenario();
      const { notify, show, again } = tools(s, NAMES['a product without its base plan'] as PlanName);
      await notify(0, 'PURCHASED');
      const successor = { ...again(9, 20), basePlanId: 'monthly-plus' };
      orders(s, successor.token, 9, 20, 0);
      show(replaced(9));
      await notify(9, 'PURCHASED', successor);
      expect((await s.customer()).totalSpentUsd).to.equal(PRICE);
    });
  });

  it('counts unread renewals of the former purchase', async () => {
    const s = scenario();
    const { notify, show, again } = tools(s, STEADY);
    await notify(0, 'PURCHASED');
    show({ ...replaced(40), n: 1 });
    await notify(40, 'PURCHASED', again(40, 62));
    expect(await eventsOf(s)).to.deep.equal(['SubscriptionStarted T+0', 'SubscriptionRenewed T+31']);
    expect((await s.customer()).totalSpentUsd).to.equal(2 * PRICE);
    await expectAccess(s, { day: 41, to: 62, isListed: true });
  });

  describe('under another base plan', () => {
    const month: PlanName = { productId: 'duo', basePlanId: 'month', isListed: true };
    const CHANGE = ['SubscriptionStarted', 'SubscriptionProductChanged', 'SubscriptionExpired', 'SubscriptionStarted'];
    const change = async (to: number) => {
      const s = scenario();
      const { notify, show, again } = tools(s, month);
      await notify(0, 'PURCHASED');
      show(replaced(9));
      await notify(9, 'PURCHASED', { ...again(9, to), basePlanId: 'year', priceMilli: 99_990 });
      await notify(9.1, 'EXPIRED', replaced(9));
      expect((await eventsOf(s)).map((event) => event.split(' ')[0])).to.deep.equal(CHANGE);
      expect(await s.kinds()).to.deep.equal(['INITIAL_PURCHASE', 'PRODUCT_CHANGE', 'INITIAL_PURCHASE']);
      await expectAccess(s, { day: 10, to, isListed: true });
      return (await s.customer()).totalSpentUsd;
    };
    it('charges the whole price at once and adds the time that is left', async () =>
      expect(await change(9 + 365 + 3)).to.equal(109.98));
    it('charges nothing before the end of the former plan', async () => expect(await change(31)).to.equal(PRICE));
  });

  describe('with other products', () => {
    const NAMED = NAMES['a product with its base plan'] as PlanName;
    const items = (s: Scenario, orderId: string, to: number, names: readonly string[]) => ({
      latestOrderId: orderId,
      lineItems: names.map((productId) => ({
        productId,
        expiryTime: new Date(s.ms(to)).toISOString(),
        latestSuccessfulOrderId: orderId,
        autoRenewingPlan: { autoRenewEnabled: true, recurringPrice: { currencyCode: 'USD', units: '5' } },
        offerDetails: { basePlanId: BASE_PLAN },
        offerPhase: { basePrice: {} },
      })),
    });
    const play = async (day: number, to: number, names: readonly string[]) => {
      const s = scenario();
      const { notify, show, again } = tools(s, NAMED);
      await notify(0, 'PURCHASED', { also: items(s, s.orderOf(0), 31, [PRO, 'archive']) });
      const successor = again(day, to);
      const over = { ...items(s, s.orderOf(0), Math.min(day, 31), [PRO, 'archive']), ...REPLACED };
      show({ state: 'EXPIRED', also: over });
      await notify(day, 'PURCHASED', { ...successor, also: items(s, `GPA.${successor.token}`, to, names) });
      await notify(day + 0.01, 'EXPIRED', { state: 'EXPIRED', also: over });
      const { subscriptions, totalSpentUsd } = await s.customer();
      const states = subscriptions.map((one: Sold) => `${one.storeProductId.split(':')[0]} ${one.state}`).sort();
      for (const at of [day + 1, to - 0.01]) {
        clock.set(s.ms(at));
        const { entitlements } = await s.customer();
        expect(entitlements[0].active, `on day ${at}`).to.equal(true);
      }
      return { states, totalSpentUsd };
    };

    it('continues each of them, charged at the end', async () =>
      expect(await play(9, 31, ['archive', PRO])).to.deep.equal({
        states: ['archive active', 'pro_month active'],
        totalSpentUsd: 10,
      }));
    it('continues each of them, charged at once', async () =>
      expect(await play(9, 62, ['archive', PRO])).to.deep.equal({
        states: ['archive active', 'pro_month active'],
        totalSpentUsd: 20,
      }));
    it('ends what it does not continue', async () =>
      expect(await play(9, 31, [PRO])).to.deep.equal({
        states: ['archive expired', 'pro_month active'],
        totalSpentUsd: 10,
      }));
    it('starts each of them again after a lapse', async () =>
      expect(await play(40, 71, ['archive', PRO])).to.deep.equal({
        states: ['archive active', 'archive expired', 'pro_month active', 'pro_month expired'],
        totalSpentUsd: 20,
      }));
  });
});

type Sold = { readonly storeProductId: string; readonly state: string; readonly startedAt: string };
