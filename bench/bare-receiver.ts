// Express that parses and verifies notifications, responds, and stores nothing: the baseline for a service with the same libraries.
// Argument: root certificate (PEM).
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import express, { type RequestHandler } from 'express';
import { createIosSignedData } from '../src/adapters/ios-store/signed-data.js';
import { systemRuntime } from '../src/adapters/runtime.js';

const [, , rootFile = ''] = process.argv;
const roots = [new X509Certificate(readFileSync(rootFile)).raw];
const verifier = createIosSignedData({ roots, onlineChecks: false, runtime: systemRuntime() });
const receive: RequestHandler<object, object, { signedPayload: string }> = (req, res, next) => {
  verifier.verifyNotification(req.body.signedPayload).then(() => res.json({}), next);
};

const app = express();
app.post('/', express.json({ limit: '256kb' }), receive);
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  process.stdout.write(`listening on http://127.0.0.1:${address.port} ready`);
});
