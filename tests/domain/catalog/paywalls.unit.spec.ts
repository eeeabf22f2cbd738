// Paywalls: one of an offering is published.
import { MAX_PAYWALLS, paywallEvents as e, type NewPaywall } from '../../../src/domain/catalog/paywalls.js';
import { catalog, offered } from './samples.js';

const paywall = (n: number, o: Partial<NewPaywall> = {}): NewPaywall => ({
  paywallId: `pw_${n}`,
  offeringId: 'ofr_1',
  name: `Paywall ${n}`,
  config: { layout: 'cards' },
  defaultLocale: 'en',
  localizations: {},
  status: 'draft',
  ...o,
});
const made = (n: number, o: Partial<NewPaywall> = {}) => e.PaywallCreated.of(paywall(n, o));
const create = (n: number, o: Partial<NewPaywall> = {}) => ({
  kind: 'createPaywall' as const,
  paywall: paywall(n, o),
});
const update = (n: number, set: object) => ({ kind: 'updatePaywall' as const, paywallId: `pw_${n}`, set });
type Changes = Parameters<typeof e.PaywallUpdated.of>[0]['changes'];
const updated = (n: number, changes: Changes) => e.PaywallUpdated.of({ paywallId: `pw_${n}`, changes });
const published = { status: 'published' } as const;
const toPublished = { status: { from: 'draft', to: 'published' } } as const;
const toDraft = { status: { from: 'published', to: 'draft' } } as const;
const offers = [offered(1, true), offered(2)];

describe('a paywall', () => {
  it('is made for an offering of the project', () => {
    catalog(...offers)
      .when(create(1))
      .then(made(1));
    catalog(...offers)
      .when(create(1, { offeringId: 'ofr_9' }))
      .thenRejected('offering-unknown');
  });

  it('that is published unpublishes the former in the same append', () => {
    catalog(...offers, made(1, published))
      .when(create(2, published))
      .then(updated(1, toDraft), made(2, published));
    catalog(...offers, made(1, published), made(2))
      .when(update(2, published))
      .then(updated(1, toDraft), updated(2, toPublished));
  });

  it('leaves what is published for another offering', () =>
    catalog(...offers, made(1, published), made(2, { offeringId: 'ofr_2' }))
      .when(update(2, published))
      .then(updated(2, toPublished)));

  it('takes its place in the offering it moves to', () =>
    catalog(...offers, made(1, published), made(2, { ...published, offeringId: 'ofr_2' }))
      .when(update(2, { offeringId: 'ofr_1' }))
      .then(updated(1, toDraft), updated(2, { offeringId: { from: 'ofr_2', to: 'ofr_1' } })));

  it('cannot move to an offering that is not there', () =>
    catalog(...offers, made(1))
      .when(update(1, { offeringId: 'ofr_9' }))
      .thenRejected('offering-unknown'));

  it('changes each of its fields', () =>
    catalog(...offers, made(1))
      .when(update(1, { name: 'B', config: { a: 1 }, defaultLocale: 'de', localizations: { de: { t: 'x' } } }))
      .then(
        updated(1, {
          name: { from: 'Paywall 1', to: 'B' },
          config: { to: { a: 1 } },
          defaultLocale: { from: 'en', to: 'de' },
          localizations: { to: { de: { t: 'x' } } },
        }),
      ));

  it('records nothing when nothing changes', () =>
    catalog(...offers, made(1, published), made(2))
      .when(update(1, { ...published, config: { layout: 'cards' }, localizations: {} }))
      .thenNothing());

  it('is deleted', () => {
    const remove = { kind: 'deletePaywall' as const, paywallId: 'pw_1' };
    const gone = e.PaywallDeleted.of({ paywallId: 'pw_1', offeringId: 'ofr_1' });
    catalog(...offers, made(1))
      .when(remove)
      .thenOnce(gone);
    catalog(...offers, made(1), gone)
      .when(remove)
      .thenRejected('paywall-unknown');
    catalog(...offers, made(1), gone)
      .when(update(1, published))
      .thenRejected('paywall-unknown');
  });

  it('finds no room beyond the limit, until one is deleted', () => {
    const full = Array.from({ length: MAX_PAYWALLS }, (_, i) => made(i + 1));
    catalog(...offers, ...full)
      .when(create(999))
      .thenRejected('too-many-paywalls');
    catalog(...offers, ...full, e.PaywallDeleted.of({ paywallId: 'pw_1', offeringId: 'ofr_1' }))
      .when(create(999))
      .then(made(999));
  });
});
