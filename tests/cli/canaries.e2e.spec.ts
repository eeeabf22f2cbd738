// Secrets and personal data are planted wherever the product takes some, and looked for wherever it writes: log lines, metrics, responses,
// exports, tables, backups, every file, and what it prints when it cannot start. Each may be where the list below lets it, and nowhere
// else.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { routes } from '../../src/http/routes.js';
import { startReceiver } from '../adapters/outbound/receiver.js';
import {
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  type Harness,
  type HttpResponse,
} from '../http/support/harness.js';
import { furnish, nameOf, pathOf, type Ground } from '../http/support/route-samples.js';
import { anotherIosKey, anotherRsaKey, serviceAccount } from '../http/support/store-credentials.js';
import { subledger } from './command-line.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'CANARYpassword-3f9a';
const HEADER = 'CANARYheader-a61e';
const VALUE = 'CANARYvalue-90d4';
const PROPERTY = 'CANARYproperty-7b33';
const NAME = 'CANARYname-22c9';
const USER_EMAIL = 'canary.user.7c21@example.com';
const CUSTOMER_EMAIL = 'canary.customer.11aa@example.com';
const WHO = 'canary-user-51be';

/**
 * `secret`: shown once at most, never again and in no file in clear. `personal`: shown to who may see it, in no log and sealed in events.
 */
type Canary = { readonly what: string; readonly text: string; readonly kind: 'secret' | 'personal' };
/** A text that the product wrote, and where. */
type WrittenText = { readonly where: string; readonly text: string };

/** The middle of a key: its first and last lines are the same in every key. */
const middleOf = (pem: string) => pem.split('\n')[2]?.slice(0, 40) ?? '';

describe('secrets that were planted everywhere', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'subledger-canaries-'));
  const lines: string[] = [];
  const refusals: WrittenText[] = [];
  const canaries: Canary[] = [];
  let harness: Harness;
  let ground: Ground;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;

  const plant = (kind: Canary['kind'], what: string, text: unknown) =>
    canaries.push({ kind, what, text: String(text) });
  const expectNone = (written: readonly WrittenText[], kinds: readonly Canary['kind'][]) => {
    const found = written.flatMap(({ where, text }) =>
      canaries.filter((c) => kinds.includes(c.kind) && text.includes(c.text)).map(({ what }) => `${what} in ${where}`),
    );
    expect(found).to.deep.equal([]);
    expect(written.some(({ text }) => text.length > 0)).to.equal(true);
  };
  const call: Harness['call'] = async (method, path, body, as) => {
    const response = await harness.call(method, path, body, as);
    if (response.status >= 400) refusals.push({ where: `${method} ${path.slice(0, 40)}`, text: textOf(response) });
    return response;
  };
  const textOf = ({ body, headers }: HttpResponse) => JSON.stringify([body, [...headers]]);
  const command = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await subledger(args, { DATA_DIR: harness.dataDir });
    expect(code, stderr).to.equal(0);
    return stdout + stderr;
  };
  const filesIn = (directory: string): readonly WrittenText[] =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(directory, name)).isFile())
      .map((where) => ({ where, text: readFileSync(join(directory, where), 'latin1') }));

  before(async () => {
    receiver = await startReceiver((res) => res.writeHead(500).end('no'));
    const env = { LOG_LEVEL: 'trace', METRICS_PORT: '0', EGRESS_ALLOW_HTTP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.0/8' };
    harness = await startHarness(env, {}, { write: (line) => void lines.push(line) });
    await plantAccounts();
    const slice = await setUpProject({ call });
    ground = await furnish(harness, slice, Date.now());
    plant('secret', 'a secret key', slice.secretKey);
    plant('secret', 'a public key', slice.publicKey);
    await plantStores();
    await plantCustomers();
    await harness.service().idle();
  });
  after(async () => {
    await harness.stop();
    await receiver.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function plantAccounts(): Promise<void> {
    const user = { email: USER_EMAIL, password: PASSWORD, name: NAME };
    const { body } = await call('POST', '/auth/register', user, { headers: { 'idempotency-key': 'CANARYidem-0c14' } });
    await call('POST', '/auth/register', user);
    await call('POST', '/auth/register', { ...user, email: PASSWORD });
    await call('POST', '/auth/login', { email: USER_EMAIL, password: `${PASSWORD}x` });
    await call('POST', '/auth/login', `{"email":"${USER_EMAIL}","password":"${PASSWORD}"`);
    const refreshed = await call('POST', '/auth/refresh', { refreshToken: body.refreshToken });
    await call('POST', '/auth/refresh', { refreshToken: `${body.refreshToken}x` });
    plant('secret', 'a password', PASSWORD);
    plant('secret', 'an idempotency key', 'CANARYidem-0c14');
    plant('secret', 'an access token', body.accessToken);
    plant('secret', 'a refresh token', body.refreshToken);
    plant('secret', 'its successor', refreshed.body.refreshToken);
    plant('personal', 'the email of a user', USER_EMAIL);
    plant('personal', 'the name of a user', NAME);
  }

  async function plantStores(): Promise<void> {
    const as = { key: ground.secretKey };
    const base = `/v1/projects/${ground.projectId}`;
    const [iosKey, rsaKey] = [anotherIosKey(), anotherRsaKey()];
    const apps = `${base}/apps`;
    const key = { issuerId: '57246542-96fe-1a63-e053-0824d011072a', keyId: '2X9R4HXF34', privateKey: iosKey };
    await call('POST', `${apps}/${ground.appId}/credentials/ios-store`, key, as);
    await call('POST', `${apps}/${ground.appId}/credentials/ios-store`, { ...key, keyId: `${middleOf(iosKey)}+` }, as);
    const serviceAccountJson = { ...serviceAccount(), private_key: rsaKey };
    await call('POST', `${apps}/${ground.androidAppId}/credentials/android-store`, { serviceAccountJson }, as);
    await call('POST', `${apps}/${ground.androidAppId}/credentials/android-store`, { serviceAccountJson: rsaKey }, as);
    plant('secret', 'the key of the ios-store', middleOf(iosKey));
    plant('secret', 'the key of the android-store', middleOf(rsaKey));
    const hook = { url: `${receiver.url}/in`, authorizationHeader: `Bearer ${HEADER}` };
    const made = await call('POST', `${base}/webhooks`, hook, as);
    await call('POST', `${base}/webhooks`, { ...hook, authorizationHeader: `${HEADER}\r\nx: y` }, as);
    await call('POST', `${base}/webhooks/${made.body.id}/test`, undefined, as);
    plant('secret', 'the header of a webhook', HEADER);
    plant('secret', 'the secret of a webhook', made.body.secret);
    const invited = await call(
      'POST',
      `${base}/members`,
      { email: 'to@example.com', role: 'viewer' },
      { token: ground.token },
    );
    plant('secret', 'an invitation', invited.body.token);
  }

  async function plantCustomers(): Promise<void> {
    const as = { key: ground.secretKey };
    const path = `/v1/subscribers/${WHO}`;
    await call('POST', `${path}/attributes`, { attributes: { note: VALUE, $email: CUSTOMER_EMAIL } }, as);
    await call('POST', `${path}/attributes`, { attributes: { [`${VALUE} x`]: VALUE } }, as);
    const events = [{ name: 'opened', appUserId: WHO, properties: { of: PROPERTY } }];
    await call('POST', '/v1/events', { events }, { key: ground.publicKey });
    const now = Date.now();
    const ids = { transactionId: '88001', originalTransactionId: '88001', productId: MONTHLY };
    const transaction = { ...ids, purchaseDate: now, expiresDate: now + DAY_MS, price: 9990, currency: 'USD' };
    await call(
      'POST',
      ground.notificationPath,
      notification({ notificationType: 'SUBSCRIBED', signedDate: now, transaction }),
    );
    plant('personal', 'an attribute', VALUE);
    plant('personal', 'the property of an event', PROPERTY);
    plant('personal', 'the email of a customer', CUSTOMER_EMAIL);
  }

  it('were all taken by the product, or made by it', () => {
    for (const { what, text } of canaries) expect(text, what).to.have.length.above(8).and.not.equal('undefined');
    expect(canaries).to.have.length.above(15);
    expect(receiver.seen.map(({ headers }) => headers['authorization'])).to.include(`Bearer ${HEADER}`);
  });

  it('are in no log line', () => expectNone([{ where: 'the log', text: lines.join('') }], ['secret', 'personal']));

  it('are in no metric and no report of health', async () => {
    const url = harness.service().metricsUrl ?? '';
    const texts = ['/metrics', '/healthz'].map(async (where) => ({
      where,
      text: await (await fetch(url + where)).text(),
    }));
    expectNone(await Promise.all(texts), ['secret', 'personal']);
  });

  it('are in no refusal: it names what was wrong, and not what was sent', () => {
    expect(refusals).to.have.length.above(7);
    expectNone(refusals, ['secret']);
  });

  it('are in no later response', async () => {
    const answered: WrittenText[] = [];
    for (const route of routes.filter(({ method, path }) => method === 'get' && !path.endsWith('/live'))) {
      const path = pathOf(route, { ...ground, appUserId: WHO });
      for (const as of [
        { token: ground.token, headers: { 'x-project-id': ground.projectId } },
        { key: ground.secretKey },
      ]) {
        const response = await harness.call('GET', path, undefined, as);
        answered.push({ where: nameOf(route), text: textOf(response) });
      }
    }
    expect(
      answered.filter(({ text }) => text.includes(VALUE)),
      'an attribute, where it belongs',
    ).to.not.deep.equal([]);
    expectNone(answered, ['secret']);
  });

  it('are in no export and no table, and their sealed fields not in clear', async () => {
    const [dump, tables] = [join(folder, 'dump.gz'), join(folder, 'tables')];
    let printed = '';
    await harness.restart(async () => void (printed = await command('export', dump)));
    const text = gunzipSync(readFileSync(dump)).toString();
    expect(text, 'events of the customer').to.contain('CustomerAttributesUpdated');
    printed += await command('export-facts', tables, '--format', 'csv');
    printed += await command('doctor');
    printed += await command('parked');
    const written = [
      { where: 'the export', text },
      { where: 'what commands print', text: printed },
      ...filesIn(tables),
    ];
    expectNone(written, ['secret', 'personal']);
  });

  it('are in no file and no backup, but for what read models show', async () => {
    const copy = join(folder, 'copy');
    await command('backup', copy);
    await harness.restart(async () => {
      const files = [...filesIn(harness.dataDir), ...filesIn(copy)];
      expect(files.map(({ where }) => where)).to.include.members(['log.sqlite', 'documents.sqlite', 'master.key']);
      expectNone(files, ['secret']);
      expectNone(
        files.filter(({ where }) => where.startsWith('log.')),
        ['secret', 'personal'],
      );
    });
  });

  it('are not in what is printed by a service that cannot start', async () => {
    const DATA_DIR = join(folder, 'nothing');
    const passwords = ['CANARYmongo-1f', 'CANARYevents-2e', 'CANARYshort-3d', 'CANARYring-4c'] as const;
    const [mongo, events, short, ring] = passwords;
    const servers = {
      MONGODB_URL: `mongodb://user:${mongo}@127.0.0.1:9/db`,
      EVENTSTORE_URL: `esdb://admin:${events}@127.0.0.1:9?tls=false`,
    };
    const keys = {
      MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
      JWT_SECRET: `${short} and enough of it to be one`,
    };
    for (const env of [
      { DATA_DIR, JWT_SECRET: short, MASTER_KEY: ring },
      { DATA_DIR, MONGODB_URL: `mongo://user:${mongo}@h`, EVENTSTORE_URL: `es://admin:${events}@h` },
    ]) {
      const { code, stdout, stderr } = await subledger(['serve'], env);
      expect(code, stderr).to.equal(78);
      for (const password of passwords) expect(stdout + stderr).to.not.contain(password);
    }
    const examined = await subledger(['doctor'], { ...keys, ...servers, DATA_DIR });
    expect(examined.code).to.equal(1);
    for (const password of passwords) expect(examined.stdout + examined.stderr).to.not.contain(password);
  });
});
