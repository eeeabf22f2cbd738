// Groups lines of the live feed: a store notification, the events that it led to, and the webhooks that they caused.
import type { LiveLine } from './feed';

type NotificationLine = Extract<LiveLine, { event: 'notification' }>;
type EventLine = Extract<LiveLine, { event: 'event' }>;
export type DeliveryLine = Extract<LiveLine, { event: 'delivery' }>;

export type LiveGroup = {
  readonly key: string;
  /** Time of the first line, UTC. */
  readonly at: string;
  /** Null if an app or a server caused the events, not a store. */
  readonly received: NotificationLine | null;
  /** The latest result of processing; null while it is not processed. */
  readonly processed: NotificationLine | null;
  readonly events: readonly EventLine[];
  /** The latest attempt of each delivery. */
  readonly deliveries: readonly DeliveryLine[];
};

type OpenGroup = { -readonly [field in keyof LiveGroup]: LiveGroup[field] };

/** Events of one request are recorded one after another. */
const MAX_REQUEST_MS = 1000;

/** `lines`: in the order of arrival. Returns the newest group first. */
export function groupLines(lines: readonly LiveLine[]): readonly LiveGroup[] {
  const groups = new Map<string, OpenGroup>();
  const keyOfEvent = new Map<string, string>();
  const open = (key: string, at: string): OpenGroup => {
    const group = groups.get(key) ?? { key, at, received: null, processed: null, events: [], deliveries: [] };
    groups.set(key, group);
    return group;
  };
  for (const line of lines) {
    if (line.event === 'notification') {
      const group = open(line.notificationId, line.at);
      if (line.state === 'waiting') group.received = line;
      else group.processed = line;
    } else if (line.event === 'event') {
      const key = line.notificationId ?? requestKeyOf(line, groups);
      keyOfEvent.set(line.eventId, key);
      const group = open(key, line.recordedAt);
      group.events = [...group.events, line];
    } else {
      const group = open(keyOfEvent.get(line.causeId) ?? line.eventId, line.at);
      group.deliveries = [...group.deliveries.filter(({ deliveryId }) => deliveryId !== line.deliveryId), line];
    }
  }
  return [...groups.values()].reverse();
}

/** Returns the key of the group of the customer's latest request, or of a new one. */
function requestKeyOf(line: EventLine, groups: ReadonlyMap<string, LiveGroup>): string {
  const of = `request|${line.customerId}|`;
  const last = [...groups.values()].findLast(({ key }) => key.startsWith(of));
  const isSame = last !== undefined && Date.parse(line.recordedAt) - Date.parse(last.at) <= MAX_REQUEST_MS;
  return isSame ? last.key : `${of}${line.eventId}`;
}

const FAILED_STATES = ['parked', 'refused', 'failed'];

/** An attempt that is repeated has failed, too. */
export function isFailure(line: LiveLine): boolean {
  if (line.event === 'event') return false;
  if (line.event === 'delivery') return line.state !== 'delivered';
  return FAILED_STATES.includes(line.state);
}

export function linesOf({ received, processed, events, deliveries }: LiveGroup): readonly LiveLine[] {
  return [...(received ? [received] : []), ...(processed ? [processed] : []), ...events, ...deliveries];
}
