// Presents a simulated life as the service would show a real one: timeline, access, webhooks.
import type { RecordedEvent } from '../../domain/envelope.js';
import type { SimulatedLife } from '../../domain/simulation/simulate-life.js';
import type { EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { SubscriberEvent } from '../../domain/subscriber/events/events.js';
import { evolveProfile } from '../../domain/subscriber/state/evolve.js';
import { noProfile } from '../../domain/subscriber/state/state.js';
import { evolveStepState, initialStepState, messageContextOf, stepBetween } from '../../domain/webhook/event-steps.js';
import { messagesOf } from '../../domain/webhook/messages.js';
import { bodyOf } from '../../domain/webhook/payload.js';
import { accessOf, timelineOf } from '../../projections/queries/timeline.js';
import { RedactableText } from '../bodies/response-schemas.js';

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
  let state = initialStepState;
  return events.flatMap((event, i) => {
    const before = state;
    state = evolveStepState(state, event);
    const endsCommand = events[i + 1]?.meta.commandId !== event.meta.commandId;
    const context = messageContextOf(event, stepBetween(before, state, endsCommand), rules, () => 'other');
    return messagesOf(context).map(({ kind: type, fields }, n) => {
      const payload = { id: `whe_simulated_${i + 1}_${n + 1}`, type, projectId, ...fields };
      const body = JSON.parse(bodyOf(payload, 'camelCase')) as Record<string, unknown>;
      return { type, at: event.meta.recordedAt, body };
    });
  });
}
