// Slider over the customer's history, with buttons for the previous and the next change.
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { setQuery } from '../context/router';
import { fieldOf, instantOf, timeZone } from '../context/time-zone';
import { dateTime } from '../parts/format';
import type { CustomerDetail } from './customer-detail';

const MINUTE_MS = 60_000;
const MAX_OF_PAGE = 100;

export function AccessSlider({ customer, asOf }: { readonly customer: CustomerDetail; readonly asOf: string | null }) {
  const { project } = useProject();
  const path = { id: project.id, cid: customer.id };
  const timeline = useQuery(`changes|${project.id}|${customer.id}`, (signal) => loadInstants(path, signal));
  const now = Date.now();
  const changes = timeline.data ?? [];
  const begin = Math.min(changes[0] ?? now, Date.parse(customer.firstSeenAt), now - MINUTE_MS);
  const at = asOf === null ? now : Date.parse(asOf);
  const show = (ms: number | undefined) => setQuery({ asOf: ms === undefined ? null : new Date(ms).toISOString() });
  const before = changes.findLast((ms) => ms < at - (asOf === null ? 0 : 1));
  const next = changes.find((ms) => ms > at);
  return (
    <div class="slider controls">
      <label for="as-of">
        As of: <strong>{asOf === null ? 'now' : dateTime(at, { seconds: true })}</strong>
      </label>
      <input
        id="as-of"
        type="range"
        min={begin}
        max={now}
        step={MINUTE_MS}
        value={at}
        aria-valuetext={asOf === null ? 'now' : dateTime(at)}
        onChange={({ currentTarget: { valueAsNumber } }) =>
          show(valueAsNumber >= now - MINUTE_MS ? undefined : valueAsNumber)
        }
      />
      <div class="row">
        <button type="button" disabled={before === undefined} onClick={() => show(before)}>
          ← Previous change
        </button>
        <button type="button" disabled={asOf === null} onClick={() => show(next)}>
          Next change →
        </button>
        <label class="field inline">
          Instant ({timeZone})
          <input
            type="datetime-local"
            value={fieldOf(at)}
            onChange={({ currentTarget }) => currentTarget.value && show(Date.parse(instantOf(currentTarget.value)))}
          />
        </label>
        {asOf !== null && (
          <button type="button" onClick={() => show(undefined)}>
            Now
          </button>
        )}
      </div>
    </div>
  );
}

/** Loads the recording times of all events of the customer, UTC ms, oldest first. */
async function loadInstants(path: { readonly id: string; readonly cid: string }, signal: AbortSignal) {
  const instants = new Set<number>();
  for (let page: PageQuery | null = {}; page !== null;) {
    const query: { order: 'newest'; limit: number } = { ...page, order: 'newest', limit: MAX_OF_PAGE };
    const params = { path, query };
    const { items, nextPage } = await unwrap(api.GET('/v1/projects/{id}/customers/{cid}/timeline', { params, signal }));
    for (const { recordedAt } of items) instants.add(Date.parse(recordedAt));
    page = nextPageQuery(nextPage);
  }
  return [...instants].sort((a, b) => a - b);
}
