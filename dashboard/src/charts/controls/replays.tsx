// Named replays: charts with other rules or as of an earlier time, instead of the live ones.
import { api, unwrap } from '../../api/client';
import { useQuery } from '../../api/query';
import { useProject } from '../../context/project';
import { query, setQuery } from '../../context/router';
import { instantOf, timeZone } from '../../context/time-zone';
import { FormDialog, text } from '../../parts/form-dialog';
import { Confirm } from '../../parts/confirm';
import { Field, Select } from '../../parts/form';
import { Popover } from '../../parts/popover';
import { dateTime } from '../../parts/format';

const EVERY_MS = 5000;
const POLICIES = ['keep_until_expiry', 'revoke_immediately'] as const;

export function useReplays() {
  const { project } = useProject();
  return useQuery(
    `replays|${project.id}`,
    (signal) => unwrap(api.GET('/v1/projects/{id}/metrics/replays', { params: { path: { id: project.id } }, signal })),
    { every: EVERY_MS },
  );
}

export function ReplayChoice() {
  const replays = useReplays().data?.items ?? [];
  const chosen = query.value.get('replay') ?? '';
  const known = replays.map(({ name, until, state, progress }) => {
    const as =
      state === 'ready' ? (until === null ? '' : ` (until ${dateTime(until)})`) : ` (${state}, ${percent(progress)})`;
    return [name, `${name}${as}`] as const;
  });
  const missing = chosen !== '' && !replays.some(({ name }) => name === chosen) ? [[chosen, chosen] as const] : [];
  if (known.length + missing.length === 0) return null;
  return (
    <Select
      label="Figures of"
      value={chosen}
      options={[['', 'Live data'], ...known, ...missing]}
      onChange={({ currentTarget }) => setQuery({ replay: currentTarget.value || null })}
    />
  );
}

/** Renders a button that opens the actions on replays. */
export function ReplaysPanel() {
  const { may } = useProject();
  if (!may('keepReplays')) return null;
  return (
    <Popover label="Replays" text="Replays" align="end">
      {() => (
        <>
          <p class="hint">A replay shows all charts with other rules, or as of an earlier time.</p>
          <div class="row">
            <CreateReplay />
            <DeleteReplay />
          </div>
        </>
      )}
    </Popover>
  );
}

function CreateReplay() {
  const { project } = useProject();
  const make = async (data: FormData) => {
    const until = text(data, 'until');
    const refundPolicy = POLICIES.find((one) => one === text(data, 'refundPolicy'));
    const commission = text(data, 'commission');
    const whatIf = {
      ...(refundPolicy && { refundPolicy }),
      ...(commission && { commission: Number(commission) / 100 }),
    };
    const body = {
      name: text(data, 'name'),
      ...(until && { until: instantOf(until) }),
      ...(Object.keys(whatIf).length > 0 && { whatIf }),
    };
    await unwrap(api.POST('/v1/projects/{id}/metrics/replays', { params: { path: { id: project.id } }, body }));
  };
  return (
    <FormDialog label="Create replay" add={make} done="Choose it under “Figures of”.">
      <Field
        label="Name"
        name="name"
        required
        pattern="[a-z0-9][a-z0-9_\-]{0,63}"
        hint="Lower-case letters, digits, - and _"
        autocomplete="off"
      />
      <Field
        label={`Include events recorded until (${timeZone.value})`}
        name="until"
        type="datetime-local"
        hint="Empty: no limit"
      />
      <Select
        label="If a purchase is refunded"
        name="refundPolicy"
        options={[
          ['', 'did what it does'],
          ['keep_until_expiry', 'kept access until its end'],
          ['revoke_immediately', 'ended access at once'],
        ]}
      />
      <Field label="Store commission (percent)" name="commission" type="number" min={0} max={100} step="any" />
    </FormDialog>
  );
}

/** Deletes a named replay. If the page shows it, the page returns to live data. */
function DeleteReplay() {
  const { project } = useProject();
  const replays = useReplays().data?.items ?? [];
  if (replays.length === 0) return null;
  const remove = async (data: FormData) => {
    const path = { id: project.id, name: text(data, 'name') };
    await unwrap(api.DELETE('/v1/projects/{id}/metrics/replays/{name}', { params: { path } }));
    if (query.value.get('replay') === path.name) setQuery({ replay: null });
  };
  return (
    <Confirm
      label="Delete replay"
      run={remove}
      done="Deleted."
      breaks="Charts, saved views and links that use this replay stop working. It can be created again from the same events."
    >
      <Select label="Replay" name="name" options={replays.map(({ name }) => [name, name] as const)} />
    </Confirm>
  );
}

function percent(progress: number): string {
  return `${Math.floor(progress * 100)} %`;
}
