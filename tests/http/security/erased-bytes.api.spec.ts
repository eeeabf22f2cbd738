// What is left of erased customers in the files of a service that has stopped: nothing of what was sealed, in no page, index or tombstone.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { isOnServers } from '../../distributed/servers.js';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { tickingClock } from '../support/set-clock.js';
import { setUpService } from '../support/set-up.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const CUSTOMERS = 12;

(isOnServers ? describe.skip : describe)('files of a stopped service', () => {
  const { harness, slice } = setUpService({}, tickingClock(NOW));
  let bought = 0;

  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await harness.call(method, path, body, { key: slice.secretKey, headers });
    expect(response.status, `${path}: ${JSON.stringify(response.body)}`).to.be.within(200, 201);
    return response.body;
  };
  const receipt = (transactionId: number) => {
    const dates = { purchaseDate: NOW, expiresDate: NOW + 1e9 };
    const bought = { transactionId: String(transactionId), productId: MONTHLY, price: 9990, ...dates };
    return store.signedTransaction({ ...bought, bundleId: BUNDLE_ID, environment: 'Production' });
  };
  /** `word` is in all that is sealed of the customer, and `name` in its app user id. */
  const live = async (n: number, name: string, word: string) => {
    const path = `/v1/subscribers/${name}-${n}`;
    const attributes = { $email: `${word}-${n}@example.com`, note: `${word} ${'x'.repeat(8 * (n % 50))}` };
    const { headers } = { headers: { 'idempotency-key': `${word}-${n}` } };
    await call('POST', `/v1/subscribers/$anon:${name}-${n}`, { attributes: { hint: `${word}-hint` } });
    await call('POST', path, { attributes, previousAppUserId: `$anon:${name}-${n}` }, headers);
    await call('POST', path, {
      attributes: { note: `${word} again ${'y'.repeat(400)}`, $displayName: `${word} Name` },
    });
    if (n % 4 === 0)
      await call('POST', `${path}/receipts`, { store: 'ios-store', receipt: receipt(7_700_000 + bought++) });
    if (n % 4 === 1)
      await call('POST', '/v1/events', { name: 'x', appUserId: `${name}-${n}`, properties: { by: word } });
    if (n % 4 === 2) await call('POST', `${path}/attributes`, { attributes: { note: null } });
  };
  /** Files of the stopped service that hold the text, whatever the case. */
  const filesWith = async (text: string) => {
    const found: string[] = [];
    await harness.restart(() => {
      for (const file of readdirSync(harness.dataDir, { recursive: true, withFileTypes: true })) {
        if (!file.isFile()) continue;
        const bytes = readFileSync(join(file.parentPath, file.name), 'latin1').toLowerCase();
        if (bytes.includes(text)) found.push(file.name);
      }
      return Promise.resolve();
    });
    return found.sort();
  };

  it('hold nothing that was sealed of customers who were erased, and their app user ids in the log alone', async () => {
    const url = 'https://hooks.example.com/x';
    await call('POST', `/v1/projects/${slice.projectId}/webhooks`, { url, name: 'w' });
    for (let n = 0; n < CUSTOMERS; n++) {
      await live(n, 'parted', 'goneword');
      await live(n, 'stayer', 'keptword');
    }
    await call('GET', `/v1/projects/${slice.projectId}/customers?search=goneword-3@example.com`);
    await harness.service().idle();
    expect(await filesWith('keptword')).to.deep.equal(['documents.sqlite']);
    for (let n = 0; n < CUSTOMERS; n++) await call('DELETE', `/v1/subscribers/parted-${n}`);
    await harness.service().idle();
    expect(await filesWith('goneword')).to.deep.equal([]);
    expect(await filesWith('parted-')).to.deep.equal(['log.sqlite']);
    const { items } = await call('GET', `/v1/projects/${slice.projectId}/customers?search=keptword-3@example.com`);
    expect(items).to.have.length(1);
  }).timeout(60_000);
});
