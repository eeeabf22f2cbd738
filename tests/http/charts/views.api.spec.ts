// Saved chart views: private to a member, or shared with the project.
import { expect } from 'chai';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';
import { newMember } from '../support/team.js';

describe('saved chart views', () => {
  const { harness, slice } = setUpServiceWithFreshProjects();

  const base = () => `/v1/projects/${slice.projectId}/views`;
  const as = () => ({ token: slice.token });
  const ask = (method: string, path = '', body?: object) => harness.call(method, `${base()}${path}`, body, as());
  const save = (query: object, name = 'One') => ask('POST', '', { name, query });

  it('hold a query that the chart takes as it is', async () => {
    const query = { chartId: 'conversion_to_paying', period: 'last_90_days', conversionTimeframe: 'unbounded' };
    const { status, body } = await save({ ...query, filter: ['store:ios-store'] });
    expect(status).to.equal(201);
    expect(body.query).to.deep.include({ ...query, filter: ['store:ios-store'], environment: 'production' });
    expect((await ask('GET')).body.items).to.deep.equal([body]);
    const { chartId, ...parameters } = body.query as Record<string, string>;
    const path = `/v1/projects/${slice.projectId}/metrics/charts/${chartId}?${new URLSearchParams(parameters).toString()}`;
    expect((await harness.call('GET', path, undefined, as())).status).to.equal(200);
  });

  it('may be of all time', async () =>
    expect((await save({ chartId: 'mrr', period: 'all_time' })).status).to.equal(201));

  it('are listed newest first, in pages, and deleted one by one', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await save({ chartId: 'mrr' }, name)).body.id);
    expect(await walk(harness, `${base()}?limit=2`, as())).to.deep.equal(ids);
    const [newest = '', ...others] = ids;
    expect((await ask('DELETE', `/${newest}`)).body).to.deep.equal({ object: 'view', id: newest, deleted: true });
    expectRefusal(await ask('DELETE', `/${newest}`), 404);
    expect(await walk(harness, base(), as())).to.deep.equal(others);
  });

  it('are a hundred at most', async () => {
    for (let i = 0; i < 100; i++) expect((await save({ chartId: 'mrr' })).status).to.equal(201);
    expectRefusal(await save({ chartId: 'mrr' }), 409);
  });

  for (const [what, query] of [
    ['no chart', {}],
    ['an unknown chart', { chartId: 'wealth' }],
    ['an unknown parameter', { chartId: 'mrr', colour: 'red' }],
    ['an unknown interval', { chartId: 'mrr', interval: 'hour' }],
    ['days in the wrong order', { chartId: 'mrr', startDate: '2026-02-01', endDate: '2026-01-01' }],
    ['too many filters', { chartId: 'mrr', filter: Array.from({ length: 20 }, () => `productId:${'x'.repeat(1900)}`) }],
  ] as const) {
    it(`are refused with ${what}`, async () => expectRefusal(await save(query), 400));
  }

  it('are refused with another field or without a name', async () => {
    expectRefusal(await ask('POST', '', { name: 'One', query: { chartId: 'mrr' }, shared: true }), 400);
    for (const pageQuery of ['a b', 'ü', 'x'.repeat(2049)]) {
      expectRefusal(await ask('POST', '', { name: 'One', query: { chartId: 'mrr' }, pageQuery }), 400);
    }
    expectRefusal(await ask('POST', '', { name: '', query: { chartId: 'mrr' } }), 400);
    expectRefusal(await ask('GET', '?startingAfter=view_x'), 400);
  });

  const PAGE_QUERY =
    'period=last_12_months&segment=country&show=more&measure=mrr&previous=year&filter=store%3Aios-store';
  const seen = { chartId: 'mrr', period: 'last_12_months', segment: 'country', previous: 'year', measure: 'mrr' };
  const share = (o: object = {}) =>
    ask('POST', '', { name: 'MRR by country', query: seen, pageQuery: PAGE_QUERY, isShared: true, ...o });
  const join = (role: 'admin' | 'analyst' | 'viewer' | 'support') =>
    newMember((...request) => harness.call(...request), slice.projectId, slice.token, role);
  const listOf = async (token: string) => (await harness.call('GET', base(), undefined, { token })).body.items;

  it('store what was seen, and a second member opens the same', async () => {
    const { status, body } = await share();
    expect(status).to.equal(201);
    expect(body).to.include({ pageQuery: PAGE_QUERY, isShared: true, isOnOverview: false, isOwn: true });
    await share({ name: 'Mine', isShared: false });
    const viewer = await join('viewer');
    const [theirs, ...others] = await listOf(viewer.token);
    expect(others).to.deep.equal([]);
    expect(theirs).to.deep.equal({ ...body, isOwn: false });
    const { chartId, ...parameters } = theirs.query as Record<string, string>;
    const path = `/v1/projects/${slice.projectId}/metrics/charts/${chartId}?${new URLSearchParams(parameters).toString()}`;
    const [mine, seenByViewer] = [
      await harness.call('GET', path, undefined, as()),
      await harness.call('GET', path, undefined, { token: viewer.token }),
    ];
    expect(seenByViewer.status).to.equal(200);
    expect(seenByViewer.body.buckets).to.deep.equal(mine.body.buckets);
    const support = await join('support');
    expectRefusal(await harness.call('GET', base(), undefined, { token: support.token }), 403);
  });

  it('are renamed, shared, put on the overview and made private again', async () => {
    const { body } = await share({ isShared: false });
    const viewer = await join('viewer');
    const change = (o: object) => ask('PATCH', `/${body.id}`, o);
    expect((await change({ name: 'Renamed' })).body).to.deep.equal({ ...body, name: 'Renamed' });
    expect(await listOf(viewer.token)).to.deep.equal([]);
    const shared = await change({ isShared: true, isOnOverview: true });
    expect(shared.body).to.deep.equal({ ...body, name: 'Renamed', isShared: true, isOnOverview: true });
    expect(await listOf(viewer.token)).to.deep.equal([{ ...shared.body, isOwn: false }]);
    expect(await listOf(slice.token)).to.deep.equal([shared.body]);
    await change({ isShared: false });
    expect(await listOf(viewer.token)).to.deep.equal([]);
    expect(await listOf(slice.token)).to.have.length(1);
    expectRefusal(await change({ query: { chartId: 'mrr' } }), 400);
    expectRefusal(await ask('PATCH', '/view_unknown', { name: 'x' }), 404);
  });

  it('are changed by their author, an owner or an admin alone', async () => {
    const analyst = await join('analyst');
    const { body } = await harness.call(
      'POST',
      base(),
      { name: 'A', query: seen, isShared: true },
      { token: analyst.token },
    );
    const path = `${base()}/${body.id}`;
    const [other, viewer, admin] = [await join('analyst'), await join('viewer'), await join('admin')];
    for (const by of [other, viewer]) {
      expectRefusal(await harness.call('PATCH', path, { name: 'B' }, { token: by.token }), 403);
      expectRefusal(await harness.call('DELETE', path, undefined, { token: by.token }), 403);
    }
    const byAdmin = await harness.call('PATCH', path, { name: 'B', isShared: false }, { token: admin.token });
    expect(byAdmin.body).to.include({ name: 'B', isOwn: false, isShared: false });
    expect(await listOf(admin.token)).to.deep.equal([]);
    const [own] = await listOf(analyst.token);
    expect(own).to.include({ name: 'B', isOwn: true });
    // A private view of another member does not exist for anyone else.
    expectRefusal(await harness.call('PATCH', path, { name: 'C' }, { token: admin.token }), 404);
    expectRefusal(await harness.call('DELETE', path, undefined, as()), 404);
    const saved = await harness.call('POST', base(), { name: 'V', query: seen }, { token: viewer.token });
    expect(saved.status).to.equal(201);
    const sharing = await harness.call(
      'PATCH',
      `${base()}/${saved.body.id}`,
      { isShared: true },
      { token: viewer.token },
    );
    expectRefusal(sharing, 403);
    const shared = { name: 'V', query: seen, isShared: true };
    expectRefusal(await harness.call('POST', base(), shared, { token: viewer.token }), 403);
  });

  it('of a former version are private, without a page', async () => {
    const { body } = await share({ isShared: false });
    const { docs } = harness.service().services.deps;
    const { rows } = await docs.scan('chart_views', { index: 'id', eq: [], limit: 100 });
    const row = rows.find(({ doc }) => JSON.stringify(doc).includes(body.id));
    const { views, ...member } = row?.doc as { views: { viewId: string }[]; projectId: string; userId: string };
    const old = views.map((view) => {
      const { pageQuery: _p, isOnOverview: _o, authorId: _a, ...former } = view as Record<string, unknown>;
      return former;
    });
    const write = {
      c: 'chart_views',
      id: row?.id ?? '',
      expect: row?.guard ?? null,
      guard: '99',
      doc: { ...member, views: old } as never,
    };
    await docs.write([[write]]);
    expect(await listOf(slice.token)).to.deep.equal([{ ...body, pageQuery: '' }]);
    expect((await ask('PATCH', `/${body.id}`, { isShared: true })).body).to.include({ isShared: true, isOwn: true });
  });
});
