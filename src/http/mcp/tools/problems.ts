// Tool to find customers with a problem of their purchases.
import { z } from 'zod';
import type { Client, Schemas } from '#sdk/client.js';
import { time } from '../../bodies/response-schemas.js';
import { figure, toFigure } from '../amounts.js';
import { cursor, instant, limit, nextCursor } from '../inputs.js';
import { bodyOf, cursorOf, defineTool, given, type Tool } from '../tool.js';

const kinds = ['billing_issue', 'grace', 'transferred_recently', 'refunded'] as const;
type Kind = (typeof kinds)[number];

const statuses = {
  billing_issue: 'billing_retry',
  grace: 'grace_period',
  transferred_recently: 'transferred',
} as const satisfies Partial<Record<Kind, Schemas['Customer']['status']>>;

const problem = z.object({
  customerId: z.string(),
  appUserId: z.string().nullable(),
  since: time.nullable().meta({ description: 'Null if unknown.' }),
  reason: z.string(),
  amount: figure.nullable().optional().meta({ description: 'For refunded: the amount of the charge, in `currency`.' }),
  currency: z.string().nullable().optional(),
  refundedUsd: figure.nullable().optional().meta({ description: 'Refunded so far; null if unknown.' }),
});
type Problem = z.output<typeof problem>;
type Page = { readonly customers: readonly Problem[]; readonly nextCursor: string | null };
type Search = {
  readonly limit: number;
  readonly startingAfter: string | undefined;
  readonly since: string | undefined;
};

const findProblemCustomers = defineTool({
  name: 'find_problem_customers',
  title: 'Find customers with a problem',
  description:
    'Customers whose payment fails and whose purchase gives no access any more (billing_issue) or still gives it (grace), whose purchases another customer has now (transferred_recently), or who got money back (refunded), each with its reason. With since, a page may have fewer items although nextCursor is not null.',
  uses: [
    'GET /v1/projects/{id}/customers',
    'GET /v1/projects/{id}/customers/{cid}',
    'GET /v1/projects/{id}/customers/{cid}/timeline',
    'GET /v1/projects/{id}/transactions',
  ],
  input: z.strictObject({
    kind: z.enum(kinds),
    since: instant.optional().meta({ description: 'Only problems that began at this instant or later.' }),
    limit,
    cursor,
  }),
  output: z.object({ customers: z.array(problem), nextCursor }),
  run: async ({ kind, since, limit, cursor: startingAfter }, { client, projectId }) => {
    const search = { limit, startingAfter, since };
    const found =
      kind === 'refunded'
        ? await findRefunded(client, projectId, search)
        : await findByStatus(client, projectId, kind, search);
    return { data: found, page: kind === 'refunded' ? '/customers' : `/customers?status=${statuses[kind]}` };
  },
});

async function findRefunded(client: Client, id: string, search: Search): Promise<Page> {
  const query = given({ kind: 'refund' as const, environment: 'production' as const, ...search });
  const page = bodyOf(await client.GET('/v1/projects/{id}/transactions', { params: { path: { id }, query } }));
  const customers = page.items.map((one) => ({
    customerId: one.customerId,
    appUserId: one.appUserId,
    since: one.at,
    reason: `${one.storeProductId} (${one.store}) was refunded (transaction ${one.id})`,
    ...given({ amount: toFigure('money', one.amount), refundedUsd: toFigure('usd', one.refundedUsd) }),
    ...(one.amount !== undefined && { currency: one.currency }),
  }));
  return { customers, nextCursor: cursorOf(page) };
}

async function findByStatus(
  client: Client,
  id: string,
  kind: keyof typeof statuses,
  { since, ...list }: Search,
): Promise<Page> {
  const query = given({ status: statuses[kind], ...list });
  const page = bodyOf(await client.GET('/v1/projects/{id}/customers', { params: { path: { id }, query } }));
  const customers: Problem[] = [];
  // One after the other: a list of problems must not take the place of other requests.
  for (const { id: cid, appUserId } of page.items) {
    const found = { customerId: cid, appUserId, ...(await describeProblem(client, { id, cid }, kind)) };
    if (since === undefined || (found.since !== null && Date.parse(found.since) >= Date.parse(since)))
      customers.push(found);
  }
  return { customers, nextCursor: cursorOf(page) };
}

async function describeProblem(
  client: Client,
  path: { readonly id: string; readonly cid: string },
  kind: keyof typeof statuses,
): Promise<Pick<Problem, 'since' | 'reason'>> {
  if (kind === 'transferred_recently') {
    const query = { limit: 100 };
    const { items } = bodyOf(
      await client.GET('/v1/projects/{id}/customers/{cid}/timeline', { params: { path, query } }),
    );
    const transfer = items.find(({ type }) => type === 'PurchaseTransferred');
    return { since: transfer?.at ?? null, reason: transfer?.summary ?? 'another customer has the purchases now' };
  }
  const { subscriptions, activeEntitlements } = bodyOf(
    await client.GET('/v1/projects/{id}/customers/{cid}', { params: { path } }),
  );
  const state = statuses[kind];
  const failing = subscriptions.find((one) => one.state === state);
  const since = failing?.billingIssueDetectedAt ?? null;
  const end =
    kind === 'grace'
      ? `its grace period ends at ${failing?.gracePeriodExpiresAt ?? 'an unknown time'}`
      : `it gives no access since ${failing?.accessEndsAt ?? 'an unknown time'}`;
  const bought = failing ? `${failing.storeProductId} (${placeOf(failing)})` : 'a subscription';
  const keys = activeEntitlements.join(', ');
  const left = kind === 'billing_issue' && keys !== '' ? `; another purchase or grant gives ${keys}` : '';
  return { since, reason: `payment for ${bought} fails; ${end}${left}` };
}

/** Products of both stores often have the same ID. */
function placeOf({ store, environment }: { readonly store: string; readonly environment: string }): string {
  return environment === 'sandbox' ? `${store}, sandbox` : store;
}

export const problemTools: readonly Tool[] = [findProblemCustomers];
