// Customer page: current access in one sentence, its source, and its history. Support starts here when a customer has no access.
import { api, unwrap } from '../api/client';
import { useQuery } from '../api/query';
import type { PageProps } from '../context/router';
import { useProject } from '../context/project';
import { Deferred } from '../parts/deferred';
import { QueryView } from '../parts/states';
import { AccessCard } from './access-card';
import { Attributes } from './attributes';
import { CustomerHead } from './customer-head';
import { Grants } from './grants';
import { Purchases } from './purchases';
import { Subscriptions } from './subscriptions';
import { Timeline } from './timeline';
import '../styles/customer.css';
import '../styles/timeline.css';

export default function CustomerPage({ params: { cid = '' } }: PageProps) {
  const { project } = useProject();
  const customer = useQuery(`customer|${project.id}|${cid}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/customers/{cid}', { params: { path: { id: project.id, cid } }, signal })),
  );
  return (
    <QueryView of={customer} what="the customer">
      {(found) => (
        <div class="customer">
          <CustomerHead customer={found} />
          <AccessCard customer={found} />
          <Deferred>
            <div class="customer-side">
              <Subscriptions customer={found} />
              <Purchases customer={found} />
              <Grants customer={found} />
              <Attributes customer={found} />
            </div>
            <Timeline customer={found} />
          </Deferred>
        </div>
      )}
    </QueryView>
  );
}
