// Packages of an offering, and the products in them.
import { expect } from 'chai';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import { MAX_PACKAGES } from '../../../src/domain/catalog/decide-package.js';
import {
  detachFromPackages,
  offeringEvents as e,
  packagesOf,
  packageTypeOf,
} from '../../../src/domain/catalog/offerings.js';
import { foldEvents } from '../../../src/domain/decider.js';
import {
  android,
  attached,
  catalog,
  detached,
  monthly,
  offered,
  packageRef,
  packed,
  stock,
  yearly,
} from './samples.js';

const create = (n: number, position: number | null = null, lookupKey = `package_${n}`) => {
  const made = { packageId: `pkg_${n}`, lookupKey, displayName: `Package ${n}`, position };
  return { kind: 'createPackage' as const, offering: 'ofr_1', package: made };
};
const change = (kind: 'attachToPackage' | 'detachFromPackage', ...productIds: string[]) => ({
  kind,
  offering: 'key_1',
  package: 'package_1',
  productIds,
});
const attach = (...ids: string[]) => change('attachToPackage', ...ids);
const detach = (...ids: string[]) => change('detachFromPackage', ...ids);
const shop = [...stock, offered(1, true), packed(1)];

describe('a package', () => {
  it('comes last unless it is given a place', () => {
    catalog(...shop)
      .when(create(2))
      .then(packed(2, 2));
    catalog(...shop, packed(2, 40))
      .when(create(3))
      .then(packed(3, 41));
    catalog(...shop)
      .when(create(2, 1))
      .then(packed(2, 1));
  });

  it('has a key of its own in its offering', () => {
    catalog(...shop)
      .when(create(2, null, 'package_1'))
      .thenRejected('package-exists');
    const elsewhere = { ...create(2, null, 'package_1'), offering: 'ofr_2' };
    const data = { ...packageRef(2, 'package_1'), offeringId: 'ofr_2', displayName: 'Package 2', position: 1 };
    catalog(...shop, offered(2))
      .when(elsewhere)
      .then(e.PackageCreated.of(data));
  });

  it('may have a reserved key, and no other that begins with $', () => {
    const made = e.PackageCreated.of({ ...packageRef(2, '$annual'), displayName: 'Package 2', position: 2 });
    catalog(...shop)
      .when(create(2, null, '$annual'))
      .then(made);
    catalog(...shop)
      .when(create(2, null, '$daily'))
      .thenRejected('package-key-reserved');
    catalog(...shop)
      .when(create(2, null, '$toString'))
      .thenRejected('package-key-reserved');
  });

  it('derives its type from its key', () =>
    expect(['$weekly', '$two_month', '$lifetime', 'weekly', 'constructor'].map(packageTypeOf)).to.deep.equal([
      'weekly',
      'two_month',
      'lifetime',
      'custom',
      'custom',
    ]));

  it('needs an offering', () =>
    catalog(...stock)
      .when(create(1))
      .thenRejected('offering-unknown'));

  it('finds no room beyond the limit', () => {
    const full = Array.from({ length: MAX_PACKAGES }, (_, i) => packed(i + 1));
    catalog(offered(1, true), ...full)
      .when(create(99))
      .thenRejected('too-many-packages');
  });

  it('is deleted by id or key, with what it holds', () => {
    const remove = { kind: 'deletePackage' as const, offering: 'ofr_1', package: 'package_1' };
    const events = [...shop, attached(1, monthly)];
    catalog(...events)
      .when(remove)
      .thenOnce(e.PackageDeleted.of(packageRef(1)));
    catalog(...events, e.PackageDeleted.of(packageRef(1)))
      .when(remove)
      .thenRejected('package-unknown');
  });

  it('that is deleted frees its key', () =>
    catalog(...shop, e.PackageDeleted.of(packageRef(1)))
      .when(create(2, 1, 'package_1'))
      .then(e.PackageCreated.of({ ...packageRef(2, 'package_1'), displayName: 'Package 2', position: 1 })));
});

describe('the products of a package', () => {
  it('are one of each app', () => {
    catalog(...shop)
      .when(attach('prod_1', 'prod_3'))
      .then(attached(1, monthly), attached(1, android));
    catalog(...shop, attached(1, monthly))
      .when(attach('prod_2'))
      .thenRejected('package-app-taken');
    catalog(...shop)
      .when(attach('prod_1', 'prod_2'))
      .thenRejected('package-app-taken');
  });

  it('may be named twice, and again', () => {
    catalog(...shop)
      .when(attach('prod_1', 'prod_1'))
      .then(attached(1, monthly));
    catalog(...shop, attached(1, monthly))
      .when(attach('prod_1', 'prod_3'))
      .then(attached(1, android));
  });

  it('may be exchanged', () =>
    catalog(...shop, attached(1, monthly))
      .when(detach('prod_1'), attach('prod_2'))
      .thenOnce(detached(1, monthly), attached(1, yearly)));

  it('are products of the project, all or none', () =>
    catalog(...shop)
      .when(attach('prod_1', 'prod_9'))
      .thenRejected('product-unknown'));

  it('cannot leave a package they are not in', () => {
    catalog(...shop, attached(1, monthly))
      .when(detach('prod_1', 'prod_3'))
      .thenRejected('product-not-attached');
    catalog(...shop)
      .when({ ...detach('prod_1'), package: 'pkg_9' })
      .thenRejected('package-unknown');
  });
});

describe('the packages of a product', () => {
  const state = foldEvents(catalogDecider, [...shop, packed(2), attached(1, monthly), attached(2, monthly)]);

  it('are named', () => {
    expect(packagesOf(state, 'prod_1')).to.deep.equal([packageRef(1), packageRef(2)]);
    expect(packagesOf(state, 'prod_2')).to.deep.equal([]);
  });

  it('lose it when it is deleted', () =>
    expect(detachFromPackages(state, monthly)).to.deep.equal([detached(1, monthly), detached(2, monthly)]));
});
