// Audit log: who changed what in the project, newest first. The URL contains the filters.
import { api, unwrap, type Schemas } from '../api/client';
import { useProject } from '../app/project';
import { query, setQuery } from '../app/router';
import { wordsOf } from '../parts/format';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { RawText } from '../parts/raw-text';
import { Empty } from '../parts/states';
import { Time } from '../parts/time';
import { useMemberNames } from './member-names';

type Change = Schemas['Change'];

const COLUMNS: readonly Column[] = [
  { name: 'At' },
  { name: 'Who' },
  { name: 'What' },
  { name: 'Of' },
  { name: 'Values' },
];
const PAGE = 50;

export default function AuditPage() {
  const { project } = useProject();
  const names = useMemberNames();
  const since = query.value.get('since');
  const actor = query.value.get('actor');
  const narrowed = { ...(since !== null && { since }), ...(actor !== null && { actor }) };
  return (
    <>
      <h1>Audit</h1>
      <div class="card controls row end">
        <p class="field">
          <label for="audit-since">Since (UTC)</label>
          <input
            id="audit-since"
            type="datetime-local"
            value={(since ?? '').slice(0, 16)}
            onChange={({ currentTarget: { value } }) =>
              setQuery({ since: value === '' ? null : new Date(`${value}:00Z`).toISOString() })
            }
          />
        </p>
        {actor !== null && (
          <button type="button" onClick={() => setQuery({ actor: null })}>
            Only {names.get(actor) ?? actor} ✕<span class="visually-hidden"> show all</span>
          </button>
        )}
      </div>
      <PagedTable
        what="changes"
        caption="Newest first; secrets are never stored here"
        columns={COLUMNS}
        of={`audit|${project.id}|${JSON.stringify(narrowed)}`}
        load={(page, signal) => {
          const params = { path: { id: project.id }, query: { limit: PAGE, ...narrowed, ...page } };
          return unwrap(api.GET('/v1/projects/{id}/audit', { params, signal }));
        }}
        row={(change) => <Row key={change.id} change={change} names={names} />}
        empty={
          <Empty title="No changes.">
            <p>Changes to the setup, keys, members and grants appear here. Choose an earlier day or all members.</p>
          </Empty>
        }
      />
    </>
  );
}

function Row({ change, names }: { readonly change: Change; readonly names: ReadonlyMap<string, string> }) {
  const { base } = useProject();
  const { at, actor, action, target, before, after } = change;
  return (
    <tr>
      <td>
        <Time at={at} />
      </td>
      <td>
        <button type="button" class="as-link" onClick={() => setQuery({ actor: actor.id })}>
          {names.get(actor.id) ?? `${wordsOf(actor.kind)} ${actor.id}`}
        </button>
      </td>
      <th scope="row">{action.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase()}</th>
      <td>
        {target.customerId === null ? (
          wordsOf(target.kind)
        ) : (
          <Link to={`${base}/customers/${target.customerId}`}>{wordsOf(target.kind)} of a customer</Link>
        )}
        <br />
        <small class="code">{target.id}</small>
      </td>
      <td>
        {before && <RawText title="Before" text={JSON.stringify(before, null, 2)} />}
        {after && <RawText title="After" text={JSON.stringify(after, null, 2)} />}
      </td>
    </tr>
  );
}
