// Activity of customers, stored by month in streams of its own: no decision needs it, and it grows without end.
import { commandIds } from '../handling/command-ids.js';
import {
  activityDecider,
  hasEvent,
  unknownDevice,
  type Device,
  type RecordCustomEvent,
} from '../../domain/subscriber/state/activity.js';
import { latestOf, type LogPosition, type StreamName } from '../../domain/envelope.js';
import { derivedUuid } from '../../domain/ids.js';
import type { JsonObject } from '../../domain/values/json-object.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs, utcDay, utcMonth } from '../../domain/time.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

/** Maximum age of an event in days; a repeat without its own time is recognised for as long. */
export const MAX_EVENT_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/** Event that an app sends when it is used. */
const SESSION_START = 'session_start';

/** `eventId`: a UUID that recognises a repeat; `occurredAt`: time of the first request, if omitted. */
export type CustomEvent = {
  /** Customer under whose name it was sent: a repeat goes to the same stream, even after a merge. */
  readonly customerId: string;
  /** Current customer, then customers merged into it that may have sent it before. */
  readonly person: readonly [string, ...string[]];
  readonly name: string;
  readonly properties: JsonObject;
  readonly occurredAt: string | null;
  readonly eventId: string | null;
};

/** Records one event per customer and UTC day, and one more whenever the device has changed. */
export function recordLastSeen(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly customerId: string; readonly at: string; readonly device?: Device },
): Promise<LogPosition | null> {
  const stream = streams.activity(projectId, utcMonth(o.at), o.customerId);
  const command = { kind: 'markSeen' as const, at: o.at, ...(o.device ?? unknownDevice) };
  const commandId = o.device ? commandIds.seenOnDevice(by.requestId) : commandIds.seenOnDay(utcDay(o.at));
  const ctx = { ...contextOf(by, projectId), commandId };
  return deps.mutex.run(stream, async () => {
    const { position } = await runCommand(deps, stream, activityDecider, [command], ctx, deps.activities.load);
    return position;
  });
}

/** `position`: position of the newest event. */
export type RecordedCustomEvents = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly position: LogPosition | null;
};

/**
 * Records events of several customers, one append per customer and month. A crash in between leaves a part of them; a repeat with the same
 * event ids adds the others and counts the first ones as duplicates.
 */
export async function recordCustomEvents(
  deps: Deps,
  by: Requester,
  projectId: string,
  events: readonly CustomEvent[],
): Promise<RecordedCustomEvents> {
  const requestedAt = isoFromMs(by.requestedAtMs ?? deps.runtime.now());
  const byStream = new Map<StreamName, RecordCustomEvent[]>();
  for (const [index, event] of events.entries()) {
    const { stream, command } = await findStreamOfEvent(deps, projectId, event, {
      requestedAt,
      requestId: by.requestId,
      index,
    });
    byStream.set(stream, [...(byStream.get(stream) ?? []), command]);
  }
  const results = await Promise.all(
    [...byStream].map(([stream, commands]) =>
      deps.mutex.run(stream, () =>
        runCommand(deps, stream, activityDecider, commands, contextOf(by, projectId), deps.activities.load),
      ),
    ),
  );
  const accepted = results.reduce((sum, { eventIds }) => sum + eventIds.length, 0);
  const seenAt = await recordSessions(deps, by, projectId, events, requestedAt);
  const position = results.reduce((last, done) => latestOf(last, done.position), seenAt);
  return { accepted, duplicates: events.length - accepted, position };
}

/** Finds the stream of an event: of its name and month, or the one where it was recorded before. */
async function findStreamOfEvent(
  deps: Deps,
  projectId: string,
  { customerId, person, eventId: requestedId, name, properties, occurredAt }: CustomEvent,
  o: { readonly requestedAt: string; readonly requestId: string; readonly index: number },
): Promise<{ readonly stream: StreamName; readonly command: RecordCustomEvent }> {
  const eventId = requestedId?.toLowerCase() ?? derivedUuid(`event|${o.requestId}|${o.index}`);
  const at = occurredAt ?? o.requestedAt;
  const command = { kind: 'recordCustomEvent' as const, eventId, name, properties, occurredAt: at };
  const stream = streams.activity(projectId, utcMonth(at), customerId);
  if (requestedId === null) return { stream, command };
  const weekBefore = isoFromMs(Date.parse(o.requestedAt) - MAX_EVENT_AGE_DAYS * DAY_MS);
  const months = occurredAt === null ? [utcMonth(at), utcMonth(weekBefore)] : [utcMonth(at)];
  const others = [customerId, ...person].flatMap((id) => months.map((month) => streams.activity(projectId, month, id)));
  for (const other of new Set(others)) {
    if (other !== stream && hasEvent(await deps.activities.get(other), eventId)) return { stream: other, command };
  }
  return { stream, command };
}

/** Records sessions in the order of days, because a later day would suppress an earlier one. */
async function recordSessions(
  deps: Deps,
  by: Requester,
  projectId: string,
  events: readonly CustomEvent[],
  requestedAt: string,
): Promise<LogPosition | null> {
  const sessions = events
    .filter((e) => e.name === SESSION_START)
    .map(({ person: [customerId], occurredAt }) => ({ customerId, at: occurredAt ?? requestedAt }))
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  let newest: LogPosition | null = null;
  for (const session of sessions) {
    const position = await recordLastSeen(deps, by, projectId, session);
    if (position !== null && (newest === null || position > newest)) newest = position;
  }
  return newest;
}
