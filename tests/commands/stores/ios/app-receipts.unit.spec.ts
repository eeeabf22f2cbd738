// App receipts of StoreKit 1: the store is asked for the transaction that one names, and its response is recorded.
import { expect } from 'chai';
import { appReceipt } from '../../../adapters/ios-store/app-receipts.js';
import { notification, BUNDLE_ID, MONTHLY } from '../../support/store-data.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import {
  at,
  bought,
  createStoreFixture,
  refusal,
  show,
  signAppReceipt,
  signedByStranger,
  type Bought,
  type StoreFixture,
} from './store-fixture.js';

const FIRST: Bought = { transactionId: '1000', day: 0 };
const SECOND: Bought = { transactionId: '1001', originalTransactionId: '1000', day: 30 };
const LIFETIME: Bought = {
  transactionId: '2000',
  productId: 'lifetime',
  type: 'Non-Consumable',
  day: -9,
};

/** Returns the receipt that the device holds with these purchases. */
const receiptOf = (...purchases: readonly Bought[]) =>
  appReceipt(
    BUNDLE_ID,
    purchases.map((o) => {
      const { transactionId, productId, type, originalTransactionId = transactionId } = bought(o);
      const lineItem = type === undefined ? { webOrderLineItemId: `7${transactionId}` } : {};
      const purchasedAt = isoFromMs(at(o.day)).replace('.000', '');
      return { transactionId, originalTransactionId, productId, purchasedAt, ...lineItem };
    }),
  );
const IN_SANDBOX = { environment: 'Sandbox' } as const;

describe('an app receipt presented by a client', () => {
  let fixture: StoreFixture;
  const given = async (...args: Parameters<typeof createStoreFixture>) => {
    const { present, ...others } = await createStoreFixture(...args);
    const presentSigned: typeof present = async (who, receipt, ...more) =>
      present(who, await signAppReceipt(receipt), ...more);
    return (fixture = { ...others, present: presentSigned });
  };
  afterEach(() => fixture.close());
  const refused = (receipt: string) => refusal(fixture.present('ann', receipt));
  const INVALID = /^Invalid receipt: /;

  it('is refused without the signature of the store, before a request to the store', async () => {
    fixture = await createStoreFixture();
    const { present, production, sandbox } = fixture;
    show(production, [FIRST]);
    expect(await refusal(present('ann', receiptOf(FIRST)))).to.match(INVALID);
    expect([production.requests, sandbox.requests]).to.deep.equal([[], []]);
  });

  it('records every purchase that it contains for the customer', async () => {
    const { present, holders, production, sandbox } = await given();
    show(production, [LIFETIME, FIRST, SECOND]);
    await present('ann', receiptOf(LIFETIME, SECOND, FIRST));
    expect(await holders('1000')).to.deep.equal({ ann: ['1000', '1001'] });
    expect(await holders('2000')).to.deep.equal({ ann: ['2000'] });
    const path = (id: string) => `GET /inApps/v1/transactions/${id}`;
    expect([production.requests, sandbox.requests]).to.deep.equal([['1001', '1000', '2000'].map(path), []]);
  });

  it('asks only for the named purchase once the others are recorded', async () => {
    const { present, production } = await given();
    show(production, [LIFETIME, FIRST, SECOND]);
    const receipt = receiptOf(LIFETIME, SECOND, FIRST);
    await present('ann', receipt);
    production.requests.length = 0;
    await present('ann', receipt, { bought: { transactionId: '2000', storeProductId: undefined } });
    expect(production.requests).to.deep.equal(['GET /inApps/v1/transactions/2000']);
  });

  it('with many purchases that are not recorded reads the history of the buyer', async () => {
    const { present, holders, production } = await given();
    const months = Array.from({ length: 60 }, (_, i): Bought => ({
      ...SECOND,
      transactionId: `${1000 + i}`,
      day: i * 30,
    }));
    show(production, months);
    await present('ann', receiptOf(...months));
    expect((await holders('1000'))['ann']).to.have.length(60);
    expect(production.requests).to.have.length(2);
  });

  it('records a purchase that was made after it, which the buyer’s history shows', async () => {
    const { present, holders, production } = await given();
    show(production, [FIRST, { ...LIFETIME, day: 5 }]);
    for (const named of [
      { transactionId: '2000', storeProductId: 'lifetime' },
      { transactionId: undefined, storeProductId: 'lifetime' },
    ])
      await present('ann', receiptOf(FIRST), { bought: named });
    expect([await holders('1000'), await holders('2000')]).to.deep.equal([{ ann: ['1000'] }, { ann: ['2000'] }]);
  });

  it('also records a newer purchase of the product that the device names, if it names no transaction', async () => {
    const coins = (id: string, day: number): Bought => ({
      transactionId: id,
      productId: 'coins',
      type: 'Consumable',
      day,
    });
    const { present, holders, production } = await given();
    show(production, [coins('3000', 0), coins('3001', 1)]);
    const named = { transactionId: undefined, storeProductId: 'coins' };
    await present('ann', receiptOf(coins('3000', 0)), { bought: named });
    expect([await holders('3000'), await holders('3001')]).to.deep.equal([{ ann: ['3000'] }, { ann: ['3001'] }]);
  });

  it('waits for a purchase that neither it nor the history of the buyer shows', async () => {
    const { present, holders, production } = await given();
    show(production, [FIRST]);
    show(production, [LIFETIME]);
    const named = { transactionId: '2000', storeProductId: 'lifetime' };
    expect(await refusal(present('ann', receiptOf(FIRST), { bought: named }))).to.equal('StoreUnavailable');
    expect(await holders('2000'), 'somebody else’s purchase').to.deep.equal({});
  });

  it('waits until each purchase of the named product is recorded, of which the device will finish one', async () => {
    const coins = (id: string, day: number): Bought => ({
      transactionId: id,
      productId: 'coins',
      type: 'Consumable',
      day,
    });
    const { present, holders, production } = await given();
    show(production, [coins('3001', 1)]);
    const receipt = receiptOf(coins('3000', 0), coins('3001', 1));
    const named = { transactionId: undefined, storeProductId: 'coins' };
    expect(await refusal(present('ann', receipt, { bought: named }))).to.equal('StoreUnavailable');
    show(production, [coins('3000', 0)]);
    expect(await refusal(present('ann', receipt, { bought: named }))).to.equal('accepted');
    expect([await holders('3000'), await holders('3001')]).to.deep.equal([{ ann: ['3000'] }, { ann: ['3001'] }]);
  });

  it('records the named purchase although the store shows no other one any more, and waits for them', async () => {
    const { present, holders, production } = await given();
    show(production, [FIRST, LIFETIME]);
    production.setFailure(500, undefined, 1);
    const named = { transactionId: '1000', storeProductId: MONTHLY };
    expect(await refusal(present('ann', receiptOf(FIRST, LIFETIME), { bought: named }))).to.equal('StoreUnavailable');
    expect([await holders('1000'), await holders('2000')]).to.deep.equal([{ ann: ['1000'] }, {}]);
  });

  it('does not wait for a purchase that it is not presented for and the store does not know', async () => {
    const { present, holders, production } = await given();
    show(production, [FIRST]);
    const named = { transactionId: '1000', storeProductId: MONTHLY };
    expect(await refusal(present('ann', receiptOf(FIRST, LIFETIME), { bought: named }))).to.equal('accepted');
    expect([await holders('1000'), await holders('2000')]).to.deep.equal([{ ann: ['1000'] }, {}]);
  });

  it('leaves what another customer has presented with that customer, and records what is new there', async () => {
    const { present, holders, production } = await given();
    show(production, [FIRST, SECOND, LIFETIME]);
    await present('bob', receiptOf(FIRST));
    const named = { transactionId: '2000', storeProductId: 'lifetime' };
    await present('ann', receiptOf(FIRST, SECOND, LIFETIME), { bought: named });
    expect([await holders('1000'), await holders('2000')]).to.deep.equal([
      { bob: ['1000', '1001'] },
      { ann: ['2000'] },
    ]);
  });

  it('shows whose a purchase is that only a notification has brought', async () => {
    const { present, notify, holders, production, deps } = await given();
    show(production, [FIRST, LIFETIME]);
    const [signedFirst = ''] = production.chains.get('1000')?.transactions ?? [];
    await notify(notification('SUBSCRIBED', await deps.iosStore.signedData.verifyTransaction(signedFirst)));
    const named = { transactionId: '2000', storeProductId: 'lifetime' };
    await present('ann', receiptOf(FIRST, LIFETIME), { bought: named });
    expect(await holders('1000')).to.deep.equal({ ann: ['1000'] });
  });

  it('is refused for a product that it does not contain', async () => {
    const { present, production } = await given();
    show(production, [FIRST]);
    expect(await refusal(present('ann', receiptOf(FIRST), { storeProductId: 'other' }))).to.match(
      /^productId does not match/,
    );
  });

  it('adds nothing to what a notification has brought, and nothing twice', async () => {
    const { present, notify, countEvents, holders, production, deps } = await given();
    show(production, [FIRST]);
    const transaction = await deps.iosStore.signedData.verifyTransaction(
      production.chains.get('1000')?.transactions[0] ?? '',
    );
    await notify(notification('SUBSCRIBED', transaction));
    await present('ann', receiptOf(FIRST));
    const events = await countEvents();
    await present('ann', receiptOf(FIRST));
    expect(await countEvents()).to.equal(events);
    expect(await holders('1000')).to.deep.equal({ ann: ['1000'] });
  });

  it('of the sandbox is found there, after production', async () => {
    const { present, holders, production, sandbox } = await given();
    show(sandbox, [{ ...FIRST, ...IN_SANDBOX }]);
    await present('ann', receiptOf(FIRST));
    expect(await holders('1000')).to.deep.equal({ ann: ['1000'] });
    expect(production.requests).to.deep.equal(sandbox.requests);
  });

  it('of the sandbox is found where production refuses the key, as of an app that is not released', async () => {
    const { present, holders, production, sandbox } = await given();
    production.setFailure(401);
    show(sandbox, [{ ...FIRST, ...IN_SANDBOX }]);
    await present('ann', receiptOf(FIRST));
    expect(await holders('1000')).to.deep.equal({ ann: ['1000'] });
    expect(await refused(receiptOf(LIFETIME)), 'the refusal counts where nothing is found').to.equal('IosStoreRefusal');
  });

  it('waits for a key of its app', async () => {
    await given({ key: null });
    expect(await refused(receiptOf(FIRST))).to.equal('NoCredentials');
  });

  it('waits for a key of its environment', async () => {
    await given({ key: 'production' });
    expect(await refused(receiptOf(FIRST))).to.equal('NoCredentials');
    expect(fixture.sandbox.requests).to.deep.equal([]);
  });

  it('is invalid when the store does not know its transaction', async () => {
    const { production, sandbox } = await given();
    expect(await refused(receiptOf(FIRST))).to.equal('Invalid receipt: the store knows no such purchase of this app');
    expect([production.requests.length, sandbox.requests.length]).to.deep.equal([1, 1]);
  });

  it('is invalid without a purchase, and if it is no receipt', async () => {
    const { countEvents, production } = await given();
    const events = await countEvents();
    const xcode = Buffer.from('{"transactions":[{"transactionId":"0"}]}').toString('base64');
    for (const receipt of [receiptOf(), xcode, 'AAAA', '%', 'a.b.c']) expect(await refused(receipt)).to.match(INVALID);
    expect([await countEvents(), production.requests]).to.deep.equal([events, []]);
  });

  it('is invalid when it, or its transaction, is of another app', async () => {
    const { production } = await given();
    const OTHER = 'Invalid receipt: it belongs to another app';
    expect(await refused(appReceipt('com.example.other', []))).to.equal(OTHER);
    show(production, [{ ...FIRST, bundleId: 'com.example.other' }]);
    expect(await refused(receiptOf(FIRST))).to.equal(OTHER);
  });

  it('is invalid when only the number of the transaction is right', async () => {
    const { production, holders } = await given();
    show(production, [FIRST]);
    const claim = { transactionId: '1000', productId: MONTHLY, purchasedAt: '2026-11-20T10:00:00Z' };
    for (const other of [
      { ...claim, productId: 'other' },
      { ...claim, webOrderLineItemId: '1' },
    ])
      expect(await refused(appReceipt(BUNDLE_ID, [other]))).to.match(INVALID);
    expect(await holders('1000')).to.deep.equal({});
  });

  it('of a one-time purchase is invalid when the second of the purchase is not the store’s', async () => {
    const { production, holders } = await given();
    show(production, [LIFETIME]);
    expect(await refused(receiptOf({ ...LIFETIME, day: -8 }))).to.match(INVALID);
    expect(await holders('2000')).to.deep.equal({});
  });

  it('may be valid later when the store is away, or its response cannot be relied on', async () => {
    const { production, sandbox } = await given();
    production.setFailure(503);
    expect(await refused(receiptOf(FIRST))).to.equal('StoreUnavailable');
    // "App not found, try again"
    production.setFailure(404, 4040004);
    expect(await refused(receiptOf(FIRST))).to.equal('StoreUnavailable');
    production.setFailure(null);
    show(production, [FIRST], signedByStranger);
    expect(await refused(receiptOf(FIRST))).to.equal('StoreUnavailable');
    show(production, [{ ...FIRST, ...IN_SANDBOX }]);
    expect(await refused(receiptOf(FIRST))).to.equal('StoreUnavailable');
    expect(sandbox.requests).to.deep.equal([]);
  });
});
