// Paywalls: kept as drafts, published one of an offering.
import { expect } from 'chai';
import { walk } from '../support/pages.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const PAYWALL = [
  ...['object', 'id', 'offeringId', 'name', 'status', 'config', 'defaultLocale', 'localizations', 'revision'],
  ...['publishedAt', 'createdAt', 'updatedAt'],
];

describe('paywalls', () => {
  const { harness, slice, as } = setUpService({}, tickingClock());
  let base: string;
  let offeringId: string;
  let drawn = 0;
  before(async () => {
    base = `/v1/projects/${slice.projectId}`;
  });
  beforeEach(async () => {
    offeringId = (await post('/offerings', { lookupKey: `o${drawn++}`, displayName: 'O' })).body.id;
  });

  const get = (path: string) => harness.call('GET', `${base}${path}`, undefined, as);
  const post = (path: string, body: object) => harness.call('POST', `${base}${path}`, body, as);
  const patch = (id: string, body: object) => harness.call('PATCH', `${base}/paywalls/${id}`, body, as);
  const remove = (id: string) => harness.call('DELETE', `${base}/paywalls/${id}`, undefined, as);
  const fields = (more: object = {}) => ({ name: 'Winter', offeringId, config: { layout: 'cards' }, ...more });
  const make = async (more: object = {}) => (await post('/paywalls', fields(more))).body;
  const read = async (id: string) => (await get(`/paywalls/${id}`)).body;

  it('are made as drafts and read as they were answered', async () => {
    const { status, body } = await post('/paywalls', fields());
    expect(status).to.equal(201);
    expect(body).to.have.all.keys(PAYWALL);
    expect(body).to.deep.include({ object: 'paywall', offeringId, name: 'Winter', status: 'draft', revision: 1 });
    expect(body).to.deep.include({ config: { layout: 'cards' }, defaultLocale: 'en', localizations: {} });
    expect([body.publishedAt, body.id.slice(0, 3)]).to.deep.equal([null, 'pw_']);
    expect(await read(body.id)).to.deep.equal(body);
  });

  it('count the changes of their configuration', async () => {
    const { id } = await make();
    const localizations = { de: { title: 'Mehr' }, 'pt-BR': {} };
    const changed = await patch(id, { name: 'Spring', localizations, defaultLocale: 'de' });
    expect(changed.status).to.equal(200);
    expect(changed.body).to.deep.include({ name: 'Spring', localizations, defaultLocale: 'de', revision: 1 });
    expect((await patch(id, { config: { layout: 'list' } })).body).to.deep.include({ revision: 2 });
    expect((await patch(id, { config: { layout: 'list' } })).body).to.deep.include({ revision: 2 });
  });

  it('unpublish the former when they are published', async () => {
    const first = await make({ status: 'published' });
    expect(first.publishedAt).to.equal(first.createdAt);
    const second = await make();
    const elsewhere = (await post('/offerings', { lookupKey: `o${drawn++}`, displayName: 'O' })).body.id;
    const third = await make({ status: 'published', offeringId: elsewhere });
    const { body } = await patch(second.id, { status: 'published' });
    expect(body.status).to.equal('published');
    expect(body.publishedAt).to.equal(body.updatedAt);
    expect(await read(first.id)).to.include({ status: 'draft', publishedAt: null });
    expect(await read(third.id)).to.include({ status: 'published' });
    await patch(third.id, { offeringId });
    expect(await read(second.id)).to.include({ status: 'draft' });
    expect(await read(third.id)).to.include({ status: 'published', offeringId, publishedAt: third.publishedAt });
  });

  it('are deleted, and not found again', async () => {
    const { id } = await make();
    const response = await remove(id);
    expect([response.status, response.body]).to.deep.equal([200, { object: 'paywall', id, deleted: true }]);
    expectRefusal(await get(`/paywalls/${id}`), 404);
    await expectRefused(harness, () => remove(id), 404);
    await expectRefused(harness, () => patch(id, { name: 'x' }), 404);
  });

  const nested = (levels: number) => Array.from({ length: levels }).reduce<object>((inner) => ({ inner }), {});
  const refused: readonly [string, object][] = [
    ['an offering of nobody', { offeringId: `ofr_${'0'.repeat(26)}` }],
    ['no configuration', { config: undefined }],
    ['a configuration that is a list', { config: [] }],
    ['a configuration that is null', { config: null }],
    ['a configuration above 256 KiB', { config: { a: 'x'.repeat(256 * 1024) } }],
    ['a configuration of 11 levels', { config: nested(10) }],
    ['a configuration of 2,001 values', { config: { a: Array.from({ length: 2000 }, () => 1) } }],
    ['localizations above 256 KiB', { localizations: { de: { a: 'x'.repeat(256 * 1024) } } }],
    ['a localization that is a text', { localizations: { de: 'Mehr' } }],
    ['a locale that is none', { localizations: { 'a language': {} } }],
    ['a default locale that is none', { defaultLocale: '' }],
    ['a status that is none', { status: 'live' }],
    ['no name', { name: '' }],
    ['a field that is none', { colour: 'red' }],
  ];
  for (const [what, more] of refused) {
    it(`are refused with ${what}`, () => expectRefused(harness, () => post('/paywalls', fields(more)), 400));
  }

  it('take a configuration of almost 256 KiB', async () => {
    const config = { a: 'x'.repeat(256 * 1024 - 100) };
    const { id } = await make({ config, localizations: { de: config } });
    expect((await read(id)).config).to.deep.equal(config);
  });

  it('are listed newest first, page by page', async () => {
    for (let i = 0; i < 15; i++) await make();
    const ids: readonly string[] = (await get('/paywalls?limit=100')).body.items.map((p: { id: string }) => p.id);
    expect(ids.length).to.be.above(14);
    expect(ids).to.deep.equal([...ids].sort().reverse());
    expect(await walk(harness, `${base}/paywalls?limit=7`, as, () => make())).to.deep.equal(ids);
    expectRefusal(await get('/paywalls?limit=0'), 400);
  });

  it('end a page early when they are large, and leave none out', async () => {
    const config = { a: 'x'.repeat(255 * 1024) };
    for (let i = 0; i < 21; i++) await make({ config });
    const { body } = await get('/paywalls?limit=50');
    expect(body.items.length).to.be.within(16, 20);
    expect(body.nextPage).to.include('limit=50');
    const ids = await walk(harness, `${base}/paywalls?limit=50`, as);
    expect(ids).to.deep.equal(await walk(harness, `${base}/paywalls?limit=1`, as));
  });
});
