// An export that is older than its import: who may have renewed in between is listed, and verified with the store before all others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startImport } from '../../../src/commands/imports/confirm-import.js';
import { importCollection, readImport } from '../../../src/commands/imports/import-records.js';
import { runImport } from '../../../src/commands/imports/run-import.js';
import { runVerification } from '../../../src/commands/imports/verify-lines.js';
import { findVerification, requestVerification } from '../../../src/commands/imports/verification-records.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { isoFromMs } from '../../../src/domain/time.js';
import { at, createStoreFixture, show, signed, type StoreFixture } from '../stores/ios/store-fixture.js';
import { MONTHLY } from '../support/store-data.js';
import { filesHere } from './files-here.js';

const HEADER =
  'rc_original_app_user_id,store,product_identifier,start_time,end_time,is_auto_renewable,purchase_price_in_purchased_currency,' +
  'price_in_purchased_currency,purchased_currency,store_transaction_id,original_store_transaction_id,refunded_at,updated_at';
const NOW = 60;
const EXPORTED = 59;
const time = (day: number) => isoFromMs(at(day)).slice(0, 19).replace('T', ' ');
/** A month of a customer, last changed on the day of the purchase. */
const month = (id: string, from: number, changes: { readonly refunded?: number; readonly updated?: number } = {}) => {
  const { refunded, updated = from } = changes;
  const refundedAt = refunded === undefined ? '' : time(refunded);
  const net = refunded === undefined ? '9.99' : '0';
  return `u-${id},app_store,${MONTHLY},${time(from)},${time(from + 30)},true,9.99,${net},USD,${id},${id},${refundedAt},${time(updated)}`;
};
const charge = (id: string, day: number, more: object = {}) => {
  return { transactionId: id, originalTransactionId: id, currency: 'USD', day, ...more };
};
const nobody = new AbortController().signal;

describe('an import of an export that is a day old', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stale-spec-'));
  const table = join(folder, 'transactions.csv');
  const history = join(folder, 'history.ndjson');
  const by = { actor: { kind: 'user' as const, id: 'user_1' }, requestId: 'req_1' };
  let fixture: StoreFixture;
  let imports = 0;
  after(() => rmSync(folder, { recursive: true }));
  beforeEach(async () => {
    fixture = await createStoreFixture();
    fixture.clock.set(isoFromMs(at(NOW)));
    await fixture.deps.docs.ensure([importCollection]);
  });
  afterEach(() => fixture.close());

  const importOne = async (confirmed: string | null, path = table) => {
    const { deps, projectId } = fixture;
    const importId = `imp_${++imports}`;
    const request = {
      importId,
      projectId,
      paths: [path],
      isUploaded: false,
      options: importOptions.parse({}),
      confirmed,
    };
    await runImport(deps, filesHere, await startImport(deps, by, request), nobody);
    const record = await readImport(deps, importId);
    if (!record?.report) throw new Error(record?.problem ?? 'no report');
    return record.report;
  };
  const importRows = async (...rows: readonly string[]) => {
    writeFileSync(table, `${[HEADER, ...rows].join('\n')}\n`);
    const dry = await importOne(null);
    return { dry, run: await importOne(dry.digest) };
  };
  const past = month('past', 20);
  const ended = month('ended', 29.5);
  const active = month('active', 58, { updated: EXPORTED });

  it('counts and lists customers who may have renewed since, in the dry run and in the import', async () => {
    const refunded = month('refunded', 29.6, { refunded: 40 });
    const { dry, run } = await importRows(past, active, ended, refunded);
    for (const { exportedAt, problems } of [dry, run]) {
      expect(exportedAt).to.equal(isoFromMs(at(EXPORTED)));
      const [first] = problems;
      expect([first?.code, first?.count, first?.costsAccess]).to.deep.equal(['ended-since-export', 1, true]);
      expect(first?.examples).to.deep.equal([{ file: 'transactions.csv', row: 4, detail: 'ended' }]);
    }
  });

  it('does not list a customer whose renewal the store has reported', async () => {
    await fixture.present('u-ended', signed(charge('ended-2', 59.5, { originalTransactionId: 'ended' })));
    const { run } = await importRows(past, active, ended);
    expect(run.problems).to.deep.equal([]);
  });

  it('takes the newest purchase, a day earlier, for the time of an export without times of changes', async () => {
    const withoutTimes = (row: string) => row.slice(0, row.lastIndexOf(',') + 1);
    const { dry } = await importRows(withoutTimes(ended), withoutTimes(active));
    expect([dry.exportedAt, dry.problems[0]?.count]).to.deep.equal([isoFromMs(at(57)), 1]);
  });

  const lineOf = (id: string, from: number) => ({
    ...{ type: 'purchase', appUserId: `u-${id}`, store: 'ios-store', kind: 'normal' },
    ...{ storeProductId: MONTHLY, transactionId: id, originalTransactionId: id },
    ...{ purchasedAt: isoFromMs(at(from)), expiresAt: isoFromMs(at(from + 30)) },
    ...{ currency: 'USD', amountMicros: 9_990_000 },
  });
  for (const [what, writtenOn, knownUntil, count] of [
    ['before some ended', EXPORTED, EXPORTED, 1],
    ['after all had ended', NOW - 0.1, NOW - 0.1, undefined],
    ['in the future', NOW + 1, NOW, undefined],
  ] as const)
    it(`takes the time that a history states, ${what}, before the newest purchase`, async () => {
      const stated = { type: 'export', writtenAt: isoFromMs(at(writtenOn)) };
      const lines = [stated, lineOf('past', 20), lineOf('ended', 29.5), lineOf('active', 58)];
      writeFileSync(history, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
      const dry = await importOne(null, history);
      const run = await importOne(dry.digest, history);
      for (const { exportedAt, problems } of [dry, run]) {
        expect(exportedAt).to.equal(isoFromMs(at(knownUntil)));
        expect(problems.find(({ code }) => code === 'ended-since-export')?.count).to.equal(count);
      }
    });

  it('is verified in this order: who may have renewed, who has access, the rest; each once', async () => {
    await importRows(past, active, ended);
    show(fixture.production, [charge('past', 20)]);
    show(fixture.production, [charge('active', 58)]);
    show(fixture.production, [charge('ended', 29.5), charge('ended-2', 59.5, { originalTransactionId: 'ended' })]);
    const asked: string[] = [];
    const { stores } = fixture.deps;
    const noting: typeof stores = {
      of: (kind) => ({
        ...stores.of(kind),
        refreshPurchase: (deps, about, ctx) => {
          asked.push(about.purchase.transactionId);
          return stores.of(kind).refreshPurchase(deps, about, ctx);
        },
      }),
    };
    const record = await requestVerification(fixture.deps, fixture.projectId);
    const totals: number[] = [];
    await runVerification({ ...fixture.deps, stores: noting }, record, nobody, ({ done, total }) =>
      totals.push(done / total),
    );
    expect(asked).to.deep.equal(['ended', 'active', 'past']);
    expect(totals).to.deep.equal(totals.toSorted((a, b) => a - b));
    expect(totals.at(-1)).to.equal(1);
    const { verdicts } = await findVerification(fixture.deps, fixture.projectId);
    expect(verdicts.map((one) => [one.class, one.count])).to.have.deep.members([
      ['store_knew_more', 1],
      ['agrees', 2],
    ]);
  });

  it('continues a verification that an earlier version began, with every line after its place', async () => {
    await importRows(past, active, ended);
    for (const [id, day] of [
      ['past', 20],
      ['active', 58],
      ['ended', 29.5],
    ] as const)
      show(fixture.production, [charge(id, day)]);
    const { phase: _, exportedAt: __, ...former } = await requestVerification(fixture.deps, fixture.projectId);
    await runVerification(fixture.deps, former, nobody);
    const { verdicts, state } = await findVerification(fixture.deps, fixture.projectId);
    expect([state, verdicts.map((one) => one.count)]).to.deep.equal(['done', [3]]);
  });
});
