// Products, entitlements, and what a store's product unlocks.
import { expect } from 'chai';
import { catalogEvents } from '../../../src/domain/catalog/catalog.js';
import { streams } from '../../../src/domain/streams.js';
import { entitlements, products, unlockId, unlocks } from '../../../src/projections/models/catalogue.js';
import { DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const stream = streams.catalog(PROJECT);
const product = {
  productId: 'prod_1',
  appId: 'app_1',
  store: 'ios-store',
  storeProductId: 'pro.month',
  displayName: 'Pro',
  type: 'subscription',
  duration: 'P1M',
  trialDuration: null,
  gracePeriodDuration: null,
} as const;
const pro = { entitlementId: 'ent_1', lookupKey: 'pro', displayName: 'Pro', description: null };
const link = {
  entitlementId: 'ent_1',
  lookupKey: 'pro',
  productId: 'prod_1',
  appId: 'app_1',
  storeProductId: 'pro.month',
};

const productCreated = past(stream, catalogEvents.ProductCreated.of(product), DAY(1));
const entitlementCreated = past(stream, catalogEvents.EntitlementCreated.of(pro), DAY(1));
const attached = (at: string, other = link) => past(stream, catalogEvents.EntitlementProductAttached.of(other), at);
const detached = (at: string) => past(stream, catalogEvents.EntitlementProductDetached.of(link), at);
const goneWithProduct = (at: string) =>
  past(stream, catalogEvents.EntitlementProductDetached.of({ ...link, withProduct: true }), at);
const both = [productCreated, entitlementCreated];

describe('products read model', () => {
  it('names the entitlements that a product unlocks', () =>
    given(products, ...both, attached(DAY(2))).then((found) =>
      expect(found['products']).to.deep.equal({
        prod_1: {
          ...product,
          ...{ projectId: PROJECT, prices: [], entitlementIds: ['ent_1'], createdAt: DAY(1), updatedAt: DAY(2) },
        },
      }),
    ));

  it('names one no more that was detached', () =>
    given(products, ...both, attached(DAY(2)), detached(DAY(3))).then((found) =>
      expect(found['products']?.['prod_1']).to.deep.include({ entitlementIds: [], updatedAt: DAY(3) }),
    ));
});

describe('entitlements read model', () => {
  it('names the products that unlock an entitlement', () =>
    given(entitlements, ...both, attached(DAY(2))).then((found) =>
      expect(found['entitlements']).to.deep.equal({
        ent_1: { ...pro, projectId: PROJECT, productIds: ['prod_1'], createdAt: DAY(1), updatedAt: DAY(2) },
      }),
    ));

  it('names one no more that was detached', () =>
    given(entitlements, ...both, attached(DAY(2)), detached(DAY(3))).then((found) =>
      expect(found['entitlements']?.['ent_1']).to.deep.include({ productIds: [], updatedAt: DAY(3) }),
    ));
});

describe('unlocks read model', () => {
  const id = unlockId('app_1', 'pro.month');

  it('answers what a purchase unlocks by the names of the store', () =>
    given(unlocks, ...both, attached(DAY(2))).then((found) =>
      expect(found['unlocks']).to.deep.equal({
        [id]: { productId: 'prod_1', entitlements: [{ entitlementId: 'ent_1', lookupKey: 'pro' }], retired: [] },
      }),
    ));

  it('keeps the other entitlements of a product when one is detached', () => {
    const other = { ...link, entitlementId: 'ent_2', lookupKey: 'plus' };
    return given(unlocks, ...both, attached(DAY(2)), attached(DAY(2), other), detached(DAY(3))).then((found) =>
      expect(found['unlocks']?.[id]).to.deep.equal({
        productId: 'prod_1',
        entitlements: [{ entitlementId: 'ent_2', lookupKey: 'plus' }],
        retired: [],
      }),
    );
  });
});

describe('what changes and ends in the catalogue', () => {
  const price = { priceId: 'price_1', amountMicros: 9_990_000, currency: 'USD', country: null, startsAt: null };
  const priced = past(stream, catalogEvents.ProductPriceAdded.of({ productId: 'prod_1', ...price }), DAY(2));
  const unpriced = past(
    stream,
    catalogEvents.ProductPriceDeleted.of({ productId: 'prod_1', priceId: 'price_1' }),
    DAY(3),
  );
  const { productId, appId, storeProductId } = product;
  const productDeleted = past(stream, catalogEvents.ProductDeleted.of({ productId, appId, storeProductId }), DAY(4));
  const changes = { description: { from: null, to: 'All of it' } };
  const updated = past(stream, catalogEvents.EntitlementUpdated.of({ entitlementId: 'ent_1', changes }), DAY(3));
  const { entitlementId, lookupKey } = pro;
  const deleted = past(stream, catalogEvents.EntitlementDeleted.of({ entitlementId, lookupKey }), DAY(4));

  it('is shown: prices of products', async () => {
    await given(products, ...both, priced).then((found) =>
      expect(found['products']?.['prod_1']).to.deep.include({ prices: [price], updatedAt: DAY(2) }),
    );
    await given(products, ...both, priced, unpriced).then((found) =>
      expect(found['products']?.['prod_1']).to.deep.include({ prices: [], updatedAt: DAY(3) }),
    );
  });

  it('is shown: products that are gone, and unlock nothing but for who had bought them', async () => {
    const past = [...both, attached(DAY(2)), goneWithProduct(DAY(4)), productDeleted];
    await given(products, ...past).then((found) => expect(found['products']).to.deep.equal({}));
    await given(unlocks, ...past).then((found) =>
      expect(found['unlocks']?.[unlockId('app_1', 'pro.month')]).to.deep.equal({
        productId: 'prod_1',
        entitlements: [],
        retired: [{ entitlementId: 'ent_1', lookupKey: 'pro', until: DAY(4) }],
      }),
    );
  });

  it('is shown: changes of entitlements', () =>
    given(entitlements, ...both, updated).then((found) =>
      expect(found['entitlements']?.['ent_1']).to.include({ description: 'All of it', updatedAt: DAY(3) }),
    ));

  it('is shown: entitlements that are gone', () =>
    given(entitlements, ...both, attached(DAY(2)), detached(DAY(4)), deleted).then((found) =>
      expect(found['entitlements']).to.deep.equal({}),
    ));
});
