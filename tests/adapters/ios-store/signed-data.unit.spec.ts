// The ios-store's signed data: what is accepted, and what is refused and why.
import { expect } from 'chai';
import { InvalidSignedData } from '../../../src/domain/errors.js';
import {
  createCertificateAuthority,
  type CertificateAuthority,
} from '../../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../../simulator/ios-store/payloads.js';
import {
  BUNDLE,
  NOW,
  TRANSACTION,
  RENEWAL,
  RENEWED,
  store,
  stranger,
  verifier,
  notification,
  refusal,
  encoded,
  respelled,
} from './fixture.js';

describe('ios-store signed data that is right', () => {
  it('gives a notification with its transaction and renewal info in the units of the wire', async () => {
    const n = await verifier().verifyNotification(notification(store, { subtype: 'BILLING_RECOVERY' }));
    expect(n).to.include({ notificationType: 'DID_RENEW', subtype: 'BILLING_RECOVERY', signedDate: NOW });
    expect(n.data).to.include({ bundleId: BUNDLE, environment: 'Sandbox', status: 1 });
    expect(n.data?.transaction).to.include({ ...TRANSACTION, currency: 'USD', storefront: 'USA' });
    expect(n.data?.renewal).to.include({ ...RENEWAL, autoRenewStatus: 1 });
    expect(n.revocationChecked).to.equal(false);
  });

  it('gives a TEST notification, which has neither', async () => {
    const text = notification(store, { notificationType: 'TEST', transaction: undefined, renewal: undefined });
    const n = await verifier().verifyNotification(text);
    expect(n.data).to.have.all.keys('bundleId', 'environment', 'bundleVersion');
  });

  it('gives a transaction by itself', async () => {
    const text = storePayloads(store.sign).signedTransaction({ ...TRANSACTION, bundleId: BUNDLE });
    expect(await verifier().verifyTransaction(text)).to.include(TRANSACTION);
  });

  it('gives renewal info by itself, and only what the store signed', async () => {
    const signed = storePayloads(store.sign).signedRenewalInfo({ ...RENEWAL, expirationIntent: 2 });
    expect(await verifier().verifyRenewalInfo(signed)).to.include({ ...RENEWAL, expirationIntent: 2 });
    const forged = storePayloads(stranger.sign).signedRenewalInfo(RENEWAL);
    const refused = await verifier()
      .verifyRenewalInfo(forged)
      .catch((err: unknown) => err);
    expect(refused).to.be.instanceOf(InvalidSignedData).with.property('reason', 'bad_signature');
  });

  it('drops unknown fields, also __proto__', async () => {
    const n = await verifier().verifyNotification(notification(store, { novelty: 1, ['__proto__']: { polluted: 1 } }));
    expect(n).not.to.have.any.keys('novelty', 'polluted');
  });

  it('ignores blanks and line ends around a signed text', async () => {
    const around = (text: string) => ` \t${text}\r\n\n`;
    expect(await verifier().verifyNotification(around(notification(store)))).to.include({ signedDate: NOW });
    const payloads = storePayloads(store.sign);
    const transaction = payloads.signedTransaction({ ...TRANSACTION, bundleId: BUNDLE });
    expect(await verifier().verifyTransaction(around(transaction))).to.include(TRANSACTION);
    expect(await verifier().verifyRenewalInfo(around(payloads.signedRenewalInfo(RENEWAL)))).to.include(RENEWAL);
    const inside = notification(store, { transaction: around(transaction) });
    expect((await verifier().verifyNotification(inside)).data?.transaction).to.include(TRANSACTION);
    expect(await refusal(notification(store).replace('.', ' .'))).to.equal('unreadable');
  });

  it('gives a notification whose container is unknown, with what that states about the app', async () => {
    const age = { bundleId: BUNDLE, environment: 'Production', appAppleId: 4711, range: { from: 13 } };
    const n = await verifier().verifyNotification(notification(store, { data: undefined, ageData: age, note: 'text' }));
    expect(n.otherContainers).to.deep.equal([{ bundleId: BUNDLE, environment: 'Production', appAppleId: 4711 }]);
    expect(n).not.to.have.any.keys('ageData', 'note', 'data');
    const forged = notification(stranger, { data: undefined, ageData: age });
    expect(await refusal(forged)).to.equal('bad_signature');
  });

  it('verifies the proof of the app inside appData', async () => {
    const proof = { bundleId: BUNDLE, receiptType: 'Sandbox', appTransactionId: '70', receiptCreationDate: NOW };
    const appData = (signer: CertificateAuthority) => ({
      environment: 'Sandbox',
      bundleId: BUNDLE,
      signedAppTransactionInfo: signer.sign(proof),
    });
    const rescind = { notificationType: 'RESCIND_CONSENT', data: undefined };
    const n = await verifier().verifyNotification(notification(store, { ...rescind, appData: appData(store) }));
    expect(n.appData?.appTransaction?.appTransactionId).to.equal('70');
    expect(await refusal(notification(store, { ...rescind, appData: appData(stranger) }))).to.equal('bad_signature');
  });
});

describe('ios-store signed data that is wrong', () => {
  /** Decodes to the same bytes. */
  const widened = (text: string) => String.fromCharCode(text.charCodeAt(0) + 0x100) + text.slice(1);
  const altered = (change: (parts: string[]) => string[]): string => change(notification(store).split('.')).join('.');

  const unreadable: readonly (readonly [string, () => string])[] = [
    ['an empty text', () => ''],
    ['decoded JSON', () => JSON.stringify(RENEWED)],
    ['two parts', () => altered((parts) => parts.slice(0, 2))],
    ['four parts', () => altered((parts) => [...parts, 'AAAA'])],
    ['characters that other decoders fold into the alphabet', () => altered(([h, ...rest]) => [`${h}\u0141`, ...rest])],
    ...[0, 1].map((part): [string, () => string] => [
      `a wide character in part ${part + 1} whose lower byte is the one it replaces`,
      () => altered((parts) => parts.with(part, widened(parts[part] ?? ''))),
    ]),
    ['more than 262,144 characters', () => `${notification(store)}${'A'.repeat(262_144)}`],
    ['alg none', () => notification({ ...store, sign: (p) => store.sign(p, { alg: 'none' }) })],
    ['alg HS256', () => notification({ ...store, sign: (p) => store.sign(p, { alg: 'HS256' }) })],
    ['alg ES384', () => notification({ ...store, sign: (p) => store.sign(p, { alg: 'ES384' }) })],
    ['a critical extension', () => notification({ ...store, sign: (p) => store.sign(p, { crit: ['b64'] }) })],
    ['a list as header', () => altered(([, ...rest]) => [encoded('[]'), ...rest])],
    [
      'a header with only a __proto__',
      () => altered(([, ...rest]) => [encoded('{"__proto__":{"alg":"ES256"}}'), ...rest]),
    ],
    [
      'a payload that is not UTF-8',
      () => altered(([h = '', , s = '']) => [h, Buffer.from([0x22, 0xff, 0x22]).toString('base64url'), s]),
    ],
    ['a payload 50,000 lists deep', () => altered(([h = '', , s = '']) => [h, encoded('['.repeat(50_000)), s])],
    ['no notificationUUID', () => notification(store, { notificationUUID: undefined } as object)],
    ['version 1', () => notification(store, { version: '1.0' })],
    ['both data and summary', () => notification(store, { summary: { bundleId: BUNDLE, environment: 'Sandbox' } })],
    [
      'a transaction without productId',
      () => notification(store, { transaction: { ...TRANSACTION, productId: undefined } as never }),
    ],
    ['a date as text', () => notification(store, { signedDate: '2026-11-20' as never })],
    ...[0, 1, 2, 4].map((count): [string, () => string] => [
      `${count} certificates`,
      () =>
        notification({ ...store, sign: (p) => store.sign(p, { x5c: [...store.x5c, ...store.x5c].slice(0, count) }) }),
    ]),
  ];
  for (const [name, text] of unreadable) {
    it(`is unreadable: ${name}`, async () => expect(await refusal(text())).to.equal('unreadable'));
  }

  it('is unreadable: any ASCII character outside of the alphabet, anywhere in a part, and an impossible length', async () => {
    // The decoder passes over some of these, ends at another and takes two for others.
    const others = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter((c) => !/[\w-]/.test(c));
    const verifying = verifier();
    const put = (part: string, at: number, c: string) => part.slice(0, at) + c + part.slice(at + c.length);
    const inPart = (i: number, change: (part: string) => string) =>
      altered((parts) => parts.with(i, change(parts[i] ?? '')));
    for (const i of [0, 1]) {
      const lengths = ['', 'A', 'AA', 'AAA'].map((more) => inPart(i, (part) => part + more));
      const isOfNoLength = (text: string) => (text.split('.')[i] ?? '').length % 4 === 1;
      for (const text of lengths.filter(isOfNoLength)) expect(await refusal(text, verifying)).to.equal('unreadable');
      for (const c of others) {
        for (const at of [0, 1, 2, 3]) {
          const found = await refusal(
            inPart(i, (part) => put(part, at, c)),
            verifying,
          );
          expect(found, `${JSON.stringify(c)} in part ${i + 1}`).to.equal('unreadable');
        }
      }
    }
  });

  const withX5c = (pick: (own: readonly string[], other: readonly string[]) => (string | undefined)[]): string =>
    notification({ ...store, sign: (p) => store.sign(p, { x5c: pick(store.x5c, stranger.x5c) }) });
  const badSignature: readonly (readonly [string, () => string])[] = [
    ['another root', () => notification(stranger)],
    [
      'another root, with ours sent along',
      () =>
        notification({
          ...stranger,
          sign: (p) => stranger.sign(p, { x5c: [...stranger.x5c.slice(0, 2), store.x5c[2]] }),
        }),
    ],
    [
      'a changed payload',
      () =>
        altered(([h = '', p = '', s = '']) => [
          h,
          encoded(Buffer.from(p, 'base64url').toString().replace('DID_RENEW', 'REFUND')),
          s,
        ]),
    ],
    ['leaf and intermediate swapped', () => withX5c(([leaf, intermediate, root]) => [intermediate, leaf, root])],
    ['the leaf as its own issuer', () => withX5c(([leaf, , root]) => [leaf, leaf, root])],
    ['the intermediate of a stranger', () => withX5c(([leaf, , root], other) => [leaf, other[1], root])],
    ['certificates that are none', () => withX5c(() => ['AAAA', 'AAAA', 'AAAA'])],
    ['a signature in DER form', () => altered(([h = '', p = '']) => [h, p, 'MEUCIQ'.padEnd(95, 'A')])],
    ['a second spelling of the same signature', () => altered(([h = '', p = '', s = '']) => [h, p, respelled(s)])],
    ['a date beyond all calendars', () => notification(store, { signedDate: 8_640_000_000_000_001 })],
  ];
  for (const [name, text] of badSignature) {
    it(`has a bad signature: ${name}`, async () => expect(await refusal(text())).to.equal('bad_signature'));
  }

  const past = new Date('2021-01-01T00:00:00Z');
  const authorities: readonly (readonly [string, Parameters<typeof createCertificateAuthority>[0]])[] = [
    ['a leaf without the store’s mark', { leaf: { omitsOid: true } }],
    ['an intermediate without the store’s mark', { intermediate: { omitsOid: true } }],
    ['an intermediate that is no authority', { intermediate: { notCa: true } }],
    ['a leaf that names another issuer', { leaf: { issuerName: 'Somebody Else' } }],
    ['an intermediate that names another issuer', { intermediate: { issuerName: 'Somebody Else' } }],
    ['a leaf out of date', { leaf: { notAfter: past } }],
    ['an intermediate out of date', { intermediate: { notAfter: past } }],
    ['a root out of date', { root: { notAfter: past } }],
    ['a leaf not valid yet', { leaf: { notBefore: new Date(NOW + 2 * 60_000) } }],
  ];
  for (const [name, flaws] of authorities) {
    it(`has a bad signature: ${name}`, async () => {
      const flawed = await createCertificateAuthority(flaws);
      expect(await refusal(notification(flawed), verifier(flawed))).to.equal('bad_signature');
    });
  }

  it('refuses a leaf of another curve, whatever it calls its algorithm', async () => {
    const other = await createCertificateAuthority({ leaf: { curve: 'P-384' } });
    expect(await refusal(notification(other), verifier(other))).to.equal('unreadable');
    const renamed = { ...other, sign: (p: object) => other.sign(p, { alg: 'ES256' }) };
    expect(await refusal(notification(renamed), verifier(other))).to.equal('bad_signature');
  });

  for (const environment of ['Xcode', 'LocalTesting'] as const) {
    it(`refuses ${environment} even when the store signed it, and skips no signature`, async () => {
      expect(await refusal(notification(store, { environment }))).to.equal('wrong_environment');
      expect(await refusal(notification(stranger, { environment }))).to.equal('bad_signature');
    });
  }

  it('refuses a forged inner payload inside a rightly signed outer one', async () => {
    const forged = storePayloads(stranger.sign);
    const transaction = forged.signedTransaction({ ...TRANSACTION, bundleId: BUNDLE });
    expect(await refusal(notification(store, { transaction }))).to.equal('bad_signature');
    expect(await refusal(notification(store, { renewal: forged.signedRenewalInfo(RENEWAL) }))).to.equal(
      'bad_signature',
    );
    expect(await refusal(notification(store, { transaction: 'not a JWS' }))).to.equal('unreadable');
  });
});
