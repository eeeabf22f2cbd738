// Pure functions of the dashboard: changes, compared periods, series, differences of two sides, names of segments and ranges, and headlines.
import { expect } from 'chai';
import { loadDashboard } from './load-dashboard.js';

type Figure = number | null | undefined;
type Point = { value: number | null; start: string };
type Series = { id: string; points: Point[]; before?: (Point | null)[] };
type Previous = {
  changeText(now: Figure, then: Figure, unit: string): string;
  previousNote(data: object): string | null;
};
type SeriesModule = {
  seriesOf(data: object, measure: string): Series[];
  movementOf(chart: object, data: object): Series[];
  bucketName(start: string, interval: string): string;
};
type Headline = { tone: string; status: string; sentence: string };

const bucket = (start: string, values: object) => ({ start, end: start, incomplete: false, values });
const measures = [{ id: 'mrr', name: 'MRR', unit: 'usd' }];

describe('changes of figures on the dashboard', () => {
  for (const [now, then, unit, expected] of [
    [150, 100, 'usd', '+50%'],
    [100, 150, 'eur', '−33.3%'],
    [100, -50, 'usd', '+300%'],
    [0, 0, 'count', '0%'],
    [5, 0, 'count', '–'],
    [null, 5, 'count', '–'],
    [5, undefined, 'count', '–'],
    [12.5, 10, 'percent', '+2.5 points'],
    [1, 3, 'percent', '−2 points'],
    [1000.01, 1000, 'usd', '0%'],
  ] as const) {
    it(`are ${expected} from ${String(then)} to ${String(now)} (${unit})`, async () => {
      const { changeText } = await loadDashboard<Previous>('charts/data/previous.ts');
      expect(changeText(now, then, unit)).to.equal(expected);
    });
  }
});

describe('the note on a compared period', () => {
  const note = async (previous: object | undefined, shown = 2) =>
    (await loadDashboard<Previous>('charts/data/previous.ts')).previousNote({
      buckets: Array.from({ length: shown }, () => bucket('2026-10-01', {})),
      ...(previous && { previous: { startDate: '2026-09-01', endDate: '2026-09-30', ...previous } }),
    });

  it('shows its days, and the figures without a counterpart, in each case of missing figures', async () => {
    expect(await note(undefined)).to.equal(null);
    expect(await note({ pairs: [0, 1] })).to.equal('Compared with 1 Sept 2026 to 30 Sept 2026.');
    expect(await note({ pairs: [0, null] })).to.match(/\. 1 of 2 figures have no counterpart there\.$/);
    expect(await note({ pairs: [null, null] })).to.match(/none of its figures has a counterpart/);
    expect(await note({ pairs: [0, 1], isBeforeData: true })).to.match(/there was no data yet/);
  });
});

describe('series of a chart', () => {
  const previous = {
    pairs: [1, null],
    buckets: [bucket('2026-08-01', { mrr: 1 }), bucket('2026-09-01', { mrr: 2 })],
  };
  const buckets = [bucket('2026-10-01', { mrr: 3 }), bucket('2026-11-01', { mrr: 4 })];

  it('have the figures of the compared period beside their own, by pairs', async () => {
    const { seriesOf } = await loadDashboard<SeriesModule>('charts/data/series.ts');
    const [series] = seriesOf({ measures, buckets, previous }, 'mrr');
    expect(series?.before?.map((point) => point && [point.start, point.value])).to.deep.equal([
      ['2026-09-01', 2],
      null,
    ]);
    expect(seriesOf({ measures, buckets }, 'mrr')[0]).not.to.have.property('before');
  });

  it('keep the order of segments that the API gives', async () => {
    const { seriesOf } = await loadDashboard<SeriesModule>('charts/data/series.ts');
    const segments = { DE: { name: null, buckets }, US: { name: null, buckets }, other: { name: null, buckets } };
    const own = { measures, segment: 'country', segments, previous: { ...previous, segments: { US: previous } } };
    const found = seriesOf(own, 'mrr');
    expect(found.map(({ id }) => id)).to.deep.equal(['DE', 'US', 'other']);
    expect(found[1]?.before?.[0]?.value).to.equal(2);
    expect(found[0]?.before).to.deep.equal([null, null]);
  });

  it('of a movement show losses below the axis on both sides', async () => {
    const { movementOf } = await loadDashboard<SeriesModule>('charts/data/series.ts');
    const parts = ['won', 'left', 'net'].map((id) => ({ id, name: id, unit: 'usd' }));
    const chart = { measures: parts.map((one, i) => ({ ...one, part: ['gain', 'loss', 'balance'][i] })) };
    const point = bucket('2026-10-01', { won: 5, left: 3, net: 2 });
    const data = { measures: parts, buckets: [point], previous: { pairs: [0], buckets: [point] } };
    const found = movementOf(chart, data);
    expect(found.map(({ id, points, before }) => [id, points[0]?.value, before?.[0]?.value])).to.deep.equal([
      ['won', 5, 5],
      ['left', -3, -3],
    ]);
  });

  it('name their buckets by the interval', async () => {
    const { bucketName } = await loadDashboard<SeriesModule>('charts/data/series.ts');
    const named = ['day', 'month', 'quarter', 'year'].map((interval) =>
      bucketName('2026-11-01T00:00:00.000Z', interval),
    );
    expect(named).to.deep.equal(['1 Nov 2026', 'Nov 2026', '2026 Q4', '2026']);
  });
});

describe('differences of two sides', () => {
  it('are those of each segment by its name, newest first, without what is the same', async () => {
    const { changesBySegment } = await loadDashboard<{
      changesBySegment(comparison: object, measure: object): { place: string; segment?: string }[];
    }>('charts/compare/changes.ts');
    const value = (then: number, now: number) => ({ mrr: { then, now, difference: now - then } });
    const at = (month: string, values: object) => ({
      ...bucket(`2026-${month}-01`, values),
      thenStart: `2025-${month}-01`,
    });
    const points = { buckets: [at('10', value(1, 2)), at('11', value(3, 3)), at('12', value(4, 1))] };
    const comparison = {
      kind: 'series',
      interval: 'month',
      segment: 'country',
      segments: { DE: { name: null, ...points } },
    };
    expect(changesBySegment(comparison, measures[0] ?? {}).map(({ place, segment }) => [place, segment])).to.deep.equal(
      [
        ['Germany, Dec 2026 (Dec 2025)', 'DE'],
        ['Germany, Oct 2026 (Oct 2025)', 'DE'],
      ],
    );
  });
});

describe('names of segments', () => {
  for (const [dimension, value, name, expected] of [
    ['country', 'DE', null, 'Germany'],
    ['country', 'null', null, 'Unknown'],
    ['store', 'ios-store', null, 'App Store'],
    ['productDuration', 'P1M', null, '1 month'],
    ['productId', 'prod_1', 'Pro', 'Pro'],
    ['productId', 'prod_1', null, 'prod_1'],
    ['startReason', 'intro_offer', null, 'Intro offer'],
  ] as const) {
    it(`are ${expected} for ${dimension} ${value}`, async () => {
      const { segmentName } = await loadDashboard<{
        segmentName(dimension: string, value: string, name: string | null): string;
      }>('charts/data/segment-names.ts');
      expect(segmentName(dimension, value, name)).to.equal(expected);
    });
  }
});

describe('the headline of a customer', () => {
  const NOW = Date.parse('2026-11-28T00:00:00Z');
  const subscription = (state: string) => ({
    ...{ id: 'sub_1', state, store: 'ios-store', accessEndsAt: '2026-10-01T00:00:00Z' },
    ...{ currentPeriodEndsAt: '2026-12-01T00:00:00Z', autoRenewStatus: 'will_renew', expirationReason: null },
    ...{ storeProductId: 'Pro', commitmentEndsAt: null, refundedAt: null, autoResumeAt: null },
  });
  const entitlement = (source: string, active: boolean) => ({
    ...{ lookupKey: 'pro', active, source, subscriptionId: source === 'subscription' ? 'sub_1' : null },
    ...{ productId: null, expiresAt: source === 'promotional' ? '2027-01-05T00:00:00Z' : null },
  });
  const headline = async (states: readonly string[], entitlements: readonly object[]): Promise<Headline> => {
    const { headlineOf } = await loadDashboard<{ headlineOf(c: object, names: object, now: number): Headline }>(
      'customer/headline.ts',
    );
    const names = { nameOf: ({ storeProductId }: { storeProductId: string }) => storeProductId };
    const customer = { subscriptions: states.map(subscription), purchases: [], promotionalGrants: [], status: 'never' };
    return headlineOf({ ...customer, entitlements }, names, NOW);
  };

  for (const [what, states, entitlements, expected] of [
    [
      'a failed charge beside a grant',
      ['billing_retry'],
      [entitlement('promotional', true)],
      [
        'warn',
        'has access, payment failed',
        /^Has access to pro, by a grant free of charge until 5 Jan 2027\. Pro: it ended/,
      ],
    ],
    [
      'a failed charge alone',
      ['billing_retry'],
      [entitlement('subscription', false)],
      ['bad', 'payment failed', /^No access\. Pro/],
    ],
    [
      'a subscription',
      ['active'],
      [entitlement('subscription', true)],
      ['good', 'subscribed', /^Has access to pro, by Pro\. Pro: renews/],
    ],
    [
      'a subscription that unlocks nothing',
      ['active'],
      [],
      ['bad', 'subscribed, no access', /^No access\. Pro: .* unlocks an entitlement\.$/],
    ],
    [
      'an ended subscription beside a purchase',
      ['expired'],
      [entitlement('purchase', true)],
      ['good', 'has access, ended', /^Has access to pro, by a purchase\./],
    ],
    ['nothing', [], [], ['', 'no purchases', /^No access\. This customer has not bought/]],
  ] as const) {
    it(`shows access first, and then problems: ${what}`, async () => {
      const { tone, status, sentence } = await headline(states, entitlements);
      expect([tone, status]).to.deep.equal(expected.slice(0, 2));
      expect(sentence).to.match(expected[2]);
    });
  }
});

describe('the place of a panel', () => {
  type Box = { top: number; bottom: number; left: number; right: number };
  type Size = { width: number; height: number };
  type Float = {
    placementOf(
      button: Box,
      panel: Size,
      view: Size,
      align: 'start' | 'end',
    ): { top: number; left: number; maxHeight: number };
  };
  const buttonAt = (left: number, top: number) => ({ left, top, right: left + 80, bottom: top + 32 });

  it('is within the window at every width, height and place of its button', async () => {
    const { placementOf } = await loadDashboard<Float>('parts/float.ts');
    for (const width of [320, 375, 768, 1024, 1440, 1920]) {
      for (const height of [300, 640, 1080]) {
        for (const panelHeight of [80, 420, 2000]) {
          for (const [x, y] of [0, 0.3, 0.7, 1].flatMap((x) => [-0.2, 0, 0.5, 0.9, 1.3].map((y) => [x, y] as const))) {
            for (const align of ['start', 'end'] as const) {
              const button = buttonAt(x * (width - 80), y * height);
              const panel = { width: Math.min(304, width - 16), height: panelHeight };
              const { top, left, maxHeight } = placementOf(button, panel, { width, height }, align);
              const where = `${width}x${height}, panel ${panelHeight}, button ${x},${y} ${align}`;
              expect(left, where).to.be.within(8, width - panel.width - 8);
              expect(top, where).to.be.at.least(8);
              expect(top + Math.min(panelHeight, maxHeight), where).to.be.at.most(height - 8);
              expect(maxHeight, where).to.be.at.least(Math.min(panelHeight, 160));
            }
          }
        }
      }
    }
  });

  it('is beside the button where there is room: below it, or above it at the end of the window', async () => {
    const { placementOf } = await loadDashboard<Float>('parts/float.ts');
    const [panel, view] = [
      { width: 304, height: 300 },
      { width: 1440, height: 900 },
    ];
    expect(placementOf(buttonAt(100, 200), panel, view, 'start')).to.include({ left: 100, top: 236 });
    expect(placementOf(buttonAt(1000, 200), panel, view, 'end')).to.include({ left: 776, top: 236 });
    expect(placementOf(buttonAt(100, 800), panel, view, 'start')).to.include({ left: 100, top: 496 });
    expect(placementOf(buttonAt(1300, 200), panel, view, 'start')).to.include({ left: 1128 });
  });
});

describe('addresses of saved views', () => {
  type Address = {
    pageQueryOf(query: URLSearchParams): string;
    viewPath(view: { id: string; pageQuery: string; query: object }): string;
  };
  const load = () => loadDashboard<Address>('charts/data/view-address.ts');

  it('lead back to the state of the page, and not to the view that it was opened as', async () => {
    const { pageQueryOf, viewPath } = await load();
    const seen = new URLSearchParams(
      'period=2026-01-01..2026-03-31&filter=store:ios-store&filter=country:DE,US&view=view_1',
    );
    const pageQuery = pageQueryOf(seen);
    const [path, query] = viewPath({ id: 'view_2', pageQuery, query: { chartId: 'mrr', period: 'all_time' } }).split(
      '?',
    );
    expect(path).to.equal('/charts/mrr');
    expect(pageQueryOf(new URLSearchParams(query))).to.equal(pageQuery);
    expect(new URLSearchParams(query).getAll('filter')).to.deep.equal(['store:ios-store', 'country:DE,US']);
    expect(pageQuery).to.match(/^[\x21-\x7e]*$/);
  });

  it('of a former version have the parameters of the chart', async () => {
    const { viewPath } = await load();
    const query = { chartId: 'actives', period: 'last_90_days', filter: ['store:ios-store', 'country:DE'] };
    expect(viewPath({ id: 'view_1', pageQuery: '', query })).to.equal(
      '/charts/actives?period=last_90_days&filter=store%3Aios-store&filter=country%3ADE&view=view_1',
    );
  });
});

describe('products that were bought and are not in the catalogue', () => {
  type Bought = { readonly [field in 'appId' | 'store' | 'storeProductId' | 'periodType']: string };
  type Unknown = { unknownProducts(all: readonly Bought[], products: readonly object[]): readonly object[] };
  const bought = (storeProductId: string, periodType = 'normal', appId = 'app_1') => ({
    appId,
    store: appId === 'app_1' ? 'ios-store' : 'android-store',
    storeProductId,
    periodType,
  });
  const known = [{ appId: 'app_1', storeProductId: 'pro' }];

  it('are listed once, with their type, and by app', async () => {
    const { unknownProducts } = await loadDashboard<Unknown>('overview/unknown-products.ts');
    const all = [
      bought('pro'),
      bought('new', 'trial'),
      bought('new'),
      bought('coins', 'consumable'),
      bought('pro', 'normal', 'app_2'),
    ];
    expect(unknownProducts(all, known)).to.deep.equal([
      { appId: 'app_1', store: 'ios-store', storeProductId: 'new', type: 'subscription' },
      { appId: 'app_1', store: 'ios-store', storeProductId: 'coins', type: 'consumable' },
      { appId: 'app_2', store: 'android-store', storeProductId: 'pro', type: 'subscription' },
    ]);
    expect(unknownProducts([bought('pro')], known)).to.deep.equal([]);
  });
});
