// Promotional grants: lists them, and creates or revokes them if the role allows it.
import { api, unwrap, unwrapAll, projectHeaders, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Form, Select } from '../parts/form';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import type { CustomerDetail } from './customer-detail';

type Grant = Schemas['Grant'];

const DURATIONS = [
  ['daily', '1 day'],
  ['three_day', '3 days'],
  ['weekly', '1 week'],
  ['monthly', '1 month'],
  ['two_month', '2 months'],
  ['three_month', '3 months'],
  ['six_month', '6 months'],
  ['yearly', '1 year'],
  ['lifetime', 'a lifetime'],
] as const;

export function Grants({ customer }: { readonly customer: CustomerDetail }) {
  const { may } = useProject();
  return (
    <section class="card" aria-labelledby="grants-title">
      <h2 id="grants-title">Free access</h2>
      {customer.promotionalGrants.length === 0 ? (
        <p class="hint">Nothing was granted to this customer.</p>
      ) : (
        <ul class="plain">
          {customer.promotionalGrants.map((grant) => (
            <GrantItem key={grant.id} grant={grant} appUserId={customer.appUserId} />
          ))}
        </ul>
      )}
      {may('changeSubscriber') && <CreateGrant customer={customer} />}
    </section>
  );
}

function GrantItem({ grant, appUserId }: { readonly grant: Grant; readonly appUserId: string }) {
  const { project, may } = useProject();
  const { lookupKey, startsAt, expiresAt, endedAt } = grant;
  const isOver = endedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= Date.now());
  const revoke = async () => {
    const params = { path: { appUserId, eid: grant.entitlementId } };
    await unwrap(
      api.DELETE('/v1/subscribers/{appUserId}/entitlements/{eid}', { params, ...projectHeaders(project.id) }),
    );
  };
  return (
    <li class="row">
      <span class={`badge ${isOver ? '' : 'good'}`}>{isOver ? 'over' : 'gives access'}</span>
      <span>
        <strong>{lookupKey}</strong> from <Time at={startsAt} /> {expiresAt ? <Until at={expiresAt} /> : 'without end'}
        {endedAt && (
          <>
            , ended <Time at={endedAt} />
          </>
        )}
      </span>
      {!isOver && may('changeSubscriber') && (
        <Confirm
          label="Revoke"
          title={`Revoke ${lookupKey}`}
          run={revoke}
          done={`Grants of ${lookupKey} were revoked.`}
          breaks={`${appUserId} loses ${lookupKey} at once, with all grants of it, unless a purchase gives it too. Purchases stay. The app shows it with its next request. To undo it, grant access again.`}
        />
      )}
    </li>
  );
}

function Until({ at }: { readonly at: string }) {
  return (
    <>
      until <Time at={at} />
    </>
  );
}

function CreateGrant({ customer }: { readonly customer: CustomerDetail }) {
  const { project } = useProject();
  const entitlements = useQuery(`entitlements|${project.id}`, (signal) =>
    unwrapAll((query) =>
      api.GET('/v1/projects/{id}/entitlements', { params: { path: { id: project.id }, query }, signal }),
    ),
  );
  const options = entitlements.data?.items.map((one) => [one.lookupKey, one.displayName] as const) ?? [];
  if (options.length === 0) return null;
  const give = async (data: FormData) => {
    const entitlementId = String(data.get('entitlementId'));
    const duration = String(data.get('duration')) as 'weekly';
    const params = { path: { appUserId: customer.appUserId } };
    const body = { entitlementId, duration };
    await unwrap(api.POST('/v1/subscribers/{appUserId}/entitlements', { params, body, ...projectHeaders(project.id) }));
    invalidate();
    toast(`${entitlementId} was granted.`);
  };
  return (
    <Form label="Grant access" submit={give} class="row end controls">
      <Select label="Entitlement" name="entitlementId" options={options} />
      <Select label="For" name="duration" options={DURATIONS} />
    </Form>
  );
}
