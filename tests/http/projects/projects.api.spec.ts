// Projects and their API keys.
import { expect } from 'chai';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const PROJECT = [
  ...[
    'object',
    'id',
    'name',
    'transferBehavior',
    'sandboxAccess',
    'displayCurrency',
    'timezone',
    'role',
    'demo',
    'createdAt',
    'updatedAt',
  ],
];
const KEY = ['object', 'id', 'name', 'kind', 'appId', 'keyPreview', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt'];

describe('projects', () => {
  const { harness, slice, asMember: as } = setUpService({}, tickingClock());

  const create = (body: object) => harness.call('POST', '/v1/projects', body, as);

  it('are made with defaults and read as they were answered', async () => {
    const { status, body } = await create({ name: 'Second' });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(PROJECT);
    expect(body).to.include({ object: 'project', name: 'Second', transferBehavior: 'transfer', role: 'owner' });
    expect(body).to.include({ sandboxAccess: 'anybody', displayCurrency: 'USD', timezone: 'UTC' });
    expect(body.id).to.match(/^proj_[0-9a-z]{26}$/);
    expect((await harness.call('GET', `/v1/projects/${body.id}`, undefined, as)).body).to.deep.equal(body);
  });

  it('are made with settings', async () => {
    const rules = { transferBehavior: 'keep', sandboxAccess: 'nobody' };
    const settings = { ...rules, displayCurrency: 'EUR', timezone: 'Europe/Berlin' };
    const { body } = await create({ name: 'Third', ...settings });
    expect(body).to.include(settings);
  });

  for (const [field, value] of [
    ['name', ''],
    ['name', 'x'.repeat(101)],
    ['timezone', 'Mars/Olympus'],
    ['timezone', 'Europe/Berlin\u0000'],
    ['timezone', `Europe/${'x'.repeat(60)}`],
    ['displayCurrency', 'ABC'],
    ['transferBehavior', 'ask'],
  ]) {
    it(`are refused with ${field} ${JSON.stringify(value?.slice(0, 20))}`, async () =>
      expectRefusal(await create({ name: 'Fourth', [field ?? '']: value }), 400));
  }

  it('are listed once each, newest first, while others are made', async () => {
    for (let i = 0; i < 4; i++) await create({ name: `Project ${i}` });
    const all = await walk(harness, '/v1/projects?limit=100', as);
    expect(all).to.deep.equal([...all].sort().reverse());
    const paged = await walk(harness, '/v1/projects?limit=2', as, () => create({ name: 'Meanwhile' }));
    expect(paged).to.deep.equal(all);
  });

  it('are one to a secret key: its own', async () => {
    expect(await walk(harness, '/v1/projects', { key: slice.secretKey })).to.deep.equal([slice.projectId]);
  });
});

describe('API keys', () => {
  const { harness, slice, asMember: as } = setUpService({}, tickingClock());
  let path: string;
  before(() => {
    path = `/v1/projects/${slice.projectId}/api-keys`;
  });

  const create = (body: object) => harness.call('POST', path, body, as);
  const listed = async () => (await harness.call('GET', path, undefined, as)).body.items;

  it('are secret by default and whole in the creating response only', async () => {
    const { status, body, headers } = await create({ name: 'server' });
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(...KEY, 'key');
    expect(body).to.include({ object: 'apiKey', name: 'server', kind: 'secret', appId: null, expiresAt: null });
    expect(body.scopes).to.deep.equal(['read', 'write', 'support', 'config', 'finance', 'pii']);
    expect(body.key).to.match(/^sk_[0-9A-Za-z]{36}$/);
    expect(body.keyPreview).to.equal(`sk_…${body.key.slice(-4)}`);
    expect(headers.get('cache-control')).to.equal('no-store');
    const { key: _shownOnce, ...rest } = body;
    const [newest] = await listed();
    expect(newest).to.deep.equal(rest);
  });

  it('work at once, and not at all once deleted', async () => {
    const { body } = await create({ name: 'short-lived' });
    const use = () => harness.call('GET', path, undefined, { key: body.key });
    expect((await use()).status).to.equal(200);
    const deleted = await harness.call('DELETE', `${path}/${body.id}`, undefined, as);
    expect([deleted.status, deleted.body]).to.deep.equal([200, { object: 'apiKey', id: body.id, deleted: true }]);
    expectRefusal(await use(), 401);
    expect((await listed()).map((k: { id: string }) => k.id)).not.to.include(body.id);
    expectRefusal(await harness.call('DELETE', `${path}/${body.id}`, undefined, as), 404);
  });

  it('are tied to an app when public', async () => {
    const { body } = await create({ name: 'app', kind: 'public', appId: slice.appId });
    expect(body).to.include({ kind: 'public', appId: slice.appId });
    expect(body.key).to.match(/^pk_[0-9A-Za-z]{36}$/);
  });

  for (const [what, fields] of [
    ['public without an app', { kind: 'public' }],
    ['secret with an app', { kind: 'secret', appId: 'app_x' }],
    ['of an unknown kind', { kind: 'master' }],
    ['with a scope that is none', { scopes: ['admin'] }],
    ['with an empty list of scopes', { scopes: [] }],
    ['with scopes for a public key', { kind: 'public', appId: 'app_x', scopes: ['read'] }],
    ['that have ended already', { expiresAt: '2020-01-01T00:00:00Z' }],
  ] as const) {
    it(`are refused when ${what}`, async () => expectRefusal(await create({ name: 'x', ...fields }), 400));
  }

  it('are listed once each, newest first', async () => {
    for (let i = 0; i < 3; i++) await create({ name: `key ${i}` });
    const all = await walk(harness, `${path}?limit=100`, as);
    expect(all).to.deep.equal([...all].sort().reverse());
    const paged = await walk(harness, `${path}?limit=2`, as, () => create({ name: 'meanwhile' }));
    expect(paged).to.deep.equal(all);
  });
});
