// What can be changed of an app, and taking it out of the project.
import type { Schemas } from '../api/client';
import { api, ask } from '../api/client';
import { useProject } from '../app/project';
import { Adding, text } from '../parts/adding';
import { Check, Field, Select } from '../parts/form';

type App = Schemas['App'];

export function AppChanges({ app }: { readonly app: App }) {
  const { project } = useProject();
  const params = { path: { id: project.id, appId: app.id } };
  const isIos = app.platform === 'ios';
  const change = (data: FormData) => {
    const body = {
      name: text(data, 'name'),
      notificationForwardingUrl: text(data, 'notificationForwardingUrl') || null,
      refundPolicy: text(data, 'refundPolicy') as App['refundPolicy'],
      ...(isIos && { iosStoreSmallBusiness: data.get('iosStoreSmallBusiness') !== null }),
    };
    return ask(api.PATCH('/v1/projects/{id}/apps/{appId}', { params, body }));
  };
  const remove = () => ask(api.DELETE('/v1/projects/{id}/apps/{appId}', { params }));
  return (
    <>
      <Adding label={`Edit ${app.name}`} action="Save" add={change} done="Saved.">
        <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={app.name} />
        <Field
          label="Pass notifications on to"
          name="notificationForwardingUrl"
          type="url"
          placeholder="https://"
          hint="Each as the store sent it; empty: to nobody."
          defaultValue={app.notificationForwardingUrl ?? ''}
        />
        <Select
          label="A refund"
          name="refundPolicy"
          value={app.refundPolicy}
          options={[
            ['revoke_immediately', 'ends access at once'],
            ['keep_until_expiry', 'leaves access until its end'],
          ]}
        />
        {isIos && (
          <Check
            label="Small business: the store takes 15 %"
            name="iosStoreSmallBusiness"
            value="on"
            isOn={app.iosStoreSmallBusiness}
          />
        )}
      </Adding>
      <Adding label={`Delete ${app.name}`} action="Delete" add={remove} done="Deleted." isDanger>
        <p>
          What its store sends is no longer taken, and its public keys end. What was bought stays with its customers.
        </p>
      </Adding>
    </>
  );
}
