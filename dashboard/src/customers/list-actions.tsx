// Actions on the customer list: its download, segments of its filters, and the choice of columns.
import { useState } from 'preact/hooks';
import { api, unwrap, unwrapAll, type Schemas } from '../api/client';
import { invalidate, useQuery } from '../api/query';
import { useProject } from '../context/project';
import { setQuery } from '../context/router';
import { Confirm } from '../parts/confirm';
import { CsvButton } from '../parts/csv-button';
import { Dialog } from '../parts/dialog';
import { Field, Form } from '../parts/form';
import { Popover } from '../parts/popover';
import { toast } from '../parts/toast';
import { segmentOf, showList, type ListQuery } from './list-query';

type Props = { readonly list: ListQuery };
type Segment = Schemas['CustomerSegment'];

export function ListCsvButton({ list }: Props) {
  const { project } = useProject();
  const load = () => {
    const asking = api.GET('/v1/projects/{id}/customers', {
      params: { path: { id: project.id }, query: list },
      headers: { accept: 'text/csv' },
      parseAs: 'blob',
    });
    return unwrap(asking as unknown as Promise<{ data?: Blob; response: Response }>);
  };
  return <CsvButton fileName="customers.csv" load={load} />;
}

export function Segments({ list }: Props) {
  const { project, may } = useProject();
  const path = { id: project.id };
  const { data } = useQuery(`customer-segments|${project.id}`, (signal) =>
    unwrapAll((query) => api.GET('/v1/projects/{id}/customer-segments', { params: { path, query }, signal })),
  );
  const segments = data?.items ?? [];
  const mayKeep = may('keepSegments');
  const remove = ({ id: segmentId }: Segment) =>
    unwrap(api.DELETE('/v1/projects/{id}/customer-segments/{segmentId}', { params: { path: { ...path, segmentId } } }));
  return (
    <>
      {mayKeep && <SaveSegment list={list} />}
      {segments.length > 0 && (
        <Popover label="Segments" text="Segments" class="to-end">
          {() => (
            <ul class="plain notes">
              {segments.map((segment) => (
                <li key={segment.id}>
                  <button type="button" class="as-link" onClick={() => showList(segment.query as ListQuery)}>
                    {segment.name}
                  </button>
                  {mayKeep && (
                    <Confirm
                      label={`Delete the segment ${segment.name}`}
                      action="Delete"
                      run={() => remove(segment)}
                      breaks="Its filters are not stored anywhere else. All members of the project see it."
                      isIcon
                    />
                  )}
                </li>
              ))}
            </ul>
          )}
        </Popover>
      )}
    </>
  );
}

function SaveSegment({ list }: Props) {
  const { project } = useProject();
  const [isOpen, setOpen] = useState(false);
  const query = segmentOf(list);
  if (Object.keys(query).length === 0) return null;
  const save = async (data: FormData) => {
    const body = { name: String(data.get('name')), query };
    await unwrap(api.POST('/v1/projects/{id}/customer-segments', { params: { path: { id: project.id } }, body }));
    invalidate();
    toast('Saved. All members of the project find it under Segments.');
    setOpen(false);
  };
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Save segment…
      </button>
      {isOpen && (
        <Dialog title="Save this segment" onClose={() => setOpen(false)}>
          <p>Saves the filters and the order under a name. Whoever opens it sees the customers who match then.</p>
          <Form label="Save" submit={save}>
            <Field label="Name" name="name" required maxLength={100} autocomplete="off" />
          </Form>
        </Dialog>
      )}
    </>
  );
}

/** Columns that can be hidden or shown, in the URL as a list of their ids. */
export function ColumnChoice({
  columns,
  shown,
}: {
  readonly columns: readonly { readonly id: string; readonly name: string }[];
  readonly shown: ReadonlySet<string>;
}) {
  const toggle = (id: string) => {
    const next = columns.filter((one) => (one.id === id) !== shown.has(one.id)).map((one) => one.id);
    setQuery({ columns: next.join(',') });
  };
  return (
    <Popover label="Columns" text="Columns" class="to-end">
      {() =>
        columns.map(({ id, name }) => (
          <label key={id} class="check">
            <input type="checkbox" checked={shown.has(id)} onChange={() => toggle(id)} />
            {name}
          </label>
        ))
      }
    </Popover>
  );
}
