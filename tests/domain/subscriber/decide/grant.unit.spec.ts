// Promotional access, given and taken by hand.
import { subscriberEvents as e } from '../../../../src/domain/subscriber/events/events.js';
import { alice, day } from '../samples.js';

const grant = { grantId: 'grant_1', entitlementId: 'ent_1', lookupKey: 'pro' };
const weekly = { duration: 'weekly', startsAt: day(0), expiresAt: day(7) };
const granted = e.EntitlementGranted.of({ ...grant, ...weekly, source: 'promotional' }, { at: day(0) });
const lasting = e.EntitlementGranted.of(
  { ...grant, ...weekly, grantId: 'grant_2', expiresAt: null, source: 'promotional' },
  { at: day(0) },
);
const revokeOn = (n: number, entitlementId = 'ent_1') => ({
  kind: 'revokePromotional' as const,
  entitlementId,
  now: day(n),
});

describe('a promotional grant', () => {
  it('is given', () =>
    alice()
      .when({ kind: 'grantPromotional', ...grant, ...weekly })
      .then(e.EntitlementGranted.of({ ...grant, ...weekly, source: 'promotional' })));

  it('is taken back', () => alice(granted).when(revokeOn(3)).thenOnce(e.EntitlementRevoked.of(grant)));

  it('is taken back together with the others of its entitlement', () =>
    alice(granted, lasting)
      .when(revokeOn(3))
      .thenOnce(e.EntitlementRevoked.of(grant), e.EntitlementRevoked.of({ ...grant, grantId: 'grant_2' })));

  it('that has ended cannot be taken back', () => alice(granted).when(revokeOn(7)).thenRejected('grant-unknown'));

  it('cannot be taken back twice', () =>
    alice(granted, e.EntitlementRevoked.of(grant, { at: day(3) }))
      .when(revokeOn(4))
      .thenRejected('grant-unknown'));

  it('of another entitlement is not taken back', () =>
    alice(granted).when(revokeOn(3, 'ent_2')).thenRejected('grant-unknown'));
});
