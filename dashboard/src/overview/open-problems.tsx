// Open problems: questions of the stores before they lapse, halted charts, parked notifications, and webhooks that fail or were disabled.
import type { ComponentChildren } from 'preact';
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { count } from '../parts/format';
import { Link } from '../parts/link';
import { QueryView } from '../parts/states';
import { Time } from '../parts/time';

/** Number of refund requests that are shown individually. */
const MAX_REQUESTS = 3;
const EVERY_MS = 15_000;
const MAX_COUNTED = 100;
const DISABLED_REASONS = {
  gone: 'the receiver returned 410 Gone',
  failures: 'it failed for several days',
  user: 'a member disabled it',
} as const;

type ProblemLine = { readonly id: string; readonly text: ComponentChildren };

/** `staleSince`: time since which the charts have halted. */
export function OpenProblems({ staleSince }: { readonly staleSince: string | undefined }) {
  const problems = useProblems();
  return (
    <section class="card" aria-labelledby="problems-title">
      <h2 id="problems-title">Open problems</h2>
      <QueryView of={problems} what="the problems">
        {(found) => {
          const lines = [...haltedLine(staleSince), ...linesOf(found)];
          if (lines.length === 0) return <p class="all-good">None. Notifications and webhooks are working.</p>;
          return (
            <ul class="plain problems">
              {lines.map(({ id, text }) => (
                <li key={id}>{text}</li>
              ))}
            </ul>
          );
        }}
      </QueryView>
    </section>
  );

  function linesOf({ parked, failing, disabled, requests }: Problems): readonly ProblemLine[] {
    const more = requests.length - MAX_REQUESTS;
    return [
      ...requests.slice(0, MAX_REQUESTS).map((one) => ({ id: one.id, text: <RefundQuestion request={one} /> })),
      ...(more > 0 ? [{ id: 'more', text: `${count(more)} more refund requests wait for an answer.` }] : []),
      ...(parked === 0 ? [] : [{ id: 'parked', text: <Parked parkedCount={parked} /> }]),
      ...failing.map((one) => ({ id: one.webhookId, text: <Failing webhook={one} /> })),
      ...disabled.map((one) => ({ id: one.id, text: <Disabled webhook={one} /> })),
    ];
  }
}

type Problems = NonNullable<ReturnType<typeof useProblems>['data']>;

function useProblems() {
  const { project } = useProject();
  const path = { id: project.id };
  return useQuery(
    `problems|${project.id}`,
    async (signal) => {
      const parkedOnly = { path, query: { state: 'parked', limit: MAX_COUNTED } as const };
      const [requests, parked, { evidence }, webhooks] = await Promise.all([
        unwrap(
          api.GET('/v1/projects/{id}/refund-requests', { params: { path, query: { limit: MAX_COUNTED } }, signal }),
        ),
        unwrap(api.GET('/v1/projects/{id}/notifications', { params: parkedOnly, signal })),
        unwrap(api.GET('/v1/projects/{id}/setup-status', { params: { path }, signal })),
        unwrap(api.GET('/v1/projects/{id}/webhooks', { params: { path, query: { limit: 100 } }, signal })),
      ]);
      return {
        requests: requests.items,
        parked: parked.items.length,
        failing: evidence.failingWebhooks,
        disabled: webhooks.items.filter(({ enabled, disabledReason }) => !enabled && disabledReason !== 'user'),
      };
    },
    { every: EVERY_MS },
  );
}

function haltedLine(staleSince: string | undefined): readonly ProblemLine[] {
  if (staleSince === undefined) return [];
  const text = (
    <span role="alert">
      The charts have stopped updating: nothing recorded since <Time at={staleSince} /> is included. Run{' '}
      <code>subledger doctor</code>.
    </span>
  );
  return [{ id: 'halted', text }];
}

function RefundQuestion({ request }: { readonly request: Problems['requests'][number] }) {
  const { base } = useProject();
  const { customerId, appUserId, transactionId, respondBy } = request;
  return (
    <>
      The store asks about a refund of transaction {transactionId} of{' '}
      <Link to={`${base}/customers/${customerId}`}>{appUserId ?? 'a customer'}</Link>. The question lapses{' '}
      <Time at={respondBy} isAgo />.
    </>
  );
}

function Parked({ parkedCount }: { readonly parkedCount: number }) {
  const { base } = useProject();
  const more = parkedCount >= MAX_COUNTED ? ' or more' : '';
  return (
    <>
      <Link to={`${base}/notifications?state=parked`}>
        {count(parkedCount)}
        {more} {parkedCount === 1 ? 'notification is' : 'notifications are'} parked
      </Link>{' '}
      by an internal error. Retry them after an update.
    </>
  );
}

function Failing({ webhook }: { readonly webhook: Problems['failing'][number] }) {
  const { base } = useProject();
  const { webhookId, name, since, lastStatus } = webhook;
  return (
    <>
      <Link to={`${base}/webhooks/${webhookId}`}>The webhook {name ?? webhookId} has been failing</Link> since{' '}
      <Time at={since} />
      {lastStatus === null ? ': no response.' : `: it returned ${lastStatus}.`}
    </>
  );
}

function Disabled({ webhook }: { readonly webhook: Problems['disabled'][number] }) {
  const { base } = useProject();
  const { id, name, url, disabledReason } = webhook;
  return (
    <>
      <Link to={`${base}/webhooks/${id}`}>The webhook {name ?? url} is disabled</Link>
      {disabledReason && `: ${DISABLED_REASONS[disabledReason]}`}.
    </>
  );
}
