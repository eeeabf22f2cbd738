// Audit log: who changed what in the project, newest first. The URL contains the filters.
import { api, unwrap, type Schemas } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../context/project';
import { query, setQuery } from '../context/router';
import { fieldOf, instantOf, timeZone } from '../context/time-zone';
import { actorName } from '../names/actors';
import { eventWords } from '../names/kinds';
import { useProductNames } from '../names/products';
import { nameOf, wordsOf } from '../parts/format';
import { Link } from '../parts/link';
import { PagedTable, type Column } from '../parts/paged-table';
import { RawText } from '../parts/raw-text';
import { Empty } from '../parts/states';
import { Time } from '../parts/time';
import '../styles/audit.css';
import '../styles/stacked.css';
import { changedFields } from './changed-fields';

type Change = Schemas['Change'];

const COLUMNS: readonly Column[] = [{ name: 'At' }, { name: 'Who' }, { name: 'What' }, { name: 'Values' }];
const PAGE = 50;
/** Labels of fields whose technical name is not a word. */
const LABELS: Readonly<Record<string, string>> = {
  url: 'Address',
  storeIdentifier: 'App ID in the store',
  timezone: 'Time zone',
};

export default function AuditPage() {
  const { project } = useProject();
  const since = query.value.get('since');
  const actor = query.value.get('actor');
  const narrowed = { ...(since !== null && { since }), ...(actor !== null && { actor }) };
  return (
    <>
      <h1>Audit</h1>
      <div class="card controls row end">
        <p class="field">
          <label for="audit-since">Since ({timeZone})</label>
          <input
            id="audit-since"
            type="datetime-local"
            value={since === null ? '' : fieldOf(since)}
            onChange={({ currentTarget: { value } }) => setQuery({ since: value === '' ? null : instantOf(value) })}
          />
        </p>
        {actor !== null && <ActorFilter id={actor} />}
      </div>
      <div class="stacked">
        <PagedTable
          what="changes"
          caption="Newest first; secrets are never stored here"
          columns={COLUMNS}
          of={`audit|${project.id}|${JSON.stringify(narrowed)}`}
          load={(page, signal) => {
            const params = { path: { id: project.id }, query: { limit: PAGE, ...narrowed, ...page } };
            return unwrap(api.GET('/v1/projects/{id}/audit', { params, signal }));
          }}
          row={(change) => <Row key={change.id} change={change} />}
          empty={
            <Empty title="No changes.">
              <p>Changes to the setup, keys, members and grants appear here. Choose an earlier day or all members.</p>
            </Empty>
          }
        />
      </div>
    </>
  );
}

/** The name comes from the newest change: the URL contains only the ID. */
function ActorFilter({ id }: { readonly id: string }) {
  const { project } = useProject();
  const params = { path: { id: project.id }, query: { actor: id, limit: 1 } };
  const { data } = useQuery(`audit-actor|${project.id}|${id}`, (signal) =>
    unwrap(api.GET('/v1/projects/{id}/audit', { params, signal })),
  );
  const newest = data?.items[0];
  return (
    <button type="button" onClick={() => setQuery({ actor: null })}>
      Only by {newest ? actorName(newest.actor) : id} ✕<span class="visually-hidden"> show all</span>
    </button>
  );
}

function Row({ change }: { readonly change: Change }) {
  const { at, actor, action, target, before, after } = change;
  const fields = changedFields(change, useProductNames());
  return (
    <tr>
      <td>
        <Time at={at} />
      </td>
      <td>
        <button type="button" class="as-link" onClick={() => setQuery({ actor: actor.id })}>
          {actorName(actor)}
          <span class="visually-hidden">: show only these changes</span>
        </button>
      </td>
      <th scope="row">
        {eventWords(action)}
        <TargetName target={target} />
      </th>
      <td class="change-values">
        {fields.map(({ name, from, to }) => (
          <p key={name}>
            {LABELS[name] ?? nameOf(name)}: {from !== null && <del>{from}</del>} {to}
          </p>
        ))}
        <RawText title="Raw data" text={JSON.stringify({ action, target, before, after }, null, 2)} />
      </td>
    </tr>
  );
}

function TargetName({ target: { kind, name, customerId } }: Pick<Change, 'target'>) {
  const { base } = useProject();
  if (name === null && customerId === null) return null;
  return (
    <p>
      {name !== null && <strong>{name}</strong>}{' '}
      {customerId !== null && <Link to={`${base}/customers/${customerId}`}>{wordsOf(kind)} of a customer</Link>}
    </p>
  );
}
