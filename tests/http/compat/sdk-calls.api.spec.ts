// Setup status shows which SDKs call, also after a restart.
import { expect } from 'chai';
import { setUpService } from '../support/setup.js';
import { sdkClient } from './setup.js';

describe('calls of SDKs in the setup status', () => {
  const { harness, slice, asMember } = setUpService({ COMPAT_PORT: '0' });
  const call = sdkClient(harness, () => slice.publicKey);
  const read = async () => {
    const path = `/v1/projects/${slice.projectId}/setup-status`;
    const { status, body } = await harness.call('GET', path, undefined, asMember);
    expect(status).to.equal(200);
    return body.evidence.sdkCalls;
  };

  it('survive a restart', async () => {
    const headers = {
      'x-platform': 'iOS',
      'x-platform-flavor': 'flutter',
      'x-version': '5.86.0',
      'x-client-version': '7',
    };
    await call('GET', '/v1/subscribers/ann', undefined, headers);
    await call('POST', '/v1/receipts', { app_user_id: 'ann', fetch_token: 'made up' }, headers);
    const before = await read();
    expect(before.versions.map(({ lastCallAt: _at, ...version }: { lastCallAt: string }) => version)).to.deep.equal([
      { platform: 'iOS', flavor: 'flutter', sdkVersion: '5.86.0', appVersion: '7' },
    ]);
    expect(before.lastRefusedReceipt).to.include({ status: 503 });
    await harness.restart();
    expect(await read()).to.deep.equal(before);
  });
});
