// Sources of the financial reports of each app: what came of the last look, a look now, and the key or bucket for it.
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Area, Field } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { Time } from '../parts/time';
import { toast } from '../parts/toast';
import { useApps } from '../setup/lists';
import { monthName } from './names';

type App = Schemas['App'];
type Source = Schemas['ReportSource'];

/** Time between looks at what came of a look. */
const RELOAD_MS = 10_000;

export function Sources() {
  const { project, may } = useProject();
  const apps = useApps();
  const sources = useQuery(
    `report-sources|${project.id}`,
    async (signal) => {
      const params = { path: { id: project.id } };
      return (await unwrap(api.GET('/v1/projects/{id}/books/sources', { params, signal }))).items;
    },
    { every: RELOAD_MS },
  );
  const ofStores = (apps.data?.items ?? []).filter(({ platform }) => platform !== 'test');
  if (!sources.data || ofStores.length === 0) return null;
  const found = sources.data;
  return (
    <section class="card" aria-labelledby="sources-title">
      <header class="head">
        <h2 id="sources-title">Fetched each day</h2>
        {may('configure') && found.length > 0 && <LookNow />}
      </header>
      <ul class="plain entries">
        {ofStores.map((app) => (
          <li key={app.id}>
            <Entry app={app} source={found.find(({ appId }) => appId === app.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Entry({ app, source }: { readonly app: App; readonly source: Source | undefined }) {
  const { may } = useProject();
  return (
    <>
      <header class="head">
        <h3>
          {app.name} <small>{source?.account ?? 'by upload only'}</small>
        </h3>
        {may('administer') && (
          <div class="row">
            <SourceForm app={app} isNew={!source} />
            {source && <Stop app={app} />}
          </div>
        )}
      </header>
      {source && <LastLook of={source} />}
    </>
  );
}

function LastLook({ of: { lastLook } }: { readonly of: Source }) {
  if (!lastLook) return <p role="status">The first look begins soon.</p>;
  const { at, added, unchanged, problem } = lastLook;
  const outcome = problem === null ? 'fetched' : added.length + unchanged > 0 ? 'fetched in part' : 'not fetched';
  return (
    <>
      <p role="status">
        <span class={`badge ${problem ? 'warn' : 'good'}`}>{outcome}</span> Last look <Time at={at} isAgo />:{' '}
        {added.length} new {added.length === 1 ? 'report' : 'reports'}, {unchanged} known.{' '}
        {problem && <span class="fault">{problem.message}</span>}
      </p>
      {added.length > 0 && (
        <p>New: {added.map(({ month, fileName }) => `${monthName(month)} (${fileName})`).join(', ')}</p>
      )}
    </>
  );
}

function LookNow() {
  const { project } = useProject();
  const look = async () => {
    await unwrap(api.POST('/v1/projects/{id}/books/look', { params: { path: { id: project.id } }, body: {} }));
    invalidate();
  };
  return (
    <button type="button" class="controls" onClick={() => void look().catch((err: Error) => toast(err.message))}>
      Look now
    </button>
  );
}

function SourceForm({ app, isNew }: { readonly app: App; readonly isNew: boolean }) {
  const { project } = useProject();
  const params = { path: { id: project.id, appId: app.id } };
  const isAndroid = app.platform === 'android';
  const save = (data: FormData) => {
    if (isAndroid) {
      const body = { bucket: text(data, 'bucket') };
      return unwrap(api.POST('/v1/projects/{id}/apps/{appId}/report-source/android-store', { params, body }));
    }
    const body = {
      ...{ issuerId: text(data, 'issuerId'), keyId: text(data, 'keyId') },
      ...{ privateKey: text(data, 'privateKey'), vendorNumber: text(data, 'vendorNumber') },
    };
    return unwrap(api.POST('/v1/projects/{id}/apps/{appId}/report-source/ios-store', { params, body }));
  };
  return (
    <FormDialog
      label={isNew ? 'Fetch reports' : 'Change'}
      title={`Reports of ${app.name}`}
      action="Save"
      add={save}
      done="Saved. The first look begins now."
    >
      {isAndroid ? (
        <>
          <p>The service account of the app reads the bucket; it needs “View financial data” in the Play Console.</p>
          <Field
            label="Bucket"
            name="bucket"
            required
            autocomplete="off"
            hint="Download reports, Financial, Copy Cloud Storage URI: gs://pubsite_prod_…"
          />
        </>
      ) : (
        <>
          <p>A key of App Store Connect with the role Finance; the In-App Purchase key cannot read reports.</p>
          <Field label="Vendor number" name="vendorNumber" required autocomplete="off" inputMode="numeric" />
          <Field label="Issuer ID" name="issuerId" required autocomplete="off" />
          <Field label="Key ID" name="keyId" required autocomplete="off" />
          <Area label="Private key, as its .p8 file" name="privateKey" />
        </>
      )}
    </FormDialog>
  );
}

function Stop({ app }: { readonly app: App }) {
  const { project } = useProject();
  const stop = () => {
    const params = { path: { id: project.id, appId: app.id } };
    return unwrap(api.DELETE('/v1/projects/{id}/apps/{appId}/report-source', { params }));
  };
  return (
    <Confirm
      label="Stop"
      title={`Stop fetching reports of ${app.name}`}
      action="Stop fetching"
      run={stop}
      breaks="The key is deleted, and no more reports are fetched. Those in the books stay."
    />
  );
}
