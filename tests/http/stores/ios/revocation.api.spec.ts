// Notifications while the ios-store's responder is asked about its certificates: it may be silent, or call one revoked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { systemRuntime } from '../../../../src/adapters/runtime.js';
import type { CertificateAuthority } from '../../../../simulator/ios-store/certificate-authority.js';
import { storePayloads } from '../../../../simulator/ios-store/payloads.js';
import { calling, startResponder, type Responder } from '../../../adapters/ios-store/responder.js';
import { BUNDLE_ID, MONTHLY, setUpProject, startHarness, type Harness, type Slice } from '../../support/harness.js';
import { expectRefused } from '../../support/refusal.js';

const LIMIT_MS = 3_000;

/** Passes the three seconds that a responder is given as soon as it has been asked twice, and everything else as the clock does. */
function impatience() {
  const { sleep } = systemRuntime();
  let pass = (): void => undefined;
  const askedTwice = new Promise<void>((resolve) => (pass = resolve));
  let open = 0;
  const silent: RequestListener = () => void (++open === 2 && pass());
  return { silent, sleep: (ms: number, signal?: AbortSignal) => (ms === LIMIT_MS ? askedTwice : sleep(ms, signal)) };
}

describe('with online checks a notification', () => {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-revocation-'));
  const root = join(directory, 'root.pem');
  let responder: Responder;
  let harness: Harness;
  let slice: Slice;
  const begin = async (
    listenerOf: (of: CertificateAuthority) => RequestListener | Promise<RequestListener>,
    runtime = {},
  ) => {
    responder = await startResponder(listenerOf);
    writeFileSync(root, responder.authority.rootPem);
    const settings = { IOS_STORE_ONLINE_CHECKS: 'true', IOS_STORE_ROOT_CERTIFICATES: root };
    harness = await startHarness(settings, runtime);
    slice = await setUpProject(harness);
  };
  afterEach(async () => {
    responder.close();
    await harness.stop();
  });
  after(() => rmSync(directory, { recursive: true, force: true }));

  const send = () => {
    const now = Date.now();
    const period = { productId: MONTHLY, purchaseDate: now - 1000, expiresDate: now + 86_400_000 };
    const transaction = { transactionId: '1', originalTransactionId: '1', ...period, price: 9990, currency: 'USD' };
    const about = { bundleId: BUNDLE_ID, environment: 'Production' as const, signedDate: now, transaction };
    const body = storePayloads(responder.authority.sign).signedNotification({
      notificationType: 'SUBSCRIBED',
      ...about,
    });
    return harness.call('POST', slice.notificationPath, body);
  };
  const ask = async (path: string) =>
    (
      await harness.call('GET', `/v1/projects/${slice.projectId}/notifications${path}`, undefined, {
        key: slice.secretKey,
      })
    ).body;
  const shown = async () => {
    expect((await send()).status).to.equal(200);
    await harness.service().idle();
    const { items } = await ask('');
    expect(items).to.have.length(1);
    const { state, outcome, revocationChecked } = await ask(`/${items[0].id}`);
    return { state, outcome, revocationChecked };
  };

  it('is accepted and marked as unchecked while the responder is silent', async () => {
    const { silent, sleep } = impatience();
    await begin(() => silent, { sleep });
    expect(await shown()).to.deep.equal({ state: 'handled', outcome: 'applied', revocationChecked: false });
    expect(responder.received.requests).to.equal(2);
  });

  it('is marked as checked when the responder calls its certificates good', async () => {
    await begin((of) => calling(null, of));
    expect(await shown()).to.deep.equal({ state: 'handled', outcome: 'applied', revocationChecked: true });
  });

  it('is refused without a trace when a certificate was revoked', async () => {
    await begin((of) => calling('leaf', of));
    await expectRefused(harness, send, 401);
    expect((await ask('')).items).to.deep.equal([]);
  });
});
