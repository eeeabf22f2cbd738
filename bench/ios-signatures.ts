// Benchmark of the verification of complete ios-store notifications (three signatures): ours, the store's library alone, and the bare
// signatures.
import { verify, X509Certificate } from 'node:crypto';
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library';
import { createIosSignedData } from '../src/adapters/ios-store/signed-data.js';
import { systemRuntime } from '../src/adapters/runtime.js';
import { createCertificateAuthority } from '../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../simulator/ios-store/payloads.js';
import { median, type BenchRow } from './bench.js';

const BUNDLE = 'app.example.bench';
const DAY_MS = 86_400_000;
/** A lower ratio means that the cache of certificate chains does not work. */
const MIN_TIMES = 8;

type Contender = { readonly name: string; readonly verifyOne: () => Promise<void>; readonly rates: number[] };

/** Returns medians of interleaved rounds, in notifications per second of one thread. */
export async function benchIosSignatures(short: boolean): Promise<BenchRow[]> {
  const contenders = await prepare();
  const rounds = short ? 5 : 15;
  const roundMs = short ? 150 : 600;
  for (const contender of contenders) await rate(contender, roundMs / 2);
  for (let round = 0; round < rounds; round += 1) {
    for (const contender of contenders) contender.rates.push(await rate(contender, roundMs));
  }

  const [ours = 0, library = 0, bare = 0] = contenders.map(({ rates }) => median(rates));
  const unit = 'notifications/s';
  const times = round1(ours / library);
  return [
    { name: 'ios-store notification, our verifier', value: Math.round(ours), unit },
    { name: 'ios-store notification, library alone', value: Math.round(library), unit },
    { name: 'three bare ES256 signatures', value: Math.round(bare), unit },
    {
      name: 'our verifier : library alone',
      value: times,
      unit: 'times',
      target: `>= ${MIN_TIMES}`,
      ok: times >= MIN_TIMES,
    },
    // No target, because other load on the cores lowers it.
    { name: 'our verifier : bare signatures', value: Math.round((ours / bare) * 100), unit: '%' },
  ];
}

async function prepare(): Promise<Contender[]> {
  const authority = await createCertificateAuthority();
  const { signedNotification, signedTransaction, signedRenewalInfo } = storePayloads(authority.sign);
  const signedDate = Date.UTC(2026, 0, 1);
  const purchase = { transactionId: '2000000001', productId: 'monthly', purchaseDate: signedDate, price: 9990 };
  const transaction = signedTransaction({ ...purchase, bundleId: BUNDLE, expiresDate: signedDate + 31 * DAY_MS });
  const renewal = signedRenewalInfo({ originalTransactionId: '2000000001', productId: 'monthly', signedDate });
  const { signedPayload } = signedNotification({
    notificationType: 'SUBSCRIBED',
    subtype: 'INITIAL_BUY',
    bundleId: BUNDLE,
    signedDate,
    transaction,
    renewal,
  });

  const roots = [new X509Certificate(authority.rootPem).raw];
  const ours = createIosSignedData({ roots, onlineChecks: false, runtime: systemRuntime() });
  const library = new SignedDataVerifier(roots, false, Environment.SANDBOX, BUNDLE);
  const key = new X509Certificate(Buffer.from(authority.x5c[0] ?? '', 'base64')).publicKey;
  const signatures = [signedPayload, transaction, renewal].map((jws) => {
    const cut = jws.lastIndexOf('.');
    return { signed: Buffer.from(jws.slice(0, cut)), signature: Buffer.from(jws.slice(cut + 1), 'base64url') };
  });

  return [
    { name: 'ours', rates: [], verifyOne: async () => void (await ours.verifyNotification(signedPayload)) },
    {
      name: 'library',
      rates: [],
      verifyOne: async () => {
        await library.verifyAndDecodeNotification(signedPayload);
        await library.verifyAndDecodeTransaction(transaction);
        await library.verifyAndDecodeRenewalInfo(renewal);
      },
    },
    {
      name: 'bare',
      rates: [],
      verifyOne: async () => {
        for (const { signed, signature } of signatures) {
          if (!verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature)) throw new Error('must fit');
        }
      },
    },
  ];
}

async function rate({ verifyOne }: Contender, forMs: number): Promise<number> {
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < forMs) {
    await verifyOne();
    count += 1;
  }
  return (count * 1000) / (performance.now() - start);
}

function round1(value: number): number {
  return Math.round(value * 10) / 10;
}
