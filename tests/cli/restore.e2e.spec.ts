// The restore drill: export, lose everything, import, and find the same: the log and the records byte for byte, and every document of the
// read models with the same content.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { scanPages } from '../../src/adapters/documents/records.js';
import type { Doc } from '../../src/adapters/documents/port.js';
import { storedSecrets } from '../../src/adapters/configuration/data-directory.js';
import { collectionsOf } from '../../src/projections/runtime/projection.js';
import { projections } from '../../src/projections/rebuild/registry.js';
import { MONTHLY, notification, setUpProject, startHarness, type Harness } from '../http/support/harness.js';
import { subledger } from './command-line.js';

const DAY_MS = 86_400_000;

describe('the restore drill', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'subledger-restore-'));
  let harness: Harness;
  before(async () => void (harness = await startHarness()));
  after(async () => {
    await harness.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const command = async (...args: string[]) => {
    const { code, stderr } = await subledger(args, { DATA_DIR: harness.dataDir });
    expect(code, stderr).to.equal(0);
  };
  /** All but the keys, which are kept in another place. */
  const wipe = (directory: string) => {
    const keys: readonly string[] = storedSecrets.map(({ file }) => file);
    for (const name of readdirSync(directory)) {
      if (!keys.includes(name)) rmSync(join(directory, name), { recursive: true });
    }
  };
  /** The exported lines, without the identity of the log, which is another in every log, and the checksum that it goes into. */
  const exported = async (name: string): Promise<string[]> => {
    const file = join(folder, name);
    await command('export', file);
    const text = gunzipSync(readFileSync(file)).toString();
    const { identity }: { identity: string } = JSON.parse(text.slice(0, text.indexOf('\n')));
    return text
      .replaceAll(identity, 'LOG')
      .replace(/"sha256":"\w+"\}\n$/, '')
      .split('\n');
  };
  const readModels = async (): Promise<Map<string, Doc>> => {
    const { service } = harness;
    await service().idle();
    const { docs } = service().services.deps;
    const all = new Map<string, Doc>();
    for (const projection of projections) {
      for (const { name } of collectionsOf({ projection, generation: 1 })) {
        for await (const rows of scanPages({ index: 'id', eq: [], limit: 500 }, (scan) => docs.scan(name, scan))) {
          for (const { id, doc } of rows) all.set(`${name} ${id}`, doc);
        }
      }
    }
    return all;
  };

  it('restores the log, the records and the read models', async () => {
    const slice = await setUpProject(harness);
    const now = Date.now();
    for (let i = 0; i < 20; i++) {
      const period = {
        transactionId: `9${i}`,
        originalTransactionId: `9${i}`,
        productId: MONTHLY,
        purchaseDate: now - DAY_MS,
        expiresDate: now + DAY_MS,
        price: 9990,
        currency: 'USD',
      };
      const sent = notification({ notificationType: 'SUBSCRIBED', signedDate: now - DAY_MS, transaction: period });
      expect(await harness.call('POST', slice.notificationPath, sent)).to.include({ status: 200 });
      const attributes = { $email: `person${i}@example.com` };
      const as = { key: slice.secretKey };
      await harness.call('POST', `/v1/subscribers/person-${i}/attributes`, { attributes }, as);
    }
    const shownBefore = await readModels();
    let [original, restored]: string[][] = [[], []];
    await harness.restart(async () => {
      original = await exported('before.gz');
      wipe(harness.dataDir);
      await command('import', join(folder, 'before.gz'));
      restored = await exported('restored.gz');
    });
    expect(original).to.have.length.above(60);
    expect(restored).to.deep.equal(original);
    expect(await readModels()).to.deep.equal(shownBefore);
    expect(shownBefore.size).to.be.above(60);
  });
});
