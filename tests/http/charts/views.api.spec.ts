// Saved chart views: of one member in one project.
import { expect } from 'chai';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

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
    expectRefusal(await ask('POST', '', { name: '', query: { chartId: 'mrr' } }), 400);
    expectRefusal(await ask('GET', '?startingAfter=view_x'), 400);
  });
});
