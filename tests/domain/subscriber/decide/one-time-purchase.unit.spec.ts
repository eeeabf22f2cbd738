// Consumables, non-consumables and non-renewing subscriptions: one event per transaction.
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import {
  alice,
  boughtItem,
  chain,
  coins,
  day,
  first,
  itemCompleted,
  lifetime,
  noOffer,
  season,
  started,
} from '../samples.js';

describe('a one-time purchase', () => {
  for (const item of [coins, lifetime, season]) {
    it(`of a ${item.productType} is one event`, () => alice().when(boughtItem(item)).then(itemCompleted(item)));
  }

  it('of a consumable counts each transaction', () => {
    const more = { ...coins, id: 't2' };
    alice(itemCompleted(coins)).when(boughtItem(more)).then(itemCompleted(more));
  });

  it('keeps the terms of its offer', () => {
    const offer = { ...noOffer, offerType: 'offer_code' as const, discountType: 'one_time' as const };
    const plain = itemCompleted(lifetime);
    if (plain.type !== 'OneTimePurchaseCompleted') throw new Error('wrong sample');
    const withOffer = e.OneTimePurchaseCompleted.of({ ...plain.data, offer }, { at: day(0) });
    alice()
      .when({ ...boughtItem(lifetime), offer })
      .then(withOffer);
  });

  it('leaves a subscription of another chain alone', () => {
    const item = { ...lifetime, id: 'n1' };
    const apart = { ...boughtItem(item), storeChainId: `n${chain}` };
    alice(started(first)).when(apart).then(itemCompleted(item));
  });
});
