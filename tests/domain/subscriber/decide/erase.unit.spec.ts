// Erasing a customer's data, and what is left: purchases, since sums of money need them.
import { expect } from 'chai';
import { foldEvents } from '../../../../src/domain/decider.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { MergedElsewhere } from '../../../../src/domain/errors.js';
import { given } from '../../spec.js';
import { alice, customer, charged, day, first, renewed, second, started } from '../samples.js';

const keys = [{ subject: 'cus_1', guard: '1' }];
const erase = { kind: 'erase' as const, keys, mergedCustomerIds: [] };
const erased = e.CustomerErased.of({ reason: 'request', keys });
const attributes = { $email: { value: 'alice@example.com', updatedAt: day(0) } };
const furnished = [customer, e.CustomerAttributesUpdated.of({ attributes }), started(first)];

describe('erasing', () => {
  it('a customer is an event that names the data keys', () => alice().when(erase).then(erased));

  it('an unknown subscriber is rejected', () =>
    given(subscriberDecider).when(erase).thenRejected('subscriber-unknown'));

  it('twice is once', () =>
    alice(erased)
      .when({ ...erase, keys: [] })
      .thenNothing());

  it('a customer who was merged is for whom it was merged into', () => {
    const merged = alice(e.CustomerMergedInto.of({ customerId: 'cus_2', appUserId: 'ben' }));
    expect(() => merged.when(erase).thenNothing()).to.throw(MergedElsewhere);
  });

  it('leaves purchases, and nothing that identifies their customer', () => {
    const { profile } = foldEvents(subscriberDecider, [...furnished, erased]);
    const { subscriptions, ...customer } = profile;
    const nothing = { appUserId: '', country: null, platform: null, attributes: [], aliases: [], grants: [] };
    expect(customer).to.deep.include({ status: 'erased', ...nothing });
    expect(subscriptions.map((s) => s.purchase.subscriptionId)).to.deep.equal(['sub_t1']);
  });

  it('does not keep the store from charging, nor the charge from being counted', () =>
    given(subscriberDecider, ...furnished, erased)
      .when(charged(second))
      .then(renewed(second)));

  it('is undone by the customer alone, not by notifications of the store or an import', () => {
    const register = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'store' as const };
    alice(erased).when(register).thenNothing();
    alice(erased)
      .when({ ...register, source: 'import' })
      .thenNothing();
    const unknown = { country: null, platform: null, appVersion: null };
    const back = { appUserId: 'alice', source: 'sdk' as const, ...unknown, isTrusted: false };
    alice(erased)
      .when({ ...register, source: 'sdk' })
      .then(e.CustomerCreated.of(back));
  });
});
