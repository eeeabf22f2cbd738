// Response of a simulated customer life: timeline, access, webhooks and chart contributions, as the service would show a real one.
import { z } from 'zod';
import { money, redactableText, time, RedactableText } from '../bodies/response-schemas.js';
import { timelineEntry } from '../customers/responses.js';
import { chartData } from '../charts/responses.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import type { SimulatedLife } from '../../domain/simulation/simulate-life.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile } from '../../domain/subscriber/state/state.js';
import { messageContextOf, stepsOf } from '../../domain/webhook/event-steps.js';
import { messagesOf } from '../../domain/webhook/messages.js';
import { bodyOf } from '../../domain/webhook/payload.js';
import { accessOf, timelineOf } from '../../projections/queries/timeline.js';
import { addIntervals, startOf, type Interval } from '../../domain/charts/calendar.js';
import { charts } from '../../domain/charts/catalogue/catalogue.js';
import { defaultSelectors, type SeriesChart } from '../../domain/charts/catalogue/chart.js';
import { knownHistoryOf, type KnownHistory } from '../../domain/charts/history/known-history.js';
import { bucketedRangeOf, createBucketSums, type BucketedRange } from '../../domain/charts/result/buckets.js';
import { contributeTo, emitInto } from '../../domain/charts/result/contributions.js';
import { seriesResult } from '../../domain/charts/result/result.js';
import { SIMULATED_CUSTOMER } from '../../domain/simulation/life-script.js';
import { isoFromMs } from '../../domain/time.js';
import { customerHistories, type CustomerHistoryDoc } from '../../projections/charts/customer-histories.js';

const { access } = timelineEntry.shape;

const event = z.strictObject({
  step: z.int().nullable().meta({ description: 'Number of the step that led to it, from 0; null: time alone.' }),
  at: time.meta({ description: 'When it takes effect.' }),
  recordedAt: time,
  type: z.string(),
  summary: redactableText,
  access,
});

const interval = z.strictObject({
  lookupKey: z.string(),
  from: time,
  until: time.nullable().meta({ description: 'Null if permanent.' }),
});

const webhook = z.strictObject({
  type: z.string(),
  at: time.meta({ description: 'When it would be sent.' }),
  body: money(z.record(z.string(), z.unknown())).meta({ description: 'JSON body in camelCase.' }),
});

const { shape } = chartData;
const chart = z.strictObject({
  id: z.string(),
  name: z.string(),
  interval: shape.interval,
  buckets: z
    .array(z.strictObject({ start: time, values: z.record(z.string(), z.number().nullable()) }))
    .meta({ description: 'Buckets in which it is not zero, in USD for money.' }),
});

export const simulation = z
  .strictObject({
    object: z.literal('simulation'),
    timeline: z.array(event).meta({ description: 'Oldest first.' }),
    access: z.array(interval),
    webhooks: z.array(webhook),
    charts: z.array(chart).meta({ description: 'What this customer adds to charts.' }),
    until: time.meta({ description: 'Instant of the last event.' }),
    notes: z.array(z.string()).meta({ description: 'What limits the result, such as a missing price.' }),
  })
  .meta({ id: 'Simulation' });

type Events = readonly RecordedEvent<SubscriberEvent>[];

/** Events that the service records for itself are omitted, as on a real timeline. */
export function presentTimeline({ events, steps }: SimulatedLife, rules: EntitlementRules) {
  const stepById = new Map(events.map((event, i) => [event.id, steps[i] ?? null]));
  return timelineOf([events], rules).map(({ id, at, recordedAt, type, access, summaryFor }) => {
    const step = stepById.get(id) ?? null;
    return { step, at, recordedAt, type, summary: new RedactableText(summaryFor), access };
  });
}

type AccessInterval = { readonly lookupKey: string; readonly from: string; readonly until: string | null };

/** Returns the intervals of access, each entitlement in the order of time. */
export function accessIntervals(events: Events, rules: EntitlementRules): readonly AccessInterval[] {
  const intervals: AccessInterval[] = [];
  const open = new Map<string, { readonly from: string; readonly until: string | null }>();
  const close = (lookupKey: string, until: string | null) => {
    const from = open.get(lookupKey)?.from;
    open.delete(lookupKey);
    if (from !== undefined && (until === null || from < until)) intervals.push({ lookupKey, from, until });
  };
  let profile = noProfile;
  for (const [i, event] of events.entries()) {
    profile = evolveProfile(profile, event);
    const { at, commandId } = event.meta;
    // Events of one command take effect together.
    if (events[i + 1]?.meta.commandId === commandId && events[i + 1]?.meta.at === at) continue;
    const access = accessOf(profile, at, rules);
    for (const [key, { until }] of open) {
      if (until !== null && until < at) close(key, until);
      else if (!Object.hasOwn(access, key)) close(key, at);
    }
    for (const [key, until] of Object.entries(access)) open.set(key, { from: open.get(key)?.from ?? at, until });
  }
  for (const [key, { until }] of open) close(key, until);
  return intervals.toSorted((a, b) => (a.from < b.from ? -1 : 1));
}

/** Returns the webhooks that the events would send, in their order. */
export function presentWebhooks(events: Events, projectId: string, rules: EntitlementRules) {
  return stepsOf(events).flatMap(({ event, step }, i) => {
    const context = messageContextOf(event, step, rules, () => 'other');
    return messagesOf(context).map(({ kind: type, fields }, n) => {
      const payload = { id: `whe_simulated_${i + 1}_${n + 1}`, type, projectId, ...fields };
      const body: Record<string, unknown> = JSON.parse(bodyOf(payload, 'camelCase'));
      return { type, at: event.meta.recordedAt, body };
    });
  });
}

const MAX_MONTHS = 24;

export const seriesCharts: readonly SeriesChart[] = charts.filter((chart) => chart.kind === 'series');

type Period = { readonly from: string; readonly until: string };

/** Returns the buckets of each chart in which it is not zero, by month, or by year for a long life. */
export function contributionsTo(
  requestedCharts: readonly SeriesChart[],
  events: readonly RecordedEvent[],
  period: Period,
) {
  const doc = events.reduce<CustomerHistoryDoc | undefined>(
    (found, event) => customerHistories.fold(found, event, SIMULATED_CUSTOMER, () => undefined) ?? undefined,
    undefined,
  );
  const history = doc && knownHistoryOf(doc, 'production');
  if (!history) return [];
  const range = rangeOf(period);
  return requestedCharts.map((chart) => {
    const { id, name } = chart;
    return { id, name, interval: range.interval, buckets: bucketsOf(chart, history, range) };
  });
}

function rangeOf({ from, until }: Period): BucketedRange {
  const [first, last] = [Date.parse(from), Date.parse(until)];
  const interval: Interval = addIntervals('month', first, MAX_MONTHS) > last ? 'month' : 'year';
  const end = addIntervals(interval, startOf(interval, last), 1);
  return bucketedRangeOf({ start: startOf(interval, first), end, interval, asOf: end });
}

function bucketsOf(chart: SeriesChart, history: KnownHistory, range: BucketedRange) {
  const sums = createBucketSums(range);
  contributeTo(chart, { range, selectors: defaultSelectors }, history, history.lines, emitInto(sums, range.asOf));
  return seriesResult(chart, defaultSelectors, range, sums)
    .buckets.filter(({ values }) => Object.values(values).some((value) => value !== null && value !== 0))
    .map(({ start, values }) => ({ start: isoFromMs(start), values }));
}
