// Header of the customer page: the one thing that matters in a sentence, and the most frequent actions of support.
import { useState } from 'preact/hooks';
import { api, unwrap, projectHeaders } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { navigate } from '../context/router';
import { useProductNames, type ProductNames } from '../names/products';
import { text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { count, money } from '../parts/format';
import { Field, Form } from '../parts/form';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { lastSignOfLife, type CustomerDetail } from './customer-detail';
import { headlineOf } from './headline';

export function CustomerHead({ customer }: { readonly customer: CustomerDetail }) {
  const { may } = useProject();
  const names = useProductNames();
  const { appUserId, totalSpentUsd, country } = customer;
  const { tone, status, sentence } = headlineOf(customer, names);
  const lastSign = lastSignOfLife(customer, names);
  return (
    <section class="card customer-head" aria-labelledby="customer-name">
      <div class="customer-title">
        <h1 id="customer-name" class="name">
          {appUserId}
        </h1>
        <span class={`badge ${tone}`}>{status}</span>
      </div>
      <p class="headline">{sentence}</p>
      <ul class="facts">
        {totalSpentUsd !== undefined && (
          <li>
            <strong>{money(totalSpentUsd)}</strong> spent
          </li>
        )}
        <li>
          Last seen <Time at={lastSign.at} isAgo /> <span class="hint">({lastSign.by})</span>
        </li>
        <li>
          Customer since <Time at={customer.firstSeenAt} />
        </li>
        {country !== null && <li>{countryName(country)}</li>}
      </ul>
      <Identity customer={customer} names={names} />
      {may('support') && <Actions customer={customer} />}
    </section>
  );
}

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

function countryName(code: string): string {
  return /^[A-Z]{2}$/.test(code) ? (countries.of(code) ?? code) : code;
}

/** IDs for a store’s console or a developer, which nobody reads every day. */
function Identity({ customer, names }: { readonly customer: CustomerDetail; readonly names: ProductNames }) {
  const { id, aliases, platform, lastSeenAt, subscriptions, purchases } = customer;
  const bought = new Map([...subscriptions, ...purchases].map((one) => [one.storeProductId, names.nameOf(one)]));
  return (
    <details>
      <summary>Details</summary>
      <dl>
        <dt>Customer ID</dt>
        <dd class="code">{id}</dd>
        {aliases.length > 0 && (
          <>
            <dt>Also known as</dt>
            <dd class="code">{aliases.join(', ')}</dd>
          </>
        )}
        <dt>Last call of the app</dt>
        <dd>
          <Time at={lastSeenAt} />
        </dd>
        <dt>Platform</dt>
        <dd>{platform ?? 'unknown'}</dd>
        {[...bought].map(([storeProductId, name]) => (
          <>
            <dt>{name}</dt>
            <dd class="code">{storeProductId}</dd>
          </>
        ))}
      </dl>
    </details>
  );
}

function Actions({ customer }: { readonly customer: CustomerDetail }) {
  const { project, may } = useProject();
  const [isMoving, setMoving] = useState(false);
  const refresh = async () => {
    const params = { path: { id: project.id, cid: customer.id } };
    const { requestedLines, changed, failed } = await unwrap(
      api.POST('/v1/projects/{id}/customers/{cid}/refresh', { params }),
    );
    invalidate();
    const problem = failed.length > 0 ? `, ${failed.length} could not be read: ${failed[0]?.reason ?? ''}` : '';
    toast(`${count(requestedLines)} purchases read from the stores, ${count(changed.length)} changed${problem}.`);
  };
  return (
    <div class="row controls actions">
      <Form label="Refresh from the stores" submit={refresh} isPlain>
        {null}
      </Form>
      <button type="button" onClick={() => setMoving(true)}>
        Move a purchase here…
      </button>
      {may('erase') && <Erase customer={customer} />}
      {isMoving && <TransferPurchase customer={customer} onClose={() => setMoving(false)} />}
    </div>
  );
}

function Erase({ customer }: { readonly customer: CustomerDetail }) {
  const { project, base } = useProject();
  const names = useProductNames();
  const { appUserId } = customer;
  const lastSign = lastSignOfLife(customer, names);
  const current = customer.subscriptions.filter(({ givesAccess }) => givesAccess);
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
          Last seen <Time at={lastSign.at} isAgo /> ({lastSign.by}).
          {current.length > 0 &&
            ` The store continues to charge ${current.map((s) => names.nameOf(s)).join(' and ')}: erasing cancels nothing there.`}
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
    const body = { transactionId: text(data, 'transactionId'), reason: text(data, 'reason') };
    const params = { path: { id: project.id, cid: customer.id } };
    const { from } = await unwrap(api.POST('/v1/projects/{id}/customers/{cid}/purchases/transfer', { params, body }));
    invalidate();
    toast(`The purchase of ${from.appUserId} is ${customer.appUserId}’s now.`);
    onClose();
  };
  return (
    <Dialog title={`Move a purchase to ${customer.appUserId}`} onClose={onClose}>
      <p>
        The customer who has the purchase now loses its access at once, and {customer.appUserId} gets it. All renewals
        move with it; amounts stay with the customer who paid. Both timelines show who moved it and why. To undo it,
        move the purchase back.
      </p>
      <Form label="Move the purchase" submit={move} isDanger>
        <Field label="Transaction or order ID" name="transactionId" required autocomplete="off" />
        <Field label="Reason" name="reason" required maxLength={500} autocomplete="off" />
      </Form>
    </Dialog>
  );
}
