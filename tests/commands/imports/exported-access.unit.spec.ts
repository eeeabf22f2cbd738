// Access of customers according to an export of transactions, and its comparison with the access here.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFilesOnDisk } from '../../../src/adapters/imports/files.js';
import { readExportedAccess } from '../../../src/commands/imports/revenuecat/exported-access.js';
import { compareAccess, type CustomerAccess } from '../../../src/domain/comparison/access.js';

const NOW = '2026-11-20T10:00:00.000Z';
const HEADER =
  'rc_original_app_user_id,store,store_transaction_id,entitlement_identifiers,end_time,refunded_at,is_sandbox,updated_at,' +
  'effective_end_time,purchase_price_in_purchased_currency,price_in_purchased_currency';

describe('access in an export', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exported-access-'));
  after(() => rmSync(folder, { recursive: true }));

  const read = async (...rows: readonly string[]) => {
    const path = join(folder, 'transactions.csv');
    const complete = (row: string) => row + ','.repeat(HEADER.split(',').length - row.split(',').length);
    writeFileSync(path, `${[HEADER, ...rows.map(complete)].join('\n')}\n`);
    return readExportedAccess([await importFilesOnDisk.open(path)], Date.parse(NOW), new AbortController().signal);
  };
  const classesOf = async (rows: readonly string[], here: CustomerAccess) => {
    const { source, exportedAt } = await read(...rows);
    const there = await source.accessOf('alice', 'sources');
    const terms = { entitlements: new Set(['pro', 'vip']), stores: new Set(['ios-store', 'android-store']) };
    return compareAccess(there, here, { ...terms, at: NOW, knownUntil: exportedAt }).map((one) => one.class);
  };
  const none: CustomerAccess = { status: 'known', holdings: [] };
  const until = (endsAt: string): CustomerAccess => {
    const place = { isGrant: false, isSandbox: false, store: 'ios-store' };
    return { status: 'known', holdings: [{ entitlement: 'pro', endsAt, periodEndsAt: endsAt, ...place }] };
  };
  const active = 'alice,app_store,t1,"[""pro""]",2026-12-01 10:00:00,,false,2026-11-19 00:00:00';

  it('equals the same access here, and is missing where the purchase is', async () => {
    expect(await classesOf([active], until('2026-12-01T10:00:00.000Z'))).to.deep.equal([]);
    expect(await classesOf([active], none)).to.deep.equal(['only_there']);
  });

  it('counts the newest row of a transaction, in any order', async () => {
    const refunded = 'alice,app_store,t1,{pro},2026-12-01 10:00:00,2026-11-19 12:00:00,f,2026-11-19 13:00:00';
    expect(await classesOf([active, refunded], none)).to.deep.equal([]);
    expect(await classesOf([refunded, active], none)).to.deep.equal([]);
  });

  it('explains a renewal after the export, and no renewal before it', async () => {
    const ended = (end: string) => [`alice,app_store,t1,{pro},${end},,f,2026-11-19 00:00:00`];
    const renewed = until('2026-12-19T12:00:00.000Z');
    expect(await classesOf(ended('2026-11-19 12:00:00'), renewed)).to.deep.equal(['renewing']);
    expect(await classesOf(ended('2026-11-17 12:00:00'), renewed)).to.deep.equal(['only_here']);
  });

  it('reports unknown_since for access that ended after the export was written, on both sides', async () => {
    const ended = (end: string, more = '') => [`alice,app_store,t1,{pro},${end},${more},f,2026-11-19 00:00:00`];
    expect(await classesOf(ended('2026-11-19 12:00:00'), none)).to.deep.equal(['unknown_since']);
    expect(await classesOf(ended('2026-11-19 12:00:00'), until('2026-11-19T12:00:00.000Z'))).to.deep.equal([
      'unknown_since',
    ]);
    expect(await classesOf(ended('2026-11-17 12:00:00'), none)).to.deep.equal([]);
    expect(await classesOf(ended('2026-11-19 12:00:00', '2026-11-15 12:00:00'), none)).to.deep.equal([]);
    expect(await classesOf(ended('2026-11-19 12:00:00'), until('2026-11-20T08:00:00.000Z'))).to.deep.equal([]);
  });

  it('takes the effective end, and ends no access by a refund of a part of the price', async () => {
    const row = (refunded: string, effective: string, net: string) => [
      `alice,app_store,t1,{pro},2026-12-01 10:00:00,${refunded},f,2026-11-19 00:00:00,${effective},9.99,${net}`,
    ];
    const here = until('2026-12-01T10:00:00.000Z');
    expect(await classesOf(row('2026-11-10 10:00:00', '', '4.99'), here)).to.deep.equal([]);
    expect(await classesOf(row('2026-11-10 10:00:00', '2026-12-01 10:00:00', '0'), none)).to.deep.equal([]);
    expect(await classesOf(row('', '2026-11-10 10:00:00', '9.99'), none)).to.deep.equal([]);
    expect(await classesOf(row('', '2026-12-09 10:00:00', '9.99'), until('2026-12-09T10:00:00.000Z'))).to.deep.equal(
      [],
    );
  });

  it('explains other stores and sandbox purchases, and not grants', async () => {
    const row = (store: string, sandbox = 'f') => [`alice,${store},t1,{pro},2026-12-01 10:00:00,,${sandbox},`];
    expect(await classesOf(row('stripe'), none)).to.deep.equal(['other_store']);
    expect(await classesOf(row('app_store', 't'), none)).to.deep.equal(['sandbox']);
    expect(await classesOf(row('promotional'), none)).to.deep.equal(['grant_there']);
  });

  it('lists all customers of the files, and rows that cannot be read', async () => {
    const bad = 'carol,app_store,t3,{pro},soon,,f,';
    const { ids, unreadable } = await read(active, 'bob,app_store,t2,,2020-01-01 00:00:00,,f,', bad);
    expect(ids).to.deep.equal(['alice', 'bob']);
    expect(unreadable).to.deep.equal({
      count: 1,
      first: 'transactions.csv, row 4: end_time: not a time such as 2026-04-13 08:00:00',
    });
  });

  it('refuses a file without the columns, by their names', async () => {
    const path = join(folder, 'customers.csv');
    writeFileSync(path, 'app_user_id\nalice\n');
    const file = await importFilesOnDisk.open(path);
    const refusal = await readExportedAccess([file], 0, new AbortController().signal).catch(
      (err: Error) => err.message,
    );
    expect(refusal).to.match(/^customers\.csv lacks the columns rc_original_app_user_id, store, /);
  });
});
