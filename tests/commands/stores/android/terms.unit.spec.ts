// Single responses of the android-store as store commands: prices that nobody can know, declined charges, cancellations of commitments.
import { expect } from 'chai';
import { orderSchema } from '../../../../src/adapters/android-store/order-payloads.js';
import { productSchema, subscriptionSchema } from '../../../../src/adapters/android-store/payloads.js';
import type { AndroidOrder } from '../../../../src/adapters/android-store/port.js';
import { translateAndroidProduct } from '../../../../src/commands/stores/android/translator/product.js';
import { translateAndroidSubscription } from '../../../../src/commands/stores/android/translator/subscription.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import { money, subscriptionResource } from '../../../../simulator/android-store/payloads.js';
import { monthly } from '../../../domain/catalog/samples.js';
import { contextOf, dayMs } from '../ios/samples.js';

const product = { ...monthly, storeProductId: 'pro', duration: 'P1M' };
const worth = { productId: product.productId, currency: 'USD', amountMicros: 9_990_000, country: null, startsAt: null };
const { catalog, ...shared } = contextOf();
const ctx = {
  ...shared,
  catalog: { ...catalog, products: [product], prices: [{ priceId: 'price_1', ...worth }] },
  orders: new Map<string, AndroidOrder>(),
};
const noted = { storeProductId: null, addOns: [], addOnRoot: null };

function commandsOf(type: string, item: Readonly<Record<string, unknown>>, state = 'ACTIVE') {
  const fields = { productId: 'pro', orderId: 'GPA.1', startMs: dayMs(0), expiryMs: dayMs(31), state, item };
  const [translated] = translateAndroidSubscription(
    {
      purchaseToken: 'token',
      storeChainId: 'token',
      subscription: subscriptionSchema.parse(subscriptionResource(fields)),
      type: `SUBSCRIPTION_${type}`,
      storeTime: isoFromMs(dayMs(0)),
      replacedProductId: null,
      isReplaced: false,
      handsOnAddOns: false,
      isOtherProduct: false,
      charges: 0,
      known: noted,
    },
    ctx,
  );
  return translated?.commands ?? [];
}

describe('a response of the android-store', () => {
  it('about a new plan that is offset against the former one has no price', () => {
    const [period] = commandsOf('PURCHASED', { offerPhase: { prorationPeriod: {} } });
    expect(period).to.have.nested.property('money.amountMicros', null);
  });

  it('with only a declined order is not a charge', () => {
    const commands = commandsOf('IN_GRACE_PERIOD', { latestSuccessfulOrderId: undefined }, 'IN_GRACE_PERIOD');
    expect(commands.map((command) => command.kind)).to.deep.equal(['recordBillingFailure']);
  });

  it('about a cancelled commitment ends it when all of it is paid', () => {
    const installmentDetails = { remainingCommittedPaymentsCount: 2, pendingCancellation: {} };
    const autoRenewingPlan = { autoRenewEnabled: true, recurringPrice: money(9990), installmentDetails };
    const wish = commandsOf('CANCELLATION_SCHEDULED', { autoRenewingPlan }).filter((f) => f.kind === 'recordAutoRenew');
    const ends = isoFromMs(Date.parse('2027-02-02T10:00:00Z'));
    expect(wish.map(({ on, inferred, effectiveAt }) => [on, inferred, effectiveAt])).to.deep.equal([
      [false, false, ends],
    ]);
  });

  it('about one of several products of an order has its own price', () => {
    const lines = [
      { productId: 'coins', total: money(1990) },
      { productId: 'gems', total: money(4990) },
    ];
    const order = orderSchema.parse({ orderId: 'GPA.2', total: money(6980), lineItems: lines });
    const bought = productSchema.parse({ purchaseTimeMillis: String(dayMs(0)), orderId: 'GPA.2' });
    const reading = {
      purchaseToken: 'token',
      storeChainId: 'token',
      storeProductId: 'gems',
      product: bought,
      type: null,
    };
    const [update] = translateAndroidProduct(
      { ...reading, storeTime: isoFromMs(dayMs(0)) },
      { ...ctx, orders: new Map([['GPA.2', order]]) },
    );
    expect(update?.commands[0]).to.have.nested.property('money.amountMicros', 4_990_000);
  });
});
