// Which delivery keeps the later ones of a customer waiting.
import { api, ask } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { query } from '../app/router';
import { Link } from '../parts/link';
import { Time } from '../parts/time';
import { kindName } from './kinds';

export function HeldBehind({
  webhookId,
  appUserId,
}: {
  readonly webhookId: string;
  readonly appUserId: string | null;
}) {
  const { project, base } = useProject();
  const key = appUserId === null ? null : `lane|${webhookId}|${appUserId}`;
  const asked = { state: 'pending' as const, limit: 100, ...(appUserId !== null && { appUserId }) };
  const params = { path: { id: project.id, wid: webhookId }, query: asked };
  const waiting = useQuery(key, (signal) =>
    ask(api.GET('/v1/projects/{id}/webhooks/{wid}/deliveries', { params, signal })),
  );
  const first = waiting.data?.items.at(-1);
  const state = query.value.get('state');
  return (
    <p class="note">
      It waits, to keep the order, behind{' '}
      {first ? (
        <>
          <Link to={`${base}/webhooks/${webhookId}?delivery=${first.id}${state ? `&state=${state}` : ''}`}>
            {kindName(first.type)}
          </Link>{' '}
          of the same customer, tried {first.attempts.length} times
          {first.nextAttemptAt !== null && (
            <>
              , next <Time at={first.nextAttemptAt} isAgo />
            </>
          )}
          . Send that one again once the receiver works, or let it wait.
        </>
      ) : (
        'an earlier delivery of the same customer that failed.'
      )}
    </p>
  );
}
