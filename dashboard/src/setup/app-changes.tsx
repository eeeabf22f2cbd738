// Changes of an app, and its deletion.
import type { Schemas } from '../api/client';
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { refundChoices } from '../names/refund-answers';
import { FormDialog, text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Time } from '../parts/time';
import { useApiKeys } from './lists';
import { Check, Field, Select } from '../parts/form';

type App = Schemas['App'];

const whole = ['decline', 'grant_full'] as const;
const withProrated = [...whole, 'grant_prorated'] as const;

export function AppChanges({ app }: { readonly app: App }) {
  const { project } = useProject();
  const params = { path: { id: project.id, appId: app.id } };
  const isIos = app.platform === 'ios';
  const change = (data: FormData) => {
    const body = {
      name: text(data, 'name'),
      notificationForwardingUrl: text(data, 'notificationForwardingUrl') || null,
      refundPolicy: text(data, 'refundPolicy') as App['refundPolicy'],
      refundAnswer: text(data, 'refundAnswer') as App['refundAnswer'],
      ...(isIos && { refundConsent: text(data, 'refundConsent') as App['refundConsent'] }),
      ...(isIos && { iosStoreSmallBusiness: data.get('iosStoreSmallBusiness') !== null }),
    };
    return unwrap(api.PATCH('/v1/projects/{id}/apps/{appId}', { params, body }));
  };
  const remove = () => unwrap(api.DELETE('/v1/projects/{id}/apps/{appId}', { params }));
  return (
    <>
      <FormDialog label={`Edit ${app.name}`} action="Save" add={change} done="Saved.">
        <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={app.name} />
        <Field
          label="Forward notifications to"
          name="notificationForwardingUrl"
          type="url"
          placeholder="https://"
          hint="Sent unchanged; empty: no forwarding."
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
        <Select
          label="A store’s question about a refund"
          name="refundAnswer"
          value={app.refundAnswer}
          options={[['none', 'is left to members'], ...refundChoices(isIos ? withProrated : whole)]}
          hint="Answered at once; the store decides."
        />
        {isIos && (
          <Select
            label="Consent that the store gets data about a purchase"
            name="refundConsent"
            value={app.refundConsent}
            options={[
              ['each_customer', 'by the attribute $refundConsent'],
              ['terms', 'of all customers, by the app’s terms'],
            ]}
          />
        )}
        {isIos && (
          <Check
            label="Small Business Program: 15% commission"
            name="iosStoreSmallBusiness"
            value="on"
            isOn={app.iosStoreSmallBusiness}
          />
        )}
      </FormDialog>
      <Confirm
        label={`Delete ${app.name}`}
        action="Delete"
        run={remove}
        done="Deleted."
        breaks={`Its store notifications are refused and its public keys stop working: installed versions of ${app.name} get 401. Purchases stay with their customers. This cannot be undone.`}
        lastUse={<LastUse appId={app.id} />}
      />
    </>
  );
}

/** Lists the public keys that are deleted with the app, the most recently used first. */
function LastUse({ appId }: { readonly appId: string }) {
  const keys = useApiKeys().data?.items.filter((key) => key.appId === appId) ?? [];
  if (keys.length === 0) return <>It has no public key.</>;
  const [first] = keys.toSorted((a, b) => (b.lastUsedAt ?? '').localeCompare(a.lastUsedAt ?? ''));
  const names = keys.map(({ name }) => name).join(', ');
  if (!first?.lastUsedAt) return <>Its public keys ({names}) were never used.</>;
  return (
    <>
      Its public keys ({names}) were last used <Time at={first.lastUsedAt} isAgo />, {first.name}.
    </>
  );
}
