// Header of the customer page, with the most frequent actions of support: refresh from the stores, transfer a purchase, copy a link.
import { useState } from 'preact/hooks';
import { api, unwrap, projectHeaders, type Schemas } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../app/project';
import { navigate } from '../app/router';
import { text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { count, money } from '../parts/format';
import { Field, Form } from '../parts/form';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';

export type CustomerDetail = Schemas['CustomerDetail'];

export function CustomerHead({ customer }: { readonly customer: CustomerDetail }) {
  const { project, may } = useProject();
  const [isMoving, setMoving] = useState(false);
  const { id, appUserId, aliases, status, country, platform, firstSeenAt, lastSeenAt, totalSpentUsd } = customer;
  const path = { id: project.id, cid: id };
  const refresh = async () => {
    const { asked, changed, failed } = await unwrap(
      api.POST('/v1/projects/{id}/customers/{cid}/refresh', { params: { path } }),
    );
    invalidate();
    const problem = failed.length > 0 ? `, ${failed.length} could not be refreshed: ${failed[0]?.reason ?? ''}` : '';
    toast(`Asked about ${count(asked)}, ${count(changed.length)} changed${problem}.`);
  };
  return (
    <section class="card" aria-labelledby="customer-name">
      <div class="row">
        <h1 id="customer-name" class="name">
          {appUserId}
        </h1>
        <StatusBadge status={status} />
      </div>
      <dl>
        <dt>Customer ID</dt>
        <dd class="code">{id}</dd>
        {aliases.length > 0 && (
          <>
            <dt>Also known as</dt>
            <dd class="code">{aliases.join(', ')}</dd>
          </>
        )}
        <dt>First seen</dt>
        <dd>
          <Time at={firstSeenAt} />
        </dd>
        <dt>Last seen</dt>
        <dd>
          <Time at={lastSeenAt} />
        </dd>
        <dt>Country, platform</dt>
        <dd>
          {country ?? 'unknown'}, {platform ?? 'unknown'}
        </dd>
        {totalSpentUsd !== undefined && (
          <>
            <dt>Spent</dt>
            <dd>{money(totalSpentUsd)}</dd>
          </>
        )}
      </dl>
      {may('support') && (
        <div class="row controls actions">
          <Form label="Refresh from the stores" submit={refresh} isPlain>
            {null}
          </Form>
          <button type="button" onClick={() => setMoving(true)}>
            Move a purchase here…
          </button>
          {may('erase') && <Erase customer={customer} />}
        </div>
      )}
      {isMoving && <TransferPurchase customer={customer} onClose={() => setMoving(false)} />}
    </section>
  );
}

function Erase({ customer }: { readonly customer: CustomerDetail }) {
  const { project, base } = useProject();
  const { appUserId, lastSeenAt } = customer;
  const erase = async (data: FormData) => {
    if (text(data, 'appUserId') !== appUserId) throw new Error('The app user ID does not match. Nothing was erased.');
    await unwrap(
      api.DELETE('/v1/subscribers/{appUserId}', { params: { path: { appUserId } }, ...projectHeaders(project.id) }),
    );
    navigate(`${base}/customers`, { replaces: true });
  };
  return (
    <Confirm
      label="Erase"
      title={`Erase ${appUserId}`}
      run={erase}
      done="Erased."
      lastUse={
        <>
          Last seen <Time at={lastSeenAt} isAgo />.
        </>
      }
      breaks="Attributes, aliases and grants are deleted permanently, and the customer can no longer be found by these IDs. Amounts stay in the charts without a person. This cannot be undone."
    >
      <Field label={`Type ${appUserId} to confirm`} name="appUserId" required autocomplete="off" />
    </Confirm>
  );
}

function TransferPurchase({ customer, onClose }: { readonly customer: CustomerDetail; readonly onClose: () => void }) {
  const { project } = useProject();
  const move = async (data: FormData) => {
    const body = { transactionId: String(data.get('transactionId')).trim(), reason: String(data.get('reason')) };
    const params = { path: { id: project.id, cid: customer.id } };
    const { from } = await unwrap(api.POST('/v1/projects/{id}/customers/{cid}/purchases/transfer', { params, body }));
    invalidate();
    toast(`The purchase of ${from.appUserId} is ${customer.appUserId}’s now.`);
    onClose();
  };
  return (
    <Dialog title={`Move a purchase to ${customer.appUserId}`} onClose={onClose}>
      <p>All renewals of the purchase move with it. Both customers’ timelines show who moved it and why.</p>
      <Form label="Move the purchase" submit={move}>
        <Field label="Transaction or order ID" name="transactionId" required autocomplete="off" />
        <Field label="Reason" name="reason" required maxLength={500} autocomplete="off" />
      </Form>
    </Dialog>
  );
}
