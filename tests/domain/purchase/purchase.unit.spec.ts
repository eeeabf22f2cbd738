// Owner of a purchase line.
import { purchaseDecider, purchaseEvents as e } from '../../../src/domain/purchase/purchase.js';
import { given } from '../spec.js';

const a = { customerId: 'cus_a', appUserId: 'a' };
const b = { customerId: 'cus_b', appUserId: 'b' };
const line = { storeChainId: '1000', store: 'ios-store' as const };
const claim = { kind: 'claim' as const, ...line, ...a, source: 'store' as const };
const claimed = e.PurchaseClaimed.of({ ...line, ...a, source: 'store' });
const change = (from: typeof a, to: typeof a) => ({
  kind: 'changeOwner' as const,
  storeChainId: line.storeChainId,
  from,
  to,
  reason: 'restore' as const,
});
const changed = (from: typeof a, to: typeof a) =>
  e.PurchaseOwnerChanged.of({
    storeChainId: line.storeChainId,
    fromCustomerId: from.customerId,
    fromAppUserId: from.appUserId,
    toCustomerId: to.customerId,
    toAppUserId: to.appUserId,
    reason: 'restore',
  });

describe('a purchase line', () => {
  it('belongs to the first who claims it', () => given(purchaseDecider).when(claim).then(claimed));

  it('cannot be claimed by a second', () =>
    given(purchaseDecider, claimed)
      .when({ ...claim, ...b })
      .thenNothing());

  it('changes hands', () => given(purchaseDecider, claimed).when(change(a, b)).then(changed(a, b)));

  it('changes hands and back', () =>
    given(purchaseDecider, claimed, changed(a, b)).when(change(b, a)).then(changed(b, a)));

  it('cannot be given away by who has it no longer', () =>
    given(purchaseDecider, claimed, changed(a, b)).when(change(a, b)).thenNothing());

  it('that is unclaimed cannot be transferred', () => given(purchaseDecider).when(change(a, b)).thenNothing());

  describe('that its owner claims again', () => {
    const token = (key: string, environment: 'production' | 'sandbox' = 'production') => ({
      accountToken: { key, customerIds: ['cus_t'], environment },
    });
    const withReceipt = { ...claim, source: 'receipt' as const };
    const by = (source: 'receipt' | 'store', more: object = {}) =>
      e.PurchaseClaimed.of({ ...line, ...a, source, ...more });

    it('is held by a receipt from the first one on', () => {
      given(purchaseDecider, claimed).when(withReceipt).then(by('receipt'));
      given(purchaseDecider, claimed, by('receipt')).when(withReceipt).thenNothing();
      given(purchaseDecider, by('receipt')).when(claim).thenNothing();
    });

    it('has the token that the store sent last', () => {
      given(purchaseDecider, claimed)
        .when({ ...claim, ...token('t') })
        .then(by('store', token('t')));
      given(purchaseDecider, by('store', token('t')))
        .when({ ...claim, ...token('t') })
        .thenNothing();
      given(purchaseDecider, by('store', token('t')), by('store', token('u')))
        .when({ ...claim, ...token('t') })
        .then(by('store', token('t')));
    });

    it('takes no token of the store once there was a receipt', () =>
      given(purchaseDecider, by('receipt'))
        .when({ ...claim, ...token('t') })
        .thenNothing());

    it('has each token of a receipt once, by environment', () => {
      const known = given(purchaseDecider, by('receipt', token('t')));
      known.when({ ...withReceipt, ...token('t') }).thenNothing();
      known.when({ ...withReceipt, ...token('t', 'sandbox') }).then(by('receipt', token('t', 'sandbox')));
    });
  });
});
