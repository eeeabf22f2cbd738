// Imports over HTTP: a dry run of an uploaded file, its confirmation, and everything that refuses.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Agent, request } from 'node:http';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createImportUploads } from '../../../src/adapters/imports/uploads.js';
import { updateRecord } from '../../../src/adapters/documents/records.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import {
  importCollection,
  createImport,
  deleteImportsOf,
  type ImportState,
  readImport,
} from '../../../src/commands/imports/import-records.js';
import { CUSTOMERS_PER_MARK } from '../../../src/commands/imports/import-files.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import { sweepUploads } from '../../../src/workers/imports/imports.js';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { MONTHLY, notification, type Credentials, type HttpResponse } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';
import { poll } from '../../fixtures/poll.js';

const DAY_MS = 86_400_000;
const iso = (ms: number) => new Date(ms).toISOString();

/** Lines of a subscription with two periods, the last of which has not ended, and of a purchase of an unknown product. */
function historyOf(now: number): string {
  const period = (transactionId: string, startMs: number, storeProductId = MONTHLY) => ({
    ...{ type: 'purchase', appUserId: 'imported-ann', store: 'ios-store', storeProductId, transactionId },
    ...{
      originalTransactionId: '7001',
      kind: 'normal',
      purchasedAt: iso(startMs),
      expiresAt: iso(startMs + 30 * DAY_MS),
    },
    ...{ currency: 'USD', amountMicros: 9_990_000 },
  });
  const other = { ...period('8001', now - 20 * DAY_MS, 'unknown.product'), originalTransactionId: '8001' };
  const lines = [period('7001', now - 40 * DAY_MS), period('7002', now - 10 * DAY_MS), other];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

describe('the sweep of uploaded files', () => {
  const directory = mkdtempSync(join(tmpdir(), 'subledger-uploads-'));
  after(() => rmSync(directory, { recursive: true, force: true }));

  it('deletes those of ended, expired and unknown imports, and retains the others, also one that still arrives', async () => {
    const docs = createMemoryDocuments();
    await docs.ensure([importCollection]);
    const uploads = createImportUploads(directory, 1);
    const begin = Date.now();
    const at = (ms: number) => ({ docs, runtime: { ...systemRuntime(), now: () => begin + ms } });
    const upload = async (importId: string, startMs: number, state: ImportState) => {
      const paths = [await uploads.store(importId, 'a.csv', Readable.from([Buffer.from('a')]))];
      const options = importOptions.parse({});
      const request = { importId, projectId: 'proj_1', paths, isUploaded: true, options, confirmed: null };
      await createImport(at(startMs), request);
      await updateRecord(docs, importCollection.name, importId, (doc) => doc && { ...doc, state });
    };
    await upload('imp_done', 0, 'done');
    await upload('imp_old', 0, 'checked');
    await upload('imp_new', DAY_MS, 'checked');
    await upload('imp_running', 0, 'running');
    const arriving = await uploads.store('imp_arriving', 'a.csv', Readable.from([Buffer.from('a')]));
    utimesSync(arriving, new Date(begin + DAY_MS), new Date(begin + DAY_MS));
    await uploads.store('imp_unknown', 'a.csv', Readable.from([Buffer.from('a')]));
    const left = async () => (await uploads.list()).map(({ importId }) => importId).toSorted();
    await sweepUploads(at(1000), uploads);
    expect(await left()).to.deep.equal(['imp_arriving', 'imp_new', 'imp_old', 'imp_running', 'imp_unknown']);
    await sweepUploads(at(DAY_MS + 1000), uploads);
    expect(await left()).to.deep.equal(['imp_arriving', 'imp_new', 'imp_running']);
    expect(await readImport({ docs }, 'imp_old')).to.include({ state: 'failed' });
    await deleteImportsOf({ docs }, 'proj_1');
    await sweepUploads(at(2 * DAY_MS), uploads);
    expect(await left()).to.deep.equal([]);
  });
});

describe('imports over HTTP', function () {
  // A bound for a hang: each import starts a process, which comes after everything else on a busy machine.
  this.timeout(300_000);
  const now = Date.now();
  const history = historyOf(now);
  const { harness, slice, as } = setUpServiceWithFreshProjects({ IMPORT_MAX_MB: '1' });
  const base = () => `/v1/projects/${slice.projectId}`;
  const folder = () => join(harness.dataDir, 'imports');
  const filesOf = (importId: string) =>
    existsSync(join(folder(), importId)) ? readdirSync(join(folder(), importId)) : [];

  async function upload(
    content: string | Uint8Array,
    query = 'fileName=history.jsonl',
    who: Credentials = as,
  ): Promise<HttpResponse> {
    return post(`${base()}/imports?${query}`, content, who);
  }
  async function post(path: string, content: string | Uint8Array, who: Credentials): Promise<HttpResponse> {
    const response = await fetch(`${harness.service().url ?? ''}${path}`, {
      method: 'POST',
      headers: who.token === undefined ? { 'x-api-key': who.key ?? '' } : { authorization: `Bearer ${who.token}` },
      body: typeof content === 'string' ? content : Buffer.from(content),
    });
    return { status: response.status, body: await response.json(), headers: response.headers };
  }
  /** Follows an import until it is checked or has ended. */
  async function settled(importId: string, who: Credentials = as): Promise<HttpResponse['body']> {
    const read = async () => {
      const { status, body } = await harness.call('GET', `${base()}/imports/${importId}`, undefined, who);
      expect(status, JSON.stringify(body)).to.equal(200);
      return body;
    };
    return poll(read, ({ state }) => state !== 'waiting' && state !== 'running');
  }
  async function checked(content: string | Uint8Array, query?: string): Promise<HttpResponse['body']> {
    const { status, body } = await upload(content, query);
    expect(status, JSON.stringify(body)).to.equal(202);
    return settled(body.id);
  }
  const confirm = (importId: string, digest: string) =>
    harness.call('POST', `${base()}/imports/${importId}/confirm`, { digest }, as);
  async function imported(content: string): Promise<HttpResponse['body']> {
    const dry = await checked(content);
    const confirmed = await confirm(dry.id, dry.report.digest);
    expect(confirmed.status, JSON.stringify(confirmed.body)).to.equal(202);
    const done = await settled(dry.id);
    await harness.service().idle();
    return done;
  }
  const head = async () => {
    await harness.service().idle();
    return (await harness.call('GET', `${base()}/customers`, undefined, as)).body.items.length as number;
  };
  const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0);

  it('checks an upload without recording anything, and keeps the file private', async () => {
    const { status, body } = await upload(history);
    expect(status, JSON.stringify(body)).to.equal(202);
    expect(body).to.include({ object: 'import', isConfirmed: false, problem: null });
    expect(body.files).to.deep.equal(['history.jsonl']);
    const dry = await settled(body.id);
    expect(dry.state).to.equal('checked');
    expect(dry.report).to.include({ dryRun: true, customers: 1, activeSubscriptions: 2 });
    expect(sum(dry.report.events)).to.be.greaterThan(2);
    expect(dry.report.unknownProducts).to.deep.equal([
      { store: 'ios-store', storeProductId: 'unknown.product', transactions: 1 },
    ]);
    expect(await head()).to.equal(0);
    expect(statSync(join(folder(), body.id)).mode & 0o777).to.equal(0o700);
    expect(statSync(join(folder(), body.id, 'history.jsonl')).mode & 0o777).to.equal(0o600);
  });

  it('records the confirmed file, deletes it, and adds nothing when it comes again', async () => {
    const done = await imported(history);
    expect(done).to.include({ state: 'done', isConfirmed: true });
    const access = await harness.call('GET', '/v1/subscribers/imported-ann', undefined, as);
    expect(access.body.subscriber.entitlements.pro.expiresAt).to.equal(iso(now + 20 * DAY_MS));
    // The worker deletes the file right after it has recorded the end.
    await poll(
      () => filesOf(done.id),
      (files) => files.length === 0,
    );
    const again = await imported(history);
    expect(again.state).to.equal('done');
    expect(again.report.events).to.deep.equal({});
    const { body } = await harness.call('GET', `${base()}/imports`, undefined, as);
    expect(body.items.map(({ id }: { id: string }) => id)).to.deep.equal([again.id, done.id]);
  });

  it('records every customer of a file that is longer than the interval between two marks of its progress', async () => {
    const first = JSON.parse(history.split('\n')[0] ?? '') as Record<string, unknown>;
    const count = CUSTOMERS_PER_MARK + 100;
    const lines = Array.from({ length: count }, (_, n) => {
      const transactionId = `90${String(n)}`;
      return { ...first, appUserId: `many-${String(n)}`, transactionId, originalTransactionId: transactionId };
    });
    const dry = await checked(lines.map((one) => `${JSON.stringify(one)}\n`).join(''));
    expect(dry.report.events).to.include({ CustomerCreated: count, SubscriptionStarted: count });
    await confirm(dry.id, dry.report.digest);
    const done = await settled(dry.id);
    expect(done.report.events).to.deep.equal(dry.report.events);
  });

  it('shows in the audit who confirmed which files, with the counts of the dry run', async () => {
    const dry = await checked(history);
    const asMember = { token: slice.token };
    const path = `${base()}/imports/${dry.id}/confirm`;
    expectRefusal(await harness.call('POST', path, { digest: '0'.repeat(64) }, asMember), 409);
    expect((await harness.call('POST', path, { digest: dry.report.digest }, asMember)).status).to.equal(202);
    await settled(dry.id);
    await harness.service().idle();
    const { body } = await harness.call('GET', `${base()}/audit`, undefined, asMember);
    const confirmations = body.items.filter(({ action }: { action: string }) => action === 'ImportConfirmed');
    expect(confirmations).to.have.length(1);
    const { actor, target, before, after } = confirmations[0];
    expect([actor.kind, target.kind, target.id, before]).to.deep.equal(['user', 'import', dry.id, null]);
    const events = sum(dry.report.events);
    expect(after).to.deep.equal({ files: ['history.jsonl'], customers: 1, transactions: 3, events });
  });

  it('reads compressed files', async () => {
    const dry = await checked(gzipSync(history), 'fileName=history.jsonl.gz');
    expect(dry.report.files).to.deep.include({
      name: 'history.jsonl.gz',
      kind: 'neutral',
      rows: 3,
      ignoredColumns: [],
      missing: [],
    });
  });

  it('refuses another digest, and a second confirmation', async () => {
    const dry = await checked(history);
    expectRefusal(await confirm(dry.id, '0'.repeat(64)), 409);
    expect((await confirm(dry.id, dry.report.digest)).status).to.equal(202);
    await settled(dry.id);
    expectRefusal(await confirm(dry.id, dry.report.digest), 409);
  });

  it('checks a second file together with the first', async () => {
    const [first = '', ...rest] = history.split(/(?<=\n)/);
    const dry = await checked(first);
    const add = (name: string) => post(`${base()}/imports/${dry.id}/files?fileName=${name}`, rest.join(''), as);
    expectRefusal(await add('history.jsonl'), 409);
    expect((await add('more.jsonl')).status).to.equal(202);
    const both = await settled(dry.id);
    expect(both.files).to.deep.equal(['history.jsonl', 'more.jsonl']);
    expect(both.report.files.map(({ rows }: { rows: number }) => rows)).to.deep.equal([1, 2]);
    expect(both.report.digest).to.not.equal(dry.report.digest);
  });

  it('checks files together that are added before the check of the first ends, and takes none after the confirmation', async () => {
    const [first = '', ...rest] = history.split(/(?<=\n)/);
    const { body } = await upload(first);
    const add = (name: string, content: string) =>
      post(`${base()}/imports/${body.id}/files?fileName=${name}`, content, as);
    for (const [n, line] of rest.entries()) expect((await add(`more-${n}.jsonl`, line)).status).to.equal(202);
    const all = await settled(body.id);
    expect(all.report.files.map(({ rows }: { rows: number }) => rows)).to.deep.equal([1, 1, 1]);
    expect((await confirm(body.id, all.report.digest)).status).to.equal(202);
    expectRefusal(await add('late.jsonl', first), 409);
    const { state, report, problem } = await settled(body.id);
    expect([state, report.customers, problem]).to.deep.equal(['done', 1, null]);
    expectRefusal(await add('later.jsonl', first), 409);
  });

  const columns = 'rc_original_app_user_id,store,product_identifier,start_time,store_transaction_id';
  const line = 'ann,app_store,app.monthly,2026-01-01 10:00:00,1';
  for (const [what, content, problem] of [
    ['a truncated archive', gzipSync(`${columns}\n${line}\n`.repeat(50)).subarray(0, -9), /damaged or incomplete/],
    ['a row that is cut off', `${columns}\n${line}\nann,app_st`, /export\.csv, row 3: /],
    ['a row without end', `${columns}\n${line}\n"${'x'.repeat(1_000_100)}`, /export\.csv, row 3: /],
    ['another delimiter', `${columns}\n${line}\n`.replaceAll(',', '|'), /lacks the columns/],
    ['UTF-16', Buffer.from(`\uFEFF${columns}\n${line}\n`, 'utf16le'), /not UTF-8 text; convert it/],
    ['a torn line of JSON', '{"type":"customer","appUserId":"a"}\n{"type":"cust', /row 2: .* not complete JSON/],
  ] as const) {
    it(`refuses ${what} with the reason`, async () => {
      const failed = await checked(content, 'fileName=export.csv');
      expect([failed.state, failed.report]).to.deep.equal(['failed', null]);
      expect(failed.problem).to.match(problem);
      expect(failed.problem).to.include(what.includes('JSON') ? 'row 2' : 'export.csv');
    });
  }

  it('reads a byte order mark and semicolons, and reports rows with another form of date or a formula', async () => {
    const mixed = line.replace('2026-01-01', '01/13/2026');
    const formula = line.replace('ann', '=1+1').replace(/1$/, '2');
    const content = `\uFEFF${[columns, line, mixed, formula].join('\n').replaceAll(',', ';')}\n`;
    const { state, report } = await checked(content, 'fileName=export.csv');
    expect([state, report.customers]).to.deep.equal(['checked', 2]);
    const unreadable = report.problems.find(({ code }: { code: string }) => code === 'unreadable');
    expect(unreadable.examples.map(({ row }: { row: number }) => row)).to.deep.equal([3]);
  });

  it('names the columns that a file lacks', async () => {
    const failed = await checked('store,product_identifier\napp_store,x\n', 'fileName=export.csv');
    expect(failed.state).to.equal('failed');
    expect(failed.problem).to.contain('rc_original_app_user_id').and.to.contain('store_transaction_id');
    expectRefusal(await confirm(failed.id, 'any'), 409);
  });

  it('refuses a file beyond the limit or without content, and leaves nothing behind', async () => {
    const before = existsSync(folder()) ? readdirSync(folder()) : [];
    const response = await upload(new Uint8Array(1024 * 1024 + 1));
    expectRefusal(response, 413);
    expect(response.body.message).to.contain('1 MiB');
    expectRefusal(await upload(''), 400);
    expectRefusal(await upload(history, 'fileName='), 400);
    expectRefusal(await upload(history, 'fileName=a.csv&sandbox=perhaps'), 400);
    expect(readdirSync(folder())).to.deep.equal(before);
  });

  for (const name of [
    '../../../escaped.csv',
    '..\\..\\escaped.csv',
    '/etc/escaped.csv',
    '...',
    '.',
    'a\nb',
    '\ud83d\ude00.csv',
  ]) {
    it(`stores a file named ${JSON.stringify(name)} in the folder of its import`, async () => {
      const { status, body } = await upload(history, `fileName=${encodeURIComponent(name)}`);
      expect(status).to.equal(202);
      expect(filesOf(body.id)).to.deep.equal(body.files);
      expect(body.files[0]).to.match(/^[^/\\.\n][^/\\\n]*$/);
      await settled(body.id);
    });
  }

  it('shows a key without personal data no rows', async () => {
    const lacking = history.replaceAll('"ios-store"', '"android-store"');
    const dry = await checked(lacking);
    const { problems } = dry.report;
    expect(problems[0].examples).to.have.length.greaterThan(0);
    const created = await harness.call(
      'POST',
      `${base()}/api-keys`,
      { name: 'setup', scopes: ['config'] },
      { token: slice.token },
    );
    const shown = await settled(dry.id, { key: created.body.key });
    expect(shown.report.problems[0]).to.include({ code: problems[0].code, count: problems[0].count });
    expect(shown.report.problems[0]).to.not.have.property('examples');
  });

  it('refuses a sixth unfinished upload', async () => {
    for (let n = 0; n < 5; n++) expect((await upload(history)).status).to.equal(202);
    expectRefusal(await upload(history), 409);
  });

  it('refuses a sixth unfinished upload also when all arrive at the same time', async () => {
    const responses = await Promise.all(Array.from({ length: 8 }, () => upload(history)));
    const refused = responses.filter(({ status }) => status !== 202);
    expect(refused).to.have.length.at.least(3);
    for (const response of refused) expectRefusal(response, 409);
    const { body } = await harness.call('GET', `${base()}/imports`, undefined, as);
    expect(body.items).to.have.length(8 - refused.length);
  });

  it('refuses files of an import beyond four sizes of an uploaded file', async () => {
    const { id } = await checked(history);
    const filler = `{"type":"customer","appUserId":"${'x'.repeat(100)}"}\n`.repeat(7000);
    const statuses: number[] = [];
    for (let n = 0; n < 5; n++) {
      statuses.push((await post(`${base()}/imports/${id}/files?fileName=more-${n}.jsonl`, filler, as)).status);
      await settled(id);
    }
    expect(statuses).to.deep.equal([202, 202, 202, 202, 413]);
  });

  it('answers the next request on the connection of an upload that was refused half-way', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const postBytes = (bytes: Buffer) =>
      new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'x-api-key': as.key, 'content-length': bytes.length };
        const url = `${harness.service().url ?? ''}${base()}/imports?fileName=long.jsonl`;
        const req = request(url, { method: 'POST', agent, headers }, (res) => {
          res.resume().once('end', () => resolve(res.statusCode));
        });
        req.once('error', reject).end(bytes);
      });
    expect(await postBytes(Buffer.alloc(1_500_000, 'x'))).to.equal(413);
    expect(await postBytes(Buffer.alloc(1_500_000, 'x'))).to.equal(413);
    agent.destroy();
  });

  it('sends no webhooks for imported facts, but for a purchase afterwards', async () => {
    const hook = await harness.call(
      'POST',
      `${base()}/webhooks`,
      { url: 'https://hooks.example.com/all', sendTestEvent: false },
      as,
    );
    const deliveries = async () => {
      await harness.service().idle();
      const { body } = await harness.call('GET', `${base()}/webhooks/${hook.body.id}/deliveries`, undefined, as);
      return body.items.map(({ type }: { type: string }) => type);
    };
    await imported(history);
    expect(await deliveries()).to.deep.equal([]);
    const transaction = {
      transactionId: '9001',
      originalTransactionId: '9001',
      productId: MONTHLY,
      purchaseDate: now,
      expiresDate: now + 30 * DAY_MS,
      price: 9990,
    };
    const sent = await harness.call(
      'POST',
      slice.notificationPath,
      notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction }),
    );
    expect(sent.status).to.equal(200);
    expect(await deliveries()).to.have.members(['INITIAL_PURCHASE', 'ENTITLEMENT_CHANGED']);
  });
});
