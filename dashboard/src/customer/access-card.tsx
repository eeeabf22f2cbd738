// Access explanation: one sentence per entitlement, at any time of the customer's history. The URL contains the time.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { useProductNames } from '../names/products';
import { Select } from '../parts/form';
import { Empty, QueryView } from '../parts/states';
import { toast } from '../parts/toast';
import { AccessSlider } from './access-slider';
import { customerMessage, type MessageContext } from './customer-message';
import type { CustomerDetail } from './customer-detail';
import { Reasons } from './reasons';

type Explanation = Schemas['AccessExplanation'];

export function AccessCard({ customer }: { readonly customer: CustomerDetail }) {
  const { project } = useProject();
  const entitlementList = useQuery(`entitlements|${project.id}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/entitlements', {
        params: { path: { id: project.id }, query: { limit: 100 } },
        signal,
      }),
    ),
  );
  // The customer's own entitlements are available before the list of all.
  const own = customer.entitlements.map(({ lookupKey }) => [lookupKey, lookupKey] as const);
  const all = entitlementList.data?.items.map(({ lookupKey, displayName }) => [lookupKey, displayName] as const) ?? own;
  return (
    <section class="card" aria-labelledby="access-title">
      <h2 id="access-title">Access</h2>
      {all.length > 0 ? (
        <Access customer={customer} entitlements={new Map(all)} />
      ) : (
        <QueryView of={entitlementList} what="the entitlements">
          {() => (
            <Empty title="This project has no entitlements yet.">
              <p>An entitlement is what a purchase unlocks. Create one in the setup.</p>
            </Empty>
          )}
        </QueryView>
      )}
    </section>
  );
}

function Access({
  customer,
  entitlements,
}: {
  readonly customer: CustomerDetail;
  /** Display names by lookup key. */
  readonly entitlements: ReadonlyMap<string, string>;
}) {
  const { project } = useProject();
  const shownEntitlement = customer.entitlements.find(({ active }) => active) ?? customer.entitlements[0];
  const [first = ''] = entitlements.keys();
  const entitlement = query.value.get('entitlement') ?? shownEntitlement?.lookupKey ?? first;
  const asOf = query.value.get('asOf');
  const path = { id: project.id, cid: customer.id };
  const explained = useQuery(`access|${project.id}|${customer.id}|${entitlement}|${asOf ?? ''}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/customers/{cid}/access', {
        params: { path, query: { entitlement, ...(asOf !== null && { asOf }) } },
        signal,
      }),
    ),
  );
  return (
    <>
      {entitlements.size > 1 && (
        <Select
          label="Entitlement"
          value={entitlement}
          options={[...entitlements]}
          onChange={({ currentTarget }) => setQuery({ entitlement: currentTarget.value })}
        />
      )}
      <QueryView of={explained} what="the explanation">
        {(explanation) => (
          <ExplanationView
            explanation={explanation}
            what={entitlements.get(entitlement) ?? entitlement}
            isThen={asOf !== null}
          />
        )}
      </QueryView>
      <AccessSlider customer={customer} asOf={asOf} />
    </>
  );
}

function ExplanationView({
  explanation,
  what,
  isThen,
}: {
  readonly explanation: Explanation;
  /** Display name of the entitlement. */
  readonly what: string;
  readonly isThen: boolean;
}) {
  const names = useProductNames();
  const { has, sentence, entitlement } = explanation;
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <p class={`verdict ${has ? 'has' : 'has-not'}`}>
        <strong>
          <span aria-hidden="true">{has ? '✓' : '✕'}</span> {has ? 'Has access to' : 'No access to'}{' '}
          {entitlement.lookupKey}
          {isThen && ' then'}
        </strong>
        <span>{names.reword(sentence)}</span>
      </p>
      <div class="row">
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Why?
        </button>
        <CopyMessage explanation={explanation} what={what} names={names} />
      </div>
      {isOpen && <Reasons explanation={explanation} />}
    </>
  );
}

/** The text is shown after it was copied, so that one sees what one sends. */
function CopyMessage(context: MessageContext) {
  const [copied, setCopied] = useState<string | null>(null);
  const message = customerMessage(context);
  const copy = async () => {
    await navigator.clipboard.writeText(message);
    setCopied(message);
    toast('Copied. Paste it into your answer.');
  };
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        Copy for the customer
      </button>
      {copied === message && (
        <blockquote class="message" aria-label="Copied text">
          {message}
        </blockquote>
      )}
    </>
  );
}
