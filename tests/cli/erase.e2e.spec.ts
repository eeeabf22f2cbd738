// `subledger erase` beside a running service, and on the data of a stopped one.
import { expect } from 'chai';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('erasing at the command line', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  before(async () => {
    for (const who of ['ann', 'ben']) await call('POST', `/v1/subscribers/${who}`, { attributes: { hint: who } });
  });

  const call = (method: string, path: string, body?: unknown) =>
    harness.call(method, path, body, { key: slice.secretKey });
  const statusOf = async (who: string) =>
    (await call('GET', `/v1/projects/${slice.projectId}/customers/${who}`)).status;
  const erase = (who: string, ...more: string[]) =>
    subledger(['erase', slice.projectId, who, ...more], { DATA_DIR: harness.dataDir });

  it('is done by the service while it runs', async () => {
    const { code, stdout, stderr } = await erase('ann', '--json');
    expect([code, stderr]).to.deep.equal([0, '']);
    expect(JSON.parse(stdout)).to.include({ object: 'customer', deleted: true });
    await harness.service().idle();
    expect([await statusOf('ann'), await statusOf('ben')]).to.deep.equal([404, 200]);
    const again = await erase('ann');
    expect([again.code, again.stderr]).to.deep.equal([1, 'subscriber not found\n']);
  });

  it('is done alone while it does not', async () => {
    const erased = async () => expect((await erase('ben')).stdout).to.match(/^cus_\w+ was erased\.\n$/);
    await harness.restart(erased);
    await harness.service().idle();
    expect(await statusOf('ben')).to.equal(404);
  });
});
