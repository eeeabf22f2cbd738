// Keys that tenants upload for their stores: what one of them does to the others, by borrowed names and by the size of its numbers.
import { expect } from 'chai';
import { registerCredentials } from '../../../src/commands/projects/credentials.js';
import { setUpAndroidScenarios } from '../stores/android/scenarios.js';
import { BASE_PLAN, PACKAGE, PRO } from '../stores/android/scenario.js';
import { setUpProject, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { anotherRsaKey, forgedRsaKey } from '../support/store-credentials.js';

/** Read once the credentials open the store: nothing is shown until then. */
function expectKept({
  status,
  body,
}: {
  readonly status: number;
  readonly body: { readonly subscriber?: { readonly subscriptions: unknown } };
}) {
  expect(status).to.equal(202);
  expect(JSON.stringify(body.subscriber?.subscriptions ?? [])).to.be.oneOf(['[]', '{}']);
}

describe('keys of service accounts', () => {
  const ground = setUpAndroidScenarios({ setsElapsed: true });
  const productId = `${PRO}:${BASE_PLAN}`;

  /** Another tenant with an app of the same package name. */
  const begin = async (): Promise<Slice & { readonly androidId: string }> => {
    const slice = await setUpProject(ground.harness());
    const fields = { name: 'Android', platform: 'android', packageName: PACKAGE };
    const { id } = await as(slice, 'POST', `/v1/projects/${slice.projectId}/apps`, fields);
    return { ...slice, androidId: id };
  };
  const as = async (slice: Slice, method: string, path: string, body?: object) =>
    (await ground.harness().call(method, path, body, { key: slice.secretKey })).body;
  const upload = (slice: Slice & { readonly androidId: string }, fields: object) => {
    const serviceAccountJson = { ...ground.store().identity.keyFile(), ...fields };
    const path = `/v1/projects/${slice.projectId}/apps/${slice.androidId}/credentials/android-store`;
    return ground.harness().call('POST', path, { serviceAccountJson }, { key: slice.secretKey });
  };
  const present = (slice: Slice, appId: string, receipt: string) => {
    const body = { store: 'android-store', receipt, productId, appId };
    return ground.harness().call('POST', '/v1/subscribers/mal/receipts', body, { key: slice.secretKey });
  };

  it('of one tenant are not used by another who uploads the same names with a key of its own', async () => {
    const { show, purchase } = ground.scenario();
    show();
    expect((await present(ground.slice(), ground.appId(), purchase)).status).to.equal(200);
    const other = await begin();
    expect((await upload(other, { private_key: anotherRsaKey() })).status).to.equal(201);
    const reads = ground.store().reads.get(purchase);
    expectKept(await present(other, other.androidId, purchase));
    expect(ground.store().reads.get(purchase), 'looks at the purchase').to.equal(reads);
    expect(ground.store().tokenResponses.at(-1)).to.equal(400);
  });

  it('that were refused are not tried again for ten seconds', async () => {
    const { show, purchase } = ground.scenario();
    show();
    const other = await begin();
    await upload(other, { private_key: anotherRsaKey() });
    await ground.idle();
    const before = ground.store().tokenResponses.length;
    for (let n = 0; n < 5; n++) expectKept(await present(other, other.androidId, purchase));
    const asked = ground.store().tokenResponses.length - before;
    expect(asked).to.be.at.most(1);
    ground.clock.set(ground.clock.now() + 10_001);
    await present(other, other.androidId, purchase);
    expect(ground.store().tokenResponses.length - before).to.be.above(asked);
  });

  for (const [what, bits, primeBits] of [
    ['too long', 16_384, 8192],
    ['too short', 1024, 512],
  ] as const) {
    it(`that are ${what} are refused when they are given, with what to do`, async () => {
      const refused = await upload(await begin(), { private_key: forgedRsaKey(bits, primeBits) });
      expectRefusal(refused, 400);
      expect(refused.body.message).to.contain(`${bits} bits`).and.contain('2048 to 4096').and.contain('create another');
    });
  }

  it('whose primes are longer than their modulus are refused when they are given', async () => {
    const refused = await upload(await begin(), { private_key: forgedRsaKey(2048, 16_384) });
    expectRefusal(refused, 400);
  });

  it('that were kept when longer ones were taken are refused when they are used, before anything is signed', async () => {
    const { show, purchase } = ground.scenario();
    show();
    const other = await begin();
    const secret = JSON.stringify({ ...ground.store().identity.keyFile(), private_key: forgedRsaKey(16_384) });
    const { services, idle } = ground.harness().service();
    await registerCredentials(
      services.deps,
      { actor: { type: 'system', id: 'test' }, requestId: 'r' } as never,
      other.projectId,
      other.androidId,
      {
        store: 'android-store',
        field: 'serviceAccountJson',
        secret,
        fingerprint: 'f',
        terms: { clientEmail: 'a@example.com', pushServiceAccountEmail: null, pushAudience: null },
      },
    );
    // Other projects ask the same store, with what is left of the cases before.
    await idle();
    const before = ground.store().tokenResponses.length;
    expectKept(await present(other, other.androidId, purchase));
    expect(ground.store().tokenResponses.length).to.equal(before);
    const path = `/v1/projects/${other.projectId}/apps/${other.androidId}/credentials/status`;
    const { lastError } = await as(other, 'GET', path);
    expect(lastError).to.contain('16384 bits').and.contain('create another');
  });
});
