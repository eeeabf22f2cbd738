// Products of a project and the entitlements that they unlock.
import { expect } from 'chai';
import {
  catalogDecider,
  catalogEvents as e,
  unlocksOf,
  type CatalogEvent,
} from '../../../src/domain/catalog/catalog.js';
import { findEntitlement } from '../../../src/domain/catalog/entitlements.js';
import type { Product } from '../../../src/domain/catalog/products.js';
import { foldEvents } from '../../../src/domain/decider.js';
import { given } from '../spec.js';
import { monthly as withoutTrial } from './samples.js';

const monthly: Product = { ...withoutTrial, trialDuration: 'P1W' };
const yearly: Product = { ...monthly, productId: 'prod_2', storeProductId: 'app.yearly', duration: 'P1Y' };
const pro = { entitlementId: 'ent_1', lookupKey: 'pro', displayName: 'Pro', description: null };
const made = e.ProductCreated.of(monthly);
const proMade = e.EntitlementCreated.of(pro);
const stock = [made, e.ProductCreated.of(yearly), proMade];

const linkOf = ({ productId, appId, storeProductId }: Product) => {
  const { entitlementId, lookupKey } = pro;
  return { entitlementId, lookupKey, productId, appId, storeProductId };
};
const attached = (product: Product) => e.EntitlementProductAttached.of(linkOf(product));
const detached = (product: Product) => e.EntitlementProductDetached.of(linkOf(product));
const catalog = (...events: CatalogEvent[]) => given(catalogDecider, ...events);
const attach = (productIds: string[], entitlement = 'ent_1') => ({
  kind: 'attachProducts' as const,
  entitlement,
  productIds,
});
const detach = (productIds: string[]) => ({ kind: 'detachProducts' as const, entitlement: 'pro', productIds });

describe('a product', () => {
  it('is made once', () => catalog().when({ kind: 'createProduct', product: monthly }).then(made));

  it('may not take the store’s name of another in its app', () =>
    catalog(made)
      .when({ kind: 'createProduct', product: { ...monthly, productId: 'prod_9' } })
      .thenRejected('product-exists'));

  it('may have that name in another app', () => {
    const product = { ...monthly, productId: 'prod_9', appId: 'app_2' };
    catalog(made).when({ kind: 'createProduct', product }).then(e.ProductCreated.of(product));
  });
});

describe('an entitlement', () => {
  it('is made once', () => catalog().when({ kind: 'createEntitlement', entitlement: pro }).then(proMade));

  it('may not take the key of another', () =>
    catalog(proMade)
      .when({ kind: 'createEntitlement', entitlement: { ...pro, entitlementId: 'ent_9' } })
      .thenRejected('entitlement-exists'));

  it('is found by id and by key', () => {
    const state = foldEvents(catalogDecider, stock);
    expect([findEntitlement(state, 'ent_1'), findEntitlement(state, 'pro')].map((f) => f?.entitlementId)).to.deep.equal(
      ['ent_1', 'ent_1'],
    );
    expect(findEntitlement(state, 'other')).to.equal(undefined);
  });

  it('takes products', () =>
    catalog(...stock)
      .when(attach(['prod_1', 'prod_2']))
      .then(attached(monthly), attached(yearly)));

  it('takes a product named twice once', () =>
    catalog(...stock)
      .when(attach(['prod_1', 'prod_1'], 'pro'))
      .then(attached(monthly)));

  it('takes those that it has not', () =>
    catalog(...stock, attached(monthly))
      .when(attach(['prod_1', 'prod_2']))
      .then(attached(yearly)));

  it('takes all or none', () =>
    catalog(...stock)
      .when(attach(['prod_1', 'prod_9']))
      .thenRejected('product-unknown'));

  it('lets go of products', () =>
    catalog(...stock, attached(monthly))
      .when(detach(['prod_1']))
      .thenOnce(detached(monthly)));

  it('cannot let go of what it has not', () =>
    catalog(...stock)
      .when(detach(['prod_1']))
      .thenRejected('product-not-attached'));

  it('that is unknown takes nothing', () =>
    catalog(made)
      .when(attach(['prod_1']))
      .thenRejected('entitlement-unknown'));
});

describe('what a store’s product unlocks', () => {
  const unlockedBy = (...events: CatalogEvent[]) => unlocksOf(foldEvents(catalogDecider, events));

  it('is what it is attached to', () => {
    const unlocks = unlockedBy(...stock, attached(monthly));
    expect(unlocks('app_1', 'app.monthly').map((u) => u.lookupKey)).to.deep.equal(['pro']);
    expect(unlocks('app_1', 'app.yearly')).to.deep.equal([]);
    expect(unlocks('app_2', 'app.monthly')).to.deep.equal([]);
  });

  it('ends when it is detached', () =>
    expect(unlockedBy(...stock, attached(monthly), detached(monthly))('app_1', 'app.monthly')).to.deep.equal([]));
});
