// Notes on days, shown in every chart: written by members, or generated from changes of the catalogue.
import { useState } from 'preact/hooks';
import { api, unwrap, unwrapAll, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { Confirm } from '../parts/confirm';
import { Dialog } from '../parts/dialog';
import { calendarDay, count } from '../parts/format';
import { Field, Form } from '../parts/form';
import { Popover } from '../parts/popover';

export type Annotation = Schemas['Annotation'];

export function useAnnotations() {
  const { project } = useProject();
  return useQuery(`annotations|${project.id}`, (signal) =>
    unwrapAll((query) =>
      api.GET('/v1/projects/{id}/annotations', { params: { path: { id: project.id }, query }, signal }),
    ),
  );
}

/** Renders a button that opens the annotations of the project, which are marked in every chart. */
export function AnnotationsPanel() {
  const annotations = useAnnotations().data?.items ?? [];
  const label = annotations.length === 0 ? 'Annotations' : `Annotations (${count(annotations.length)})`;
  return (
    <Popover label={label} text="Annotations" align="end">
      {() => <Annotations annotations={annotations} />}
    </Popover>
  );
}

function Annotations({ annotations }: { readonly annotations: readonly Annotation[] }) {
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
    <>
      {annotations.length === 0 ? (
        <p class="hint">No annotations yet. They mark a day on all charts, such as a release.</p>
      ) : (
        <ul class="plain notes">
          {annotations.map((one) => (
            <li key={one.id}>
              <span>
                <strong>{calendarDay(one.day)}</strong> {one.text} <span class="badge">{one.kind}</span>
              </span>
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
      {may('annotate') && (
        <button type="button" onClick={() => setOpen(true)}>
          Add…
        </button>
      )}
      {isOpen && (
        <Dialog title="New annotation" onClose={() => setOpen(false)}>
          <Form label="Add" submit={write}>
            <Field label="Day (UTC)" name="day" type="date" required />
            <Field label="What happened" name="text" required maxLength={500} autocomplete="off" />
          </Form>
        </Dialog>
      )}
    </>
  );
}
