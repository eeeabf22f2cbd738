// An HTTPS server on loopback with a certificate that nobody trusts.
import '../../../simulator/ios-store/metadata-polyfill.js';
import { webcrypto } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { X509CertificateGenerator } from '@peculiar/x509';

export type SelfSignedServer = {
  readonly url: string;
  /** Returns how many requests got through. */
  requests(): number;
  stop(): Promise<void>;
};

export async function startSelfSignedServer(): Promise<SelfSignedServer> {
  const keys = await webcrypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign', 'verify']);
  const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };
  const made = await X509CertificateGenerator.createSelfSigned(
    { name: 'CN=127.0.0.1', keys, signingAlgorithm, notAfter: new Date('2050-01-01T00:00:00Z') },
    webcrypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  const key = `-----BEGIN PRIVATE KEY-----\n${pkcs8}\n-----END PRIVATE KEY-----`;
  let requests = 0;
  const server = createServer({ cert: made.toString('pem'), key }, () => requests++).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    requests: () => requests,
    stop: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}
