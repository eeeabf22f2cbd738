// The app that verified ios-store data belongs to, and the roots that a server trusts.
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { checkBelongsToApp } from '../../../src/adapters/ios-store/port.js';
import { loadRootCertificates } from '../../../src/adapters/ios-store/root-certificates.js';
import { createIosSignedData } from '../../../src/adapters/ios-store/signed-data.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { storePayloads, type NotificationFields } from '../../../simulator/ios-store/payloads.js';
import { BUNDLE, NOW, notification, refusal, RENEWAL, store, stranger, TRANSACTION, verifier } from './fixture.js';

describe('belonging to an app', () => {
  const APP = { bundleId: BUNDLE, storeAppId: 4711 };
  const verdict = async (changes: Partial<NotificationFields>, app: { bundleId: string; storeAppId?: number } = APP) =>
    checkBelongsToApp(await verifier().verifyNotification(notification(store, changes)), app);
  const PRODUCTION = { environment: 'Production', appAppleId: 4711 } as const;

  it('accepts the app’s own, and compares its number in production only', async () => {
    expect(await verdict({})).to.equal(null);
    expect(await verdict(PRODUCTION)).to.equal(null);
    expect(await verdict({ ...PRODUCTION, appAppleId: 1 })).to.equal('wrong_bundle');
    expect(await verdict({ environment: 'Production' })).to.equal('wrong_bundle');
    expect(await verdict({ environment: 'Production' }, { bundleId: BUNDLE })).to.equal(null);
  });

  it('refuses another bundle, outside and inside', async () => {
    expect(await verdict({ bundleId: 'app.example.other' })).to.equal('wrong_bundle');
    expect(await verdict({ transaction: { ...TRANSACTION, bundleId: 'app.example.other' } })).to.equal('wrong_bundle');
  });

  it('refuses inner payloads of another environment', async () => {
    expect(await verdict({ transaction: { ...TRANSACTION, environment: 'Production' } })).to.equal('wrong_environment');
    expect(await verdict({ renewal: { ...RENEWAL, environment: 'Production' } })).to.equal('wrong_environment');
  });

  it('reads the environment of an external purchase token from its id', async () => {
    const token = (externalPurchaseId: string, appAppleId: number) =>
      verdict({ data: undefined, externalPurchaseToken: { externalPurchaseId, bundleId: BUNDLE, appAppleId } });
    expect(await token('SANDBOX_1', 1)).to.equal(null);
    expect(await token('1', 1)).to.equal('wrong_bundle');
  });

  it('compares what an unknown container states about the app, and accepts one that states nothing', async () => {
    const other = (ageData: object) => verdict({ data: undefined, ageData });
    expect(await other({ bundleId: BUNDLE, ...PRODUCTION })).to.equal(null);
    expect(await other({ ageRange: '13-17' })).to.equal(null);
    expect(await other({ bundleId: 'app.example.other' })).to.equal('wrong_bundle');
    expect(await other({ bundleId: BUNDLE, ...PRODUCTION, appAppleId: 1 })).to.equal('wrong_bundle');
    expect(await verdict({ ageData: { bundleId: 'app.example.other' } })).to.equal('wrong_bundle');
  });

  it('compares the bundle of a transaction by itself', async () => {
    const text = storePayloads(store.sign).signedTransaction({ ...TRANSACTION, bundleId: BUNDLE });
    const transaction = await verifier().verifyTransaction(text);
    expect(checkBelongsToApp(transaction, APP)).to.equal(null);
    expect(checkBelongsToApp(transaction, { bundleId: 'app.example.other' })).to.equal('wrong_bundle');
  });
});

describe('root certificates', () => {
  let folder: string;
  before(() => void (folder = mkdtempSync(join(tmpdir(), 'roots-'))));
  after(() => rmSync(folder, { recursive: true }));
  const file = (content: string): string => {
    const path = join(folder, 'roots.pem');
    writeFileSync(path, content);
    return path;
  };

  it('ship the store’s own, by its published fingerprint', () => {
    const fingerprints = loadRootCertificates([]).roots.map((der) => new X509Certificate(der).fingerprint256);
    expect(fingerprints).to.deep.equal([
      '63:34:3A:BF:B8:9A:6A:03:EB:B5:7E:9B:3F:5F:A7:BE:7C:4F:5C:75:6F:30:17:B3:A8:C4:88:C3:65:3E:91:79',
    ]);
  });

  it('are replaced by files of one certificate or several', async () => {
    const { roots, receiptRoots } = loadRootCertificates([file(`${store.rootPem}\n${stranger.rootPem}\n`)]);
    expect(receiptRoots).to.deep.equal(roots);
    expect(roots).to.have.length(2);
    const ios = createIosSignedData({ roots, onlineChecks: false, runtime: { ...systemRuntime(), now: () => NOW } });
    expect(await refusal(notification(store), ios)).to.equal('accepted');
    expect(await refusal(notification(stranger), ios)).to.equal('accepted');
  });

  it('name the file that cannot be used', () => {
    const damaged = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----';
    expect(() => loadRootCertificates([join(folder, 'none.pem')])).to.throw(/none\.pem, which does not exist/);
    expect(() => loadRootCertificates([file('nothing')])).to.throw(/roots\.pem.*no certificate/);
    expect(() => loadRootCertificates([file(damaged)])).to.throw(/roots\.pem.*damaged/);
  });
});
