// One notification or request of the live feed: each stage with its latency, and what it led to.
import { useProject } from '../context/project';
import { useExperimentWording } from '../names/experiments';
import { notificationWords } from '../names/notifications';
import { answerText } from '../names/problems';
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { useWebhookNames } from '../names/webhooks';
import { count } from '../parts/format';
import { Link } from '../parts/link';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { linesOf, type DeliveryLine, type LiveGroup } from './groups';
import { duration } from './pipeline';

export function LiveGroupView({ group }: { readonly group: LiveGroup }) {
  const { base } = useProject();
  const { reword } = useProductNames();
  const { at, received, processed, events, deliveries } = group;
  const notification = processed ?? received;
  const customerId = linesOf(group).find((line) => line.customerId !== null)?.customerId;
  return (
    <li class="card live-group">
      <div class="live-title">
        <Time at={at} clock="seconds" />
        <h2>{titleOf(group)}</h2>
        {notification && <StatusBadge status={notification.state} />}
        <span class="live-links">
          {customerId && <Link to={`${base}/customers/${customerId}`}>Customer</Link>}
          {notification && <Link to={`${base}/notifications/${notification.notificationId}`}>Notification</Link>}
        </span>
      </div>
      <Stages group={group} />
      {(events.length > 0 || deliveries.length > 0) && (
        <ul class="live-lines">
          {events.map(({ eventId, summary, store }) => (
            <EventLine key={eventId} summary={reword(summary)} store={store} />
          ))}
          {deliveries.map((line) => (
            <Delivery key={line.deliveryId} line={line} />
          ))}
        </ul>
      )}
      {processed && events.length === 0 && (
        <p class="hint">
          {processed.state === 'handled' ? 'No new events: the purchase was known already.' : reword(processed.summary)}
        </p>
      )}
    </li>
  );
}

/** Products of both stores often have the same name, and a request has no title with a store. */
function EventLine({ summary, store }: { readonly summary: string; readonly store: string | null }) {
  return (
    <li>
      {useExperimentWording(summary)} {store !== null && <span class="hint">{storeName(store)}</span>}
    </li>
  );
}

function titleOf({ received, processed, events, deliveries }: LiveGroup): string {
  const notification = processed ?? received;
  if (notification) return `${storeName(notification.store)}: ${notificationWords(notification.kind)}`;
  if (events.length > 0) return 'Request of an app or a server';
  return deliveries[0]?.kind === 'TEST' ? 'Test of a webhook' : 'Webhook';
}

/** Latency of each stage since the notification was received; of a webhook since its delivery was created. */
function Stages({ group }: { readonly group: LiveGroup }) {
  const { received, processed, events, deliveries } = group;
  const recordedMs = maxMs(events);
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const stages: readonly (readonly [name: string, what: string, ms: number | null])[] = [
    ...(received ? [['Received', '', null] as const] : []),
    ...(events.length > 0
      ? [['Recorded', events.length === 1 ? '1 event' : `${count(events.length)} events`, recordedMs] as const]
      : []),
    ...(processed ? [['Processed', '', processed.ms] as const] : []),
    ...(deliveries.length > 0
      ? [['Webhooks', `${delivered} of ${deliveries.length} delivered`, maxMs(deliveries)] as const]
      : []),
  ];
  return (
    <ol class="stages" aria-label="Stages">
      {stages.map(([name, what, ms]) => (
        <li key={name}>
          {name} {what} {ms !== null && <strong>{duration(ms)}</strong>}
        </li>
      ))}
    </ol>
  );
}

function maxMs(lines: readonly { readonly ms: number | null }[]): number | null {
  const times = lines.flatMap(({ ms }) => (ms === null ? [] : [ms]));
  return times.length === 0 ? null : Math.max(...times);
}

const RESULTS = { delivered: '', pending: ', tried again later', failed: ', given up', held: ', held' } as const;

function Delivery({ line }: { readonly line: DeliveryLine }) {
  const { base } = useProject();
  const names = useWebhookNames();
  const { kind, webhookId, deliveryId, state, ms } = line;
  return (
    <li>
      <Link to={`${base}/webhooks/${webhookId}?delivery=${deliveryId}`}>
        {kind} to {names.get(webhookId) ?? 'a webhook'}
      </Link>
      : {answerText(line)}
      {RESULTS[state]} {ms !== null && <span class="hint">after {duration(ms)}</span>}
    </li>
  );
}
