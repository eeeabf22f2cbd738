// One subscriber as client code and servers see it: made, described, granted and revoked. What is written is read at once.
import { expect } from 'chai';
import { expectRefused, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = '2026-01-31T10:00:00.000Z';
const SUBSCRIBER = [
  ...['appUserId', 'originalAppUserId', 'firstSeenAt', 'lastSeenAt', 'managementUrl', 'entitlements', 'subscriptions'],
  ...['nonSubscriptions', 'attributes'],
];

describe('a subscriber', () => {
  const clock = createManualClock(Date.parse(NOW));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  let drawn = 0;
  beforeEach(() => clock.set(Date.parse(NOW)));

  const fresh = () => `/v1/subscribers/user-${drawn++}`;
  const get = (path: string, by: object = as) => harness.call('GET', path, undefined, by);
  const post = (path: string, body?: object, by: object = as) => harness.call('POST', path, body, by);
  const set = (path: string, attributes: object) => post(`${path}/attributes`, { attributes });

  it('is made by the first read, once', async () => {
    const path = fresh();
    const { status, body, headers } = await get(path);
    expect(status).to.equal(200);
    expect(body).to.have.all.keys('requestDate', 'subscriber');
    expect(body.subscriber).to.have.all.keys(SUBSCRIBER);
    expect(body.subscriber).to.deep.include({ firstSeenAt: NOW, lastSeenAt: NOW, entitlements: {}, attributes: {} });
    expect(headers.get('x-position')).to.match(/^\d{20}$/);
    const before = await headOf(harness);
    expect((await get(path)).body).to.deep.equal(body);
    expect(await headOf(harness)).to.equal(before);
  });

  it('is made by a post: 201, then 200', async () => {
    const path = fresh();
    const described = { platform: 'ios', appVersion: '1.2', country: 'DE', locale: 'de-DE', attributes: { a: 'b' } };
    const { status, body } = await post(path, described);
    expect(status).to.equal(201);
    expect(body.subscriber.attributes).to.deep.equal({
      a: { value: 'b', updatedAt: NOW },
      $locale: { value: 'de-DE', updatedAt: NOW },
    });
    expect((await post(path, { attributes: { a: 'c' } })).status).to.equal(200);
    expect((await get(path)).body.subscriber.attributes.a.value).to.equal('c');
    expect((await post(fresh())).status, 'without a body').to.equal(201);
  });

  it('is in Kosovo under any of its codes', async () => {
    const path = `/v1/projects/${slice.projectId}/customers/kosovar`;
    for (const country of ['XK', 'XKX', 'XKS']) {
      const body = { country };
      await harness.call('POST', '/v1/subscribers/kosovar', body, { key: slice.secretKey });
      const { body: shown } = await harness.call('GET', path, undefined, { key: slice.secretKey });
      expect(shown.country, country).to.equal('XK');
    }
  });

  it('is what its app reported last, also within a day', async () => {
    const detail = async () =>
      (
        await harness.call('GET', `/v1/projects/${slice.projectId}/customers/updated`, undefined, {
          key: slice.secretKey,
        })
      ).body;
    const post = (body: object) => harness.call('POST', '/v1/subscribers/updated', body, { key: slice.secretKey });
    await post({ platform: 'ios', country: 'DE' });
    const first = await detail();
    expect(first).to.include({ platform: 'ios', country: 'DE' });
    clock.set(Date.parse(NOW) + 3_600_000);
    expect((await post({ appVersion: '1.1', country: 'FR' })).status).to.equal(200);
    await post({});
    const then = await detail();
    expect(then).to.include({ platform: 'ios', country: 'FR' });
    expect(then.lastSeenAt).to.equal('2026-01-31T11:00:00.000Z');
    for (const [asOf, country] of [
      [first.lastSeenAt, 'DE'],
      [then.lastSeenAt, 'FR'],
    ]) {
      const path = `/v1/projects/${slice.projectId}/customers/updated?asOf=${asOf}`;
      const known = await harness.call('GET', path, undefined, { key: slice.secretKey });
      expect(known.body).to.include({ country, lastSeenAt: asOf });
    }
  });

  it('may have any text but a placeholder as their ID', async () => {
    for (const name of ['Ünïcödé 🦊', 'a%2b b?c#d', "x'; --", '..', '__proto__', 'x'.repeat(255)]) {
      const { status, body } = await get(`/v1/subscribers/${encodeURIComponent(name).replace('..', '%2E%2E%20')}`);
      expect([status, body.subscriber.appUserId.trim()]).to.deep.equal([200, name]);
    }
  });

  it('is two customers when the letters’ case differs', async () => {
    await set('/v1/subscribers/Ann', { a: 'upper' });
    expect((await get('/v1/subscribers/ann')).body.subscriber.attributes).to.deep.equal({});
  });

  it('hides attributes from public keys, and names where others were merged in', async () => {
    const path = fresh();
    await set(path, { $email: 'ann@example.com' });
    for (const response of [
      await get(path, { key: slice.publicKey }),
      await post(path, {}, { key: slice.publicKey }),
    ]) {
      expect(response.body.subscriber).to.have.all.keys(SUBSCRIBER.filter((key) => key !== 'attributes'));
      expect(response.body.subscriber.originalAppUserId).to.equal(response.body.subscriber.appUserId);
      expect(JSON.stringify(response.body)).not.to.include('ann@example.com');
    }
  });

  it('is seen once a day', async () => {
    const path = fresh();
    await get(path);
    clock.set(Date.parse(NOW) + 86_400_000);
    await get(path);
    await harness.service().idle();
    const before = await headOf(harness);
    expect((await get(path)).body.subscriber.lastSeenAt).to.equal('2026-02-01T10:00:00.000Z');
    expect(await headOf(harness)).to.equal(before);
  });

  it('can be read by another process as it was written, by its position', async () => {
    const path = fresh();
    const position = (await set(path, { a: 'b' })).headers.get('x-position') ?? '';
    const { body } = await get(path, { ...as, headers: { 'x-position': position } });
    expect(body.subscriber.attributes.a.value).to.equal('b');
  });

  describe('has attributes that', () => {
    const values = async (path: string): Promise<Record<string, string>> => {
      const { attributes } = (await get(path)).body.subscriber;
      return Object.fromEntries(Object.entries(attributes).map(([k, a]) => [k, (a as { value: string }).value]));
    };

    it('are set, changed and deleted by null and by nothing', async () => {
      const path = fresh();
      await set(path, { a: '1', b: '2', c: '3' });
      const { status, body } = await set(path, { a: null, b: '', c: '4' });
      expect(status).to.equal(200);
      expect(Object.keys(body.subscriber.attributes)).to.deep.equal(['c']);
      expect(await values(path)).to.deep.equal({ c: '4' });
    });

    it('keep the newer of two dated values', async () => {
      const path = fresh();
      const at = Date.parse(NOW);
      await set(path, { a: { value: 'new', updatedAtMs: at - 1000 } });
      await set(path, { a: { value: 'old', updatedAtMs: at - 2000 } });
      expect(await values(path)).to.deep.equal({ a: 'new' });
      await set(path, { a: { value: 'newest', updatedAtMs: at - 500 } });
      expect(await values(path)).to.deep.equal({ a: 'newest' });
    });

    it('are not dropped after the server’s clock was set right', async () => {
      const path = fresh();
      clock.set(Date.parse(NOW) + 300_000);
      await set(path, { a: 'while ahead', b: 'while ahead' });
      clock.set(Date.parse(NOW));
      await set(path, { a: 'set right', b: { value: 'dated', updatedAtMs: Date.parse(NOW) - 1 } });
      expect(await values(path)).to.deep.equal({ a: 'set right', b: 'dated' });
    });

    it('do not come from the future', async () => {
      const path = fresh();
      const { body } = await set(path, { a: { value: 'x', updatedAtMs: 4_000_000_000_000 } });
      expect(body.subscriber.attributes.a.updatedAt).to.equal(NOW);
    });

    it('cannot change once they name a device', async () => {
      const path = fresh();
      for (const value of ['first', 'second'])
        await set(path, { $idfa: value, $idfv: value, $gpsAdId: value, $ip: value });
      expect(await values(path)).to.deep.equal({ $idfa: 'first', $idfv: 'first', $gpsAdId: 'first', $ip: 'first' });
    });

    it('are fifty at most, without the reserved ones', async () => {
      const path = fresh();
      await set(path, Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'v'])));
      expect((await set(path, { $email: 'a@example.com' })).status).to.equal(200);
      await expectRefused(harness, () => set(path, { k50: 'v', k0: 'changed' }), 400);
      expect((await values(path))['k0'], 'nothing of it is stored').to.equal('v');
      expect((await set(path, { k0: null, k50: 'v' })).status).to.equal(200);
    });

    for (const [what, attributes] of [
      ['an unknown reserved name', { $nickname: 'x' }],
      ['a name of 41 characters', { ['k'.repeat(41)]: 'x' }],
      ['a name that begins with a digit', { '1a': 'x' }],
      ['a value of 501 characters', { a: 'x'.repeat(501) }],
      ['a number', { a: 1 }],
      ['an email that is none', { $email: 'ann' }],
      ['a dated email that is none', { $email: { value: 'ann@', updatedAtMs: 1 } }],
      ['a date that is none', { a: { value: 'x', updatedAtMs: -1 } }],
      ['a date and more', { a: { value: 'x', updatedAtMs: 1, by: 'me' } }],
    ] as const) {
      it(`are refused for ${what}, all of them`, async () => {
        const path = fresh();
        await get(path);
        await expectRefused(harness, () => set(path, { fine: 'x', ...attributes }), 400);
      });
    }
  });
});
