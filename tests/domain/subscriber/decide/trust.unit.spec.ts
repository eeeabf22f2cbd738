// Trusted claims on account tokens: those that a secret key or a user wrote or confirmed.
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import type { MergeIn, SetAttributes } from '../../../../src/domain/subscriber/decide/commands.js';
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { noProfile } from '../../../../src/domain/subscriber/state/state.js';
import { given } from '../../spec.js';
import { alice, day } from '../samples.js';

const KEY = '$appAccountToken';
const unknown = { source: 'sdk' as const, country: null, platform: null, appVersion: null };
const register = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'sdk' as const };
const created = (isTrusted?: boolean) =>
  e.CustomerCreated.of({ appUserId: 'alice', ...unknown, ...(isTrusted !== undefined && { isTrusted }) });
const set = (value: string | null, isTrusted: boolean, o: { readonly on?: number; readonly as?: string } = {}) => {
  const changes = [{ key: KEY, value, updatedAt: day(o.on ?? 0), receivedAt: day(30) }];
  return { kind: 'setAttributes', appUserId: o.as ?? 'alice', changes, isTrusted } satisfies SetAttributes;
};
const nothing = (isTrusted: boolean, appUserId = 'alice'): SetAttributes => ({
  kind: 'setAttributes',
  appUserId,
  changes: [],
  isTrusted,
});
type Trust = { readonly appUserId?: true; readonly accountToken?: boolean };
const wrote = (value: string | null, trust?: Trust, on = 0) => {
  const attributes = { [KEY]: { value, updatedAt: day(on) } };
  return e.CustomerAttributesUpdated.of({ attributes, ...(trust && { trust }) });
};
const confirmed = e.CustomerAttributesUpdated.of({ attributes: {}, trust: { appUserId: true } });

describe('an app user id as a claim on an account token', () => {
  it('is trusted where a secret key or a user made the customer', () =>
    given(subscriberDecider)
      .when({ ...register, isTrusted: true })
      .then(created(true)));

  it('is not trusted where a public key or a store made it', () => {
    given(subscriberDecider).when(register).then(created(false));
    given(subscriberDecider)
      .when({ ...register, source: 'store' })
      .then(e.CustomerCreated.of({ appUserId: 'alice', ...unknown, source: 'store', isTrusted: false }));
  });

  it('is confirmed once by a later write with a secret key', () => {
    alice().when(nothing(true)).then(confirmed);
    alice(confirmed).when(nothing(true)).thenNothing();
    given(subscriberDecider, created(true)).when(nothing(true)).thenNothing();
  });

  it('of an older version is confirmed too', () =>
    given(subscriberDecider, created()).when(nothing(true)).then(confirmed));

  it('is confirmed neither by a public key nor by a request with an alias of the customer', () => {
    alice().when(nothing(false)).thenNothing();
    alice().when(nothing(true, '$anon:1')).thenNothing();
  });

  it('starts again as untrusted when a public key makes an erased customer again', () =>
    given(subscriberDecider, created(true), e.CustomerErased.of({ reason: 'request', keys: [] }))
      .when(register)
      .then(created(false)));
});

describe('the attribute `$appAccountToken` as a claim', () => {
  it('records who wrote it', () => {
    alice()
      .when(set('T', false))
      .then(wrote('T', { accountToken: false }));
    alice()
      .when(set('T', true))
      .then(wrote('T', { appUserId: true, accountToken: true }));
  });

  it('is confirmed when a secret key writes what a public key wrote', () =>
    alice(confirmed, wrote('T', { accountToken: false }))
      .when(set('T', true, { on: 1 }))
      .then(wrote('T', { accountToken: true }, 1)));

  it('is written once with the same value', () => {
    alice(confirmed, wrote('T', { accountToken: true }))
      .when(set('T', true, { on: 1 }))
      .thenNothing();
    alice(wrote('T', { accountToken: false }))
      .when(set('T', false, { on: 1 }))
      .thenNothing();
  });

  it('of a secret key is neither replaced nor deleted with a public key', () => {
    const trusted = alice(confirmed, wrote('T', { accountToken: true }));
    trusted.when(set('X', false, { on: 1 })).thenNothing();
    trusted.when(set(null, false, { on: 1 })).thenNothing();
    trusted.when(set('X', true, { on: 1 })).then(wrote('X', { accountToken: true }, 1));
    trusted.when(set(null, true, { on: 1 })).then(wrote(null, undefined, 1));
  });

  it('is trusted under an alias without the app user id', () =>
    alice()
      .when(set('T', true, { as: '$anon:1' }))
      .then(wrote('T', { accountToken: true })));
});

describe('a claim of a customer who is merged in', () => {
  const merge = (v: string, accountToken: boolean | null, on: number): MergeIn => ({
    kind: 'mergeIn',
    ...{ mergedCustomerId: 'cus_1', mergedAppUserId: '$anon:1', first: { appUserId: '$anon:1', at: day(0) } },
    ...{ aliases: [], grants: [], experiments: [], spentMicros: 0, attributes: [{ k: KEY, v, t: day(on) }] },
    trust: { ...noProfile.trust, accountToken },
  });
  const merged = e.CustomerMerged.of({
    ...{ mergedCustomerId: 'cus_1', mergedAppUserId: '$anon:1', reason: 'anonymous_identified' },
    ...{ first: { appUserId: '$anon:1', at: day(0) }, aliases: [], grants: [], experiments: [], spentMicros: 0 },
  });

  for (const trust of [true, false]) {
    it(`stays ${trust ? 'trusted' : 'untrusted'}`, () =>
      alice()
        .when(merge('T', trust, 0))
        .then(merged, wrote('T', { accountToken: trust })));
  }

  it('that a secret key wrote comes before one of a public key, however old it is', () => {
    alice(wrote('own', { accountToken: false }, 2))
      .when(merge('T', true, 1))
      .then(merged, wrote('T', { accountToken: true }, 1));
    alice(confirmed, wrote('own', { accountToken: true }, 1))
      .when(merge('T', false, 2))
      .then(merged);
    alice(confirmed, wrote('own', { accountToken: true }, 1))
      .when(merge('T', true, 2))
      .then(merged, wrote('T', { accountToken: true }, 2));
  });
});
