// The token in the path is the credential of a store's notification: who sends an unknown one learns nothing of what else is wrong.
import { expect } from 'chai';
import { expectRefused } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

describe('the receivers of store notifications', () => {
  const { harness, slice } = setUpService();
  let androidPath: string;
  before(async () => {
    const app = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
    const path = `/v1/projects/${slice.projectId}/apps`;
    const made = await harness.call('POST', path, app, { token: slice.token });
    androidPath = new URL(made.body.notificationUrl).pathname;
  });

  const text = { headers: { 'content-type': 'text/plain' } };
  /** Defects of a body, and the status that a known token gets for each. */
  const bodies: readonly (readonly [what: string, status: number, body: unknown, as?: object])[] = [
    ['no body', 400, undefined],
    ['broken JSON', 400, '{"signedPayload":'],
    ['no notification', 400, { x: 1 }],
    ['40,000 nested arrays', 400, `{"x":${'['.repeat(40_000)}${']'.repeat(40_000)}}`],
    ['a text', 415, '{}', text],
    ['more than 256 kB', 413, { signedPayload: 'x'.repeat(262_144) }],
  ];
  for (const [what, status, body, as] of bodies) {
    for (const store of ['ios-store', 'android-store'] as const) {
      it(`${store}: ${status} for ${what}, but 401 under a token that is unknown`, async () => {
        const known = store === 'ios-store' ? slice.notificationPath : androidPath;
        const other = store === 'ios-store' ? androidPath : slice.notificationPath;
        const wrongStore = other.replace(/(ios|android)-store/, store);
        for (const path of [`/v1/store/${store}/x`, `/v1/store/${store}/${'x'.repeat(300)}`, wrongStore])
          await expectRefused(harness, () => harness.call('POST', path, body, as), 401);
        await expectRefused(harness, () => harness.call('POST', known, body, as), status);
      });
    }
  }

  it('have answered every refusal in the same form', async () => {
    const statuses = await Promise.all(
      ['x', 'y'].map((token) => harness.call('POST', `/v1/store/ios-store/${token}`, { signedPayload: 'x' })),
    );
    expect(new Set(statuses.map((t) => t.body.message)).size).to.equal(1);
  });
});
