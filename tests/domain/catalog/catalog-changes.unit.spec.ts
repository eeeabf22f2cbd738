// Changing and deleting products, prices and entitlements.
import { expect } from 'chai';
import {
  catalogDecider,
  catalogEvents as e,
  productIdOf,
  unlocksOf,
  type CatalogEvent,
} from '../../../src/domain/catalog/catalog.js';
import { MAX_PRICES } from '../../../src/domain/catalog/decide-product.js';
import { offeringEvents } from '../../../src/domain/catalog/offerings.js';
import type { Price, Product } from '../../../src/domain/catalog/products.js';
import { foldEvents } from '../../../src/domain/decider.js';
import { given } from '../spec.js';
import { monthly } from './samples.js';

const android: Product = { ...monthly, productId: 'prod_2', appId: 'app_2', store: 'android-store' };
const refOf = ({ productId, appId, storeProductId }: Product) => ({ productId, appId, storeProductId });
const pro = { entitlementId: 'ent_1', lookupKey: 'pro' };
const inPackage = { offeringId: 'ofr_1', packageId: 'pkg_1', lookupKey: '$monthly' };
const attached = e.EntitlementProductAttached.of({ ...pro, ...refOf(monthly) });
const detached = e.EntitlementProductDetached.of({ ...pro, ...refOf(monthly), withProduct: true });
const packed = [
  offeringEvents.OfferingCreated.of({
    offeringId: 'ofr_1',
    lookupKey: 'default',
    displayName: 'Default',
    metadata: {},
    isCurrent: true,
  }),
  offeringEvents.PackageCreated.of({ ...inPackage, displayName: 'Monthly', position: 1 }),
  offeringEvents.PackageProductAttached.of({ ...inPackage, ...refOf(monthly) }),
];
const unpacked = offeringEvents.PackageProductDetached.of({ ...inPackage, ...refOf(monthly) });
const deleted = e.ProductDeleted.of(refOf(monthly));
const stock = [
  e.ProductCreated.of(monthly),
  e.ProductCreated.of(android),
  e.EntitlementCreated.of({ ...pro, displayName: 'Pro', description: null }),
];
const catalog = (...events: CatalogEvent[]) => given(catalogDecider, ...stock, ...events);
const remove = (force = false) => ({ kind: 'deleteProduct' as const, productId: 'prod_1', force });

describe('a product that is deleted', () => {
  it('is deleted, and frees its store ID', () => {
    catalog().when(remove()).thenOnce(deleted);
    catalog(deleted).when(remove()).thenRejected('product-unknown');
    const product = { ...monthly, productId: 'prod_9' };
    catalog(deleted).when({ kind: 'createProduct', product }).then(e.ProductCreated.of(product));
  });

  it('may be attached to nothing', () => {
    catalog(attached).when(remove()).thenRejected('product-attached');
    catalog(...packed)
      .when(remove())
      .thenRejected('product-attached');
  });

  it('is detached from all in the same append when forced', () =>
    catalog(attached, ...packed)
      .when(remove(true))
      .thenOnce(detached, unpacked, deleted));

  it('unlocks nothing', () => {
    const state = foldEvents(catalogDecider, [...stock, attached, detached, deleted]);
    expect(unlocksOf(state)('app_1', 'app.monthly')).to.deep.equal([]);
  });

  it('still unlocks for earlier buyers, as long as there is something to unlock', () => {
    const at = '2026-11-20T10:00:00.000Z';
    const [before, after] = ['2026-11-20T09:59:59.999Z', at];
    const state = foldEvents(catalogDecider, [...stock, attached, { ...detached, at }, { ...deleted, at }]);
    expect(unlocksOf(state)('app_1', 'app.monthly', before)).to.deep.equal([pro]);
    expect(unlocksOf(state)('app_1', 'app.monthly', after)).to.deep.equal([]);
    expect(productIdOf(state)('app_1', 'app.monthly')).to.equal('prod_1');
    const gone = foldEvents(catalogDecider, [
      ...[...stock, attached, { ...detached, at }, { ...deleted, at }],
      e.EntitlementDeleted.of(pro),
    ]);
    expect(unlocksOf(gone)('app_1', 'app.monthly', before)).to.deep.equal([]);
  });

  it('goes with its app, whatever holds it, and others stay', () =>
    catalog(attached, ...packed)
      .when({ kind: 'deleteProductsOfApp', appId: 'app_1' })
      .then(detached, unpacked, deleted));
});

describe('a price', () => {
  const price: Price = {
    priceId: 'price_1',
    productId: 'prod_1',
    amountMicros: 9_990_000,
    currency: 'USD',
    country: null,
    startsAt: null,
  };
  const added = (fields: Partial<Price> = {}) => e.ProductPriceAdded.of({ ...price, ...fields });
  const add = (fields: Partial<Price> = {}) => ({ kind: 'addPrice' as const, price: { ...price, ...fields } });
  const drop = { kind: 'deletePrice' as const, productId: 'prod_1', priceId: 'price_1' };

  it('is added once', () => catalog().when(add()).then(added()));

  it('is the only one of its currency, country and start', () => {
    const amountMicros = 1_000_000;
    catalog(added())
      .when(add({ priceId: 'price_2', amountMicros }))
      .thenRejected('price-exists');
    for (const other of [{ currency: 'EUR' }, { country: 'US' }, { startsAt: '2026-12-01T00:00:00.000Z' }]) {
      const fields = { priceId: 'price_2', ...other };
      catalog(added()).when(add(fields)).then(added(fields));
    }
  });

  it('needs its product', () => catalog(deleted).when(add()).thenRejected('product-unknown'));

  it('is one of at most so many', () => {
    const start = (i: number) => new Date(Date.UTC(2026, 0, 1, i)).toISOString();
    const many = Array.from({ length: MAX_PRICES }, (_, i) => added({ priceId: `price_${i}`, startsAt: start(i) }));
    catalog(...many)
      .when(add({ priceId: 'more' }))
      .thenRejected('too-many-prices');
  });

  it('is deleted, once', () => {
    const gone = e.ProductPriceDeleted.of({ productId: 'prod_1', priceId: 'price_1' });
    catalog(added()).when(drop).thenOnce(gone);
    catalog(added(), gone).when(drop).thenRejected('price-unknown');
  });

  it('of another product is not found', () =>
    catalog(added())
      .when({ ...drop, productId: 'prod_2' })
      .thenRejected('price-unknown'));

  it('is gone with its product', () => {
    const again = e.ProductCreated.of(monthly);
    catalog(added(), deleted, again).when(drop).thenRejected('price-unknown');
  });
});

describe('an entitlement', () => {
  it('changes what differs and records both values', () =>
    catalog()
      .when({ kind: 'updateEntitlement', entitlement: 'pro', set: { displayName: 'Pro', description: 'All' } })
      .then(e.EntitlementUpdated.of({ entitlementId: 'ent_1', changes: { description: { from: null, to: 'All' } } })));

  it('that is deleted lets go of its products, and of its key', () => {
    const gone = e.EntitlementDeleted.of(pro);
    const detachedAlone = e.EntitlementProductDetached.of({ ...pro, ...refOf(monthly) });
    catalog(attached).when({ kind: 'deleteEntitlement', entitlement: 'pro' }).thenOnce(detachedAlone, gone);
    catalog(gone).when({ kind: 'deleteEntitlement', entitlement: 'ent_1' }).thenRejected('entitlement-unknown');
    const entitlement = { entitlementId: 'ent_2', lookupKey: 'pro', displayName: 'Pro', description: null };
    catalog(gone).when({ kind: 'createEntitlement', entitlement }).then(e.EntitlementCreated.of(entitlement));
  });

  it('that is unknown cannot change', () =>
    catalog()
      .when({ kind: 'updateEntitlement', entitlement: 'other', set: { displayName: 'x' } })
      .thenRejected('entitlement-unknown'));
});
