// Saved views of charts: a name for what the page showed, with relative periods, for oneself or shared with the project.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { query } from '../context/router';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { FormDialog, text } from '../parts/form-dialog';
import { Check, Field, Form } from '../parts/form';
import { Link } from '../parts/link';
import { Menu } from '../parts/menu';
import { toast } from '../parts/toast';
import type { Parameters } from './data/query';
import { pageQueryOf, viewPath } from './data/view-address';
import { useViews, type View } from './use-views';

export function Views({ views }: { readonly views: readonly View[] }) {
  const { base } = useProject();
  return (
    <section class="card" aria-labelledby="views-title">
      <h2 id="views-title">Your views</h2>
      <ul class="plain">
        {views.map((view) => (
          <li key={view.id} class="row">
            <Link to={`${base}${viewPath(view)}`}>{view.name}</Link>
            {view.isShared && <span class="badge">shared</span>}
            {view.isOnOverview && <span class="badge">on the overview</span>}
            <ViewActions view={view} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function ViewActions({ view }: { readonly view: View }) {
  const { project, may } = useProject();
  const params = { path: { id: project.id, viewId: view.id } };
  if (!view.isOwn && !may('configure')) return null;
  const change = (data: FormData) =>
    unwrap(
      api.PATCH('/v1/projects/{id}/views/{viewId}', { params, body: { name: text(data, 'name'), ...flagsIn(data) } }),
    );
  return (
    <>
      <Menu label={`Actions for ${view.name}`}>
        <FormDialog label="Edit" title={`Edit ${view.name}`} action="Save" add={change} done="Saved.">
          <ViewFields view={view} />
        </FormDialog>
      </Menu>
      <Confirm
        label={`Delete the view ${view.name}`}
        action="Delete"
        run={() => unwrap(api.DELETE('/v1/projects/{id}/views/{viewId}', { params }))}
        breaks={
          view.isShared
            ? 'It is deleted for all members. Its period and filters are not stored anywhere else.'
            : 'Only you see this view. Its period and filters are not stored anywhere else.'
        }
        isIcon
      />
    </>
  );
}

function ViewFields({ view }: { readonly view?: View }) {
  const { may } = useProject();
  return (
    <>
      <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={view?.name ?? ''} />
      {may('annotate') && (
        <Check label="Share with the project" name="isShared" value="on" isOn={view?.isShared ?? false} />
      )}
      <Check label="Show on the overview" name="isOnOverview" value="on" isOn={view?.isOnOverview ?? false} />
    </>
  );
}

function flagsIn(data: FormData) {
  return { isShared: data.get('isShared') !== null, isOnOverview: data.get('isOnOverview') !== null };
}

/** Name of the opened view, above the chart's own. */
export function OpenedView({ chartId }: { readonly chartId: string }) {
  const viewId = query.value.get('view');
  const views = useViews();
  const view = views.data?.items.find(({ id }) => id === viewId);
  if (!view || view.query['chartId'] !== chartId) return null;
  const isChanged = pageQueryOf(query.value) !== view.pageQuery;
  return (
    <p class="hint">
      View: <strong>{view.name}</strong>
      {view.isShared && ', shared'}
      {isChanged && ', with other options than saved'}
    </p>
  );
}

export function SaveView({ chartId, parameters }: { readonly chartId: string; readonly parameters: Parameters }) {
  const { project } = useProject();
  const [isOpen, setOpen] = useState(false);
  const save = async (data: FormData) => {
    const { segmentLimit: _shown, ...own } = parameters;
    const body = {
      name: text(data, 'name'),
      query: { ...own, chartId },
      pageQuery: pageQueryOf(query.value),
      ...flagsIn(data),
    };
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
          <p>Saves all that this page shows under a name. A relative period stays relative.</p>
          <Form label="Save" submit={save}>
            <ViewFields />
          </Form>
        </Dialog>
      )}
    </>
  );
}
