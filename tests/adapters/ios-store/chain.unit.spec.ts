// Chains of certificates that were judged before, and questions about their revocation.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { expect } from 'chai';
import { createCertificateAuthority } from '../../../src/simulator/ios-store/certificate-authority.js';
import { NOW, DAY_MS, store, stranger, verifier, notification, refusal } from './fixture.js';

describe('a chain seen before', () => {
  it('still refuses a bad signature, and another root', async () => {
    const ios = verifier();
    const text = notification(store);
    expect(await refusal(text, ios)).to.equal('accepted');
    const [header = '', payload = ''] = text.split('.');
    const [, , signature = ''] = notification(store, { signedDate: NOW + 1 }).split('.');
    expect(await refusal(`${header}.${payload}.${signature}`, ios)).to.equal('bad_signature');
    expect(await refusal(notification(stranger), ios)).to.equal('bad_signature');
    expect(await refusal(text, ios)).to.equal('accepted');
  });

  it('still refuses a date of signing outside of the certificates’ own, with a minute of slack', async () => {
    const notAfter = new Date(NOW + DAY_MS);
    const brief = await createCertificateAuthority({ leaf: { notBefore: new Date(NOW), notAfter } });
    const ios = verifier(brief);
    const at = (signedDate: number) => refusal(notification(brief, { signedDate }), ios);
    expect(await at(NOW)).to.equal('accepted');
    expect(await at(NOW + DAY_MS + 59_000)).to.equal('accepted');
    expect(await at(NOW + DAY_MS + 61_000)).to.equal('bad_signature');
    expect(await at(NOW - 61_000)).to.equal('bad_signature');
    expect(await at(8_640_000_000_000_001)).to.equal('bad_signature');
  });

  it('is not kept when its signature does not fit', async () => {
    const ios = verifier();
    const [header = '', payload = ''] = notification(store).split('.');
    expect(await refusal(`${header}.${payload}.${'A'.repeat(86)}`, ios)).to.equal('bad_signature');
    expect(await refusal(notification(store), ios)).to.equal('accepted');
  });
});

describe('online checks', () => {
  const servers: Server[] = [];
  after(() => servers.forEach((server) => server.close().closeAllConnections()));

  /** What a notification says of revocation when the responder answers like this, with the milliseconds it took. */
  async function asked(handler: RequestListener): Promise<{ checked: boolean; requests: number; tookMs: number }> {
    let requests = 0;
    const server = createServer((request, response) => {
      requests += 1;
      handler(request, response);
    });
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const authority = await createCertificateAuthority({ responderUrl: `http://127.0.0.1:${port}/` });
    const ios = verifier(authority, NOW, true);
    const start = performance.now();
    const [first, second] = [notification(authority), notification(authority)];
    const both = await Promise.all([ios.verifyNotification(first), ios.verifyNotification(second)]);
    return { checked: both.every((n) => n.revocationChecked), requests, tookMs: performance.now() - start };
  }

  it('take the dates of certificates at now, and refuse certificates that name no responder', async () => {
    const brief = await createCertificateAuthority({ leaf: { notAfter: new Date(NOW) } });
    expect(await refusal(notification(brief), verifier(brief, NOW + DAY_MS, true))).to.equal('bad_signature');
    expect(await refusal(notification(store), verifier(store, NOW, true))).to.equal('bad_signature');
  });

  it('accept unchecked when the responder is silent, after three seconds once for all', async () => {
    const { checked, requests, tookMs } = await asked(() => undefined);
    expect(checked).to.equal(false);
    expect(requests).to.equal(2);
    expect(tookMs).to.be.within(2_900, 4_000);
  });

  it('accept unchecked when the responder fails, or answers what is no answer', async () => {
    expect(await asked((_, response) => void response.writeHead(503).end())).to.include({
      checked: false,
      requests: 2,
    });
    expect(await asked((_, response) => void response.end('captive portal'))).to.include({
      checked: false,
      requests: 2,
    });
  });

  it('refuse a forged signature without asking anybody', async () => {
    const silent = await createCertificateAuthority({ responderUrl: 'http://127.0.0.1:9/' });
    const [header = '', payload = ''] = notification(silent).split('.');
    const forged = `${header}.${payload}.${'A'.repeat(86)}`;
    const start = performance.now();
    expect(await refusal(forged, verifier(silent, NOW, true))).to.equal('bad_signature');
    expect(performance.now() - start).to.be.below(1_000);
  });
});
