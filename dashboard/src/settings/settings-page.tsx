// Settings of the project: name, currency, time zone, purchases of other customers and of the sandbox, and deletion with its name typed.
import { api, unwrap } from '../api/client';
import { invalidate } from '../api/query';
import { CURRENCIES } from '../charts/controls/currencies';
import { useProject } from '../context/project';
import { navigate } from '../context/router';
import { Confirm } from '../parts/confirm';
import { Field, Form, Select } from '../parts/form';
import { text } from '../parts/form-dialog';
import { toast } from '../parts/toast';
import { PROJECTS_PATH } from '../context/paths';

const TRANSFERS = [
  ['transfer', 'Move to the customer who restores it'],
  ['transfer_if_no_active', 'Move only if it is not active'],
  ['keep', 'Stay with the first customer'],
] as const;
const SANDBOX = [
  ['anybody', 'Give access, as in production'],
  ['nobody', 'Give no access'],
] as const;

export default function SettingsPage() {
  const { project, may } = useProject();
  const params = { path: { id: project.id } };
  const save = async (data: FormData) => {
    const body = {
      name: text(data, 'name'),
      displayCurrency: text(data, 'displayCurrency'),
      timezone: text(data, 'timezone'),
      transferBehavior: text(data, 'transferBehavior') as (typeof TRANSFERS)[number][0],
      sandboxAccess: text(data, 'sandboxAccess') as (typeof SANDBOX)[number][0],
    };
    await unwrap(api.PATCH('/v1/projects/{id}', { params, body }));
    invalidate();
    toast('Settings saved.');
  };
  return (
    <>
      <h1>Settings</h1>
      <section class="card" aria-labelledby="project-title">
        <h2 id="project-title">Project</h2>
        <Form label="Save settings" submit={save}>
          <Field label="Name" name="name" required maxLength={100} defaultValue={project.name} />
          <Select
            label="Currency of charts"
            name="displayCurrency"
            value={project.displayCurrency}
            options={currenciesWith(project.displayCurrency).map((code) => [code, code] as const)}
            hint="Charts open in it. The overview and the API’s default stay in USD."
          />
          <Select
            label="Time zone of times and days"
            name="timezone"
            value={project.timezone}
            options={timeZonesWith(project.timezone).map((name) => [name, name.replaceAll('_', ' ')] as const)}
            hint="Timelines, lists and the live feed show it. Days, weeks and months of charts stay those of UTC, and the API’s times too."
          />
          <Select
            label="A purchase that another customer restores"
            name="transferBehavior"
            value={project.transferBehavior}
            options={TRANSFERS}
          />
          <Select label="Sandbox purchases" name="sandboxAccess" value={project.sandboxAccess} options={SANDBOX} />
        </Form>
      </section>
      {may('deleteProject') && <DeleteProject />}
    </>
  );
}

function currenciesWith(current: string): readonly string[] {
  return CURRENCIES.includes(current) ? CURRENCIES : [current, ...CURRENCIES];
}

function timeZonesWith(current: string): readonly string[] {
  return [...new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')])];
}

function DeleteProject() {
  const { project } = useProject();
  const remove = async (data: FormData) => {
    if (text(data, 'typed') !== project.name) throw new Error('This is not the name of the project.');
    await unwrap(api.DELETE('/v1/projects/{id}', { params: { path: { id: project.id } } }));
    navigate(PROJECTS_PATH);
  };
  return (
    <section class="card" aria-labelledby="delete-title">
      <h2 id="delete-title">Delete the project</h2>
      <p>Its API keys, notification addresses and webhooks stop working immediately.</p>
      <Confirm
        label="Delete project"
        title={`Delete ${project.name}`}
        action="Delete project"
        run={remove}
        done={`${project.name} was deleted.`}
        breaks="Apps with keys of this project get errors, and notifications of the stores are refused. This cannot be undone."
      >
        <Field label={`Type ${project.name}`} name="typed" required autocomplete="off" />
      </Confirm>
    </section>
  );
}
