// Shows if stores can reach the notification address, and the last notification that was refused.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { withStoreNames } from '../names/stores';
import { Time } from '../parts/time';

type Check = Schemas['NotificationCheck'];
type StoreEvidence = Schemas['SetupEvidence']['apps'][number];

const WORDS: Readonly<Record<Check['verdict'], string>> = {
  loopback: 'Not reachable',
  private: 'Not reachable',
  unencrypted: 'Not accepted by stores',
  unreachable: 'Not reachable',
  other_service: 'Leads elsewhere',
  reachable: 'Reachable',
};

export function NotificationCheck({ appId }: { readonly appId: string }) {
  const { project } = useProject();
  const { data } = useQuery(`notification-check|${appId}`, () =>
    unwrap(
      api.POST('/v1/projects/{id}/apps/{appId}/notification-check', { params: { path: { id: project.id, appId } } }),
    ),
  );
  if (!data) return null;
  const { verdict, sentence } = data;
  return (
    <p role="status">
      <span class={`badge ${verdict === 'reachable' ? 'good' : 'warn'}`}>{WORDS[verdict]}</span> {sentence}
    </p>
  );
}

export function LastRefusal({ of: { count, last } }: { readonly of: StoreEvidence['refusedNotifications'] }) {
  if (!last) return null;
  return (
    <p role="status">
      <span class="badge bad">Refused</span> {count === 1 ? 'A notification' : `${count} notifications`}, the last{' '}
      <Time at={last.at} isAgo />: {withStoreNames(last.reason)}
    </p>
  );
}
