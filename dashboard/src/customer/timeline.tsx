// Timeline of a customer, by day: every event as a sentence, with its actor, its cause, its webhooks, and access before and after.
import { useState } from 'preact/hooks';
import { api, unwrap, nextPageQuery } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { query, setQuery } from '../app/router';
import { day } from '../parts/format';
import { Select } from '../parts/form';
import { QueryView } from '../parts/states';
import type { CustomerDetail } from './customer-detail';
import { TimelineEntry, type Entry } from './timeline-entry';

type Cursor = Readonly<Record<string, string>>;
/** `after`: last day of the page before, whose heading stands above already. */
type Page = { readonly cursor: Cursor; readonly after: string | null };

const PAGE = 50;
const FIRST: Page = { cursor: {}, after: null };

export function Timeline({ customer }: { readonly customer: CustomerDetail }) {
  const order = query.value.get('order') === 'oldest' ? 'oldest' : 'newest';
  const [pages, setPages] = useState<readonly Page[]>([FIRST]);
  return (
    <section class="card customer-timeline" aria-labelledby="timeline-title">
      <div class="row spread">
        <h2 id="timeline-title">Timeline</h2>
        <Select
          label="Order"
          value={order}
          options={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
          onChange={({ currentTarget }) => {
            setPages([FIRST]);
            setQuery({ order: currentTarget.value === 'oldest' ? 'oldest' : null });
          }}
        />
      </div>
      {pages.map((page, i) => (
        <TimelinePage
          key={`${order}${i}`}
          customerId={customer.id}
          order={order}
          page={page}
          {...(i === pages.length - 1 && { onMore: (next: Page) => setPages([...pages, next]) })}
        />
      ))}
    </section>
  );
}

function TimelinePage({
  customerId,
  order,
  page,
  onMore,
}: {
  readonly customerId: string;
  readonly order: 'newest' | 'oldest';
  readonly page: Page;
  readonly onMore?: (next: Page) => void;
}) {
  const { project } = useProject();
  const request = { limit: PAGE, ...page.cursor, order };
  const params = { path: { id: project.id, cid: customerId }, query: request };
  const timelinePage = useQuery(`timeline|${customerId}|${JSON.stringify(request)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/customers/{cid}/timeline', { params, signal })),
  );
  return (
    <QueryView of={timelinePage} what="the timeline">
      {({ items, nextPage }) => {
        const cursor = nextPageQuery(nextPage);
        const days = groupByDay(items);
        return (
          <>
            {days.map(({ name, entries }, i) => (
              <DayEntries key={entries[0]?.id ?? i} name={name === page.after && i === 0 ? null : name} of={entries} />
            ))}
            {onMore && cursor && (
              <button type="button" onClick={() => onMore({ cursor, after: days.at(-1)?.name ?? null })}>
                Show more
              </button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}

/** `name` is null if the heading of the day stands above already. */
function DayEntries({ name, of }: { readonly name: string | null; readonly of: readonly Entry[] }) {
  return (
    <>
      {name !== null && <h3 class="day">{name}</h3>}
      <ol class="timeline">
        {groupRepeats(of).map((entries) => (
          <Repeats key={entries[0]?.id} of={entries} />
        ))}
      </ol>
    </>
  );
}

/** Shows the first of several equal events, and the others on request. */
function Repeats({ of }: { readonly of: readonly Entry[] }) {
  const [isOpen, setOpen] = useState(false);
  const [first, ...others] = of;
  if (!first) return null;
  return (
    <>
      <TimelineEntry entry={first}>
        {others.length > 0 && (
          <button type="button" class="as-link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide the others' : `${others.length} more like this`}
          </button>
        )}
      </TimelineEntry>
      {isOpen && others.map((entry) => <TimelineEntry key={entry.id} entry={entry} />)}
    </>
  );
}

type DayGroup = { readonly name: string; readonly entries: readonly Entry[] };

/** Groups neighbours by the day on which they took effect (UTC). The order stays: a late report has its own day in between. */
function groupByDay(entries: readonly Entry[]): readonly DayGroup[] {
  const groups: { name: string; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const name = day(entry.at);
    if (groups.at(-1)?.name === name) groups.at(-1)?.entries.push(entry);
    else groups.push({ name, entries: [entry] });
  }
  return groups;
}

function groupRepeats(entries: readonly Entry[]): readonly (readonly Entry[])[] {
  const groups: Entry[][] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.[0] && isRepeat(last[0], entry)) last.push(entry);
    else groups.push([entry]);
  }
  return groups;
}

function isRepeat(a: Entry, b: Entry): boolean {
  return a.type === b.type && a.summary === b.summary && a.actor.id === b.actor.id && a.superseded === b.superseded;
}
