// Access explanation: one sentence per entitlement, at any time of the customer's history. The URL contains the time.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { query, setQuery } from '../app/router';
import { utc, wordsOf } from '../parts/format';
import { Select } from '../parts/form';
import { Empty, QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { AccessSlider } from './access-slider';
import type { CustomerDetail } from './customer-head';

type Explanation = Schemas['AccessExplanation'];

export function AccessCard({ customer }: { readonly customer: CustomerDetail }) {
  const { project } = useProject();
  const listed = useQuery(`entitlements|${project.id}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/entitlements', {
        params: { path: { id: project.id }, query: { limit: 100 } },
        signal,
      }),
    ),
  );
  // The customer's own entitlements are available before the list of all.
  const keys = (listed.data?.items ?? customer.entitlements).map(({ lookupKey }) => lookupKey);
  return (
    <section class="card" aria-labelledby="access-title">
      <h2 id="access-title">Access</h2>
      {keys.length > 0 ? (
        <Access customer={customer} keys={keys} />
      ) : (
        <QueryView of={listed} what="the entitlements">
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

function Access({ customer, keys }: { readonly customer: CustomerDetail; readonly keys: readonly string[] }) {
  const { project } = useProject();
  const held = customer.entitlements.find(({ active }) => active) ?? customer.entitlements[0];
  const entitlement = query.value.get('entitlement') ?? held?.lookupKey ?? keys[0] ?? '';
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
      {keys.length > 1 && (
        <Select
          label="Entitlement"
          value={entitlement}
          options={keys.map((key) => [key, key] as const)}
          onChange={({ currentTarget }) => setQuery({ entitlement: currentTarget.value })}
        />
      )}
      <QueryView of={explained} what="the explanation">
        {(explanation) => <ExplanationView explanation={explanation} isThen={asOf !== null} />}
      </QueryView>
      <AccessSlider customer={customer} asOf={asOf} />
    </>
  );
}

function ExplanationView({ explanation, isThen }: { readonly explanation: Explanation; readonly isThen: boolean }) {
  const { has, sentence, entitlement, sources, because, wouldChange, asOf } = explanation;
  const [isOpen, setOpen] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(`${sentence}\n\n(As of ${utc(asOf)}.)`);
    toast('Copied.');
  };
  return (
    <>
      <p class={`verdict ${has ? 'has' : 'has-not'}`}>
        <strong>
          <span aria-hidden="true">{has ? '✓' : '✕'}</span> {has ? 'Has access to' : 'No access to'}{' '}
          {entitlement.lookupKey}
          {isThen && ' then'}
        </strong>
        <span>{sentence}</span>
      </p>
      <p class="row">
        <button type="button" onClick={() => void copy()}>
          Copy for the customer
        </button>
        <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Why?
        </button>
      </p>
      {isOpen && (
        <div class="why">
          <h3>Reasons</h3>
          {because.length === 0 ? (
            <p>No purchases or grants.</p>
          ) : (
            <ul>
              {because.map((entry) => (
                <li key={entry.id}>
                  <Time at={entry.at} /> – {entry.summary}
                </li>
              ))}
            </ul>
          )}
          <h3>Possible sources</h3>
          {sources.length === 0 ? (
            <p>No purchases or grants.</p>
          ) : (
            <ul>
              {sources.map((source) => (
                <li key={`${source.kind}${source.id}`}>
                  <span class={`badge ${source.counts ? 'good' : ''}`}>{wordsOf(source.why)}</span> {source.sentence}
                </li>
              ))}
            </ul>
          )}
          {wouldChange.length > 0 && (
            <>
              <h3>Next changes</h3>
              <ul>
                {wouldChange.map((change, i) => (
                  <li key={i}>
                    {change.at && (
                      <>
                        <Time at={change.at} /> –{' '}
                      </>
                    )}
                    {change.sentence}
                  </li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </>
  );
}
