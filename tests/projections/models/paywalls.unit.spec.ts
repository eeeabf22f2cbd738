// Paywalls: what they show, how often that changed, and when they were published.
import { expect } from 'chai';
import { paywallEvents as e } from '../../../src/domain/catalog/paywalls.js';
import { streams } from '../../../src/domain/streams.js';
import { paywalls } from '../../../src/projections/models/paywalls.js';
import { DAY } from '../support/customer-events.js';
import { past, given, PROJECT } from '../support/spec.js';

const stream = streams.catalog(PROJECT);
const paywall = {
  paywallId: 'pw_1',
  offeringId: 'ofr_1',
  name: 'Winter',
  config: { layout: 'cards' },
  defaultLocale: 'en',
  localizations: {},
  status: 'draft' as const,
};
const created = past(stream, e.PaywallCreated.of(paywall), DAY(1));
type Changes = Parameters<typeof e.PaywallUpdated.of>[0]['changes'];
const updated = (changes: Changes, at: string) => past(stream, e.PaywallUpdated.of({ paywallId: 'pw_1', changes }), at);
const published = updated({ status: { from: 'draft', to: 'published' } }, DAY(2));

describe('paywalls read model', () => {
  it('shows a paywall in its first revision', () =>
    given(paywalls, created).then((found) =>
      expect(found['paywalls']).to.deep.equal({
        pw_1: {
          ...paywall,
          projectId: PROJECT,
          revision: 1,
          publishedAt: null,
          createdAt: DAY(1),
          updatedAt: DAY(1),
        },
      }),
    ));

  it('counts the changes of its configuration and no others', () => {
    const other = updated({ name: { from: 'Winter', to: 'Spring' }, localizations: { to: { de: {} } } }, DAY(2));
    return given(paywalls, created, other, updated({ config: { to: {} } }, DAY(3))).then((found) =>
      expect(found['paywalls']?.['pw_1']).to.deep.include({
        revision: 2,
        name: 'Spring',
        config: {},
        updatedAt: DAY(3),
      }),
    );
  });

  it('shows since when it is published, also after a change', () =>
    given(paywalls, created, published, updated({ config: { to: {} } }, DAY(3))).then((found) =>
      expect(found['paywalls']?.['pw_1']).to.include({ status: 'published', publishedAt: DAY(2) }),
    ));

  it('shows it from the start when it was created as published', () =>
    given(paywalls, past(stream, e.PaywallCreated.of({ ...paywall, status: 'published' }), DAY(1))).then((found) =>
      expect(found['paywalls']?.['pw_1']).to.include({ publishedAt: DAY(1) }),
    ));

  it('forgets that when it is unpublished', () =>
    given(paywalls, created, published, updated({ status: { from: 'published', to: 'draft' } }, DAY(3))).then((found) =>
      expect(found['paywalls']?.['pw_1']).to.include({ status: 'draft', publishedAt: null }),
    ));

  it('forgets a deleted one', () =>
    given(
      paywalls,
      created,
      past(stream, e.PaywallDeleted.of({ paywallId: 'pw_1', offeringId: 'ofr_1' }), DAY(4)),
    ).then((found) => expect(found['paywalls']).to.deep.equal({})));
});
