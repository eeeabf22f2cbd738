// Notes on days, shown in every chart: written by members, or generated from changes of the catalogue.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../app/project';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { day } from '../parts/format';
import { Field, Form } from '../parts/form';

export type Annotation = Schemas['Annotation'];

export function useAnnotations() {
  const { project } = useProject();
  return useQuery(`annotations|${project.id}`, (signal) =>
    unwrap(
      api.GET('/v1/projects/{id}/annotations', { params: { path: { id: project.id }, query: { limit: 100 } }, signal }),
    ),
  );
}

export function Annotations({ annotations }: { readonly annotations: readonly Annotation[] }) {
  const { project, may } = useProject();
  const [isOpen, setOpen] = useState(false);
  const write = async (data: FormData) => {
    const body = { day: String(data.get('day')), text: String(data.get('text')) };
    await unwrap(api.POST('/v1/projects/{id}/annotations', { params: { path: { id: project.id } }, body }));
    invalidate();
    setOpen(false);
  };
  const remove = async ({ id }: Annotation) => {
    const params = { path: { id: project.id, annotationId: id } };
    await unwrap(api.DELETE('/v1/projects/{id}/annotations/{annotationId}', { params }));
  };
  return (
    <section class="card" aria-labelledby="annotations-title">
      <div class="row">
        <h2 id="annotations-title">Annotations</h2>
        {may('annotate') && (
          <button type="button" onClick={() => setOpen(true)}>
            Add…
          </button>
        )}
      </div>
      {annotations.length === 0 ? (
        <p>No annotations in this period.</p>
      ) : (
        <ul class="plain">
          {annotations.map((one) => (
            <li key={one.id} class="row">
              <strong>{day(one.day)}</strong> {one.text} <span class="badge">{one.kind}</span>
              {!one.automatic && may('annotate') && (
                <Confirm
                  label={`Delete ${one.text}`}
                  action="Delete"
                  run={() => remove(one)}
                  breaks="It is removed from the charts of all members of the project."
                  isIcon
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {isOpen && (
        <Dialog title="New annotation" onClose={() => setOpen(false)}>
          <Form label="Add" submit={write}>
            <Field label="Day (UTC)" name="day" type="date" required />
            <Field label="What happened" name="text" required maxLength={500} autocomplete="off" />
          </Form>
        </Dialog>
      )}
    </section>
  );
}
