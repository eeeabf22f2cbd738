// Offerings with their packages in order, and which of them is current.
import { expect } from 'chai';
import { offeringEvents as e } from '../../../src/domain/catalog/offerings.js';
import { paywallEvents } from '../../../src/domain/catalog/paywalls.js';
import { streams } from '../../../src/domain/streams.js';
import { offerings } from '../../../src/projections/models/offerings.js';
import { DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const stream = streams.catalog(PROJECT);
type Changes = Parameters<typeof e.OfferingUpdated.of>[0]['changes'];

const offering = (n: number, isCurrent: boolean) => {
  const data = { offeringId: `ofr_${n}`, lookupKey: `key_${n}`, displayName: `Offering ${n}`, metadata: { n } };
  return past(stream, e.OfferingCreated.of({ ...data, isCurrent }), DAY(1));
};
const updated = (n: number, changes: Changes, at = DAY(2)) =>
  past(stream, e.OfferingUpdated.of({ offeringId: `ofr_${n}`, lookupKey: `key_${n}`, changes }), at);
const packageRef = (n: number) => ({ offeringId: 'ofr_1', packageId: `pkg_${n}`, lookupKey: `package_${n}` });
const packed = (n: number, position: number, at = DAY(2)) =>
  past(stream, e.PackageCreated.of({ ...packageRef(n), displayName: `Package ${n}`, position }), at);
const product = { productId: 'prod_1', appId: 'app_1', storeProductId: 'pro.month' };
const attached = past(stream, e.PackageProductAttached.of({ ...packageRef(1), ...product }), DAY(3));
const detached = past(stream, e.PackageProductDetached.of({ ...packageRef(1), ...product }), DAY(4));

describe('offerings read model', () => {
  it('shows an offering with its packages and their products', () =>
    given(offerings, offering(1, true), packed(1, 1), attached).then((found) =>
      expect(found['offerings']).to.deep.equal({
        ofr_1: {
          projectId: PROJECT,
          offeringId: 'ofr_1',
          lookupKey: 'key_1',
          displayName: 'Offering 1',
          metadata: { n: 1 },
          isCurrent: true,
          currentSince: 0,
          archived: false,
          packages: [
            {
              packageId: 'pkg_1',
              lookupKey: 'package_1',
              displayName: 'Package 1',
              position: 1,
              products: [product],
              createdAt: DAY(2),
              updatedAt: DAY(3),
            },
          ],
          createdAt: DAY(1),
          updatedAt: DAY(3),
        },
      }),
    ));

  it('takes a product out of its package', () =>
    given(offerings, offering(1, true), packed(1, 1), attached, detached).then((found) =>
      expect(found['offerings']?.['ofr_1']).to.have.deep.nested.property('packages[0].products', []),
    ));

  it('orders packages by position, then by creation', () =>
    given(offerings, offering(1, true), packed(1, 5), packed(2, 1), packed(3, 5), packed(4, 0)).then((found) => {
      const packages = found['offerings']?.['ofr_1']?.['packages'] as readonly { packageId: string }[];
      expect(packages.map((p) => p.packageId)).to.deep.equal(['pkg_4', 'pkg_2', 'pkg_1', 'pkg_3']);
    }));

  it('forgets a deleted package', () => {
    const gone = past(stream, e.PackageDeleted.of(packageRef(1)), DAY(5));
    return given(offerings, offering(1, true), packed(1, 1), attached, gone).then((found) =>
      expect(found['offerings']?.['ofr_1']).to.deep.include({ packages: [], updatedAt: DAY(5) }),
    );
  });

  it('shows since when one is current, and that the former one was', () => {
    const former = updated(1, { isCurrent: { from: true, to: false } });
    const next = updated(2, { isCurrent: { from: false, to: true } });
    return given(offerings, offering(1, true), offering(2, false), former, next).then((found) => {
      expect(found['offerings']?.['ofr_1']).to.include({ isCurrent: false, currentSince: 0 });
      expect(found['offerings']?.['ofr_2']).to.include({ isCurrent: true, currentSince: 3 });
    });
  });

  it('keeps what an update does not name', () => {
    const named = updated(1, { displayName: { from: 'Offering 1', to: 'Best' }, metadata: { to: { a: [1] } } });
    const shelved = updated(1, { archived: { from: false, to: true } }, DAY(3));
    return given(offerings, offering(1, false), named, shelved).then((found) =>
      expect(found['offerings']?.['ofr_1']).to.deep.include({
        displayName: 'Best',
        metadata: { a: [1] },
        archived: true,
        isCurrent: false,
        updatedAt: DAY(3),
      }),
    );
  });

  it('is not touched by the paywalls of an offering', () => {
    const data = { paywallId: 'pw_1', offeringId: 'ofr_1', name: 'P', config: {}, defaultLocale: 'en' };
    const paywall = paywallEvents.PaywallCreated.of({ ...data, localizations: {}, status: 'published' });
    return given(offerings, offering(1, true), past(stream, paywall, DAY(9))).then((found) =>
      expect(found['offerings']?.['ofr_1']).to.include({ updatedAt: DAY(1) }),
    );
  });
});
