// Paywalls as JSON that the server validates. One paywall of each offering is published.
import { api, unwrap, unwrapAll } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { FormDialog } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Link } from '../parts/link';
import { Menu } from '../parts/menu';
import { RawText } from '../parts/raw-text';
import { Empty, QueryView } from '../parts/states';
import { Time } from '../parts/time';
import { useOfferings } from '../setup/lists';
import { paywallBody, PaywallFields, type Paywall } from './paywall-fields';

export default function PaywallsPage() {
  const { project, base, may } = useProject();
  const offerings = useOfferings();
  const path = { id: project.id };
  const paywalls = useQuery(`paywalls|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/paywalls', { params: { path, query }, signal })),
  );
  const choices = offerings.data?.items ?? [];
  const lacksOffering = offerings.data !== undefined && choices.length === 0;
  const add = (data: FormData) =>
    unwrap(api.POST('/v1/projects/{id}/paywalls', { params: { path }, body: paywallBody(data) }));
  return (
    <>
      <div class="head">
        <h1>Paywalls</h1>
        {may('configure') && !lacksOffering && (
          <FormDialog label="Add paywall" add={add} done="Added.">
            <PaywallFields />
          </FormDialog>
        )}
      </div>
      <QueryView of={paywalls} what="the paywalls">
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="No paywalls yet.">
              <p>
                A paywall is JSON that the app reads with its offering, so that it can change without an app release.
              </p>
            </Empty>
          ) : (
            <ul class="plain">
              {items.map((one) => (
                <PaywallCard
                  key={one.id}
                  paywall={one}
                  offering={choices.find(({ id }) => id === one.offeringId)?.displayName ?? one.offeringId}
                />
              ))}
            </ul>
          )
        }
      </QueryView>
      {!may('configure') && <p class="hint">An owner or admin of the project can add and change paywalls.</p>}
      {may('configure') && lacksOffering && (
        <p>
          A paywall belongs to an offering. Create one on the <Link to={`${base}/setup`}>setup page</Link> first.
        </p>
      )}
    </>
  );
}

function PaywallCard({ paywall, offering }: { readonly paywall: Paywall; readonly offering: string }) {
  const { project, may } = useProject();
  const { id, name, status, revision, publishedAt, updatedAt, config, localizations, defaultLocale } = paywall;
  const params = { path: { id: project.id, pwid: id } };
  const change = (data: FormData) =>
    unwrap(api.PATCH('/v1/projects/{id}/paywalls/{pwid}', { params, body: paywallBody(data) }));
  const remove = () => unwrap(api.DELETE('/v1/projects/{id}/paywalls/{pwid}', { params }));
  const locales = Object.keys(localizations);
  return (
    <li class="card">
      <div class="head">
        <h2>
          {name} <span class={`badge ${status === 'published' ? 'good' : ''}`}>{status}</span>
        </h2>
        {may('configure') && (
          <Menu label={`Actions for ${name}`}>
            <FormDialog label="Edit" title={`Edit ${name}`} action="Save" add={change} done="Saved.">
              <PaywallFields paywall={paywall} />
            </FormDialog>
            <Confirm
              label="Delete"
              title={`Delete ${name}`}
              run={remove}
              done="Deleted."
              breaks={
                <>
                  {status === 'published'
                    ? `Apps that request the paywall of ${offering} no longer get one.`
                    : 'It is a draft: no app shows it.'}
                </>
              }
            />
          </Menu>
        )}
      </div>
      <p class="hint">
        For {offering} · revision {revision}, changed <Time at={updatedAt} isAgo />
        {publishedAt !== null && (
          <>
            {' '}
            · published <Time at={publishedAt} isAgo />
          </>
        )}{' '}
        · {defaultLocale}
        {locales.length > 0 && `, texts in ${locales.join(', ')}`}
      </p>
      <RawText title="Configuration" text={JSON.stringify(config, null, 2)} />
      {locales.length > 0 && <RawText title="Texts" text={JSON.stringify(localizations, null, 2)} />}
    </li>
  );
}
