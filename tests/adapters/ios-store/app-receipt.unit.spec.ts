// App receipts of StoreKit 1: what is read from them, and what is none of them.
import { ReceiptUtility } from '@apple/app-store-server-library';
import { expect } from 'chai';
import { readAppReceipt } from '../../../src/adapters/ios-store/app-receipt.js';
import { appReceipt, attribute, CREATED_AT, element } from './app-receipts.js';
import { BUNDLE } from './fixture.js';

const MONTHLY = {
  transactionId: '1000000692879214',
  productId: 'monthly',
  purchasedAt: '2026-07-14T19:36:40Z',
  webOrderLineItemId: '1000000054042695',
  originalTransactionId: '1000000692878477',
};
const LIFETIME = { transactionId: '1000000692878476', productId: 'lifetime', purchasedAt: '2026-07-14T19:33:26Z' };
const RECEIPT = appReceipt(BUNDLE, [MONTHLY, LIFETIME]);

const noDownload = { originalApplicationVersion: null, originalPurchaseDate: null };

describe('an app receipt', () => {
  it('contains the app and its purchases', () =>
    expect(readAppReceipt(RECEIPT)).to.deep.equal({
      ...noDownload,
      receiptType: 'Production',
      bundleId: BUNDLE,
      createdAt: CREATED_AT,
      purchases: [MONTHLY, { ...LIFETIME, originalTransactionId: LIFETIME.transactionId, webOrderLineItemId: null }],
    }));

  it('is read in lines too', () =>
    expect(readAppReceipt(`${RECEIPT.replace(/.{64}/g, '$&\r\n')}\n`)).to.deep.equal(readAppReceipt(RECEIPT)));

  it('names the transaction that the store’s own library finds', () => {
    const found = new ReceiptUtility().extractTransactionIdFromAppReceipt(RECEIPT);
    expect(readAppReceipt(RECEIPT)?.purchases[0]?.transactionId).to.equal(found);
  });

  it('of an app without purchases contains none', () =>
    expect(readAppReceipt(appReceipt(BUNDLE, []))).to.deep.equal({
      ...noDownload,
      receiptType: 'Production',
      bundleId: BUNDLE,
      createdAt: CREATED_AT,
      purchases: [],
    }));

  it('contains no purchase whose transaction has no number', () =>
    expect(readAppReceipt(appReceipt(BUNDLE, [{ ...LIFETIME, transactionId: '../1' }]))?.purchases).to.deep.equal([]));

  describe('with untidy fields contains its purchases', () => {
    const utf8 = (text: string) => element(12, Buffer.from(text));
    const none = Buffer.alloc(0);
    const opaque = Buffer.from('ff80ff', 'hex');
    const fields = (...more: readonly Buffer[]) =>
      attribute(17, element(0x31, attribute(1703, utf8('7')), attribute(1702, utf8('lifetime')), ...more));
    const rows: readonly (readonly [what: string, attributes: readonly Buffer[]])[] = [
      ['an empty number of a line item', [fields(attribute(1711, none))]],
      ['an empty purchase beside another', [attribute(17, none), fields()]],
      ['an empty name of the app', [attribute(2, none), fields()]],
      ['values that are no texts where nothing is read', [attribute(4, opaque), fields(attribute(1799, opaque))]],
      ['a first transaction that is empty', [fields(attribute(1705, none), attribute(1704, none))]],
    ];
    for (const [what, attributes] of rows)
      it(what, () => {
        const purchases = readAppReceipt(appReceipt(BUNDLE, [], attributes))?.purchases;
        expect(purchases?.map(({ transactionId, productId }) => [transactionId, productId])).to.deep.equal([
          ['7', 'lifetime'],
        ]);
      });
  });

  it('is not any other text', () => {
    const test = Buffer.from(JSON.stringify({ transactions: [{ transactionId: '0' }] })).toString('base64');
    // Xcode writes lengths that are indefinite.
    const xcode = Buffer.from('308006092a864886f70d010702a08030800000', 'hex').toString('base64');
    for (const text of ['', ' ', 'AAAA', 'a.b.c', '{}', 'ﬀ', test, xcode, `${RECEIPT}===`, `.${RECEIPT}`])
      expect(readAppReceipt(text), text).to.equal(null);
  });

  it('is not one that is cut off, wherever', () => {
    const der = Buffer.from(RECEIPT, 'base64');
    for (let length = 0; length < der.length; length++)
      expect(readAppReceipt(der.subarray(0, length).toString('base64')), `${length} bytes`).to.equal(null);
  });

  it('never throws, whichever byte is another', () => {
    const der = Buffer.from(RECEIPT, 'base64');
    for (const [at, byte] of der.entries())
      for (const other of [0, 0x80, 0x84, 0xff, byte ^ 1]) {
        const changed = Buffer.from(der);
        changed[at] = other;
        expect(() => readAppReceipt(changed.toString('base64')), `${other} at ${at}`).not.to.throw();
      }
  });

  it('is read in linear time, however many attributes it has', () => {
    // The store's library looks for each attribute from the first on, and takes minutes.
    const attributes = Array.from({ length: 15_000 }, () => attribute(1, element(4)));
    const purchases = appReceipt(BUNDLE, [], attributes);
    const nothing = { ...noDownload, receiptType: null, bundleId: null, createdAt: null, purchases: [] };
    expect(readAppReceipt(purchases)).to.deep.equal(nothing);
  });
});

describe('an app receipt that is made to cost time', () => {
  const textOf = (text: string) => element(12, Buffer.from(text));
  const purchase = (fields: readonly Buffer[] = []) =>
    attribute(17, element(0x31, attribute(1703, textOf('1')), Buffer.concat(fields)));
  const read = (attributes: readonly Buffer[]) => readAppReceipt(appReceipt(BUNDLE, [], [Buffer.concat(attributes)]));

  it('by the number of a line item is read without it', () => {
    const number = (bytes: number) => attribute(1711, element(2, Buffer.alloc(bytes, 1)));
    expect(read([purchase([number(8)])])?.purchases[0]?.webOrderLineItemId).to.equal(`${0x0101010101010101n}`);
    expect(read([purchase([number(1_000_000)])])?.purchases[0]?.webOrderLineItemId).to.equal(null);
  });

  it('by attributes without end is not read', () => {
    const many = (count: number) => Array<Buffer>(count).fill(attribute(1, element(4)));
    expect(read(many(300_000))).to.not.equal(null);
    expect(read(many(300_001))).to.equal(null);
    expect(read([purchase(many(250_000)), purchase()])?.purchases).to.have.length(2);
    expect(read([purchase(many(150_000)), purchase(many(150_000))])).to.equal(null);
  });

  it('by lengths that lie is not read', () => {
    for (const hex of ['3084ffffffff', '30847fffffff', '3085010000000000', '3080', '308200'])
      expect(readAppReceipt(Buffer.from(hex, 'hex').toString('base64')), hex).to.equal(null);
  });
});
