// Watched figures, from outside: the band of a day, opting in, and a day that leaves its band, recorded once.
import { expect } from 'chai';
import { pino } from 'pino';
import { compareFigures } from '../../../src/workers/charts/figures.js';
import { createManualClock } from '../support/manual-clock.js';
import { readStream } from '../../../src/adapters/event-log/port.js';
import { streams } from '../../../src/domain/streams.js';
import { setUpProject, startHarness, type Harness, type Json, type Slice } from '../support/harness.js';
import { expectRefusal } from '../support/refusal.js';
import { newMember, PASSWORD } from '../support/team.js';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A Tuesday. */
const LAST = Date.parse('2026-11-24T00:00:00.000Z');
const USUAL = 24;

describe('figures that leave their usual band', () => {
  const clock = createManualClock(LAST - 13 * 7 * DAY_MS);
  let harness: Harness;
  let slice: Slice;
  let support = '';
  before(async () => {
    harness = await startHarness({}, clock.runtime);
    slice = await setUpProject(harness);
    support = (await newMember(harness.call, slice.projectId, slice.token, 'support')).email;
    for (let week = 12; week >= 1; week--) await arrive(LAST - week * 7 * DAY_MS, USUAL);
    await arrive(LAST, 2);
    const create = async (name: string, settings: object) => {
      const body = { name, url: 'https://hooks.example.com/', enabled: false, ...settings };
      const { status, body: made } = await harness.call('POST', project('/webhooks'), body, as());
      expect(status, JSON.stringify(made)).to.equal(201);
      hooks[name] = made.id;
    };
    await create('all', {});
    await create('snake', { payloadFormat: 'snake_case', eventTypes: ['FIGURE_OUT_OF_BAND'] });
    await create('others', { eventTypes: ['RENEWAL'] });
    await create('revenuecat', { payloadFormat: 'revenuecat' });
    await create('sandbox', { environment: 'sandbox' });
  });
  after(() => harness.stop());

  const hooks: Record<string, string> = {};
  const project = (path: string) => `/v1/projects/${slice.projectId}${path}`;
  let arrivals = 0;
  const as = () => ({ key: slice.secretKey });
  const arrive = async (dayMs: number, count: number) => {
    clock.set(dayMs + 12 * HOUR_MS);
    const names = Array.from({ length: count }, () => `customer-${++arrivals}`);
    for (const name of names) await harness.call('POST', `/v1/subscribers/${name}`, {}, as());
    await harness.service().idle();
  };
  const chart = (chartId: string) => `/v1/projects/${slice.projectId}/metrics/charts/${chartId}`;
  const band = async (chartId = 'customers_new') =>
    (await harness.call('GET', `${chart(chartId)}/band`, undefined, as())).body;
  const watch = (isWatched: boolean, chartId = 'customers_new', by = as()) =>
    harness.call('PUT', `${chart(chartId)}/watch`, { isWatched }, by);
  const compare = async (compared = new Set<string>()) => {
    const { deps, readModels, progress, chartLedger } = harness.service().services;
    const sources = { readModels, chartLedger, deps, progress, logger: pino({ level: 'silent' }) };
    await compareFigures(sources, compared, new AbortController().signal);
    await harness.service().idle();
    return compared;
  };
  const found = async () => {
    const events: Json[] = [];
    for await (const event of readStream(harness.service().services.deps.log, streams.project(slice.projectId)))
      if (event.type === 'FigureLeftBand') events.push(event.data);
    return events;
  };

  /** The messages about figures of a webhook, newest first. */
  const messagesOf = async (hook: string, who: object = as()) => {
    const path = project(`/webhooks/${hooks[hook] ?? ''}/deliveries`);
    const { items } = (await harness.call('GET', `${path}?limit=100`, undefined, as())).body;
    const ids = items.filter(({ type }: Json) => type === 'FIGURE_OUT_OF_BAND').map(({ id }: Json) => id);
    const read = async (id: string) => (await harness.call('GET', `${path}/${id}`, undefined, who)).body.body as string;
    return Promise.all(ids.map(async (id: string) => JSON.parse(await read(id)).event));
  };

  it('have no band before the day is complete, lateness included', async () => {
    clock.set(LAST + DAY_MS + 5 * HOUR_MS);
    expect((await band()).day).to.equal('2026-11-23');
    clock.set(LAST + DAY_MS + 6 * HOUR_MS);
    expect((await band()).day).to.equal('2026-11-24');
  });

  it('are explained before anybody watches them', async () => {
    const body = await band();
    expect(body).to.include({ object: 'usualBand', isWatched: false, value: 2, verdict: 'low', unit: 'count' });
    // 24 ± 4 × √24, as all days are alike.
    expect(body.band).to.deep.equal({ low: 4.4, high: 43.6, median: 24, spread: 4.9, days: 12, usualCount: 24 });
    expect(body.earlier).to.have.length(12);
    expect(body.earlier[0]).to.deep.equal({ day: '2026-11-17', value: USUAL });
    expect(body.sentence).to.equal(
      'New customers on Tuesday 2026-11-24 was 2, lower than usual: by the last 12 Tuesdays, usual are 4.4 to 43.6 (median 24).',
    );
    const { body: whole } = await harness.call(
      'GET',
      `${chart('customers_new')}?period=2026-11-24..2026-11-24&interval=day`,
      undefined,
      as(),
    );
    expect(whole.buckets[0].values.new_customers).to.equal(body.value);
  });

  it('are recorded only when they are watched', async () => {
    await compare();
    expect(await found()).to.deep.equal([]);
    expectRefusal(await watch(true, 'mrr'), 400);
    expectRefusal(await watch(true, 'nothing'), 404);
    expect((await harness.call('GET', `${chart('refund_rate')}/band`, undefined, as())).body.message).to.contain(
      'revenue',
    );
    const watched = await watch(true);
    expect(watched.status).to.equal(200);
    expect(watched.body).to.include({ isWatched: true });
    expect((await watch(true)).body).to.include({ isWatched: true });
    await compare();
    const [event, ...others] = await found();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      chartId: 'customers_new',
      measure: 'new_customers',
      day: '2026-11-24',
      side: 'low',
    });
    expect(event.figure).to.deep.equal({ value: 2, low: 4.4, high: 43.6, median: 24, spread: 4.9 });
  });

  it('are recorded once, whatever is repeated, restarted or known later', async () => {
    await compare(await compare());
    await harness.restart();
    await compare();
    for (const isWatched of [false, true]) {
      const changed = await watch(isWatched);
      expect([changed.status, changed.body.isWatched], JSON.stringify(changed.body)).to.deep.equal([200, isWatched]);
    }
    await compare();
    expect(await found()).to.have.length(1);
  });

  it('are sent to the webhooks of the kind, once, and without amounts to those who may not see any', async () => {
    const [message, ...others] = await messagesOf('all');
    expect(others).to.deep.equal([]);
    const figure = { value: 2, low: 4.4, high: 43.6, median: 24, spread: 4.9 };
    expect(message).to.deep.include({ type: 'FIGURE_OUT_OF_BAND', projectId: slice.projectId, figure, days: 12 });
    expect(message).to.include({ chartId: 'customers_new', measure: 'new_customers', unit: 'count' });
    expect(message).to.include({ day: '2026-11-24', side: 'low', sentence: (await band()).sentence });
    const [snake] = await messagesOf('snake');
    expect(snake).to.deep.include({ chart_id: 'customers_new', figure });
    for (const hook of ['others', 'revenuecat', 'sandbox']) expect(await messagesOf(hook), hook).to.deep.equal([]);
    const login = { email: support, password: PASSWORD };
    const { accessToken } = (await harness.call('POST', '/auth/login', login)).body;
    const [narrow] = await messagesOf('all', { token: accessToken });
    expect(narrow).to.include({ day: '2026-11-24', side: 'low' });
    expect(narrow).to.not.have.any.keys('figure', 'sentence');
  });

  it('are compared on the last complete day only, and not while nobody watches', async () => {
    // Two weeks later: the Tuesday between is not made up for.
    await arrive(LAST + 7 * DAY_MS, 2);
    await arrive(LAST + 14 * DAY_MS, 60);
    clock.set(LAST + 15 * DAY_MS + 6 * HOUR_MS);
    await compare();
    expect((await found()).map(({ day, side }) => `${day} ${side}`)).to.deep.equal([
      '2026-11-24 low',
      '2026-12-08 high',
    ]);
    await watch(false);
    await arrive(LAST + 21 * DAY_MS, 60);
    clock.set(LAST + 22 * DAY_MS + 6 * HOUR_MS);
    await compare();
    expect(await found()).to.have.length(2);
  });

  it('that are small or young have no band', async () => {
    expect(await band('revenue')).to.include({ verdict: 'too_small', band: null });
    const young = await setUpProject(harness);
    const path = `/v1/projects/${young.projectId}/metrics/charts/customers_new/band`;
    const { body } = await harness.call('GET', path, undefined, { key: young.secretKey });
    expect(body).to.include({ verdict: 'too_few_days', band: null });
    expect(body.sentence).to.contain('no usual band yet');
    const foreign = await harness.call('GET', `${chart('customers_new')}/band`, undefined, { key: young.secretKey });
    expectRefusal(foreign, 403);
  });

  it('are in the audit, when somebody turned the watch on or off', async () => {
    const path = `/v1/projects/${slice.projectId}/audit?limit=100`;
    const { items } = (await harness.call('GET', path, undefined, as())).body;
    const own = items.filter(({ target }: Json) => target?.kind === 'chart').map(({ action }: Json) => action);
    expect(own).to.deep.equal([
      ...['FigureWatchStopped', 'FigureWatchStarted', 'FigureWatchStopped', 'FigureWatchStarted'],
    ]);
  });
});
