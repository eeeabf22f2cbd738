// Timeline of a customer, by day: every event as a sentence, with its actor, its cause, its webhooks, and access before and after.
import { useState } from 'preact/hooks';
import { nextPageQuery, type PageQuery } from '#sdk/items';
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { day } from '../parts/format';
import { Select } from '../parts/form';
import { QueryView } from '../parts/states';
import type { CustomerDetail } from './customer-detail';
import { TimelineEntry, type Entry } from './timeline-entry';

const PAGE = 50;
const FIRST_PAGE: PageQuery = {};

export function Timeline({ customer }: { readonly customer: CustomerDetail }) {
  const order = query.value.get('order') === 'oldest' ? 'oldest' : 'newest';
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
          onChange={({ currentTarget }) => setQuery({ order: currentTarget.value === 'oldest' ? 'oldest' : null })}
        />
      </div>
      <Pages key={`${customer.id}|${order}`} customerId={customer.id} order={order} />
    </section>
  );
}

type PagesProps = { readonly customerId: string; readonly order: 'newest' | 'oldest' };

function Pages(props: PagesProps) {
  const [pageCount, setPageCount] = useState(1);
  return (
    <TimelinePage
      {...props}
      page={FIRST_PAGE}
      after={null}
      pageCount={pageCount}
      onMore={() => setPageCount(pageCount + 1)}
    />
  );
}

type TimelinePageProps = PagesProps & {
  readonly page: PageQuery;
  /** Last day of the page before, whose heading stands above already. */
  readonly after: string | null;
  /** Number of pages that are shown, from this one on. */
  readonly pageCount: number;
  readonly onMore: () => void;
};

/** Each page begins where the one before ends now: after a reload with new events, none is missing between them. */
function TimelinePage(props: TimelinePageProps) {
  const { customerId, order, page, after, pageCount, onMore } = props;
  const { project } = useProject();
  const request = { limit: PAGE, ...page, order };
  const params = { path: { id: project.id, cid: customerId }, query: request };
  const timelinePage = useQuery(`timeline|${customerId}|${JSON.stringify(request)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/customers/{cid}/timeline', { params, signal })),
  );
  return (
    <QueryView of={timelinePage} what="the timeline">
      {({ items, nextPage }) => {
        const next = nextPageQuery(nextPage);
        const days = groupByDay(items);
        const lastDay = days.at(-1)?.name ?? null;
        return (
          <>
            {days.map(({ name, entries }, i) => (
              <DayEntries key={entries[0]?.id ?? i} name={name === after && i === 0 ? null : name} of={entries} />
            ))}
            {pageCount === 1 && next && (
              <button type="button" onClick={onMore}>
                Show more
              </button>
            )}
            {pageCount > 1 && next && <TimelinePage {...props} page={next} after={lastDay} pageCount={pageCount - 1} />}
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

/** Groups neighbours by the day on which they took effect, in the time zone of the project. The order stays: a late report has its own day in between. */
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
