// Imports of files: nothing twice, nothing lost, whatever is cut off, repeated or arrives from the store before or after.
import { gzipSync } from 'node:zlib';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { importFiles, type ImportProgress, type ImportRequest } from '../../../src/commands/imports/import-files.js';
import { Unavailable } from '../../../src/domain/errors.js';
import { keyedHash } from '../../../src/domain/ids.js';
import { entitlementsAt } from '../../../src/domain/subscriber/entitlements.js';
import { msFromIso } from '../../../src/domain/time.js';
import { crashingLog, type CrashingLog } from '../support/crashing-log.js';
import { BEGIN, eventsOf } from '../support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../support/project-fixture.js';
import { MONTHLY, monthly, notification, renewal } from '../support/store-data.js';
import { filesHere } from './files-here.js';

const DAY_MS = 86_400_000;
const HEADER =
  'rc_original_app_user_id,rc_last_seen_app_user_id_alias,store,product_identifier,start_time,end_time,is_auto_renewable,' +
  'purchase_price_in_purchased_currency,price_in_purchased_currency,purchased_currency,store_transaction_id,' +
  'original_store_transaction_id,refunded_at,unsubscribe_detected_at,renewal_number,custom_subscriber_attributes';
const ALIAS = `$RCAnonymousID:${'0123456789abcdef'.repeat(2)}`;
const day = (n: number) => new Date(msFromIso(BEGIN) + n * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');

/** A row of the first month and of its renewal, with the ids of the store's messages. */
const first = `${ALIAS},alice,app_store,${MONTHLY},${day(0)},${day(30)},true,9.99,9.99,USD,tx_1,tx_1,,,1,"{""team"":{""value"":""blue"",""updated_at_ms"":1}}"`;
const second = `${ALIAS},alice,app_store,${MONTHLY},${day(30)},${day(60)},true,9.99,9.99,USD,tx_2,tx_1,,,2,`;
const refunded = `${ALIAS},alice,app_store,${MONTHLY},${day(30)},${day(60)},true,9.99,0,USD,tx_2,tx_1,${day(31)},,2,`;

const options = { sandbox: 'skip', usd: 'keep', otherStores: 'skip', appIds: [] } as const;

describe('an import of files', () => {
  let folder: string;
  let made = 0;
  before(() => (folder = mkdtempSync(join(tmpdir(), 'import-spec-'))));
  after(() => rmSync(folder, { recursive: true, force: true }));

  const fileOf = (content: string | Buffer, name = `file-${++made}.csv`) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const table = (...rows: readonly string[]) => fileOf(`${[HEADER, ...rows].join('\n')}\n`);

  const run = async (
    fixture: ProjectFixture,
    paths: readonly string[],
    confirmed: string | null,
    progress: (progress: ImportProgress) => void = () => undefined,
  ) => {
    const source = filesHere.openSource(paths);
    const request: ImportRequest = { importId: 'imp_1', projectId: fixture.projectId, paths, options, confirmed };
    const tools = {
      source,
      progress,
      signal: new AbortController().signal,
      mark: null,
      turn: { prepared: () => undefined, isOver: () => false },
      reached: () => Promise.resolve(),
    };
    try {
      return await importFiles(fixture.deps, request, tools);
    } finally {
      source.close();
    }
  };
  const importAll = async (fixture: ProjectFixture, ...paths: readonly string[]) => {
    const { digest } = await run(fixture, paths, null);
    return run(fixture, paths, digest);
  };
  it('reports progress while one customer is decided or recorded, which may take minutes', async () => {
    const fixture = await createProjectFixture();
    const path = table(first, second);
    const signs = { dry: 0, recording: 0 };
    const count = (of: keyof typeof signs) => (progress: ImportProgress) =>
      void (signs[of] += progress.stage === 'customers' && progress.done === 0 ? 1 : 0);
    const { digest } = await run(fixture, [path], null, count('dry'));
    await run(fixture, [path], digest, count('recording'));
    expect(signs.dry).to.be.greaterThan(1);
    expect(signs.recording).to.be.greaterThan(1);
  });

  const refusal = async (content: string | Buffer, name?: string): Promise<string> => {
    const fixture = await createProjectFixture();
    const before = (await eventsOf(fixture.deps.log)).length;
    const error = await run(fixture, [fileOf(content, name)], null).then(
      () => null,
      (err: unknown) => err as Error,
    );
    expect((await eventsOf(fixture.deps.log)).length).to.equal(before);
    return error?.message ?? 'accepted';
  };
  /** The customer’s state without ids of events. */
  const stateOf = async ({ subscribers }: ProjectFixture) => {
    const all = (await subscribers()).filter(({ state }) => state.profile.status === 'known');
    return all.map(({ state: { profile, transactions } }) => ({
      appUserId: profile.appUserId,
      aliases: profile.aliases,
      attributes: profile.attributes,
      spentMicros: profile.spentMicros,
      subscriptions: profile.subscriptions.map(({ purchase, startReason, contractEndsAt, renewalNumber }) => ({
        id: purchase.subscriptionId,
        startReason,
        contractEndsAt,
        renewalNumber,
      })),
      transactions: [...transactions.values()].map(({ transactionId, money, refund }) => {
        return [transactionId, money.amountMicros, refund?.share ?? 0];
      }),
    }));
  };

  it('appends nothing when it is checked, and reports what the run then appends', async () => {
    const fixture = await createProjectFixture();
    const path = table(first, second);
    const before = await eventsOf(fixture.deps.log);
    const check = await run(fixture, [path], null);
    expect((await eventsOf(fixture.deps.log)).length).to.equal(before.length);
    const report = await run(fixture, [path], check.digest);
    expect(report.events).to.deep.equal(check.events);
    const appended = Object.values(report.events).reduce((sum, n) => sum + n, 0);
    expect((await eventsOf(fixture.deps.log)).length).to.equal(before.length + appended);
    expect(check.gross).to.deep.equal([
      { month: day(0).slice(0, 7), currency: 'USD', amountMicros: 9_990_000 },
      { month: day(30).slice(0, 7), currency: 'USD', amountMicros: 9_990_000 },
    ]);
  });

  it('introduces a customer by the identified name last seen, not by the first of its identified names', async () => {
    const fixture = await createProjectFixture();
    await importAll(fixture, table(first.replace(ALIAS, 'alice-before')));
    const created = (await eventsOf(fixture.deps.log)).filter(({ type }) => type === 'CustomerCreated');
    expect(created.map(({ data }) => (data as { readonly appUserId: string }).appUserId)[0]).to.equal('alice');
    const owned = (await fixture.subscribers()).filter(({ state }) => state.profile.status === 'known');
    expect(owned.map(({ state: { profile } }) => [profile.appUserId, ...profile.aliases].toSorted())).to.deep.equal([
      ['alice', 'alice-before'],
    ]);
  });

  it('merges no customers by a name of two, also if both were last seen under it, and lists the name', async () => {
    const fixture = await createProjectFixture();
    const other = first.replace(ALIAS, 'zoe').replaceAll('tx_1', 'tx_9');
    for (const row of [first.replace(ALIAS, 'anna'), other.replace('alice', 'anna')]) expect(row).to.include('anna');
    const report = await importAll(fixture, table(first.replace(ALIAS, 'anna'), other));
    expect(report.problems.filter(({ code }) => code === 'ambiguous-name').map(({ count }) => count)).to.deep.equal([
      1,
    ]);
    const known = (await stateOf(fixture)).map(({ appUserId, aliases, transactions }) => [
      appUserId,
      aliases,
      transactions.map(([id]) => id),
    ]);
    expect(known.toSorted()).to.deep.equal([
      ['anna', [], ['tx_1']],
      ['zoe', [], ['tx_9']],
    ]);
  });

  describe('with a purchase that two customers have', () => {
    const HEADER_WITH_TIME = `${HEADER},updated_at`;
    const row = (owner: string, text: string, updatedAt: string) =>
      `${text.replace(`${ALIAS},alice`, `${owner},${owner}`)},${updatedAt}`;
    const timed = (...rows: readonly string[]) => fileOf(`${[HEADER_WITH_TIME, ...rows].join('\n')}\n`);
    const older = row('alice', first, day(1));
    const newer = row('bob', second, day(31));
    const ownersOf = async (fixture: ProjectFixture) =>
      (await stateOf(fixture)).map(({ appUserId, transactions }) => `${appUserId} ${transactions.length}`).toSorted();

    it('gives it to the owner of the newest row, in one import or in two, in any order', async () => {
      for (const files of [[timed(older, newer)], [timed(newer, older)], [timed(older), timed(newer)]]) {
        const fixture = await createProjectFixture();
        for (const path of files) await importAll(fixture, path);
        expect(await ownersOf(fixture), files.join()).to.deep.equal(['alice 0', 'bob 2']);
      }
    });

    it('leaves it with the owner of the newer row when an older file comes later, and lists it', async () => {
      const fixture = await createProjectFixture();
      await importAll(fixture, timed(newer));
      const { problems } = await importAll(fixture, timed(older));
      expect(problems.map(({ code, count }) => [code, count])).to.deep.equal([['owned-here', 1]]);
      expect(await ownersOf(fixture)).to.deep.equal(['alice 0', 'bob 2']);
    });

    it('leaves it with who has presented its receipt here, and lists it', async () => {
      const fixture = await createProjectFixture();
      await importAll(fixture, timed(older));
      await fixture.submit('carol', monthly(), true);
      const { problems } = await importAll(fixture, timed(newer));
      expect(problems.map(({ code, count }) => [code, count])).to.deep.equal([['owned-here', 1]]);
      expect(await ownersOf(fixture)).to.include('carol 2');
    });
  });

  describe('in parts, of which each has only rows that changed', () => {
    const third = second.replaceAll('tx_2', 'tx_3').replace(day(60), day(90)).replace(day(30), day(60));
    const changed = first.replace('9.99,9.99', '9.99,0').replace('tx_1,tx_1,', `tx_1,tx_1,${day(20)}`);
    const typesOf = async (fixture: ProjectFixture) =>
      (await eventsOf(fixture.deps.log)).map(({ type }) => type).filter((type) => /^Subscription|Revised/.test(type));

    it('invents no end and no new subscription where a row is missing', async () => {
      const fixture = await createProjectFixture();
      fixture.clock.set(new Date(msFromIso(BEGIN) + 65 * DAY_MS).toISOString());
      for (const rows of [[first, second], [third], [first, third], [second]]) await importAll(fixture, table(...rows));
      const [customer] = await stateOf(fixture);
      expect(customer?.subscriptions).to.have.length(1);
      expect(customer?.subscriptions[0]).to.deep.include({ renewalNumber: 2 });
      expect((customer?.subscriptions[0]?.contractEndsAt ?? '').slice(0, 10)).to.equal(day(90).slice(0, 10));
      const [alice] = (await fixture.subscribers()).filter(({ state }) => state.profile.appUserId === 'alice');
      expect(alice?.state.profile.subscriptions[0]?.ended).to.equal(null);
    });

    it('refunds an earlier period of a running subscription, and nothing else', async () => {
      const fixture = await createProjectFixture();
      fixture.clock.set(new Date(msFromIso(BEGIN) + 65 * DAY_MS).toISOString());
      await importAll(fixture, table(first, second, third));
      const before = await typesOf(fixture);
      const { events } = await importAll(fixture, table(changed.replace(day(20), day(50))));
      expect(Object.keys(events).filter((type) => type.startsWith('Subscription'))).to.deep.equal([]);
      expect(events['TransactionRefunded']).to.equal(1);
      expect(await typesOf(fixture)).to.deep.equal(before);
    });

    it('ends a subscription whose latest recorded period is over, at its end', async () => {
      const fixture = await createProjectFixture();
      fixture.clock.set(new Date(msFromIso(BEGIN) + 95 * DAY_MS).toISOString());
      await importAll(fixture, table(first, second, third));
      expect((await typesOf(fixture)).filter((type) => type === 'SubscriptionExpired')).to.have.length(1);
      const [alice] = (await fixture.subscribers()).filter(({ state }) => state.profile.appUserId === 'alice');
      const [s] = alice?.state.profile.subscriptions ?? [];
      expect(s?.ended).to.deep.include({ by: 'sweeper' });
      expect(s?.contractEndsAt.slice(0, 10)).to.equal(day(90).slice(0, 10));
    });
  });

  it('takes times of the store that are more precise for those of the file, before and after it', async () => {
    const precise = (days: number) => msFromIso(BEGIN) + days * DAY_MS + 357;
    const store = [
      notification('SUBSCRIBED', monthly({ ...at(0), appAccountToken: 'alice' }), { subtype: 'INITIAL_BUY' }),
      notification('DID_RENEW', renewal({ ...at(30), appAccountToken: 'alice' })),
    ];
    function at(days: number) {
      return { purchaseDate: precise(days), expiresDate: precise(days + 30), signedDate: precise(days) };
    }
    for (let before = 0; before <= store.length; before++) {
      const fixture = await createProjectFixture();
      for (const message of store.slice(0, before)) await fixture.notify(message);
      const { events } = await importAll(fixture, table(first, second));
      for (const message of store.slice(before)) await fixture.notify(message);
      const types = (await eventsOf(fixture.deps.log)).map(({ type }) => type);
      expect(types, `${before} before`).not.to.include('SubscriptionExtended');
      if (before > 0) expect(types, `${before} before`).not.to.include('PurchaseHistoryRevised');
      expect(events['SubscriptionStarted'], `${before} before`).to.equal(before === 0 ? 1 : undefined);
      const [customer] = await stateOf(fixture);
      expect(customer?.subscriptions.map(({ renewalNumber }) => renewalNumber)).to.deep.equal([1]);
    }
  });

  it('counts no subscription as active whose refund ends access; that of a part of the price does not', async () => {
    const refunded = (net: string) =>
      first.replace('9.99,9.99', `9.99,${net}`).replace('tx_1,tx_1,', `tx_1,tx_1,${day(0)}`);
    const reportOf = async (row: string) => run(await createProjectFixture(), [table(row)], null);
    const reports = [await reportOf(first), await reportOf(refunded('0')), await reportOf(refunded('4.99'))];
    expect(reports.map(({ activeSubscriptions, refunds }) => [activeSubscriptions, refunds])).to.deep.equal([
      [1, 0],
      [0, 1],
      [1, 1],
    ]);
  });

  it('leaves out what a source does not know enough about, unless another row states it', async () => {
    const purchase = { type: 'purchase', appUserId: 'alice', store: 'ios-store', storeProductId: MONTHLY };
    const time = { transactionId: 'tx_1', kind: 'normal', purchasedAt: '2026-11-20T10:00:00Z' };
    const unknown = fileOf(`${JSON.stringify({ ...purchase, ...time, missing: 'first_transaction' })}\n`);
    const alone = await run(await createProjectFixture(), [unknown], null);
    expect([alone.transactions, alone.problems.map(({ code, count }) => [code, count])]).to.deep.equal([
      {},
      [['first-transaction-missing', 1]],
    ]);
    const both = await run(await createProjectFixture(), [unknown, table(first)], null);
    expect([both.transactions, both.problems]).to.deep.equal([{ 'ios-store': 1 }, []]);
  });

  it('leaves out a subscription with more rows than an import decides at once, and imports the others', async () => {
    const row = (n: number, chain: string) =>
      `ann,ann,app_store,${MONTHLY},${day(n)},${day(n + 1)},true,9.99,9.99,USD,${chain}_${n},${chain},,,${n + 1},`;
    const rows = Array.from({ length: 1001 }, (_, n) => row(n, 'daily'));
    const { problems, transactions, purchaseLines } = await run(
      await createProjectFixture(),
      [table(...rows, row(0, 'other'))],
      null,
    );
    const left = problems.find(({ code }) => code === 'too-many-rows');
    expect(left?.examples.map(({ row: at, detail }) => [at, detail])).to.deep.equal([
      [2, '1001 rows of one subscription'],
    ]);
    expect([purchaseLines, transactions]).to.deep.equal([1, { 'ios-store': 1002 }]);
  });

  it('lists entitlements that the export gives now and the catalogue does not', async () => {
    const fixture = await createProjectFixture();
    const header =
      'rc_original_app_user_id,store,product_identifier,start_time,end_time,store_transaction_id,entitlement_identifiers';
    const row = (n: number, from: number, keys: string) =>
      `user-${n},app_store,${MONTHLY},${day(from)},${day(from + 30)},tx_${n},${keys}`;
    const path = fileOf([header, row(1, -1, '"{pro,vip}"'), row(2, -1, '{pro}'), row(3, -40, '{vip}')].join('\n'));
    const { problems } = await run(fixture, [path], null);
    const differs = problems.find(({ code }) => code === 'entitlement-differs');
    expect(differs?.examples.map(({ row: n, detail }) => [n, detail])).to.deep.equal([[2, `vip, by ${MONTHLY}`]]);
  });

  it('is refused with another digest than that of the files', async () => {
    const fixture = await createProjectFixture();
    const { digest } = await run(fixture, [table(first)], null);
    const other = await run(fixture, [table(first, second)], digest).catch((err: Error) => err.message);
    expect(other).to.match(/differ from those of the confirmed dry run/);
  });

  it('records customers under their identified name, with the other name, attributes and the rows', async () => {
    const fixture = await createProjectFixture();
    await importAll(fixture, table(first, second));
    const [customer, ...others] = await stateOf(fixture);
    expect(others).to.deep.equal([]);
    expect(customer).to.deep.include({ appUserId: 'alice', aliases: [ALIAS], spentMicros: 19_980_000 });
    expect(customer?.attributes.map(({ k, v }) => [k, v])).to.deep.equal([['team', 'blue']]);
    const events = await eventsOf(fixture.deps.log);
    const renewed = events.find(({ type }) => type === 'SubscriptionRenewed');
    expect(renewed?.meta).to.deep.include({ actor: { kind: 'import', id: 'imp_1' } });
    expect(renewed?.meta.importedFrom?.row).to.equal(3);
  });

  it('adds nothing when it is repeated, and only what is new in a newer file', async () => {
    const fixture = await createProjectFixture();
    await importAll(fixture, table(first, second));
    expect((await importAll(fixture, table(first, second))).events).to.deep.equal({});
    const { events } = await importAll(fixture, table(first, refunded));
    expect(Object.keys(events)).to.include('TransactionRefunded');
    expect(Object.keys(events)).not.to.include('SubscriptionRenewed');
    const [customer] = await stateOf(fixture);
    expect(customer?.spentMicros).to.equal(9_990_000);
  });

  it('leads to the same state when it is cut off at any append and run again', async () => {
    const expected = await createProjectFixture();
    await importAll(expected, table(first, refunded));
    const whole = await stateOf(expected);
    for (let n = 1; n <= 12; n++) {
      for (const moment of ['before', 'after'] as const) {
        let log: CrashingLog | undefined;
        const fixture = await createProjectFixture({ wrapLog: (inner) => (log = crashingLog(inner)) });
        const path = table(first, refunded);
        const { digest } = await run(fixture, [path], null);
        log?.failAt(n, moment);
        const cut = await run(fixture, [path], digest).catch((err: unknown) => err);
        if (n === 1) expect(cut).to.be.instanceOf(Unavailable);
        log?.failAt(0, 'before');
        await run(fixture, [path], digest);
        expect(await stateOf(fixture), `${moment} append ${n}`).to.deep.equal(whole);
      }
    }
  });

  it('leaves no name in the IDs of its commands, not even as a digest that can be tested for one', async () => {
    const digestsWith = async (namingKey: string) => {
      const fixture = await createProjectFixture();
      const renamed = { ...fixture, deps: { ...fixture.deps, hash: keyedHash(Buffer.from(namingKey)) } };
      await importAll(renamed, table(first, second));
      const ids = (await eventsOf(fixture.deps.log)).map(({ meta }) => meta.commandId);
      expect(ids.filter((id) => id.includes('alice') || id.includes(ALIAS))).to.deep.equal([]);
      return new Set(ids.filter((id) => id.startsWith('import|')).map((id) => id.split('|').at(-1)));
    };
    const [one, other] = [await digestsWith('one'), await digestsWith('other')];
    expect(one.size).to.be.above(2);
    expect([...one].filter((digest) => other.has(digest))).to.deep.equal([]);
  });

  it('adds nothing when commands of an earlier version recorded the facts under other IDs', async () => {
    const fixture = await createProjectFixture();
    const path = table(first, refunded);
    await importAll(fixture, path);
    const before = (await eventsOf(fixture.deps.log)).length;
    const log: EventLog = { ...fixture.deps.log, read: (...args) => renamedCommands(fixture.deps.log.read(...args)) };
    const report = await importAll({ ...fixture, deps: { ...fixture.deps, log } }, path);
    expect([report.events, (await eventsOf(fixture.deps.log)).length]).to.deep.equal([{}, before]);
  });

  it('counts each charge once, whether the store’s messages come before, after or on both sides of it', async () => {
    const messages = [
      notification('SUBSCRIBED', monthly({ appAccountToken: 'alice' }), { subtype: 'INITIAL_BUY' }),
      notification('DID_RENEW', renewal({ appAccountToken: 'alice' })),
      notification('REFUND', {
        ...renewal({ signedDate: msFromIso(BEGIN) + 31 * DAY_MS }),
        revocationDate: msFromIso(BEGIN) + 31 * DAY_MS,
      }),
    ];
    const path = table(first, refunded);
    for (let before = 0; before <= messages.length; before++) {
      const fixture = await createProjectFixture();
      fixture.clock.set(new Date(msFromIso(BEGIN) + 40 * DAY_MS).toISOString());
      for (const message of messages.slice(0, before)) await fixture.notify(message);
      await importAll(fixture, path);
      for (const message of messages.slice(before)) await fixture.notify(message);
      const [customer, ...others] = await stateOf(fixture);
      expect(others, `${before} messages before`).to.deep.equal([]);
      expect(customer?.appUserId).to.equal('alice');
      expect(customer?.spentMicros, `${before} messages before`).to.equal(9_990_000);
      expect(customer?.transactions.toSorted()).to.deep.equal([
        ['tx_1', 9_990_000, 0],
        ['tx_2', 9_990_000, 1],
      ]);
      expect(customer?.subscriptions.map(({ renewalNumber }) => renewalNumber)).to.deep.equal([1]);
    }
  });

  it('gives the access that the rows show', async () => {
    const fixture = await createProjectFixture();
    await importAll(fixture, table(first, second));
    const [alice] = (await fixture.subscribers()).filter(({ state }) => state.profile.appUserId === 'alice');
    const rules = {
      unlocks: () => [{ entitlementId: 'pro', lookupKey: 'pro' }],
      productIdOf: () => null,
      exists: () => true,
      allowsSandbox: true,
    };
    const at = (n: number) => new Date(msFromIso(BEGIN) + n * DAY_MS).toISOString();
    const isActive = (n: number) =>
      entitlementsAt(alice?.state.profile ?? fixtureWithoutAlice(), at(n), rules).some((one) => one.isActive);
    expect([isActive(15), isActive(45), isActive(61)]).to.deep.equal([true, true, false]);
  });

  describe('of a malformed file', () => {
    it('names the missing columns', async () =>
      expect(await refusal('rc_original_app_user_id,store\nalice,app_store\n')).to.match(
        /lacks the columns product_identifier, start_time, store_transaction_id/,
      ));

    it('reads a byte order mark, semicolons and compressed files', async () => {
      const semicolons = `\uFEFF${[HEADER, first.replace(/"\{.*$/, '')].join('\n').replaceAll(',', ';')}\n`;
      for (const content of [semicolons, gzipSync(semicolons)]) {
        const report = await run(await createProjectFixture(), [fileOf(content)], null);
        expect([report.customers, report.transactions]).to.deep.equal([1, { 'ios-store': 1 }]);
      }
    });

    it('refuses a truncated archive, a torn row, another encoding and a row without end', async () => {
      const whole = `${HEADER}\n${Array.from({ length: 400 }, () => first).join('\n')}\n`;
      const archive = gzipSync(whole);
      expect(await refusal(archive.subarray(0, archive.length - 20))).to.match(/damaged or incomplete/);
      expect(await refusal(`${HEADER}\n${first}\nalice,app_st`)).to.match(/row 3/);
      expect(await refusal(Buffer.from(`${HEADER}\n${first.replace('blue', 'grün')}\n`, 'latin1'))).to.match(
        /not UTF-8/,
      );
      expect(await refusal(`${HEADER}\n"${'x'.repeat(2_000_000)}`)).to.match(/row 2/);
      expect(await refusal(`{"type":"customer","appUserId":"a"}\n{"type":"cust`)).to.match(
        /row 2: the line is not complete/,
      );
      expect(await refusal('')).to.match(/is empty/);
    });

    it('reports a day that does not exist, which is not read as one of the next month', async () => {
      const row = first.replace(day(0), '2026-02-31 08:00:00');
      const { problems, transactions } = await run(await createProjectFixture(), [table(row)], null);
      expect(problems.map(({ code }) => code)).to.deep.equal(['unreadable']);
      expect(transactions).to.deep.equal({});
    });

    it('reports what is wrong with a line of facts as with the body of a request', async () => {
      const lines = '{"type":"customer"}\n{"type":"purchase","appUserId":"a","store":"x"}\n5\n';
      const report = await run(await createProjectFixture(), [fileOf(lines, 'facts.ndjson')], null);
      const details = report.problems.flatMap(({ examples }) => examples.map(({ detail }) => detail));
      expect(details[0]).to.equal('appUserId is required');
      expect(details[1]).to.match(/^store must be one of ios-store, android-store; storeProductId is required; /);
      expect(details[2]).to.equal('the input must be an object');
    });

    it('reports rows that cannot be read, with the reason, and imports the others', async () => {
      const fixture = await createProjectFixture();
      const mixed = first.replace(day(0), '11/20/2026');
      const formula = second.replace('alice', '=1+1');
      const report = await importAll(fixture, table(mixed, second.replaceAll('tx_2', 'tx_9'), formula));
      const unreadable = report.problems.find(({ code }) => code === 'unreadable');
      expect(unreadable?.examples).to.deep.equal([
        {
          file: unreadable?.examples[0]?.file,
          row: 2,
          detail: 'start_time: not a time such as 2026-04-13 08:00:00',
        },
      ]);
      expect(report.transactions).to.deep.equal({ 'ios-store': 2 });
    });
  });
});

async function* renamedCommands(events: ReturnType<EventLog['read']>): ReturnType<EventLog['read']> {
  for await (const event of events)
    yield { ...event, meta: { ...event.meta, commandId: `former|${event.meta.commandId}` } };
}

function fixtureWithoutAlice(): never {
  throw new Error('alice was not imported');
}
