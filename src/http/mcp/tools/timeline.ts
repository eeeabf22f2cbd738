// Tool to read a customer's timeline, with a filter by time and type.
import { z } from 'zod';
import type { Schemas } from '#sdk/client.js';
import { entry, toEntry } from '../entries.js';
import { asOf, cursor, customer, instant, limit, nextCursor } from '../inputs.js';
import { bodyOf, cursorOf, defineTool, given, type Tool } from '../tool.js';
import { customerPage } from './customers.js';

const PAGE_SIZE = 100;
/** A filter that matches nothing stops here, with a cursor to continue. */
const MAX_PAGES = 10;

type Entry = Schemas['TimelineEntry'];

const getTimeline = defineTool({
  name: 'get_timeline',
  title: 'Get a timeline',
  description:
    'Events of one customer, newest first: what happened, when it took effect and when it was recorded, its cause (store notification or request), who did it, access before and after, and the webhooks sent. With a filter, a page may be empty although nextCursor is not null: continue with it.',
  uses: ['GET /v1/projects/{id}/customers/{cid}/timeline'],
  input: z.strictObject({
    customer,
    from: instant.optional().meta({ description: 'Only events that took effect at this instant or later.' }),
    to: instant.optional().meta({ description: 'Only events that took effect before this instant.' }),
    types: z
      .array(z.string().max(100))
      .max(20)
      .optional()
      .meta({ description: 'Only events of these types, such as SubscriptionRenewed.' }),
    order: z.enum(['newest', 'oldest']).default('newest'),
    asOf,
    limit,
    cursor,
  }),
  output: z.object({ entries: z.array(entry), nextCursor }),
  run: async ({ customer: cid, from, to, types, order, asOf, limit, cursor: first }, context) => {
    const { client, projectId: id } = context;
    const start = from === undefined ? -Infinity : Date.parse(from);
    const end = to === undefined ? Infinity : Date.parse(to);
    const matches = ({ at, type }: Entry) =>
      Date.parse(at) >= start && Date.parse(at) < end && (types === undefined || types.includes(type));
    const isFiltered = from !== undefined || to !== undefined || types !== undefined;
    const found: Entry[] = [];
    let startingAfter: string | null | undefined = first;
    for (let pages = 0; pages < MAX_PAGES && startingAfter !== null && found.length < limit; pages++) {
      const query = { order, asOf, limit: isFiltered ? PAGE_SIZE : limit, startingAfter };
      const page: { readonly items: readonly Entry[]; readonly nextPage: string | null } = bodyOf(
        await client.GET('/v1/projects/{id}/customers/{cid}/timeline', {
          params: { path: { id, cid }, query: given(query) },
        }),
      );
      const all = page.items.filter(matches);
      const nextEntries = all.slice(0, limit - found.length);
      found.push(...nextEntries);
      startingAfter = nextEntries.length < all.length ? (nextEntries.at(-1)?.id ?? null) : cursorOf(page);
    }
    const data = { entries: found.map((one) => toEntry(one, context)), nextCursor: startingAfter ?? null };
    return { data, page: customerPage(cid), asOf };
  },
});

export const timelineTools: readonly Tool[] = [getTimeline];
