// Imports of a history: a file is checked first, its report is confirmed, and the run shows its progress.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Form, Field, Select } from '../parts/form';
import { text } from '../parts/form-dialog';
import { count } from '../parts/format';
import { Empty, QueryView } from '../parts/states';
import { StatusBadge } from '../parts/status-badge';
import { Time } from '../parts/time';
import { ImportReport } from './import-report';
import { uploadBody } from './upload-body';

type Import = Schemas['Import'];

const EVERY_MS = 1500;

export default function ImportsPage() {
  const { project } = useProject();
  const [every, setEvery] = useState<number | undefined>(EVERY_MS);
  const imports = useQuery(
    `imports|${project.id}`,
    async (signal) => {
      const params = { path: { id: project.id } };
      const { items } = await unwrap(api.GET('/v1/projects/{id}/imports', { params, signal }));
      setEvery(items.some(isInProgress) ? EVERY_MS : undefined);
      return items;
    },
    { every },
  );
  return (
    <>
      <h1>Imports</h1>
      <p>
        Bring customers and purchases along from another service. A file is checked first: nothing is recorded before
        you confirm the report.
      </p>
      <Upload />
      <QueryView of={imports} what="the imports">
        {(all) =>
          all.length === 0 ? (
            <Empty title="No imports yet." />
          ) : (
            all.map((one) => <ImportSection key={one.id} import={one} />)
          )
        }
      </QueryView>
    </>
  );
}

function isInProgress({ state }: Import): boolean {
  return state === 'waiting' || state === 'running';
}

function Upload() {
  const { project } = useProject();
  const send = async (data: FormData) => {
    const file = data.get('file');
    if (!(file instanceof File) || file.size === 0) return 'Choose a file that is not empty.';
    const keeps = <T extends string>(name: string, options: readonly T[]) =>
      options.find((one) => one === text(data, name));
    const sandbox = keeps('sandbox', ['skip', 'keep']);
    const usd = keeps('usd', ['keep', 'ours']);
    const otherStores = keeps('otherStores', ['skip', 'grant']);
    const choices = { ...(sandbox && { sandbox }), ...(usd && { usd }), ...(otherStores && { otherStores }) };
    const params = { path: { id: project.id }, query: { fileName: file.name, ...choices } };
    await unwrap(api.POST('/v1/projects/{id}/imports', { params, ...(await uploadBody(file)) }));
    invalidate();
    return null;
  };
  return (
    <Form label="Check file" submit={send}>
      <Field
        label="File"
        name="file"
        type="file"
        required
        hint="Transactions or customers exported from RevenueCat (CSV or Parquet), or lines of JSON. Files may be compressed with gzip."
      />
      <Select
        label="Sandbox purchases"
        name="sandbox"
        options={[
          ['skip', 'Leave out'],
          ['keep', 'Import as sandbox purchases'],
        ]}
      />
      <Select
        label="Amounts in US dollars"
        name="usd"
        options={[
          ['keep', 'Those of the file'],
          ['ours', 'Convert at the rates of this service'],
        ]}
      />
      <Select
        label="Purchases of other stores"
        name="otherStores"
        options={[
          ['skip', 'Leave out'],
          ['grant', 'Grant access until they end'],
        ]}
      />
    </Form>
  );
}

function ImportSection({ import: one }: { readonly import: Import }) {
  const title = `import-${one.id}`;
  return (
    <section aria-labelledby={title}>
      <h2 id={title}>
        {one.files.join(', ')} <StatusBadge status={one.state} />
      </h2>
      <p>
        <Time at={one.createdAt} /> {one.isConfirmed ? 'Confirmed.' : 'Dry run: nothing was recorded.'}
      </p>
      {isInProgress(one) && <Progress import={one} />}
      {one.problem && (
        <p class="fault" role="alert">
          {one.problem}
        </p>
      )}
      {one.report && <ImportReport report={one.report} />}
      {one.state === 'checked' && one.report && <ConfirmImport id={one.id} report={one.report} />}
    </section>
  );
}

function Progress({ import: { progress, isConfirmed } }: { readonly import: Import }) {
  const what = isConfirmed ? 'Importing' : 'Checking';
  if (!progress || progress.total === 0) return <p role="status">{what}…</p>;
  const percent = Math.floor((progress.done / progress.total) * 100);
  const stage =
    progress.stage === 'reading' ? 'reading the file' : `${count(progress.done)} of ${count(progress.total)} customers`;
  return (
    <p role="status">
      <progress value={progress.done} max={progress.total} aria-label={what} /> {what}: {stage}, {percent} %
    </p>
  );
}

function ConfirmImport({ id, report }: { readonly id: string; readonly report: NonNullable<Import['report']> }) {
  const { project } = useProject();
  const events = Object.values(report.events).reduce((sum, n) => sum + n, 0);
  const run = async () => {
    const params = { path: { id: project.id, importId: id } };
    const body = { digest: report.digest };
    await unwrap(api.POST('/v1/projects/{id}/imports/{importId}/confirm', { params, body }));
  };
  const problemCount = report.problems.reduce((sum, problem) => sum + problem.count, 0);
  return (
    <Confirm
      label="Import"
      title="Import this history?"
      action="Import"
      run={run}
      done="The import has started."
      breaks={`${count(events)} events of ${count(report.customers)} customers will be recorded. They change access and charts, and cannot be undone as a whole. No webhooks are sent for them.`}
      lastUse={problemCount === 0 ? undefined : problemsThatStay(problemCount)}
    />
  );
}

function problemsThatStay(n: number): string {
  return n === 1 ? '1 problem of the report stays as it is.' : `${count(n)} problems of the report stay as they are.`;
}
