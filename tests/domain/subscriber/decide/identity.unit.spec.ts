// Identity of a subscriber: registration, attributes, merging.
import { expect } from 'chai';
import { decideAll, foldEvents } from '../../../../src/domain/decider.js';
import type { SetAttributes } from '../../../../src/domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { noProfile } from '../../../../src/domain/subscriber/state/state.js';
import { MergedElsewhere } from '../../../../src/domain/errors.js';
import { given } from '../../spec.js';
import { alice, bought, customer, day, first, started } from '../samples.js';

const register = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'sdk' as const };

const change = (key: string, value: string | null, on = 0, receivedOn = 30) => {
  return { key, value, updatedAt: day(on), receivedAt: day(receivedOn) };
};
const set = (...changes: SetAttributes['changes']): SetAttributes => ({ kind: 'setAttributes', changes });
const updated = (...changes: SetAttributes['changes']) =>
  e.CustomerAttributesUpdated.of({
    attributes: Object.fromEntries(changes.map(({ key, value, updatedAt }) => [key, { value, updatedAt }])),
  });
const many = (count: number) => Array.from({ length: count }, (_, i) => change(`k${i}`, 'v'));

describe('registration', () => {
  it('makes a customer', () =>
    given(subscriberDecider)
      .when({ ...register, country: 'US', platform: 'ios', appVersion: '1.0', at: day(0) })
      .then(customer));

  it('leaves unknown what no message contained', () =>
    given(subscriberDecider)
      .when(register)
      .then(
        e.CustomerCreated.of({
          appUserId: 'alice',
          source: 'sdk',
          country: null,
          platform: null,
          appVersion: null,
          isTrusted: false,
        }),
      ));

  it('of a known customer is nothing', () => alice().when(register).thenNothing());
});

describe('attributes', () => {
  it('are set together', () => {
    const changes = [change('team', 'red'), change('$email', 'a@example.com')];
    alice()
      .when(set(...changes))
      .then(updated(...changes));
  });

  it('change by the newer message', () =>
    alice(updated(change('team', 'red', 1)))
      .when(set(change('team', 'blue', 2)))
      .then(updated(change('team', 'blue', 2))));

  it('do not change by an older message', () =>
    alice(updated(change('team', 'red', 2)))
      .when(set(change('team', 'blue', 1)))
      .thenNothing());

  it('that a clock ahead of time has stamped yield to what is set once it is right', () =>
    alice(updated(change('team', 'red', 5, 5)))
      .when(set(change('team', 'blue', 2, 2)))
      .then(updated(change('team', 'blue', 2, 2))));

  it('without a change are omitted', () =>
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

describe('the first download of an app', () => {
  const download = (at: number, environment: 'production' | 'sandbox' = 'production', appId = 'app_1') => ({
    ...{ appId, environment, version: `${at}` },
    downloadedAt: day(at),
  });
  const record = (...[at, environment, appId]: Parameters<typeof download>) => ({
    kind: 'recordAppDownload' as const,
    download: download(at, environment, appId),
  });
  const verified = (...args: Parameters<typeof download>) => e.AppDownloadVerified.of(download(...args));

  it('is recorded once, and again if it precedes the known one', () => {
    alice().when(record(5)).then(verified(5));
    for (const later of [record(5), record(9), record(1, 'sandbox')]) alice(verified(5)).when(later).then();
    for (const [before, c, after] of [
      [verified(5), record(4), verified(4)],
      [verified(1, 'sandbox'), record(5), verified(5)],
      [verified(5), record(9, 'production', 'app_2'), verified(9, 'production', 'app_2')],
    ] as const)
      alice(before).when(c).then(after);
  });

  it('moves with a customer who is merged, and yields to an earlier one of the other', () => {
    const carried = { mergedCustomerId: 'cus_anon', mergedAppUserId: '$anon:1' };
    const nothing = { aliases: [], grants: [], experiments: [], spentMicros: 0 };
    const mergeOf = (...downloads: ReturnType<typeof download>[]) =>
      e.CustomerMerged.of({ ...carried, reason: 'anonymous_identified', ...nothing, downloads });
    const downloadsOf = (...events: readonly SubscriberEvent[]) =>
      foldEvents(subscriberDecider, [customer, ...events]).profile.downloads;
    expect(downloadsOf(mergeOf(download(5)))).to.deep.equal([download(5)]);
    expect(downloadsOf(verified(5), mergeOf(download(4)))).to.deep.equal([download(4)]);
    expect(downloadsOf(verified(4), mergeOf(download(5)))).to.deep.equal([download(4)]);
  });
});

describe('an experiment', () => {
  const variant = { experimentId: 'exp_1', variantId: 'var_1', variantName: 'cheap', offeringId: 'ofr_1' };
  const enrolled = e.ExperimentEnrolled.of(variant);

  it('gives a customer a variant', () =>
    alice()
      .when({ kind: 'enrol', ...variant })
      .then(enrolled));

  it('gives a customer no other variant later', () =>
    alice(enrolled)
      .when({ kind: 'enrol', ...variant, variantId: 'var_2' })
      .thenNothing());

  it('assigns no variant', () =>
    given(subscriberDecider)
      .when({ kind: 'enrol', ...variant })
      .thenRejected('subscriber-unknown'));
});

describe('a merge', () => {
  const anonymous = { mergedCustomerId: 'cus_anon', mergedAppUserId: '$anon:1' };
  const mergeInto = { kind: 'mergeInto' as const, customerId: 'cus_bob', appUserId: 'bob' };
  const mergedInto = e.CustomerMergedInto.of({ customerId: 'cus_bob', appUserId: 'bob' });

  const firstSeen = { appUserId: '$anon:1', at: day(0) };
  const nothing = { first: firstSeen, aliases: [], grants: [], experiments: [], spentMicros: 0 };
  const merged = { ...anonymous, reason: 'anonymous_identified' as const, ...nothing };
  const attribute = (k: string, v: string, on = 0) => ({ k, v, t: day(on) });
  const mergeIn = (carried: object = {}) => ({
    kind: 'mergeIn' as const,
    ...anonymous,
    ...nothing,
    attributes: [],
    trust: noProfile.trust,
    ...carried,
  });
  const grant = {
    grantId: 'grant_1',
    entitlementId: 'ent_1',
    lookupKey: 'pro',
    startsAt: day(0),
    expiresAt: null,
    endedAt: null,
  };
  const enrolled = (variantId: string) => ({
    experimentId: 'exp_1',
    variantId,
    variantName: variantId,
    offeringId: 'ofr_1',
    enrolledAt: day(0),
  });

  it('gives the taker an alias', () => alice().when(mergeIn()).then(e.CustomerMerged.of(merged)));

  it('gives the taker what the other was called before', () => {
    const { profile } = foldEvents(subscriberDecider, [
      customer,
      e.CustomerMerged.of({ ...merged, aliases: ['$anon:0'] }),
    ]);
    expect(profile.aliases).to.deep.equal(['$anon:1', '$anon:0']);
  });

  it('of chained merges keeps the earliest first-seen date and that ID', () => {
    const { first: _, ...untold } = merged;
    const cases: readonly [typeof untold & { first?: typeof firstSeen }, typeof firstSeen][] = [
      [
        { ...merged, first: { appUserId: '$anon:0', at: day(-3) } },
        { appUserId: '$anon:0', at: day(-3) },
      ],
      [
        { ...merged, first: { appUserId: '$anon:1', at: day(3) } },
        { appUserId: 'alice', at: day(0) },
      ],
      [
        { ...untold, aliases: [] },
        { appUserId: '$anon:1', at: day(0) },
      ],
    ];
    for (const [data, expected] of cases) {
      const { profile } = foldEvents(subscriberDecider, [customer, e.CustomerMerged.of(data)]);
      expect(profile.first).to.deep.equal(expected);
    }
  });

  it('carries grants over, with the ends they have', () => {
    const given = e.CustomerMerged.of({ ...merged, grants: [grant] });
    alice()
      .when(mergeIn({ grants: [grant] }))
      .then(given);
    expect(foldEvents(subscriberDecider, [customer, given]).profile.grants).to.deep.equal([grant]);
  });

  it('carries the newer of two values of an attribute over', () =>
    alice(updated(change('team', 'red', 5), change('size', 'M', 5)))
      .when(mergeIn({ attributes: [attribute('team', 'blue', 6), attribute('size', 'L', 4)] }))
      .then(e.CustomerMerged.of(merged), updated(change('team', 'blue', 6))));

  it('leaves the first value of what is fixed', () =>
    alice(updated(change('$ip', 'one')))
      .when(mergeIn({ attributes: [attribute('$ip', 'two', 9)] }))
      .then(e.CustomerMerged.of(merged)));

  it('drops attributes beyond the limit', () =>
    alice(updated(...many(49)))
      .when(mergeIn({ attributes: [attribute('a', '1'), attribute('b', '2'), attribute('$email', 'a@example.com')] }))
      .then(e.CustomerMerged.of(merged), updated(change('a', '1'), change('$email', 'a@example.com'))));

  it('leaves one variant of an experiment: the own one', () => {
    const own = enrolled('own');
    const { enrolledAt, ...terms } = own;
    const before = e.ExperimentEnrolled.of(terms, { at: enrolledAt });
    const after = e.CustomerMerged.of({ ...merged, experiments: [enrolled('theirs')] });
    expect(foldEvents(subscriberDecider, [customer, before, after]).profile.experiments).to.deep.equal([own]);
    expect(foldEvents(subscriberDecider, [customer, after]).profile.experiments).to.deep.equal([enrolled('theirs')]);
  });

  it('makes the other a pointer', () => alice().when(mergeInto).then(mergedInto));

  it('makes the other a pointer that holds nothing but its purchases', () => {
    const existing = [
      customer,
      updated(change('team', 'red')),
      e.CustomerMerged.of({ ...merged, grants: [grant] }),
      started(first),
    ];
    const { profile } = foldEvents(subscriberDecider, [...existing, mergedInto]);
    expect(profile).to.deep.include({
      status: 'merged',
      attributes: [],
      grants: [],
      aliases: ['$anon:1'],
      spentMicros: 0,
    });
    expect(profile.subscriptions).to.have.length(1);
  });

  it('throws the merge target for commands to the pointer', () => {
    const state = foldEvents(subscriberDecider, [customer, mergedInto]);
    expect(() => decideAll(subscriberDecider, [bought(first)], state))
      .to.throw(MergedElsewhere)
      .with.property('appUserId', 'bob');
  });
});
