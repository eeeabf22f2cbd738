// Access given by hand to a subscriber, and taken back. What is written is read at once.
import { expect } from 'chai';
import { expectRefused } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = '2026-01-31T10:00:00.000Z';

describe('a subscriber', () => {
  const clock = createManualClock(Date.parse(NOW));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let drawn = 0;
  beforeEach(() => clock.set(Date.parse(NOW)));

  const fresh = () => `/v1/subscribers/user-${drawn++}`;
  const get = (path: string) => harness.call('GET', path, undefined, as);
  const grant = (path: string, fields: object) =>
    harness.call('POST', `${path}/entitlements`, { entitlementId: 'pro', ...fields }, as);
  const revoke = (path: string, eid = 'pro') => harness.call('DELETE', `${path}/entitlements/${eid}`, undefined, as);

  it('is changed and not created by a key that may not create subscribers', async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const helper = { name: 'helper', scopes: ['support'] };
    const { key } = (await harness.call('POST', `${base}/api-keys`, helper, { token: slice.token })).body;
    const path = fresh();
    const change = async (part: string, body: object) =>
      (await harness.call('POST', path + part, body, { key })).status;
    const changes = [
      ['/attributes', { attributes: { a: 'b' } }, 200],
      ['/entitlements', { entitlementId: 'pro', duration: 'daily' }, 201],
    ] as const;
    for (const [part, body] of changes) {
      await expectRefused(harness, () => harness.call('POST', path + part, body, { key }), 404);
    }
    await get(path);
    for (const [part, body, status] of changes) expect(await change(part, body)).to.equal(status);
  });

  describe('is granted an entitlement', () => {
    const ENDS = {
      daily: '2026-02-01T10:00:00.000Z',
      three_day: '2026-02-03T10:00:00.000Z',
      weekly: '2026-02-07T10:00:00.000Z',
      two_week: '2026-02-14T10:00:00.000Z',
      monthly: '2026-02-28T10:00:00.000Z',
      two_month: '2026-03-31T10:00:00.000Z',
      three_month: '2026-04-30T10:00:00.000Z',
      six_month: '2026-07-31T10:00:00.000Z',
      yearly: '2027-01-31T10:00:00.000Z',
      lifetime: null,
    };
    for (const [duration, expiresAt] of Object.entries(ENDS)) {
      it(`for the duration ${duration}`, async () => {
        const path = fresh();
        const { status, body } = await grant(path, { duration });
        expect(status).to.equal(201);
        expect(body).to.have.all.keys('requestDate', 'subscriber', 'grant');
        const { id, ...terms } = body.grant;
        expect(id).to.match(/^grant_[0-9a-z]{26}$/);
        const fixed = { object: 'grant', entitlementId: slice.entitlementId, lookupKey: 'pro', endedAt: null };
        expect(terms).to.deep.equal({ ...fixed, startsAt: NOW, expiresAt });
        expect(body.subscriber.entitlements.pro).to.deep.equal({
          isActive: true,
          expiresAt,
          gracePeriodExpiresAt: null,
          purchasedAt: NOW,
          productId: null,
          storeProductId: null,
          store: 'promotional',
          periodType: 'promotional',
          willRenew: false,
          isSandbox: false,
          ownershipType: 'purchased',
        });
        expect((await get(path)).body.subscriber).to.deep.equal(body.subscriber);
      });
    }

    it('until an instant, named by id', async () => {
      const expiresAt = '2026-06-01T00:00:00+02:00';
      const { body } = await grant(fresh(), { entitlementId: slice.entitlementId, expiresAt });
      expect(body.subscriber.entitlements.pro.expiresAt).to.equal('2026-05-31T22:00:00.000Z');
    });

    it('with a duration that counts from its start', async () => {
      const { body } = await grant(fresh(), { duration: 'daily', startsAt: '2026-02-10T00:00:00Z' });
      expect(body.grant).to.include({ startsAt: '2026-02-10T00:00:00.000Z', expiresAt: '2026-02-11T00:00:00.000Z' });
    });

    it('several times, and holds it until the last end', async () => {
      const path = fresh();
      await grant(path, { duration: 'yearly' });
      const { body } = await grant(path, { duration: 'daily' });
      expect(body.subscriber.entitlements.pro.expiresAt).to.equal(ENDS.yearly);
    });

    it('and loses it at the end by itself', async () => {
      const path = fresh();
      await grant(path, { duration: 'daily' });
      clock.set(Date.parse(ENDS.daily));
      expect((await get(path)).body.subscriber.entitlements.pro).to.include({ isActive: false, expiresAt: ENDS.daily });
    });

    it('and loses all grants of it at once when it is revoked', async () => {
      const path = fresh();
      await grant(path, { duration: 'lifetime' });
      await grant(path, { duration: 'yearly' });
      clock.set(Date.parse(NOW) + 1);
      const { status, body } = await revoke(path);
      expect(status).to.equal(200);
      expect(body.subscriber.entitlements.pro.isActive).to.equal(false);
      expect((await get(path)).body.subscriber.entitlements.pro.isActive).to.equal(false);
      await expectRefused(harness, () => revoke(path), 404);
    });

    it('but not revoked what it never had', async () => {
      const path = fresh();
      await get(path);
      await expectRefused(harness, () => revoke(path), 404);
      await expectRefused(harness, () => revoke(path, 'nothing'), 404);
      await expectRefused(harness, () => revoke('/v1/subscribers/never-seen'), 404);
    });

    for (const [what, fields, status] of [
      ['for a duration and until an instant', { duration: 'daily', expiresAt: '2027-01-01T00:00:00Z' }, 400],
      ['for no time', {}, 400],
      ['for an unknown duration', { duration: 'hourly' }, 400],
      ['until yesterday', { expiresAt: '2026-01-30T00:00:00Z' }, 400],
      ['from its end on', { expiresAt: '2026-03-01T00:00:00Z', startsAt: '2026-03-01T00:00:00Z' }, 400],
      ['for a duration that is over', { duration: 'daily', startsAt: '2025-01-01T00:00:00Z' }, 400],
      ['until a day', { expiresAt: '2027-01-01' }, 400],
      ['of nobody', { entitlementId: 'nothing', duration: 'daily' }, 404],
    ] as const) {
      it(`but not ${what}`, () => expectRefused(harness, () => grant('/v1/subscribers/late', fields), status));
    }
  });
});
