// Nothing that the log seals stands in clear in any file of the data directory, whatever SQLite leaves in pages and journals: so the end of
// a customer's data key is the end of the data. Nor do rows that remain name the customer.
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { openForReading } from '../../../src/adapters/sqlite/database.js';
import { isOnServers } from '../../distributed/servers.js';
import { BUNDLE_ID, MONTHLY, store } from '../support/harness.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const CUSTOMERS = 12;

(isOnServers ? describe.skip : describe)('files of the data directory', () => {
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
    await call('POST', path, { appVersion: `9.${word}`, platform: 'android', country: 'IS' });
    if (n % 4 === 2) await call('POST', `${path}/attributes`, { attributes: { note: null } });
  };
  /** Names of files that contain the text in any case, of the running service, journals included. */
  const filesWith = (text: string) =>
    readdirSync(harness.dataDir, { recursive: true, withFileTypes: true })
      .filter((file) => file.isFile())
      .filter((file) => readFileSync(join(file.parentPath, file.name), 'latin1').toLowerCase().includes(text))
      .map(({ name }) => name)
      .sort();
  /** `table: row` for each row of the documents that contains the text. */
  const rowsWith = (text: string): readonly string[] => {
    const copy = mkdtempSync(join(tmpdir(), 'subledger-rows-'));
    for (const end of ['', '-wal']) {
      const file = join(harness.dataDir, `documents.sqlite${end}`);
      if (existsSync(file)) copyFileSync(file, join(copy, `copy.sqlite${end}`));
    }
    const db = openForReading(join(copy, 'copy.sqlite'));
    try {
      const tables = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
      return tables.flatMap(({ name }) =>
        db
          .prepare(`SELECT * FROM "${name}"`)
          .all()
          .map((row) => `${name}: ${JSON.stringify(row)}`)
          .filter((row) => row.toLowerCase().includes(text)),
      );
    } finally {
      db.close();
      rmSync(copy, { recursive: true });
    }
  };

  before(async () => {
    const url = 'https://hooks.example.com/x';
    await call('POST', `/v1/projects/${slice.projectId}/webhooks`, { url, name: 'w' });
    for (let n = 0; n < CUSTOMERS; n++) {
      await live(n, 'parted', 'goneword');
      await live(n, 'stayer', 'keptword');
    }
    await call('GET', `/v1/projects/${slice.projectId}/customers?search=goneword-3@example.com`);
    await harness.service().idle();
  });

  it('contain nothing in clear that the log seals, before any erasure', () => {
    for (const word of ['keptword', 'goneword', '@example.com']) expect(filesWith(word), word).to.deep.equal([]);
    expect(rowsWith('stayer-3'), 'app user ids are not sealed').not.to.have.length(0);
  });

  it('name an erased customer in the log and in no row of the documents', async () => {
    for (let n = 0; n < CUSTOMERS; n++) await call('DELETE', `/v1/subscribers/parted-${n}`);
    await harness.service().idle();
    expect(rowsWith('parted-')).to.deep.equal([]);
    expect(filesWith('parted-').some((name) => name.startsWith('log.sqlite'))).to.equal(true);
  });

  it('still give back what belongs to the others', async () => {
    const { items } = await call('GET', `/v1/projects/${slice.projectId}/customers?search=keptword-3@example.com`);
    expect(items).to.have.length(1);
    expect((await call('GET', '/v1/subscribers/stayer-3')).subscriber.attributes.$email.value).to.equal(
      'keptword-3@example.com',
    );
    await harness.restart();
    expect((await call('GET', '/v1/subscribers/stayer-3')).subscriber.attributes.$email.value).to.equal(
      'keptword-3@example.com',
    );
  });
});
