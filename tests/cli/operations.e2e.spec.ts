// Commands of an operator: diagnosis, retries of parked events, key rotation, password resets.
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataKeyCollection } from '../../src/adapters/keys/vault.js';
import { parkedEventCollection } from '../../src/commands/handling/parked-events.js';
import { setUpProject, startHarness } from '../http/support/harness.js';
import { eventsOf } from '../commands/support/memory-deps.js';
import { setUpHarness } from '../http/support/setup.js';
import { subledger } from './command-line.js';

describe('operations in addition to the running service', function () {
  this.timeout(120_000);
  const harness = setUpHarness();
  let env: Record<string, string>;
  before(async () => {
    await setUpProject(harness);
    await harness.service().idle();
    env = { DATA_DIR: harness.dataDir };
  });

  const { name: c } = parkedEventCollection;
  /** An event that the log holds, as if this reaction had failed on it. */
  const park = async (reaction: string) => {
    const { log, docs } = harness.service().services.deps;
    const [event] = await eventsOf(log);
    if (!event) throw new Error('the log is empty');
    const { id: eventId, stream, position } = event;
    const id = `${reaction}|${eventId}`;
    const expect = (await docs.get(c, [id])).get(id)?.guard ?? null;
    const doc = { reaction, position, eventId, stream, error: 'Error: broken\n    at a line', askedAt: '' };
    await docs.write([[{ c, id, expect, guard: String(Number(expect ?? 0) + 1), doc }]]);
    return { id, eventId };
  };
  const doctor = async () => {
    const { code, stdout, stderr } = await subledger(['doctor', '--json'], env);
    const { checks }: { checks: { name: string; state: string; detail: string }[] } = JSON.parse(stdout || '{}');
    return { code, stderr, states: Object.fromEntries(checks.map(({ name, state }) => [name, state])), checks };
  };

  it('doctor reports which server cannot be reached', async () => {
    const [EVENTSTORE_URL, MONGODB_URL] = ['esdb://127.0.0.1:9?tls=false', 'mongodb://127.0.0.1:9'];
    const secrets = {
      MASTER_KEY: randomBytes(32).toString('base64'),
      JWT_SECRET: 'a secret that only the tests know of',
    };
    const ended = await subledger(['doctor'], { EVENTSTORE_URL, MONGODB_URL, ...secrets });
    expect([ended.code, ended.stderr]).to.deep.equal([1, '']);
    expect(ended.stdout).to.match(/^ok {7}configuration: .*\nPROBLEM {2}connections: EventStoreDB cannot be reached: /);
  });

  it('doctor finds a sound installation sound', async () => {
    const { code, stderr, states } = await doctor();
    expect([code, stderr]).to.deep.equal([0, '']);
    const sound = [
      'configuration',
      'event log',
      'documents',
      'service',
      'key ring',
      'clock',
      'lag',
      'parked',
      'halted',
    ];
    expect(Object.keys(states)).to.include.members([...sound, 'deliveries', 'disk']);
    for (const name of sound) expect(states[name], name).to.equal('ok');
    const report = await subledger(['doctor'], env);
    expect(report.stdout).to.match(/^ok {7}key ring: \d+ data keys checked, 0 wrapped with an older key than k1$/m);
  });

  it('parked lists an event, retry has the service handle it', async () => {
    expect((await subledger(['parked'], env)).stdout).to.equal('Nothing is parked.\n');
    const { id, eventId } = await park('ownership');
    expect((await subledger(['parked'], env)).stdout).to.equal(`event ${id}: Error: broken\n`);
    const examined = await doctor();
    expect([examined.code, examined.states['parked']]).to.deep.equal([1, 'problem']);
    const { code, stdout, stderr } = await subledger(['parked', 'retry', eventId, '--json'], env);
    expect(code, stderr).to.equal(0);
    expect(JSON.parse(stdout).events).to.deep.equal({ tried: 1, left: 0 });
    expect((await subledger(['parked', '--json'], env)).stdout).to.contain('"events": []');
  });

  it('retry ends with 1 for what stays parked, and for what is not parked at all', async () => {
    const { id } = await park('nobody');
    const failed = await subledger(['parked', 'retry'], env);
    expect(failed).to.include({ code: 1, stderr: '' });
    expect(failed.stdout).to.contain('1 events retried, 1 still parked');
    expect((await subledger(['parked'], env)).stdout).to.contain(
      `event ${id}: Error: this version has no reaction named`,
    );
    const unknown = await subledger(['parked', 'retry', 'none'], env);
    expect(unknown).to.include({ code: 1, stdout: '' });
    expect(unknown.stderr).to.contain('no parked event or document has the ID none');
  });

  it('reset-password gives one that works at once and ends what went before', async () => {
    const credentials = { email: 'lost@example.com', password: 'correct horse battery' };
    const { body } = await harness.call('POST', '/auth/register', credentials);
    const me = () => harness.call('GET', '/auth/me', undefined, { token: body.accessToken });
    expect((await me()).status).to.equal(200);
    const { code, stdout, stderr } = await subledger(['user', 'reset-password', 'LOST@example.com', '--json'], env);
    expect(code, stderr).to.equal(0);
    const { userId, password }: { userId: string; password: string } = JSON.parse(stdout);
    expect(userId).to.equal(body.user.id);
    expect(password).to.match(/^[A-Za-z0-9_-]{20}$/);
    expect((await me()).status).to.equal(401);
    const refreshed = await harness.call('POST', '/auth/refresh', { refreshToken: body.refreshToken });
    expect(refreshed.status).to.equal(401);
    expect((await harness.call('POST', '/auth/login', credentials)).status).to.equal(401);
    expect((await harness.call('POST', '/auth/login', { ...credentials, password })).status).to.equal(200);
    const nobody = await subledger(['user', 'reset-password', 'nobody@example.com'], env);
    expect(nobody).to.include({ code: 1, stderr: 'no user is registered with this email\n' });
  });

  it('export refuses data that a running service changes', async () => {
    const { code, stderr } = await subledger(['export', join(harness.dataDir, 'dump.gz')], env);
    expect(code).to.equal(1);
    expect(stderr).to.match(/^DATA_DIR .+ is in use by another Subledger process .+ Stop it, or set DATA_DIR/);
    expect(readdirSync(harness.dataDir)).not.to.include('dump.gz');
  });

  it('rewrap fails when the service has another key ring than the command', async () => {
    const ring = `k2:${randomBytes(32).toString('base64')},k1:${oldKey()}`;
    const { code, stderr } = await subledger(['keys', 'rewrap'], { ...env, MASTER_KEY: ring });
    expect([code, stderr]).to.deep.equal([
      1,
      'the first key of the running service is k1, not k2; restart it with this MASTER_KEY\n',
    ]);
  });

  const oldKey = () => readFileSync(join(harness.dataDir, 'master.key'), 'utf8').trim();
});

describe('operations on the data of a stopped service', function () {
  this.timeout(120_000);

  it('wrap all keys again, after which the old one decrypts nothing and is not needed', async () => {
    const harness = await startHarness();
    const slice = await setUpProject(harness);
    await harness.service().stop();
    const env = { DATA_DIR: harness.dataDir };
    const [old, fresh] = [
      readFileSync(join(harness.dataDir, 'master.key'), 'utf8').trim(),
      randomBytes(32).toString('base64'),
    ];
    const rewrap = (MASTER_KEY: string) => subledger(['keys', 'rewrap', '--json'], { ...env, MASTER_KEY });
    const first = await rewrap(`k2:${fresh},k1:${old}`);
    expect(first.code, first.stderr).to.equal(0);
    const { key, dataKeys, rewrapped } = JSON.parse(first.stdout);
    expect([key, rewrapped]).to.deep.equal(['k2', dataKeys]);
    expect(dataKeys).to.be.above(2);
    expect(JSON.parse((await rewrap(`k2:${fresh},k1:${old}`)).stdout).rewrapped).to.equal(0);
    expect((await subledger(['doctor'], env)).code).to.equal(78);
    const examined = await subledger(['doctor'], { ...env, MASTER_KEY: `k2:${fresh}` });
    expect(examined.code, examined.stderr).to.equal(0);
    expect(examined.stdout).to.match(/^warning {2}service: not running$/m);
    const again = await startHarness({ DATA_DIR: harness.dataDir, MASTER_KEY: `k2:${fresh}` });
    const { docs } = again.service().services.deps;
    const { rows } = await docs.scan(dataKeyCollection.name, { index: 'id', eq: [], limit: 100 });
    expect(rows.every(({ doc }) => String(doc['wrapped']).startsWith('v1.k2.'))).to.equal(true);
    const url = `/v1/projects/${slice.projectId}/apps`;
    expect((await again.call('GET', url, undefined, { key: slice.secretKey })).status).to.equal(200);
    await again.stop();
  });

  it('reset-password gives a password with which the user logs in after the start', async () => {
    const credentials = { email: 'lost@example.com', password: 'correct horse battery' };
    const harness = await startHarness();
    await harness.call('POST', '/auth/register', credentials);
    await harness.service().stop();
    const env = { DATA_DIR: harness.dataDir };
    const { code, stdout, stderr } = await subledger(['user', 'reset-password', credentials.email, '--json'], env);
    expect(code, stderr).to.equal(0);
    const { password }: { password: string } = JSON.parse(stdout);
    const again = await startHarness(env);
    expect((await again.call('POST', '/auth/login', credentials)).status).to.equal(401);
    expect((await again.call('POST', '/auth/login', { ...credentials, password })).status).to.equal(200);
    await again.stop();
  });
});
