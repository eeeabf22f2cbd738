// The figures that people read from a chart's table, against the brute-force calculator on the events of the log.
import { expect } from 'chai';
import type { Json } from '../http/support/harness.js';
import { createReference } from '../charts-reference/reference.js';
import type { Interval } from '../charts-reference/time.js';
import { launchChromium } from './support/chromium.js';
import { playProject, type PlayedProject } from './support/played-project.js';
import { logIn } from './support/stage.js';
import { visit, type Visitor } from './support/visitor.js';

type ChartQuestion = {
  readonly interval: Interval;
  readonly start: string;
  readonly end: string;
  readonly asOf: number;
};
type Values = Readonly<Record<string, number | null>>;
type Result = {
  readonly buckets?: readonly { readonly values: Values }[];
  readonly rows?: readonly { readonly size: number; readonly columns: readonly Values[] }[];
};

/** Durations of products by their names on the page. */
const DURATIONS: Readonly<Record<string, string>> = {
  ...{ Unknown: 'null', '1 week': 'P1W', '1 month': 'P1M', '1 year': 'P1Y' },
  ...{ '2 months': 'P2M', '3 months': 'P3M', '6 months': 'P6M' },
};
const DAY_MS = 86_400_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The rows of the table without what is for screen readers alone; an evaluated text, since its names are the browser's. */
const CELLS = `[...document.querySelectorAll('[aria-label="Figures"] tbody tr')].map((row) =>
  [...row.cells].map((cell) => {
    const copy = cell.cloneNode(true);
    copy.querySelectorAll('.visually-hidden').forEach((hidden) => hidden.remove());
    return copy.textContent.replaceAll(/\\s/g, ' ').trim();
  }))`;
const HEADS = `[...document.querySelectorAll('[aria-label="Figures"] thead th')].map((head) => head.textContent)`;

/** Formats a value as the page does for the locale de-DE. */
function written(value: number | null | undefined, unit: string): string {
  if (value === null || value === undefined) return '–';
  const two = { maximumFractionDigits: 2 };
  const text =
    unit === 'count'
      ? value.toLocaleString('de-DE', two)
      : unit === 'percent'
        ? `${value.toLocaleString('de-DE', two)} %`
        : value.toLocaleString('de-DE', { style: 'currency', currency: unit.toUpperCase() });
  return text.replaceAll(/\s/g, ' ');
}

describe('the figures of a chart on the page', () => {
  let played: PlayedProject;
  let visitor: Visitor;
  let charts: Json[];
  let [url, base, now] = ['', '', 0];

  before(async () => {
    played = await playProject();
    const { harness, projectId, email, token, until } = played;
    [url, base, now] = [harness.service().url ?? '', `/projects/${projectId}`, until];
    charts = (await harness.call('GET', `/v1${base}/metrics/charts`, undefined, { token })).body.items;
    visitor = await visit(await launchChromium(), url);
    await logIn(visitor, email);
  });
  afterEach(() => expect(visitor.complaints).to.deep.equal([]));
  after(async () => {
    await visitor.page.context().browser()?.close();
    await played.harness.stop();
  });

  const show = async (chart: Json, { interval, start, end, asOf }: ChartQuestion, more = '') => {
    const { page } = visitor;
    const measure = chart.measures[0].id;
    const asked = `period=${start}..${end}&interval=${interval}&asOf=${new Date(asOf).toISOString()}&measure=${measure}`;
    await page.goto(`${url}/dashboard${base}/charts/${chart.id}?${asked}${more}`);
    await page.locator('[aria-label="Figures"] tbody').waitFor({ state: 'attached' });
    return { cells: await page.evaluate<string[][]>(CELLS), heads: await page.evaluate<string[]>(HEADS) };
  };
  const reckon = (
    reference: ReturnType<typeof createReference>,
    id: string,
    o: ChartQuestion,
    filter?: [string, string],
  ) => {
    const period = { start: Date.parse(o.start), end: Date.parse(o.end) + DAY_MS };
    return reference(id, { ...period, interval: o.interval, now: o.asOf, ...(filter && { filter }) }) as Result;
  };
  const expectEqual = async (chart: Json, o: ChartQuestion, reference: ReturnType<typeof createReference>) => {
    const { cells } = await show(chart, o);
    const drawn = chart.kind === 'cohort' ? 'table.cohorts' : 'svg .line, svg .fill';
    await visitor.page.locator(drawn).first().waitFor({ state: 'attached' });
    const about = `${chart.id} by ${o.interval} as of ${new Date(o.asOf).toISOString()}`;
    const { buckets, rows } = reckon(reference, chart.id, o);
    const [{ id, unit }]: Json[] = chart.measures;
    const expected = rows
      ? rows.map(({ size, columns }) => [written(size, 'count'), ...columns.map((one) => written(one[id], unit))])
      : (buckets ?? [])
          .map(({ values }) => chart.measures.map((one: Json) => written(values[one.id], one.unit)))
          .reverse();
    expect(expected.length, about).to.be.above(0);
    expect(
      cells.map(([, ...figures]) => figures),
      about,
    ).to.deep.equal(expected);
  };

  it('equal the reference calculator: all 21, by month', async () => {
    const o = { interval: 'month', start: dayOf(now - 400 * DAY_MS), end: dayOf(now), asOf: now } as const;
    const reference = createReference(played.events, now);
    expect(played.events.length).to.be.above(200);
    expect(charts).to.have.length(21);
    for (const chart of charts) await expectEqual(chart, o, reference);
  }).timeout(240_000);

  it('equal it by day, week, quarter and year', async () => {
    const reference = createReference(played.events, now);
    const spans = { day: 40, week: 80, quarter: 400, year: 400 };
    const some = charts.filter(({ id }) => /^(revenue|mrr_movement|churn|trial_conversion_rate)$/.test(id));
    expect(some.length).to.be.above(2);
    for (const [interval, days] of Object.entries(spans) as [Interval, number][]) {
      const o = { interval, start: dayOf(now - days * DAY_MS), end: dayOf(now), asOf: now };
      for (const chart of some) await expectEqual(chart, o, reference);
    }
  }).timeout(180_000);

  it('equal it for what was known five months ago', async () => {
    const asOf = now - 150 * DAY_MS;
    const reference = createReference(played.events, asOf);
    const o = { interval: 'month', start: dayOf(asOf - 200 * DAY_MS), end: dayOf(now), asOf } as const;
    const some = charts.filter(({ id }) => /^(revenue|actives|arr|customers_new|cohort_explorer)$/.test(id));
    for (const chart of some) await expectEqual(chart, o, reference);
  }).timeout(120_000);

  it('equal it for each segment', async () => {
    const reference = createReference(played.events, now);
    const o = { interval: 'month', start: dayOf(now - 300 * DAY_MS), end: dayOf(now), asOf: now } as const;
    const revenue = charts.find(({ id }) => id === 'revenue');
    const { cells, heads } = await show(revenue, o, '&segment=productDuration');
    const segments = heads.slice(1);
    expect(segments.length).to.be.above(1);
    const [{ id, unit }]: Json[] = revenue.measures;
    for (const [i, segment] of segments.entries()) {
      const value = DURATIONS[segment] ?? segment;
      const { buckets = [] } = reckon(reference, 'revenue', o, ['productDuration', value]);
      const expected = buckets.map(({ values }) => written(values[id], unit)).reverse();
      expect(
        cells.map((row) => row[i + 1]),
        segment,
      ).to.deep.equal(expected);
    }
  }).timeout(60_000);
});
