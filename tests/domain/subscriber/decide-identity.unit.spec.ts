// Who a subscriber is: registration, attributes, merging.
import { expect } from 'chai';
import { decideAll, foldEvents } from '../../../src/domain/decider.js';
import type { SetAttributes } from '../../../src/domain/subscriber/commands.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide.js';
import { subscriberEvents as e } from '../../../src/domain/subscriber/events.js';
import { MergedElsewhere } from '../../../src/domain/subscriber/merged-elsewhere.js';
import { given } from '../spec.js';
import { alice, bought, coins, customer, day, first, itemCompleted, started } from './samples.js';

const register = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'sdk' as const };

describe('registration', () => {
  it('makes a customer', () =>
    given(subscriberDecider)
      .when({ ...register, country: 'US', platform: 'ios', appVersion: '1.0', at: day(0) })
      .then(customer));

  it('knows nothing of what was not said', () =>
    given(subscriberDecider)
      .when(register)
      .then(
        e.CustomerCreated.of({
          appUserId: 'alice',
          source: 'sdk',
          country: null,
          platform: null,
          appVersion: null,
        }),
      ));

  it('of a known customer is nothing', () => alice().when(register).thenNothing());
});

describe('attributes', () => {
  const change = (key: string, value: string | null, on = 0) => ({ key, value, updatedAt: day(on) });
  const set = (...changes: SetAttributes['changes']): SetAttributes => ({ kind: 'setAttributes', changes });
  const updated = (...changes: SetAttributes['changes']) =>
    e.CustomerAttributesUpdated.of({
      attributes: Object.fromEntries(changes.map(({ key, value, updatedAt }) => [key, { value, updatedAt }])),
    });
  const many = (count: number) => Array.from({ length: count }, (_, i) => change(`k${i}`, 'v'));

  it('are set together', () => {
    const changes = [change('team', 'red'), change('$email', 'a@example.com')];
    alice()
      .when(set(...changes))
      .then(updated(...changes));
  });

  it('change by the newer word', () =>
    alice(updated(change('team', 'red', 1)))
      .when(set(change('team', 'blue', 2)))
      .then(updated(change('team', 'blue', 2))));

  it('do not change by an older word', () =>
    alice(updated(change('team', 'red', 2)))
      .when(set(change('team', 'blue', 1)))
      .thenNothing());

  it('that are so already are left out', () =>
    alice(updated(change('team', 'red')))
      .when(set(change('team', 'red', 1), change('size', 'M', 1)))
      .then(updated(change('size', 'M', 1))));

  it('are deleted by null', () =>
    alice(updated(change('team', 'red')))
      .when(set(change('team', null, 1)))
      .then(updated(change('team', null, 1))));

  it('that are not held need no deleting', () =>
    alice()
      .when(set(change('team', null)))
      .thenNothing());

  it('may be 50 of one’s own', () =>
    alice()
      .when(set(...many(50)))
      .then(updated(...many(50))));

  it('may not be 51 of one’s own', () =>
    alice(updated(...many(50)))
      .when(set(change('more', 'v', 1)))
      .thenRejected('too-many-attributes'));

  it('that are reserved do not count', () =>
    alice(updated(...many(50)))
      .when(set(change('$email', 'a@example.com')))
      .then(updated(change('$email', 'a@example.com'))));

  it('may be exchanged at the limit', () =>
    alice(updated(...many(50)))
      .when(set(change('k0', null, 1), change('more', 'v', 1)))
      .then(updated(change('k0', null, 1), change('more', 'v', 1))));

  for (const key of ['$idfa', '$idfv', '$gpsAdId', '$ip']) {
    it(`keep ${key} as first set`, () =>
      alice(updated(change(key, 'one')))
        .when(set(change(key, 'two', 9)))
        .thenNothing());
  }
});

describe('a merge', () => {
  const anonymous = { mergedCustomerId: 'cus_anon', mergedAppUserId: '$anon:1' };
  const mergeInto = { kind: 'mergeInto' as const, customerId: 'cus_bob', appUserId: 'bob' };
  const mergedInto = e.CustomerMergedInto.of({ customerId: 'cus_bob', appUserId: 'bob' });

  it('gives the taker an alias', () =>
    alice()
      .when({ kind: 'mergeIn', ...anonymous })
      .then(e.CustomerMerged.of({ ...anonymous, reason: 'anonymous_identified' })));

  it('makes a customer that holds nothing a pointer', () => alice().when(mergeInto).then(mergedInto));

  it('leaves a customer that holds a subscription', () => alice(started(first)).when(mergeInto).thenNothing());

  it('leaves a customer whose consumables a refund must find', () =>
    alice(itemCompleted(coins)).when(mergeInto).thenNothing());

  it('sends what is asked of the pointer to the taker', () => {
    const state = foldEvents(subscriberDecider, [customer, mergedInto]);
    expect(() => decideAll(subscriberDecider, [bought(first)], state))
      .to.throw(MergedElsewhere)
      .with.property('appUserId', 'bob');
  });
});
