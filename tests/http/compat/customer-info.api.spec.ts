// Customer info of random lives and of special cases, decoded by the strictest SDK's rules.
import { expect } from 'chai';
import { chance } from '../../projections/support/seeded-random.js';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { MAX_HISTORY_MS, playLives } from '../support/random-customers.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { sdkClient } from './setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;

describe('customer info', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' }, clock.runtime);
  const call = sdkClient(harness, () => slice.publicKey);
  const asServer = sdkClient(harness, () => slice.secretKey);
  const asKey = { key: '' };
  before(() => void (asKey.key = slice.secretKey));
  const path = (who: string) => `/v1/subscribers/${encodeURIComponent(who)}`;
  const info = async (who: string, client = call) => (await client('GET', path(who))).body.subscriber;
  let drawn = 9_000_000;

  it('is created with 201, then read with 200, and stores the device', async () => {
    const headers = { 'x-platform': 'iOS', 'x-client-version': '4.2', 'x-storefront': 'DEU' };
    expect((await call('GET', path('new'), undefined, headers)).status).to.equal(201);
    expect((await call('GET', path('new'), undefined, headers)).status).to.equal(200);
    const customer = await harness.call('GET', `/v1/projects/${slice.projectId}/customers/new`, undefined, asKey);
    expect(customer.body).to.include({ platform: 'ios', country: 'DE' });
  });

  it('has an entity tag that ignores the date of the request', async () => {
    await call('GET', path('tagged'));
    const first = await call('GET', path('tagged'));
    const tag = first.headers.get('x-revenuecat-etag') ?? '';
    clock.set(clock.now() + 5000);
    const second = await call('GET', path('tagged'));
    expect(second.body.request_date).not.to.equal(first.body.request_date);
    expect(second.headers.get('x-revenuecat-etag')).to.equal(tag);
    const third = await fetch(`${harness.service().compatUrl}${path('tagged')}`, {
      headers: { authorization: `Bearer ${slice.publicKey}`, 'x-revenuecat-etag': tag },
    });
    expect([third.status, third.headers.get('x-revenuecat-etag')]).to.deep.equal([304, tag]);
    expect(third.headers.get('x-revenuecat-request-time')).to.equal(String(clock.now()));
    expect(await third.text()).to.equal('');
  });

  it('names a product for a grant, so that no SDK drops it', async () => {
    const grant = { entitlementId: 'pro', duration: 'weekly' };
    await harness.call('POST', `${path('granted')}/entitlements`, grant, asKey);
    const { entitlements, subscriptions } = await info('granted');
    expect(entitlements.pro.product_identifier).to.equal('rc_promo_pro_weekly');
    expect(subscriptions['rc_promo_pro_weekly'].store).to.equal('promotional');
  });

  it('shows attributes to a secret key alone', async () => {
    await call('POST', `${path('attr')}/attributes`, {
      attributes: { food: { value: 'pizza', updated_at_ms: clock.now() } },
    });
    expect(await info('attr')).not.to.have.property('subscriber_attributes');
    expect((await info('attr', asServer)).subscriber_attributes.food.value).to.equal('pizza');
  });

  it('shows no attributes to a secret key that may not see personal data', async () => {
    const base = `/v1/projects/${slice.projectId}/api-keys`;
    const made = await harness.call('POST', base, { name: 'r', scopes: ['read'] }, { token: slice.token });
    const reader = sdkClient(harness, () => made.body.key);
    expect(await info('attr', reader)).not.to.have.property('subscriber_attributes');
    expect((await reader('GET', path('nobody-yet'))).status).to.equal(404);
  });

  it('has the valid attributes of a request whose others get 400, code 7263 and their names', async () => {
    const value = (of: unknown) => ({ value: of, updated_at_ms: clock.now() });
    const attributes = { food: value('pizza'), 'not a name': value('x'), number: value(5), $unknown: value('ignored') };
    const { status, body } = await call('POST', `${path('mixed')}/attributes`, { attributes });
    expect([status, body.code]).to.deep.equal([400, 7263]);
    const named = body.attribute_errors.map((one: { key_name: string }) => one.key_name);
    expect(named).to.deep.equal(['not a name', 'number']);
    expect(Object.keys((await info('mixed', asServer)).subscriber_attributes)).to.deep.equal(['food']);
  });

  it('ignores a change of an attribute that is older than the last', async () => {
    const set = (value: string, ms: number) =>
      call('POST', `${path('older')}/attributes`, { attributes: { food: { value, updated_at_ms: ms } } });
    await set('new', clock.now());
    await set('old', clock.now() - 1000);
    expect((await info('older', asServer)).subscriber_attributes.food.value).to.equal('new');
  });

  it('shows a subscription until its end alone', async () => {
    const transaction = {
      ...{ transactionId: `${drawn++}`, productId: MONTHLY, price: 9990, currency: 'USD' },
      ...{ purchaseDate: clock.now() - DAY_MS, expiresDate: clock.now() + DAY_MS },
    };
    const receipt = store.signedTransaction({ bundleId: BUNDLE_ID, environment: 'Production', ...transaction });
    await call('POST', '/v1/receipts', { app_user_id: 'ending', fetch_token: receipt });
    const isActive = async () =>
      (await info('ending')).entitlements.pro.expires_date > new Date(clock.now()).toISOString();
    expect(await isActive()).to.equal(true);
    clock.set(clock.now() + 2 * DAY_MS);
    expect(await isActive()).to.equal(false);
  });

  it('of random lives is decoded at random instants', async function () {
    this.timeout(600_000);
    const LIVES = Number(process.env['LIVES'] ?? 40);
    const random = chance(20_261_126);
    await playLives({ harness, slice, clock, random }, LIVES);
    await harness.service().idle();
    for (let step = 0; step < 4; step++) {
      for (let n = 0; n < LIVES; n++) {
        const { status, body } = await call('GET', path(`life-${n}`));
        expect(status).to.equal(200);
        const own = await harness.call('GET', path(`life-${n}`), undefined, asKey);
        const active = (all: object, isActive: (one: never) => boolean) =>
          Object.entries(all)
            .filter(([, one]) => isActive(one as never))
            .map(([key]) => key)
            .sort();
        const now = body.request_date as string;
        const ofSdk = active(
          body.subscriber.entitlements,
          ({ expires_date: end }: { expires_date: string | null }) => end === null || end > now,
        );
        // The web SDK reads the end of an entitlement only if its product is a subscription.
        const { entitlements, subscriptions } = body.subscriber;
        const ofWeb = ofSdk.concat(
          active(
            entitlements,
            ({ product_identifier: product }: { product_identifier: string }) => !Object.hasOwn(subscriptions, product),
          ),
        );
        const ofRest = active(own.body.subscriber.entitlements, ({ isActive }: { isActive: boolean }) => isActive);
        expect(ofSdk, `life-${n}`).to.deep.equal(ofRest);
        expect([...new Set(ofWeb)].sort(), `life-${n}`).to.deep.equal(ofRest);
      }
      clock.set(clock.now() + random.below(MAX_HISTORY_MS));
    }
  });
});
