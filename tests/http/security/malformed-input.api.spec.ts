// Words that mean nothing, or not what they seem to: each was taken once and did harm later. Refused with 400, nothing written.
import { expect } from 'chai';
import { primaryMetrics } from '../../../src/domain/experiment/events.js';
import { BUNDLE_ID, MONTHLY, setUpProject, store } from '../support/harness.js';
import { expectRefused } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.now();
const NEXT_LINE = '\u0085';

describe('an unknown value is refused', () => {
  const { harness, slice } = setUpService();
  let customerId: string;
  before(async () => {
    await harness.call('POST', '/v1/subscribers/ann', {}, { key: slice.secretKey });
    customerId = (await harness.call('GET', `${base()}/customers`, undefined, as())).body.items[0].id;
    await harness.call('POST', `${base()}/offerings`, { lookupKey: 'default', displayName: 'Default' }, as());
  });

  const base = () => `/v1/projects/${slice.projectId}`;
  const as = () => ({ key: slice.secretKey });
  const refused = (method: string, path: string, body?: unknown, key = slice.secretKey) =>
    expectRefused(harness, () => harness.call(method, path, body, { key }), 400);

  describe('as an app user id', () => {
    const sdk = '/v1/subscribers';
    const asked: readonly (readonly [method: string, path: string, body?: (id: string) => unknown])[] = [
      ['GET', `${sdk}/~`],
      ['POST', `${sdk}/~`, () => ({})],
      ['POST', `${sdk}/~/attributes`, () => ({ attributes: { a: 'b' } })],
      ['POST', `${sdk}/~/receipts`, () => ({ store: 'ios-store', receipt: 'x' })],
      ['GET', `${sdk}/~/offerings`],
      ['POST', `${sdk}/ann`, (id) => ({ previousAppUserId: id })],
      ['POST', '/v1/events', (appUserId) => ({ name: 'x', appUserId })],
    ];
    for (const [method, path, body] of asked) {
      it(`that looks like a customer id, or breaks lines: ${method} ${path}`, async () => {
        for (const id of [customerId, `cus_${'0'.repeat(26)}`, `a${NEXT_LINE}b`, 'a\u2028b']) {
          const at = path.replace('~', encodeURIComponent(id));
          for (const key of [slice.publicKey, slice.secretKey]) await refused(method, at, body?.(id), key);
        }
      });
    }

    it('but what an older rule let in can be erased', async () => {
      const path = `${sdk}/${encodeURIComponent(`cus_${'0'.repeat(26)}`)}`;
      expect((await harness.call('DELETE', path, undefined, as())).status).to.equal(404);
    });

    it('and an id of the billing service that begins alike is one like any other', async () =>
      expect((await harness.call('GET', `${sdk}/cus_NffrFeUfNV2Hib`, undefined, as())).status).to.equal(200));
  });

  it('as a lookupKey or a product of the store: __proto__', async () => {
    const named = { lookupKey: '__proto__', displayName: 'A' };
    for (const path of ['/entitlements', '/offerings', '/offerings/default/packages'])
      await refused('POST', `${base()}${path}`, named);
    const product = { appId: slice.appId, storeProductId: '__proto__', displayName: 'A', type: 'subscription' };
    await refused('POST', `${base()}/products`, product);
  });

  describe('in a receipt', () => {
    const receipt = () => {
      const bought = { transactionId: '1', productId: MONTHLY, purchaseDate: NOW, expiresDate: NOW + 86_400_000 };
      return store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
    };
    const wrong: Readonly<Record<string, object>> = {
      'the product of another purchase': { productId: 'com.example.app.pro.year' },
      'a product that none can be called': { productId: 'a b' },
      'an offering of nobody': { offeringId: 'nothing' },
      'a currency in small letters': { price: 9.99, currency: 'usd' },
      'a currency that is none': { price: 9.99, currency: 'XXX' },
      'a price without a currency': { price: 9.99 },
      'a currency without a price': { currency: 'USD' },
    };
    for (const [what, fields] of Object.entries(wrong)) {
      it(what, () =>
        refused('POST', '/v1/subscribers/ann/receipts', { store: 'ios-store', receipt: receipt(), ...fields }),
      );
    }

    it('an offering of another project', async () => {
      const other = await setUpProject(harness);
      const path = `/v1/projects/${other.projectId}/offerings`;
      const made = await harness.call(
        'POST',
        path,
        { lookupKey: 'theirs', displayName: 'A' },
        { key: other.secretKey },
      );
      for (const offeringId of [made.body.id, 'theirs'])
        await refused('POST', '/v1/subscribers/ann/receipts', { store: 'ios-store', receipt: receipt(), offeringId });
    });

    it('while the right ones are taken, the offering by its id whatever it was named by', async () => {
      const fields = { productId: MONTHLY, offeringId: 'default', price: 9.99, currency: 'USD' };
      const body = { store: 'ios-store', receipt: receipt(), ...fields };
      expect((await harness.call('POST', '/v1/subscribers/ann/receipts', body, as())).status).to.equal(200);
      const timeline = await harness.call('GET', `${base()}/customers/ann/timeline`, undefined, as());
      const started = timeline.body.items.find((e: { type: string }) => e.type === 'SubscriptionStarted');
      expect(started.data.purchase.offeringId).to.match(/^ofr_/);
    });
  });

  describe('in an experiment', () => {
    const wrong: Readonly<Record<string, object>> = {
      'a metric that no result has': { primaryMetric: 'happiness' },
      'a platform that is none': { audience: { platforms: ['windows'] } },
      'a platform in other letters': { audience: { platforms: ['iOS'] } },
      'a country that is none': { audience: { countries: ['ZZ'] } },
    };
    for (const [what, fields] of Object.entries(wrong)) {
      it(what, () => refused('POST', `${base()}/experiments`, { name: 'A', ...fields }));
    }

    it('every metric is a figure of its results', async () => {
      const made = await harness.call('POST', `${base()}/experiments`, { name: 'A' }, as());
      const path = `${base()}/experiments/${made.body.id}`;
      const variant = { name: 'A', offeringId: 'default' };
      await harness.call('POST', `${path}/variants`, variant, as());
      const { body } = await harness.call('GET', path, undefined, as());
      const inSnakeCase = Object.keys(body.results[0]).map((k) => k.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`));
      expect(inSnakeCase).to.include.members([...primaryMetrics]);
    });
  });

  it('as a country or a platform of a subscriber', async () => {
    for (const fields of [{ country: 'ZZ' }, { country: 'de' }, { platform: 'windows' }])
      await refused('POST', '/v1/subscribers/ann', fields);
  });

  it('as the country of a price, or of a list of customers', async () => {
    const price = { amount: 1, currency: 'USD', country: 'ZZ' };
    await refused('POST', `${base()}/products/${slice.productId}/prices`, price);
    await refused('GET', `${base()}/customers?country=ZZ`);
  });
});
