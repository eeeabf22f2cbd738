// Segments over HTTP: the largest are shown, all others together as one, and no JSON is longer than it may be.
import { expect } from 'chai';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-06-15T12:00:00.000Z');
const PERIOD = 'startDate=2026-06-01&endDate=2026-06-15&interval=month';

describe('segments of charts', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  let base: string;
  before(async () => {
    base = `/v1/projects/${slice.projectId}/metrics/charts`;
    const platforms = ['ios', 'ios', 'ios', 'web', 'android', 'android', 'tvos'];
    for (const [n, platform] of platforms.entries()) {
      const body = { platform, country: n < 4 ? 'DE' : 'US' };
      const made = await harness.call('POST', `/v1/subscribers/user-${n}`, body, { key: slice.publicKey });
      expect(made.status, JSON.stringify(made.body)).to.be.oneOf([200, 201]);
    }
    clock.set(NOW + 60_000);
    await harness.service().idle();
  });
  const get = (path: string) => harness.call('GET', `${base}/${path}`, undefined, { key: slice.secretKey });
  const csv = async (path: string) => {
    const url = `${harness.service().url ?? ''}${base}/${path}`;
    const response = await fetch(url, { headers: { 'x-api-key': slice.secretKey, accept: 'text/csv' } });
    return (await response.text()).trim().split('\n');
  };
  const customersBy = (segments: Readonly<Record<string, { buckets: { values: Record<string, number> }[] }>>) =>
    Object.entries(segments).map(([value, { buckets }]) => [value, buckets[0]?.values['new_customers']]);

  it('show the largest first, and all others together last', async () => {
    const { body } = await get(`customers_new?${PERIOD}&segment=platform&segmentLimit=2`);
    expect(customersBy(body.segments)).to.deep.equal([
      ['ios', 3],
      ['android', 2],
      ['other', 2],
    ]);
    expect(body.total.buckets[0].values.new_customers).to.equal(7);
  });

  it('show no others where there are none', async () => {
    const { body } = await get(`customers_new?${PERIOD}&segment=country`);
    expect(customersBy(body.segments)).to.deep.equal([
      ['DE', 4],
      ['US', 3],
    ]);
  });

  it('are listed with counts, whatever filter of their own is set', async () => {
    const listed = async (more: string) =>
      (await get(`customers_new/segments?${PERIOD}&segment=platform${more}`)).body.items.map(
        ({ value, name, count }: { value: string; name: string | null; count: number }) => [value, name, count],
      );
    const all = [
      ['ios', null, 3],
      ['android', null, 2],
      ['tvos', null, 1],
      ['web', null, 1],
    ];
    expect(await listed('')).to.deep.equal(all);
    expect(await listed('&filter=platform:ios')).to.deep.equal(all);
    expect(await listed('&filter=country:DE&filter=platform:tvos')).to.deep.equal([
      ['ios', null, 3],
      ['web', null, 1],
    ]);
    expect(await listed(`&asOf=${new Date(NOW).toISOString()}`)).to.deep.equal([]);
  });

  it('are listed for a dimension of the chart alone', async () => {
    for (const query of ['', 'segment=colour', 'segment=store']) {
      const { status, body } = await get(`customers_new/segments?${query}`);
      expect(status, JSON.stringify(body)).to.equal(400);
    }
  });

  it('are the same in a table', async () => {
    const lines = await csv(`customers_new?${PERIOD}&segment=platform&segmentLimit=1`);
    expect(lines[0]).to.equal('segment,start,end,incomplete,new_customers,clipped');
    expect(lines.slice(1).map((line) => [line.split(',')[0], line.split(',')[4]])).to.deep.equal([
      ['ios', '3'],
      ['other', '4'],
    ]);
  });

  it('are those of both sides together where two are compared', async () => {
    // The first instant has no customers, so all segments are of the second.
    const then = new Date(NOW).toISOString();
    const { status, body } = await get(
      `customers_new/compare?${PERIOD}&segment=platform&segmentLimit=1&thenAsOf=${then}`,
    );
    expect(status, JSON.stringify(body)).to.equal(200);
    const found = Object.entries(body.segments as Record<string, { buckets: { values: object }[] }>);
    expect(found.map(([value]) => value)).to.deep.equal(['ios', 'other']);
    expect(found.map(([, { buckets }]) => buckets[0]?.values)).to.have.nested.property(
      '[1].new_customers.difference',
      4,
    );
  });

  for (const [limit, message] of [
    ['0', /at least 1$/],
    ['1001', /at most 1000$/],
    ['ten', /number/],
  ] as const) {
    it(`are refused with segmentLimit=${limit}`, async () => {
      const { status, body } = await get(`customers_new?${PERIOD}&segment=platform&segmentLimit=${limit}`);
      expect(status).to.equal(400);
      expect(body.message).to.match(message);
    });
  }

  const LONG = 'startDate=2023-07-01&endDate=2026-06-30';

  it('have no JSON of more than 250,000 values: the error states what fits', async () => {
    const asked = `cohort_explorer?${LONG}&segment=platform`;
    const { status, body } = await get(`${asked}&interval=day`);
    expect(status).to.equal(400);
    expect(body.message).to.match(
      /^this chart has [\d,]+ values, but JSON is limited to 250,000: use interval=week, or /,
    );
    expect((await get(`${asked}&interval=week`)).status).to.equal(200);
    const compared = `cohort_explorer/compare?${LONG}&segment=platform&thenAsOf=2026-06-15T12:00:00.000Z`;
    expect((await get(`${compared}&interval=day`)).status).to.equal(400);
  });

  it('fit with as many segments as the refusal names', async () => {
    const asked = 'cohort_explorer?startDate=2025-07-01&endDate=2026-06-30&interval=day&segment=platform';
    const { status, body } = await get(asked);
    expect(status).to.equal(400);
    const [, limit] = /segmentLimit=(\d+)/.exec(body.message) ?? [];
    expect((await get(`${asked}&segmentLimit=${limit}`)).status).to.equal(200);
    expect((await get(`${asked}&segmentLimit=${Number(limit) + 1}`)).status).to.equal(400);
  });

  it('come as a table of any length', async () => {
    const lines = await csv(`cohort_explorer?${LONG}&interval=day&segment=platform&segmentLimit=2`);
    const values = new Set(lines.slice(1).map((line) => line.split(',')[0]));
    expect([...values]).to.deep.equal(['ios', 'android', 'other']);
  }).timeout(120_000);
});
