// Imported purchases verified at a terminal, with and without a running service.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('verify-import', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  const folder = mkdtempSync(join(tmpdir(), 'verify-import-'));
  after(() => rmSync(folder, { recursive: true }));
  const run = (...args: readonly string[]) =>
    subledger([...args, '--project', slice.projectId], { DATA_DIR: harness.dataDir });
  const missing =
    '1 imported purchases compared with their stores.\n\n' +
    'could_not_ask (UNEXPLAINED): 1 — the store could not be asked; no_credentials: add the app’s store credentials for ' +
    'this environment, then run the command again\n  alice\n\n1 differences are unexplained.\n';

  it('reports that nothing was imported', async () => {
    const { code, stdout, stderr } = await run('verify-import');
    expect([code, stdout], stderr).to.deep.equal([0, 'No imported purchases: there is nothing to verify.\n']);
  });

  it('exits with 1 for a purchase whose app has no credentials, with the customer and what to do', async () => {
    const file = join(folder, 'facts.ndjson');
    const purchase = { type: 'purchase', appUserId: 'alice', store: 'ios-store', storeProductId: 'pro_monthly' };
    const period = { kind: 'normal', purchasedAt: '2026-11-01T10:00:00Z', expiresAt: '2026-12-01T10:00:00Z' };
    const { appId } = slice;
    writeFileSync(file, `${JSON.stringify({ ...purchase, ...period, appId, transactionId: '2000000000000001' })}\n`);
    const check = JSON.parse((await run('import', 'facts', file, '--json')).stdout);
    expect((await run('import', 'facts', file, '--confirm', check.digest)).code).to.equal(0);
    const { code, stdout } = await run('verify-import');
    expect([code, stdout]).to.deep.equal([1, missing]);
    await harness.restart(async () => expect((await run('verify-import')).stdout).to.equal(missing));
    const { unexplained, verdicts } = JSON.parse((await run('verify-import', '--json')).stdout);
    expect([unexplained, verdicts[0].customers]).to.deep.equal([1, ['alice']]);
  });

  it('refuses an unknown project', async () => {
    const { code, stderr } = await subledger(['verify-import', '--project', 'proj_x'], { DATA_DIR: harness.dataDir });
    expect([code, stderr]).to.deep.equal([1, 'project not found\n']);
  });
});
