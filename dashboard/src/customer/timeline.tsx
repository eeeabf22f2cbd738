// Timeline of a customer: every event as a sentence, with its actor, its cause, both times, its webhooks, and access before and after.
import { useState } from 'preact/hooks';
import { api, unwrap, nextPageQuery } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { query, setQuery } from '../app/router';
import { Select } from '../parts/form';
import { QueryView } from '../parts/states';
import { TimelineEntry } from './timeline-entry';
import type { CustomerDetail } from './customer-head';

type Cursor = Readonly<Record<string, string>>;

const PAGE = 50;

export function Timeline({ customer }: { readonly customer: CustomerDetail }) {
  const order = query.value.get('order') === 'oldest' ? 'oldest' : 'newest';
  const [pages, setPages] = useState<readonly Cursor[]>([{}]);
  return (
    <section class="card" aria-labelledby="timeline-title">
      <div class="row">
        <h2 id="timeline-title">Timeline</h2>
        <Select
          label="Order"
          value={order}
          options={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
          onChange={({ currentTarget }) => {
            setPages([{}]);
            setQuery({ order: currentTarget.value === 'oldest' ? 'oldest' : null });
          }}
        />
      </div>
      {pages.map((cursor, i) => (
        <TimelinePage
          key={`${order}${i}`}
          customerId={customer.id}
          order={order}
          cursor={cursor}
          {...(i === pages.length - 1 && { onMore: (next: Cursor) => setPages([...pages, next]) })}
        />
      ))}
    </section>
  );
}

function TimelinePage({
  customerId,
  order,
  cursor,
  onMore,
}: {
  readonly customerId: string;
  readonly order: 'newest' | 'oldest';
  readonly cursor: Cursor;
  readonly onMore?: (next: Cursor) => void;
}) {
  const { project } = useProject();
  const asked = { limit: PAGE, ...cursor, order };
  const params = { path: { id: project.id, cid: customerId }, query: asked };
  const listed = useQuery(`timeline|${customerId}|${JSON.stringify(asked)}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/customers/{cid}/timeline', { params, signal })),
  );
  return (
    <QueryView of={listed} what="the timeline">
      {({ items, nextPage }) => {
        const next = nextPageQuery(nextPage);
        return (
          <>
            <ol class="timeline">
              {items.map((entry) => (
                <TimelineEntry key={entry.id} entry={entry} />
              ))}
            </ol>
            {onMore && next && (
              <button type="button" onClick={() => onMore(next)}>
                Show more
              </button>
            )}
          </>
        );
      }}
    </QueryView>
  );
}
