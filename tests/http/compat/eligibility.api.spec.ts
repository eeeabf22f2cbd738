// Signed promotional offers, eligibility for introductory offers, and whether a restore may take a purchase.
import { createPublicKey, verify } from 'node:crypto';
import { expect } from 'chai';
import { appReceipt } from '../../adapters/ios-store/app-receipts.js';
import { BUNDLE_ID, MONTHLY, signAppReceipt, store, type HttpResponse } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { iosKey } from '../support/store-credentials.js';
import { addTestApp, sdkClient, TEST_MONTHLY, type TestApp } from './setup.js';

const DAY_MS = 86_400_000;
const KEY_ID = '2X9R4HXF34';
const USER = '8B2D1C7E-6A0B-4D55-9F0E-2C3A4B5D6E7F';
const SEPARATOR = '\u2063';

describe('the compatibility API', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  let testApp: TestApp;
  before(async () => void (testApp = await addTestApp(harness, slice)));
  const ios = sdkClient(harness, () => slice.publicKey);
  const as = () => ({ token: slice.token });
  let drawn = 7_000_000;
  const signed = (fields: object = {}) =>
    store.signedTransaction({
      ...{ bundleId: BUNDLE_ID, environment: 'Production', transactionId: `${drawn++}`, productId: MONTHLY },
      ...{ purchaseDate: Date.now() - DAY_MS, expiresDate: Date.now() + DAY_MS, price: 9990, currency: 'EUR' },
      ...fields,
    });
  const buy = async (app_user_id: string, fetch_token = signed()) =>
    expect((await ios('POST', '/v1/receipts', { app_user_id, fetch_token })).status).to.equal(200);

  describe('signs promotional offers', () => {
    const offer = { offer_id: 'winter', product_id: MONTHLY, subscription_group: 'group' };
    const request = (app_user_id: string, more: object = {}, storeKit = '2') =>
      ios('POST', '/v1/offers', { app_user_id, generate_offers: [offer], ...more }, { 'x-storekit-version': storeKit });
    const expectUnsigned = ({ status, body }: HttpResponse) => {
      expect(status, JSON.stringify(body)).to.equal(200);
      expect(body.offers[0]).to.deep.include({ offer_id: 'winter', product_id: MONTHLY, signature_data: null });
      expect(body.offers[0].signature_error.code).to.equal(7234);
    };
    /** Verifies the signature with the public key, over the payload that the store documents. */
    const expectSigned = ({ status, body }: HttpResponse, accountToken: string) => {
      expect(status, JSON.stringify(body)).to.equal(200);
      const [{ key_id, offer_id, signature_data, signature_error }] = body.offers;
      expect([key_id, offer_id, signature_error]).to.deep.equal([KEY_ID, 'winter', null]);
      const { nonce, timestamp, signature } = signature_data;
      expect(timestamp).to.be.within(Date.now() - 60_000, Date.now());
      const parts = [BUNDLE_ID, KEY_ID, MONTHLY, 'winter', accountToken, nonce, String(timestamp)];
      const check = (payload: string) =>
        verify('sha256', Buffer.from(payload), createPublicKey(iosKey()), Buffer.from(signature, 'base64'));
      expect(check(parts.join(SEPARATOR))).to.equal(true);
      expect(check(parts.toSpliced(3, 1, 'summer').join(SEPARATOR)), 'another offer').to.equal(false);
      return nonce as string;
    };

    it('not without a key of the store', async () => {
      await buy('keyless');
      expectUnsigned(await request('keyless'));
    });

    describe('with the key of the app', () => {
      before(async () => {
        const credentials = { issuerId: 'issuer', keyId: KEY_ID, privateKey: iosKey() };
        const path = `/v1/projects/${slice.projectId}/apps/${slice.appId}/credentials/ios-store`;
        expect((await harness.call('POST', path, credentials, as())).status).to.be.within(200, 201);
      });

      it('for a subscriber, with a nonce of its own each time', async () => {
        await buy('$RCAnonymousID:00000000000000000000000000000001');
        const nonces = [1, 2].map(async () =>
          expectSigned(await request('$RCAnonymousID:00000000000000000000000000000001'), ''),
        );
        expect(new Set(await Promise.all(nonces)).size).to.equal(2);
      });

      it('for the account token with which the device buys', async () => {
        await buy(USER);
        expectSigned(await request(USER), USER.toLowerCase());
        await buy('reader-1');
        expectSigned(await request('reader-1', {}, '1'), 'reader-1');
      });

      it('for a buyer whose receipt only the device has', async () => {
        expectSigned(await request('elsewhere', { fetch_token: signed() }), '');
      });

      it('not for a customer who has never subscribed', async () => {
        for (const more of [{}, { fetch_token: 'AQI=' }, { fetch_token: signed({ bundleId: 'com.example.other' }) }]) {
          const { status, body } = await request('stranger', more);
          expect([status, body.code]).to.deep.equal([403, 7232]);
        }
      });

      it('not for the test store', async () => {
        const test = sdkClient(harness, () => testApp.key);
        const body = { app_user_id: 'x', generate_offers: [offer] };
        expectUnsigned(await test('POST', '/v1/offers', body));
      });
    });
  });

  describe('answers about introductory offers', () => {
    const ask = async (who: string) => {
      const body = { product_identifiers: [MONTHLY, 'com.example.other'], fetch_token: 'AQI=' };
      const { status, body: answer } = await ios('POST', `/v1/subscribers/${who}/intro_eligibility`, body);
      expect(status).to.equal(200);
      return answer;
    };

    it('with false after a free trial, also when that is over', async () => {
      const first = `${drawn++}`;
      const trial = { transactionId: first, offerType: 1, offerDiscountType: 'FREE_TRIAL', price: 0 };
      await buy(
        'tried',
        signed({ ...trial, purchaseDate: Date.now() - 9 * DAY_MS, expiresDate: Date.now() - 2 * DAY_MS }),
      );
      await buy('tried', signed({ originalTransactionId: first, transactionReason: 'RENEWAL' }));
      expect(await ask('tried')).to.deep.equal({ [MONTHLY]: false });
    });

    it('not at all otherwise, so that the device decides', async () => {
      await buy('paid');
      expect(await ask('paid')).to.deep.equal({});
      expect(await ask('never-seen')).to.deep.equal({});
    });
  });

  describe('answers about a restore', () => {
    const ask = (who: string, fetch_token: string, client = ios) =>
      client('POST', `/v1/subscribers/${who}/restore/eligibility`, { fetch_token });
    const isAllowed = async (who: string, token: string) => {
      const { status, body } = await ask(who, token);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body.is_purchase_allowed_by_restore_behavior;
    };
    const underRule = (transferBehavior: string) =>
      harness.call('PATCH', `/v1/projects/${slice.projectId}`, { transferBehavior }, as());
    afterEach(() => underRule('transfer'));

    it('as the rule of the project then decides', async () => {
      const [active, ended, anonymous] = [signed(), signed({ expiresDate: Date.now() - 1000 }), signed()];
      await buy('owner', active);
      await buy('owner', ended);
      await buy('$RCAnonymousID:00000000000000000000000000000002', anonymous);
      const answers = async () => [
        ...[await isAllowed('owner', active), await isAllowed('other', active)],
        ...[await isAllowed('other', ended), await isAllowed('other', anonymous), await isAllowed('other', signed())],
      ];
      expect(await answers(), 'transfer').to.deep.equal([true, true, true, true, true]);
      await underRule('transfer_if_no_active');
      expect(await answers(), 'transfer_if_no_active').to.deep.equal([true, false, true, true, true]);
      await underRule('keep');
      expect(await answers(), 'keep').to.deep.equal([true, false, false, true, true]);
      const refused = await ios('POST', '/v1/receipts', {
        app_user_id: 'other',
        fetch_token: active,
        is_restore: true,
      });
      expect(refused.body.code).to.equal(7102);
      const taken = await ios('POST', '/v1/receipts', { app_user_id: 'other', fetch_token: anonymous });
      expect(taken.status).to.equal(200);
    });

    it('with 400 and code 7103 for a receipt of another app', async () => {
      const { status, body } = await ask('owner', signed({ bundleId: 'com.example.other' }));
      expect([status, body.code]).to.deep.equal([400, 7103]);
    });

    it('with yes for an app receipt without a purchase', async () => {
      const { body } = await ask('nobody', await signAppReceipt(appReceipt(BUNDLE_ID, [])));
      expect(body).to.deep.equal({ is_purchase_allowed_by_restore_behavior: true });
    });

    it('without writing anything', async () => {
      const head = () => harness.service().services.deps.log.head();
      const before = await head();
      await ask('never-seen', signed());
      await ios('POST', '/v1/subscribers/never-seen/intro_eligibility', { product_identifiers: [TEST_MONTHLY] });
      expect(await head()).to.equal(before);
    });

    it('with yes for a store whose receipts name no purchase', async () => {
      const test = sdkClient(harness, () => testApp.key);
      const { body } = await ask('anybody', 'any token', test);
      expect(body).to.deep.equal({ is_purchase_allowed_by_restore_behavior: true });
    });
  });
});
