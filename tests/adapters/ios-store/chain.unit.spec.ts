// Chains of certificates that were judged before, and checks of their revocation.
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { expect } from 'chai';
import { createChainTrust } from '../../../src/adapters/ios-store/chain.js';
import { createCertificateAuthority } from '../../../simulator/ios-store/certificate-authority.js';
import { calling, startResponder, type Responder } from './responder.js';
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
  const responders: Responder[] = [];
  after(() => responders.forEach((responder) => responder.close()));

  async function responder(...args: Parameters<typeof startResponder>): Promise<Responder> {
    const started = await startResponder(...args);
    responders.push(started);
    return started;
  }

  /** Judges a chain twice at once: whether revocation was checked, by how many requests, and the limits in ms. */
  async function checkTwo(handler: RequestListener, limit?: Promise<void>) {
    const { authority, received } = await responder(() => handler);
    const limits: number[] = [];
    const sleep = async (ms: number, signal?: AbortSignal) => {
      limits.push(ms);
      await (limit ?? (signal && once(signal, 'abort')));
    };
    const runtime = { now: () => NOW, sleep };
    const trust = createChainTrust({ roots: [Buffer.from(authority.rootPem)], onlineChecks: true, runtime });
    const [leaf, intermediate] = authority.x5c.map((der) => new X509Certificate(Buffer.from(der, 'base64')));
    if (!leaf || !intermediate) throw new Error('an authority has a leaf and an intermediate');
    const chain = { leaf, intermediate, leafKey: leaf.publicKey };
    const both = await Promise.all([trust.verify(chain, NOW), trust.verify(chain, NOW)]);
    return { checked: both.every((judged) => judged.revocationChecked), limits, ...received };
  }

  it('take the dates of certificates at now, and refuse certificates that name no responder', async () => {
    const brief = await createCertificateAuthority({ leaf: { notAfter: new Date(NOW) } });
    expect(await refusal(notification(brief), verifier(brief, NOW + DAY_MS, true))).to.equal('bad_signature');
    expect(await refusal(notification(store), verifier(store, NOW, true))).to.equal('bad_signature');
  });

  it('accept unchecked when the responder is silent, after three seconds once for all', async () => {
    let pass = (): void => undefined;
    const limit = new Promise<void>((resolve) => (pass = resolve));
    let open = 0;
    const silent = () => {
      open += 1;
      if (open === 2) pass();
    };
    expect(await checkTwo(silent, limit)).to.deep.equal({ checked: false, requests: 2, limits: [3_000] });
  });

  it('accept unchecked when the responder fails, or its response is invalid', async () => {
    const unchecked = { checked: false, requests: 2 };
    expect(await checkTwo((_, response) => void response.writeHead(503).end())).to.include(unchecked);
    expect(await checkTwo((_, response) => void response.end('captive portal'))).to.include(unchecked);
  });

  /**
   * Returns whether a notification was checked for revocation, null if it was rejected. `revoked`: the certificate that the OCSP responder
   * reports.
   */
  async function checked(revoked: 'leaf' | 'intermediate' | null) {
    const { authority, received } = await responder((of) => calling(revoked, of));
    const ios = verifier(authority, NOW, true);
    const text = notification(authority);
    const isAccepted = (await refusal(text, ios)) === 'accepted';
    return { checked: isAccepted ? (await ios.verifyNotification(text)).revocationChecked : null, ...received };
  }

  it('accept as checked what the responder calls good, and ask once for the next quarter of an hour', async () => {
    expect(await checked(null)).to.deep.equal({ checked: true, requests: 2 });
  });

  it('refuse what the responder calls revoked, be it the leaf or the intermediate', async () => {
    expect(await checked('leaf')).to.deep.equal({ checked: null, requests: 2 });
    expect(await checked('intermediate')).to.deep.equal({ checked: null, requests: 2 });
  });

  it('refuse a forged signature without a request', async () => {
    const { authority, received } = await responder(() => (_, response) => void response.writeHead(503).end());
    const [header = '', payload = ''] = notification(authority).split('.');
    const forged = `${header}.${payload}.${'A'.repeat(86)}`;
    expect(await refusal(forged, verifier(authority, NOW, true))).to.equal('bad_signature');
    expect(received.requests).to.equal(0);
  });
});
