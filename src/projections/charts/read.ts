// Answers a question about the charts: from the sums where they hold what is asked, else from the people. Both ways give the same figures.
import { answerSeries, type ChartAnswer } from '../../domain/charts/answer.js';
import { createCalculator } from '../../domain/charts/calculator.js';
import { DAY_MS, startOf, startOfDay } from '../../domain/charts/calendar.js';
import { defaultSelectors, type SeriesChart } from '../../domain/charts/chart.js';
import type { Measure } from '../../domain/charts/contribution.js';
import { createTally, type Frame, type Tally } from '../../domain/charts/frame.js';
import { lifeOf } from '../../domain/charts/life.js';
import { emitInto } from '../../domain/charts/part.js';
import type { Question } from '../../domain/charts/question.js';
import type { SumDoc } from '../projection.js';
import { scopeOf } from './cells.js';
import { cohortsFromSums, isCohortSummed } from './cohort-rows.js';
import { contribute, type CellGroup } from './contribute.js';
import { HOUR_MS, isoDay } from './hour-pot.js';
import type { ChartSource } from './source.js';

export type Answered = { readonly answer: ChartAnswer } | { readonly segments: ReadonlyMap<string, ChartAnswer> };

/** `isLive`: about now, so that everything the read model holds may count. */
export async function readChart(
  source: ChartSource,
  projectId: string,
  q: Question,
  isLive: boolean,
): Promise<Answered> {
  if (isLive && isSummed(q)) return { answer: await fromSums(source, projectId, q, q.chart) };
  if (isLive && isCohortSummed(q)) return { answer: await cohortsFromSums(source, projectId, q) };
  const calculator = createCalculator(q);
  for await (const page of source.people(projectId)) for (const person of page) calculator.take(person);
  return q.segment === null ? { answer: calculator.answer() } : { segments: calculator.segments() };
}

/** The sums are over all purchases, by the default terms, in US dollars. */
function isSummed(q: Question): q is Question & { readonly chart: SeriesChart } {
  const { chart, selectors, frame } = q;
  if (chart.kind !== 'series' || q.filters.size > 0 || q.segment !== null || q.conversion) return false;
  const asked = chart.selectors.filter((name) => name !== 'statusMeasure');
  if (asked.some((name) => selectors[name] !== defaultSelectors[name])) return false;
  return chart.needs !== 'activity' || frame.buckets.every((_, i) => edgeOf(frame, i) !== null);
}

/** Which activity of an interval tells that it is in the bucket; null for a bucket clipped at both ends, of which neither does. */
function edgeOf({ buckets, interval, end }: Frame, i: number): 'first' | 'last' | null {
  const bucket = buckets[i];
  if (!bucket || startOf(interval, bucket.start) === bucket.start) return 'first';
  const isClippedAtEnd = bucket.horizon < bucket.end || (bucket.end === end && startOf(interval, end) !== end);
  return isClippedAtEnd ? null : 'last';
}

async function fromSums(source: ChartSource, projectId: string, q: Question, chart: SeriesChart): Promise<ChartAnswer> {
  const { frame, environment, selectors } = q;
  const scope = scopeOf(projectId, environment, chart.needs);
  const tally = createTally(frame);
  const hour = Math.floor(frame.asOf / HOUR_MS) * HOUR_MS;
  await addSums(source, scope, frame, hour, tally);
  if (chart.needs === 'outcomes') await movePending(source, scope, hour, tally);
  await correct(source, projectId, q, chart.needs, hour, tally);
  if (chart.needs === 'activity') chooseEdges(frame, tally);
  return answerSeries(chart, selectors, frame, tally);
}

/** Years' months before the period, then its days, then the hours of the running day, the running one included. */
async function addSums(source: ChartSource, scope: string, frame: Frame, hour: number, tally: Tally): Promise<void> {
  const today = startOfDay(frame.asOf);
  const begins = startOf('month', Math.min(frame.start, today));
  const [beginDay, lastDay] = [isoDay(begins), isoDay(Math.min(frame.end, today))];
  const [years, months, hours] = await Promise.all([
    source.sums('years', scope, '', `${beginDay.slice(0, 4)}~`),
    source.sums('months', scope, beginDay.slice(0, 7), lastDay),
    source.sums('hours', scope, isoDay(today), `${isoDay(today)}~`),
  ]);
  for (const { period, cells } of years) {
    const isBefore = (month: string) => `${String(period)}-${month}` < beginDay.slice(0, 7);
    for (const [place, measure, value] of cellsOf(cells)) if (isBefore(place)) tally.addTo(measure, -1, value);
  }
  for (const { period, cells } of months) {
    const first = Date.parse(`${String(period)}-01`);
    for (const [place, measure, value] of cellsOf(cells)) {
      const at = first + (Number(place) - 1) * DAY_MS;
      if (at < today) tally.add(measure, at, value);
    }
  }
  for (const { cells } of hours) {
    for (const [place, measure, value] of cellsOf(cells)) {
      const at = today + Number(place) * HOUR_MS;
      if (at <= hour) tally.add(measure, at, value);
    }
  }
}

/** Two digits, then a name. */
function* cellsOf(cells: SumDoc['cells']): Generator<[place: string, measure: Measure, value: number]> {
  for (const [cell, value] of Object.entries(cells)) yield [cell.slice(0, 2), cell.slice(2) as Measure, value];
}

/** What lapses after the running hour has not lapsed yet. */
async function movePending(source: ChartSource, scope: string, hour: number, tally: Tally): Promise<void> {
  for (const { period, cells } of await source.sums('lapses', scope, isoDay(hour), '~')) {
    const day = Date.parse(String(period));
    for (const [place, began, value] of cellsOf(cells)) {
      if (day + Number(place) * HOUR_MS <= hour) continue;
      tally.add('outcome.lapses', Date.parse(began), -value);
      tally.add('outcome.pending', Date.parse(began), value);
    }
  }
}

/**
 * The sums hold all that is known, to the end of the running hour. Whoever changes between now and then, or has facts that lie ahead, is
 * taken out and put in again as of now.
 */
async function correct(
  source: ChartSource,
  projectId: string,
  { frame, environment }: Question,
  group: CellGroup,
  hour: number,
  tally: Tally,
): Promise<void> {
  const { asOf } = frame;
  const [ending, ahead] = await Promise.all([
    source.moments(projectId, 'end', asOf, hour + HOUR_MS),
    source.moments(projectId, 'ahead', asOf, Number.MAX_SAFE_INTEGER),
  ]);
  const ids = [...new Set([...ending, ...ahead])];
  if (ids.length === 0) return;
  const summed = emitInto(
    { add: (measure, at, value) => tally.add(measure, Math.min(at, hour), -value) },
    hour + HOUR_MS,
  );
  const exact = emitInto(tally, asOf);
  for (const person of await source.named(ids)) {
    const [whole, now] = [lifeOf(person, environment), lifeOf(person, environment, asOf)];
    if (whole) contribute(group, whole, summed);
    if (now) contribute(group, now, exact);
  }
}

function chooseEdges(frame: Frame, tally: Tally): void {
  for (const i of frame.buckets.keys()) {
    const edge = edgeOf(frame, i) ?? 'first';
    tally.addTo('customers.active', i, tally.flow(`customers.${edge}_${frame.interval}`, i));
  }
}
