// Receipts that are made to cost time, on every route that takes a receipt with a public key.
import { expect } from 'chai';
import { appReceipt, attribute, element } from '../../adapters/ios-store/app-receipts.js';
import { signInCircle } from '../../adapters/ios-store/hostile-receipts.js';
import { sdkClient } from '../compat/setup.js';
import { BUNDLE_ID, MONTHLY } from '../support/harness.js';
import { setUpService } from '../support/setup.js';

describe('a receipt that is made to cost time', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  const sdk = sdkClient(harness, () => slice.publicKey);
  const rest = (body: object) => harness.call('POST', '/v1/subscribers/ann/receipts', body, { key: slice.publicKey });

  /** Presents a receipt on each route; returns each status. */
  async function present(receipt: string): Promise<readonly number[]> {
    const offers = { app_user_id: 'ann', generate_offers: [{ offer_id: 'o', product_id: MONTHLY }] };
    const responses = [
      await rest({ store: 'ios-store', receipt }),
      await sdk('POST', '/v1/receipts', { app_user_id: 'ann', fetch_token: receipt, product_id: MONTHLY }),
      await sdk('POST', '/v1/subscribers/ann/restore/eligibility', { fetch_token: receipt }),
      await sdk('POST', '/v1/offers', { ...offers, fetch_token: receipt }),
    ];
    return responses.map(({ status }) => status);
  }

  it('by certificates that issue each other is refused at once', async () =>
    expect((await present(await signInCircle(appReceipt(BUNDLE_ID, [])))).slice(0, 3)).to.deep.equal([400, 400, 400]));

  it('by the number of a line item of 100,000 bytes is refused at once', async () => {
    const number = attribute(1711, element(2, Buffer.alloc(100_000, 255)));
    const purchase = element(0x31, attribute(1703, element(12, Buffer.from('1'))), number);
    const statuses = await present(appReceipt(BUNDLE_ID, [], [attribute(17, purchase)]));
    expect(statuses.slice(0, 3)).to.deep.equal([400, 400, 400]);
  });

  it('never ends in a fault of the service', async () => {
    const deep = Array.from({ length: 3000 }).reduce<Buffer>((inner) => element(0x30, inner), Buffer.alloc(0));
    for (const bytes of [deep, Buffer.alloc(200_000, 0x30), Buffer.from('30848fffffff', 'hex')]) {
      const statuses = await present(bytes.toString('base64'));
      for (const status of statuses) expect(status).to.be.below(504).and.not.equal(500);
    }
  });
});
