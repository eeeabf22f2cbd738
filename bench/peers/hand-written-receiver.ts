// Simple hand-written receiver: Express, the store's own library for the signatures, and a Map of customers with access. It loses all data
// when it ends. Arguments: root certificate (PEM), bundle ID, the number of the app in the store.
import { readFileSync } from 'node:fs';
import { X509Certificate } from 'node:crypto';
import { Environment, SignedDataVerifier } from '@apple/app-store-server-library';
import express, { type RequestHandler } from 'express';

const [, , rootFile = '', bundleId = '', storeAppId = ''] = process.argv;
const roots = [Buffer.from(new X509Certificate(readFileSync(rootFile)).raw)];
const verifier = new SignedDataVerifier(roots, false, Environment.PRODUCTION, bundleId, Number(storeAppId));
const subscriptions = new Map<
  string,
  { readonly productId: string; readonly expiresDate: number; readonly on: boolean }
>();

async function receive(signedPayload: string): Promise<void> {
  const { data } = await verifier.verifyAndDecodeNotification(signedPayload);
  const { signedTransactionInfo, signedRenewalInfo } = data ?? {};
  if (signedTransactionInfo === undefined) return;
  const transaction = await verifier.verifyAndDecodeTransaction(signedTransactionInfo);
  const renewal =
    signedRenewalInfo === undefined ? undefined : await verifier.verifyAndDecodeRenewalInfo(signedRenewalInfo);
  const { originalTransactionId = '', productId = '', expiresDate = 0 } = transaction;
  subscriptions.set(originalTransactionId, { productId, expiresDate, on: renewal?.autoRenewStatus === 1 });
}

const handle: RequestHandler<object, object, { signedPayload: string }> = (req, res, next) => {
  receive(req.body.signedPayload).then(() => res.json({}), next);
};
const app = express();
app.post('/', express.json({ limit: '256kb' }), handle);
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  process.stdout.write(`listening on http://127.0.0.1:${address.port} ready`);
});
// A sender that is idle for some seconds must not be disconnected.
server.keepAliveTimeout = 65_000;
