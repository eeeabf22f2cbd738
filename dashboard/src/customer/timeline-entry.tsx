// One event of the timeline. Bodies of stores and receivers are rendered as text, never as markup.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { useProject } from '../context/project';
import { actorName } from '../names/actors';
import { useExperimentWording } from '../names/experiments';
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { statusText } from '../parts/status-badge';
import { dateTime } from '../parts/format';
import { Link } from '../parts/link';
import { RawText } from '../parts/raw-text';
import { Time } from '../parts/time';

export type Entry = Schemas['TimelineEntry'];

/** Colours of the dots by a pattern of the event type; the sentence says the same. */
const TONES: readonly (readonly [RegExp, string])[] = [
  [/Refund|Revoked|BillingRetry|Failed|BillingIssue/, 'bad'],
  [/GracePeriod|Paused|PauseScheduled|AutoRenewDisabled|Pending/, 'warn'],
  [/Expired|Ended|Deleted|Erased/, 'over'],
  [/Renewed|Recovered|Started|Purchased|PurchaseCompleted|Granted|AutoRenewEnabled/, 'good'],
];
const LATE_MS = 3_600_000;

export function TimelineEntry({ entry, children }: { readonly entry: Entry; readonly children?: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  const { reword } = useProductNames();
  const { type, at, recordedAt, actor, superseded } = entry;
  const summary = useExperimentWording(reword(entry.summary));
  const store = storeOf(entry);
  const tone = TONES.find(([names]) => names.test(type))?.[1] ?? '';
  const isLate = Math.abs(Date.parse(recordedAt) - Date.parse(at)) > LATE_MS;
  return (
    <li class={superseded ? 'superseded' : undefined}>
      <span class={`dot ${tone}`} aria-hidden="true" />
      <div>
        <p class="summary">
          {summary} {superseded && <span class="badge">later shown otherwise</span>}
          <AccessChange entry={entry} />
        </p>
        <p class="entry-line">
          <span>
            <Time at={at} clock="minutes" />
            {isLate && (
              <>
                , recorded <Time at={recordedAt} />
              </>
            )}
          </span>
          {store !== null && <span>{storeName(store)}</span>}
          <span>{actorName(actor)}</span>
          <Settled entry={entry} />
          <Deliveries entry={entry} />
          <button type="button" class="as-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Less' : 'Details'}
            <span class="visually-hidden"> of {summary}</span>
          </button>
          {children}
        </p>
        {isOpen && <Details entry={entry} />}
      </div>
    </li>
  );
}

/** Returns the store of the purchase that the event is about: products of both stores often have the same name. */
function storeOf({ data }: Entry): string | null {
  const purchase = data?.['purchase'] as { readonly store?: string } | undefined;
  return purchase?.store ?? null;
}

/** Shows gained and lost access. A moved end is in the sentence already. */
function AccessChange({ entry: { access } }: { readonly entry: Entry }) {
  const { before, after } = access;
  const gained = Object.keys(after).filter((key) => !(key in before));
  const lost = Object.keys(before).filter((key) => !(key in after));
  return (
    <>
      {gained.map((key) => (
        <span key={key} class="badge good">
          gains {key}
        </span>
      ))}
      {lost.map((key) => (
        <span key={key} class="badge bad">
          loses {key}
        </span>
      ))}
    </>
  );
}

const SETTLED = {
  settled: 'settled by the store',
  differs: 'the store’s report differs',
  estimated: 'not settled yet',
};

/** Says what the store's report has of a charge or refund. The amounts of a group are of all its equal charges. */
function Settled({ entry: { settlement } }: { readonly entry: Entry }) {
  const { base } = useProject();
  if (!settlement) return null;
  const { status, month, cause, count, currency, store } = settlement;
  const paid = store?.proceeds === undefined ? '' : `: ${store.proceeds} ${currency} paid`;
  return (
    <Link to={`${base}/money/${month}/${cause}`}>
      {SETTLED[status]}
      {paid}
      {paid !== '' && count > 1 ? ` for ${count} equal ones` : ''}
    </Link>
  );
}

/** Counts what was delivered; only what was not is listed. */
function Deliveries({ entry: { deliveries } }: { readonly entry: Entry }) {
  const { base } = useProject();
  if (deliveries.length === 0) return null;
  const open = deliveries.filter(({ state }) => state !== 'delivered');
  const delivered = deliveries.length - open.length;
  return (
    <>
      {delivered > 0 && <span>{delivered === 1 ? '1 webhook delivered' : `${delivered} webhooks delivered`}</span>}
      {open.map(({ id, webhookId, type, state }) => (
        <Link key={id} to={`${base}/webhooks/${webhookId}?delivery=${id}`}>
          {type} {statusText(state)}
        </Link>
      ))}
    </>
  );
}

/** Everything about the event, with the raw data opened. */
function Details({ entry }: { readonly entry: Entry }) {
  const { base } = useProject();
  const { cause, data, type, id, at, recordedAt, access, deliveries } = entry;
  const notification = cause && 'notification' in cause ? cause.notification : null;
  const request = cause && 'request' in cause ? cause.request : null;
  const report = cause && 'report' in cause ? cause.report : null;
  return (
    <div class="details">
      <dl>
        <dt>Event</dt>
        <dd class="code">
          {type} {id}
        </dd>
        <dt>Took effect</dt>
        <dd>{dateTime(at, { seconds: true })}</dd>
        <dt>Recorded</dt>
        <dd>{dateTime(recordedAt, { seconds: true })}</dd>
        {Object.entries(access.after).map(([key, until]) => (
          <>
            <dt>Access to {key}</dt>
            <dd>{until === null ? 'without an end' : `until ${dateTime(until)}`}</dd>
          </>
        ))}
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
        {report && (
          <>
            <dt>Report</dt>
            <dd>
              <Link to={`${base}/money/${report.month}`}>{report.text}</Link>
            </dd>
          </>
        )}
        {deliveries.length > 0 && (
          <>
            <dt>Webhooks</dt>
            <dd>
              {deliveries.map(({ id: did, webhookId, type: kind, state }) => (
                <p key={did}>
                  <Link to={`${base}/webhooks/${webhookId}?delivery=${did}`}>{kind}</Link> {statusText(state)}
                </p>
              ))}
            </dd>
          </>
        )}
      </dl>
      {data && <RawText title="Data" text={JSON.stringify(data, null, 2)} isOpen />}
      {notification?.rawBody !== undefined && (
        <RawText title="As sent by the store" text={notification.rawBody} isOpen />
      )}
    </div>
  );
}
