// Shows which delivery blocks the later ones of a customer.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Link } from '../parts/link';
import { Time } from '../parts/time';

/** `delivery` has not been attempted yet. Renders nothing if no other delivery blocks it. */
export function BlockingDelivery({
  webhookId,
  delivery: { id, state, appUserId, createdAt },
}: {
  readonly webhookId: string;
  readonly delivery: Schemas['DeliveryDetail'];
}) {
  const { project, base } = useProject();
  const isWaiting = appUserId !== null && (state === 'held' || state === 'pending');
  const filter = { state: 'pending' as const, limit: 100, ...(appUserId !== null && { appUserId }) };
  const params = { path: { id: project.id, wid: webhookId }, query: filter };
  const read = useQuery(isWaiting ? `lane|${webhookId}|${appUserId}` : null, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', { params, signal })),
  );
  const first = read.data?.items.findLast((one) => one.attempts.length > 0);
  if (!isWaiting || (state === 'pending' && (!first || first.id === id || first.createdAt > createdAt))) return null;
  return (
    <p class="note">
      Waiting, to keep the order, for{' '}
      {first ? (
        <>
          <Link to={`${base}/webhooks/${webhookId}?delivery=${first.id}`}>{first.type}</Link> of the same customer,
          attempted {first.attempts.length === 1 ? 'once' : `${first.attempts.length} times`}
          {first.nextAttemptAt !== null && <NextAttempt at={first.nextAttemptAt} />}. To deliver sooner, send that one
          again once the receiver works.
        </>
      ) : (
        'an earlier delivery of the same customer that failed.'
      )}
    </p>
  );
}

function NextAttempt({ at }: { readonly at: string }) {
  if (Date.parse(at) <= Date.now()) return <> and is being tried again</>;
  return (
    <>
      {' '}
      and is tried again <Time at={at} isAgo />
    </>
  );
}
