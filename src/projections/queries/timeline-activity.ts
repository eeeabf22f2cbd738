// The app's own events in a customer's timeline: they lie beside its stream, by the month in which they happened.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { RecordedEvent } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import type { ActivityEvent } from '../../domain/subscriber/events/events.js';
import { isoFromMs, monthsBetween, msFromIso, utcMonth } from '../../domain/time.js';

export type CustomEventRecord = Extract<RecordedEvent<ActivityEvent>, { type: 'CustomEventRecorded' }>;

/** More than the days that an app may send an event late. */
const BEFORE_MS = 8 * 86_400_000;
const AHEAD_MS = 86_400_000;

/** `since`: when the customer became known. Those recorded by `until`, in the order of the log. */
export async function customEventsOf(
  log: EventLog,
  o: { readonly projectId: string; readonly customerId: string; readonly since: string; readonly until: string },
): Promise<readonly CustomEventRecord[]> {
  const [from, to] = [isoFromMs(msFromIso(o.since) - BEFORE_MS), isoFromMs(msFromIso(o.until) + AHEAD_MS)];
  const found: CustomEventRecord[] = [];
  for (const month of monthsBetween(utcMonth(from), utcMonth(to))) {
    for await (const stored of log.read(streams.activity(o.projectId, month, o.customerId))) {
      const event = stored as unknown as RecordedEvent<ActivityEvent>;
      if (event.type === 'CustomEventRecorded' && event.meta.recordedAt <= o.until) found.push(event);
    }
  }
  return found.sort((a, b) => (a.position < b.position ? -1 : 1));
}
