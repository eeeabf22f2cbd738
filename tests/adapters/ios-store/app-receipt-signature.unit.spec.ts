// Signatures of app receipts, and receipts that are made to cost time.
import { X509Certificate } from 'node:crypto';
import { expect } from 'chai';
import { verifyAppReceipt } from '../../../src/adapters/ios-store/app-receipt-signature.js';
import { readAppReceipt } from '../../../src/adapters/ios-store/app-receipt.js';
import { createChainTrust } from '../../../src/adapters/ios-store/chain.js';
import { loadRootCertificates } from '../../../src/adapters/ios-store/root-certificates.js';
import { createIosSignedData } from '../../../src/adapters/ios-store/signed-data.js';
import { RetryLater } from '../../../src/domain/errors.js';
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { appReceipt, CREATED_AT, createReceiptSigner, element } from './app-receipts.js';
import { BUNDLE, NOW } from './fixture.js';
import { signInCircle, signUnusually } from './hostile-receipts.js';

const UNSIGNED = appReceipt(BUNDLE, [{ transactionId: '1', productId: 'monthly', purchasedAt: CREATED_AT }]);
const AT = Date.parse(CREATED_AT);
const never = () => new Promise<void>(() => undefined);

function verify(receipt: Buffer, roots: readonly Buffer[], at: number): Promise<boolean> {
  const trust = createChainTrust({ roots, onlineChecks: false, runtime: { now: () => NOW, sleep: never } });
  return verifyAppReceipt(receipt, trust, at);
}

describe('the signature of an app receipt', () => {
  let roots: Buffer[];
  let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
  let signed: Buffer;
  before(async () => {
    authority = await createCertificateAuthority();
    roots = [new X509Certificate(authority.rootPem).raw];
    const sign = await createReceiptSigner(authority);
    signed = Buffer.from(await sign(UNSIGNED), 'base64');
  });

  it('is verified against the root, and the receipt stays readable', async () => {
    expect(await verify(signed, roots, AT)).to.equal(true);
    expect(readAppReceipt(signed.toString('base64'))).to.deep.equal(readAppReceipt(UNSIGNED));
  });

  it('fails if any byte of the content was changed', async () => {
    const content = signed.indexOf(BUNDLE);
    for (const offset of [0, 5, BUNDLE.length - 1]) {
      const forged = Buffer.from(signed);
      forged.writeUInt8(forged.readUInt8(content + offset) ^ 1, content + offset);
      expect(await verify(forged, roots, AT)).to.equal(false);
    }
  });

  it('fails without one', async () => expect(await verify(Buffer.from(UNSIGNED, 'base64'), roots, AT)).to.equal(false));

  it('fails under another root, such as the store’s own for a simulated one', async () => {
    const stranger = await createCertificateAuthority();
    expect(await verify(signed, [new X509Certificate(stranger.rootPem).raw], AT)).to.equal(false);
    expect(await verify(signed, loadRootCertificates([]).receiptRoots, AT)).to.equal(false);
  });

  it('fails with a certificate of the store that is not for receipts, such as a developer’s', async () => {
    const sign = await createReceiptSigner(authority, null);
    expect(await verify(Buffer.from(await sign(UNSIGNED), 'base64'), roots, AT)).to.equal(false);
  });

  it('fails at a time at which the certificates were not valid', async () => {
    for (const at of ['2019-12-31T00:00:00Z', '2051-01-01T00:00:00Z'])
      expect(await verify(signed, roots, Date.parse(at)), at).to.equal(false);
  });

  it('fails for any other bytes, however deep they nest', async () => {
    let nested: Buffer = Buffer.alloc(0);
    for (let depth = 0; depth < 3000; depth++) nested = element(0x30, nested);
    for (const bytes of [Buffer.alloc(0), Buffer.from('a.b.c'), nested, signed.subarray(0, 500)])
      expect(await verify(bytes, roots, AT)).to.equal(false);
  });

  it('is verified with signed attributes too, which contain the digest of the content', async () => {
    const withAttributes = Buffer.from(await signUnusually(UNSIGNED, authority, { withAttributes: true }), 'base64');
    expect(await verify(withAttributes, roots, AT)).to.equal(true);
    const forged = Buffer.from(withAttributes);
    const content = forged.indexOf(BUNDLE);
    forged.writeUInt8(forged.readUInt8(content) ^ 1, content);
    expect(await verify(forged, roots, AT)).to.equal(false);
  });

  it('has the store’s published root by default', () => {
    const [root] = loadRootCertificates([]).receiptRoots.map((der) => new X509Certificate(der));
    expect(root?.subject).to.contain('CN=Apple Root CA');
    expect(root?.fingerprint256).to.match(/^B0:B1:73:0E:CB:C7:FF:45:05:14:2C:49:F1:29:5E:6E:DA:6B:CA:ED/);
    expect(root?.verify(root.publicKey)).to.equal(true);
  });
});

describe('an app receipt that is made to cost time', () => {
  let authority: Awaited<ReturnType<typeof createCertificateAuthority>>;
  let roots: Buffer[];
  before(async () => {
    authority = await createCertificateAuthority();
    roots = [new X509Certificate(authority.rootPem).raw];
  });

  const isAccepted = async (receipt: Promise<string>) => verify(Buffer.from(await receipt, 'base64'), roots, AT);
  const sign = (deviations: Parameters<typeof signUnusually>[2]) => signUnusually(UNSIGNED, authority, deviations);

  it('by certificates that issue each other is refused: no path is searched for', async () =>
    expect(await isAccepted(signInCircle(UNSIGNED))).to.equal(false));

  it('by many certificates is refused', async () => {
    expect(await isAccepted(sign({ extraCertificates: 1 }))).to.equal(true);
    expect(await isAccepted(sign({ extraCertificates: 2 }))).to.equal(false);
  });

  it('by a large certificate is refused', async () => {
    expect(await isAccepted(sign({ nameLength: 2_000 }))).to.equal(true);
    expect(await isAccepted(sign({ nameLength: 4_000 }))).to.equal(false);
  });

  it('by several signers is refused', async () => expect(await isAccepted(sign({ signers: 2 }))).to.equal(false));

  it('waits no longer than the limit of a verification', async () => {
    const receipt = await sign({});
    const runtime = { now: () => NOW, sleep: () => Promise.resolve() };
    const signedData = createIosSignedData({ roots, onlineChecks: false, runtime });
    const refusal = await signedData.isSignedAppReceipt(receipt, CREATED_AT).catch((err: unknown) => err);
    expect(refusal).to.be.instanceOf(RetryLater);
  });
});
