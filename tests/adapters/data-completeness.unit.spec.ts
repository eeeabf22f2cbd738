// Files that go while they are written to, and starts that were cut off before there was anything to lose.
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataFiles } from '../../src/adapters/configuration/data-directory.js';
import { openEmbeddedDocuments } from '../../src/adapters/documents/embedded/store.js';
import { openEngine } from '../../src/adapters/engine/engine.js';
import { Unavailable } from '../../src/domain/errors.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { dataKeyCollection, type MasterKeys } from '../../src/adapters/keys/vault.js';
import { startHarness, type Json } from '../http/support/harness.js';

const ring: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 1) }];

describe('files of a data directory', () => {
  let directory: string;
  beforeEach(() => (directory = mkdtempSync(join(tmpdir(), 'subledger-whole-'))));
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = async (results: boolean[]) => {
    const masters = (isUsed: boolean) => {
      results.push(isUsed);
      return ring;
    };
    return openEngine({ DATA_DIR: directory }, masters, systemRuntime());
  };

  it('may be there in part where a first start was cut off', async () => {
    const documents = await openEmbeddedDocuments({ file: dataFiles(directory).documents });
    await documents.ensure([dataKeyCollection]);
    await documents.close();
    const results: boolean[] = [];
    const engine = await open(results);
    await engine.dataKeys.forSealing('naming');
    await engine.close();
    await (await open(results)).close();
    expect(results).to.deep.equal([false, true]);
  });

  it('take no writes once they were removed, and take them again when they are back', async () => {
    const engine = await open([]);
    const { log, docs, dataKeys } = engine;
    await dataKeys.forSealing('a');
    renameSync(directory, `${directory}-gone`);
    const refused = [() => log.local?.probe(), () => docs.local?.probe(), () => dataKeys.forSealing('b')];
    const refusals = await Promise.all(refused.map(async (write) => write()?.catch((err: unknown) => err)));
    for (const refusal of refusals) {
      expect(refusal)
        .to.be.instanceOf(Unavailable)
        .and.to.have.property('message')
        .that.matches(/was removed or replaced/);
    }
    renameSync(`${directory}-gone`, directory);
    await log.local?.probe();
    await dataKeys.forSealing('b');
    await engine.close();
  });
});

describe('a service whose data directory was removed', () => {
  it('answers writes with 503 at once, and shows it in its health', async () => {
    const harness = await startHarness({ METRICS_PORT: '0' });
    const health = async () => {
      const response = await fetch(`${harness.service().metricsUrl}/healthz`);
      const report: Json = await response.json();
      return { status: response.status, report };
    };
    const register = (email: string) =>
      harness.call('POST', '/auth/register', { email, password: 'correct horse battery' });
    expect((await register('a@example.com')).status).to.equal(201);
    expect((await health()).status).to.equal(200);
    rmSync(harness.dataDir, { recursive: true });
    const refused = await register('b@example.com');
    expect(refused.status).to.equal(503);
    const { status, report } = await health();
    expect(status).to.equal(503);
    expect(report).to.deep.include({ status: 'away', dependencies: { log: 'unwritable', documents: 'unwritable' } });
    expect(report.refusals).to.have.length(2);
    expect(report.diskFreeBytes).to.equal(null);
    await harness.stop();
  });
});
