// Live feed: store notifications, their results, and the webhooks that they caused, with latencies. It can be paused and filtered.
import { useEffect, useMemo, useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { useProductNames } from '../names/products';
import { storeName } from '../names/stores';
import { count } from '../parts/format';
import { Form, Select } from '../parts/form';
import { Empty } from '../parts/states';
import { toast } from '../parts/toast';
import '../styles/live.css';
import { readFeed, type FeedState, type LiveLine } from './feed';
import { groupLines, isFailure, linesOf, type LiveGroup } from './groups';
import { LiveGroupView } from './live-group';
import { Pipeline } from './pipeline';

const MAX_LINES = 500;
const MAX_GROUPS = 100;
const STATES: Readonly<Record<FeedState, readonly [tone: string, text: string]>> = {
  connecting: ['', 'connecting'],
  open: ['good', 'connected'],
  away: ['bad', 'Connection lost. Reconnecting…'],
};

type Filter = (group: LiveGroup) => boolean;
const FILTERS: ReadonlyMap<string, readonly [text: string, fits: Filter]> = new Map([
  ['', ['everything', () => true] as const],
  ['failures', ['failures', (group) => linesOf(group).some(isFailure)] as const],
  ['notifications', ['store notifications', ({ received, processed }) => (received ?? processed) !== null] as const],
  [
    'requests',
    ['requests', ({ received, processed, events }) => !received && !processed && events.length > 0] as const,
  ],
  ['webhooks', ['webhooks', ({ deliveries }) => deliveries.length > 0] as const],
]);

/** `total` counts all lines since the page was opened, oldest first; only the latest are retained. */
type Feed = { readonly lines: readonly LiveLine[]; readonly total: number };

export default function LivePage() {
  const { project } = useProject();
  const [feed, setFeed] = useState<Feed>({ lines: [], total: 0 });
  const [paused, setPaused] = useState<Feed | null>(null);
  const [state, setState] = useState<FeedState>('connecting');
  useEffect(() => {
    const stopping = new AbortController();
    const add = (line: LiveLine) =>
      setFeed(({ lines, total }) => ({ lines: [...lines, line].slice(-MAX_LINES), total: total + 1 }));
    void readFeed(project.id, stopping.signal, add, setState);
    return () => stopping.abort();
  }, [project.id]);
  const { lines } = paused ?? feed;
  const [tone, text] = STATES[state];
  return (
    <>
      <div class="row live-head">
        <h1>Live</h1>
        <span class={`badge ${tone}`} role="status">
          {text}
        </span>
        <SimulatePurchase />
      </div>
      <Pipeline lines={lines} />
      <div class="row end controls">
        <Filters />
        <button type="button" aria-pressed={paused !== null} onClick={() => setPaused(paused ? null : feed)}>
          {paused ? `Continue (${count(feed.total - paused.total)} new)` : 'Pause'}
        </button>
      </div>
      <Groups lines={lines} />
    </>
  );
}

function Filters() {
  return (
    <>
      <Select
        label="Show"
        value={query.value.get('show') ?? ''}
        options={[...FILTERS].map(([value, [text]]) => [value, text] as const)}
        onChange={({ currentTarget }) => setQuery({ show: currentTarget.value || null })}
      />
      <p class="field">
        <label for="live-contains">Contains</label>
        <input
          id="live-contains"
          type="search"
          placeholder="a customer, a product, a kind"
          value={query.value.get('contains') ?? ''}
          onInput={({ currentTarget }) => setQuery({ contains: currentTarget.value || null })}
        />
      </p>
    </>
  );
}

function Groups({ lines }: { readonly lines: readonly LiveLine[] }) {
  const { project } = useProject();
  const { reword } = useProductNames();
  const groups = useMemo(() => groupLines(lines), [lines]);
  const [, fits] = FILTERS.get(query.value.get('show') ?? '') ?? ['', () => true];
  const part = (query.value.get('contains') ?? '').toLowerCase();
  const found = groups.filter((group) => fits(group) && contains(group, part, reword)).slice(0, MAX_GROUPS);
  if (lines.length === 0) {
    return (
      <Empty title="No events since you opened this page.">
        <p>
          {project.demo === null
            ? 'Send a test notification from the store’s console, or make a test purchase.'
            : 'Simulate a purchase to see what follows.'}
        </p>
      </Empty>
    );
  }
  if (found.length === 0) return <Empty title="Nothing fits the filter yet." />;
  return (
    <ol class="live-groups" aria-label="Newest first">
      {found.map((group) => (
        <LiveGroupView key={group.key} group={group} />
      ))}
    </ol>
  );
}

/** Finds the part, in lower case, in the technical names and in the words on the page. */
function contains(group: LiveGroup, part: string, reword: (text: string) => string): boolean {
  const textOf = (line: LiveLine) => `${JSON.stringify(line)} ${reword(line.summary)} ${storeOf(line)}`.toLowerCase();
  return part === '' || linesOf(group).some((line) => textOf(line).includes(part));
}

function storeOf(line: LiveLine): string {
  return 'store' in line && line.store !== null ? storeName(line.store) : '';
}

function SimulatePurchase() {
  const { project, may } = useProject();
  if (project.demo === null || !may('configure')) return null;
  const play = async () => {
    const path = { id: project.id };
    const { appUserId } = await unwrap(api.POST('/v1/projects/{id}/demo/purchase', { params: { path } }));
    invalidate();
    toast(`${appUserId} bought a month.`);
  };
  return (
    <Form label="Simulate a purchase" submit={play}>
      {null}
    </Form>
  );
}
