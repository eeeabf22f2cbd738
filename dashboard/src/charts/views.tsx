// Saved views of charts: a name for the state in the URL, with relative periods.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { Link } from '../parts/link';
import { toast } from '../parts/toast';
import type { Parameters } from './data/query';

type View = Schemas['ChartView'];

export function Views({ views }: { readonly views: readonly View[] }) {
  const { base, project } = useProject();
  const remove = async ({ id }: View) => {
    const params = { path: { id: project.id, viewId: id } };
    await unwrap(api.DELETE('/v1/projects/{id}/views/{viewId}', { params }));
  };
  return (
    <section class="card" aria-labelledby="views-title">
      <h2 id="views-title">Your views</h2>
      <ul class="plain">
        {views.map((view) => (
          <li key={view.id} class="row">
            <Link to={`${base}/charts/${urlOf(view)}`}>{view.name}</Link>
            <Confirm
              label={`Delete the view ${view.name}`}
              action="Delete"
              run={() => remove(view)}
              breaks="Only you see this view. Its period and filters are not stored anywhere else."
              isIcon
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

function urlOf({ query }: View): string {
  const { chartId, ...rest } = query as Readonly<Record<string, string | readonly string[]>>;
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(rest)) for (const one of [value].flat()) params.append(name, one);
  return `${String(chartId)}?${params.toString()}`;
}

export function SaveView({ chartId, parameters }: { readonly chartId: string; readonly parameters: Parameters }) {
  const { project } = useProject();
  const [isOpen, setOpen] = useState(false);
  const save = async (data: FormData) => {
    const body = { name: String(data.get('name')), query: { ...parameters, chartId } };
    await unwrap(api.POST('/v1/projects/{id}/views', { params: { path: { id: project.id } }, body }));
    invalidate();
    toast('Saved to your views on the charts page.');
    setOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Save view…
      </button>
      {isOpen && (
        <Dialog title="Save this view" onClose={() => setOpen(false)}>
          <p>Saves the period, filters and other options of this chart under a name.</p>
          <Form label="Save" submit={save}>
            <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
          </Form>
        </Dialog>
      )}
    </>
  );
}
