// One event of the timeline. Bodies of stores and receivers are rendered as text, never as markup.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { useProject } from '../app/project';
import { utc, wordsOf } from '../parts/format';
import { Link } from '../parts/link';
import { RawText } from '../parts/raw-text';
import { Time } from '../parts/time';

export type Entry = Schemas['TimelineEntry'];

/** Icons by a pattern of the event type; the last one matches all others. */
const ICONS: readonly (readonly [RegExp, string])[] = [
  [/Refund|Revoked/, '↩'],
  [/BillingRetry|GracePeriod|Failed/, '!'],
  [/Expired|Ended|Deleted|Erased/, '■'],
  [/Renewed|Recovered/, '↻'],
  [/Started|Purchased|Granted|Purchase/, '+'],
  [/Transfer|Merge|Owner/, '⇄'],
  [/Attribute|Customer|Seen/, '☺'],
  [/./, '•'],
];
const LATE_MS = 120_000;

export function TimelineEntry({ entry }: { readonly entry: Entry }) {
  const [isOpen, setOpen] = useState(false);
  const { type, at, recordedAt, summary, actor, superseded } = entry;
  const icon = ICONS.find(([names]) => names.test(type))?.[1];
  const isLate = Math.abs(Date.parse(recordedAt) - Date.parse(at)) > LATE_MS;
  return (
    <li class={superseded ? 'superseded' : undefined}>
      <span class="icon" aria-hidden="true">
        {icon}
      </span>
      <div>
        <p class="summary">
          {summary}
          {superseded && <span class="badge">later shown otherwise</span>}
        </p>
        <p class="hint">
          <Time at={at} />
          {isLate && (
            <>
              {' '}
              · recorded <Time at={recordedAt} />
            </>
          )}{' '}
          · by {actorOf(actor)}
        </p>
        <AccessChange entry={entry} />
        <Deliveries entry={entry} />
        <button type="button" class="as-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'Details'}
          <span class="visually-hidden"> of {summary}</span>
        </button>
        {isOpen && <Details entry={entry} />}
      </div>
    </li>
  );
}

function actorOf({ kind, id, via }: Entry['actor']): string {
  if (kind === 'store') return `the ${id}`;
  return kind === 'system' ? 'the service' : `${wordsOf(kind)} ${id}${via === undefined ? '' : ` via ${via}`}`;
}

function AccessChange({ entry: { access } }: { readonly entry: Entry }) {
  const [before, after] = [access.before, access.after];
  const gained = Object.keys(after).filter((key) => !(key in before));
  const lost = Object.keys(before).filter((key) => !(key in after));
  const moved = Object.keys(after).filter((key) => key in before && before[key] !== after[key]);
  if (gained.length + lost.length + moved.length === 0) return null;
  const until = (key: string) => (after[key] == null ? 'permanently' : `until ${utc(after[key])}`);
  return (
    <p class="row">
      {gained.map((key) => (
        <span key={key} class="badge good">
          gains {key} {until(key)}
        </span>
      ))}
      {lost.map((key) => (
        <span key={key} class="badge bad">
          loses {key}
        </span>
      ))}
      {moved.map((key) => (
        <span key={key} class="badge">
          {key} {until(key)}
        </span>
      ))}
    </p>
  );
}

function Deliveries({ entry: { deliveries } }: { readonly entry: Entry }) {
  const { base } = useProject();
  if (deliveries.length === 0) return null;
  return (
    <p class="hint">
      Sent:{' '}
      {deliveries.map(({ id, webhookId, type, state }) => (
        <Link key={id} to={`${base}/webhooks/${webhookId}?delivery=${id}`}>
          {type} ({state}){' '}
        </Link>
      ))}
    </p>
  );
}

function Details({ entry }: { readonly entry: Entry }) {
  const { base } = useProject();
  const { cause, data, type, id, at, recordedAt } = entry;
  const notification = cause && 'notification' in cause ? cause.notification : null;
  const request = cause && 'request' in cause ? cause.request : null;
  return (
    <div class="details">
      <dl>
        <dt>Event</dt>
        <dd class="code">
          {type} {id}
        </dd>
        <dt>Took effect</dt>
        <dd>{utc(at, { seconds: true })}</dd>
        <dt>Recorded</dt>
        <dd>{utc(recordedAt, { seconds: true })}</dd>
        {request && (
          <>
            <dt>Request</dt>
            <dd class="code">{request.id}</dd>
          </>
        )}
        {notification && (
          <>
            <dt>Notification</dt>
            <dd class="code">
              <Link to={`${base}/notifications/${notification.id}`}>{notification.type}</Link> {notification.id}
            </dd>
          </>
        )}
      </dl>
      {data && <RawText title="Data" text={JSON.stringify(data, null, 2)} />}
      {notification?.rawBody !== undefined && <RawText title="As sent by the store" text={notification.rawBody} />}
    </div>
  );
}
