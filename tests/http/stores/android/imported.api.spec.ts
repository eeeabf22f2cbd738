// Purchases of the android-store that were imported before the store sent a message about them: by their purchase token, or by their orders
// alone, as exports of other services have them.
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { importFile } from '../../../commands/imports/import-rows.js';
import { BASE_PLAN, PRO } from './scenario.js';
import { setUpAndroidScenarios } from './scenarios.js';

describe('an imported android purchase', () => {
  const { scenario, harness, slice, appId } = setUpAndroidScenarios();
  const folder = mkdtempSync(join(tmpdir(), 'android-import-'));
  after(() => rmSync(folder, { recursive: true }));

  const importLines = async (lines: readonly object[]) => {
    const path = join(folder, 'facts.ndjson');
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { deps } = harness().service().services;
    const run = (confirmed: string | null) => importFile({ deps, projectId: slice().projectId }, path, confirmed);
    const { digest } = await run(null);
    const report = await run(digest);
    await harness().service().idle();
    return report;
  };
  /** The first two months, as an export has them. */
  const months = (s: ReturnType<typeof scenario>, appUserId: string, purchaseToken: string | null) =>
    [0, 1].map((n) => ({
      type: 'purchase',
      appUserId,
      store: 'android-store',
      appId: appId(),
      storeProductId: `${PRO}:${BASE_PLAN}`,
      transactionId: s.orderOf(n),
      purchaseToken,
      kind: 'normal',
      purchasedAt: new Date(s.ms(31 * n)).toISOString(),
      expiresAt: new Date(s.ms(31 * (n + 1))).toISOString(),
      currency: 'USD',
      amountMicros: 9_990_000,
    }));

  for (const [how, isNamed] of [
    ['with its token', true],
    ['by its orders alone', false],
  ] as const) {
    it(`${how} continues as one subscription when the store renews it`, async () => {
      const s = scenario();
      const appUserId = `buyer-of-${s.purchase}`;
      await importLines(months(s, appUserId, isNamed ? s.purchase : null));
      await s.notify(62, 'RENEWED', { n: 2, from: 0, to: 93 });
      await harness().service().idle();
      const path = `/v1/projects/${slice().projectId}/customers/${appUserId}`;
      const { body } = await harness().call('GET', path, undefined, { key: slice().secretKey });
      expect(body.subscriptions.length, JSON.stringify(body.subscriptions)).to.equal(1);
      const [{ state, transactions }] = body.subscriptions;
      expect(state).to.equal('active');
      expect(transactions.length).to.equal(3);
      expect(body.totalSpentUsd).to.equal(29.97);
    });
  }
});
