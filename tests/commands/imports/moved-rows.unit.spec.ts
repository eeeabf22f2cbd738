// Rows about a purchase that two customers of the files have, as the report lists them.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { MONTHLY } from '../support/store-data.js';
import { createProjectFixture } from '../support/project-fixture.js';
import { importRows } from './import-rows.js';

describe('rows of a purchase that two customers have', () => {
  const folder = mkdtempSync(join(tmpdir(), 'moved-rows-'));
  after(() => rmSync(folder, { recursive: true }));

  const row = (appUserId: string, month: number, environment: string) => ({
    ...{ type: 'purchase', appUserId, store: 'ios-store', storeProductId: MONTHLY, kind: 'normal', environment },
    ...{ transactionId: `tx_${month}`, originalTransactionId: 'tx_1', currency: 'USD', amountMicros: 9_990_000 },
    ...{ purchasedAt: `2026-0${month}-01T10:00:00Z`, expiresAt: `2026-0${month + 1}-01T10:00:00Z` },
  });
  const problemsOf = async (environment: string) => {
    const fixture = await createProjectFixture();
    const rows = [row('alice', 1, environment), row('bob', 2, environment)];
    const { problems } = await importRows({ ...fixture, folder }, rows);
    return problems.filter(({ code }) => code !== 'ended-since-export').map(({ code, count }) => [code, count]);
  };

  it('are listed as moved', async () => expect(await problemsOf('production')).to.deep.equal([['moved-purchase', 1]]));

  it('are listed as sandbox rows alone if those are left out', async () =>
    expect(await problemsOf('sandbox')).to.deep.equal([['sandbox', 2]]));
});
