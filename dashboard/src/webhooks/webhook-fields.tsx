// Form fields of a webhook: its URL, and the events that it receives.
import { useState } from 'preact/hooks';
import type { Schemas } from '../api/client';
import { text } from '../parts/form-dialog';
import { Check, Field, Select } from '../parts/form';
import { useApps } from '../setup/lists';
import { KINDS, type Kind } from './kinds';
import type { Webhook } from './webhook-state';

type Body = Schemas['CreateWebhookBody'];

/** Creates a new webhook if `webhook` is absent, otherwise changes it. */
export function WebhookFields({ webhook }: { readonly webhook?: Webhook }) {
  const apps = useApps().data?.items ?? [];
  const chosen = webhook?.eventTypes ?? null;
  const [isSome, setSome] = useState(chosen !== null);
  return (
    <>
      <Field label="Name" name="name" maxLength={100} autocomplete="off" defaultValue={webhook?.name ?? ''} />
      <Field
        label="Address"
        name="url"
        type="url"
        required
        placeholder="https://"
        hint="Must begin with https://"
        defaultValue={webhook?.url ?? ''}
      />
      <Select
        label="Events"
        name="which"
        value={isSome ? 'some' : 'all'}
        options={[
          ['all', 'all types, including future ones'],
          ['some', 'only the kinds chosen below'],
        ]}
        onChange={({ currentTarget }) => setSome(currentTarget.value === 'some')}
      />
      {isSome && (
        <fieldset class="choices">
          <legend>Kinds</legend>
          {kindsWith(chosen).map((kind) => (
            <Check key={kind} label={kind} name="kind" value={kind} isOn={chosen?.includes(kind) ?? false} />
          ))}
        </fieldset>
      )}
      <div class="row end">
        <Select
          label="App"
          name="appId"
          value={webhook?.appId ?? ''}
          options={[['', 'all'], ...apps.map(({ id, name }) => [id, name] as const)]}
        />
        <Select
          label="Environment"
          name="environment"
          value={webhook?.environment ?? ''}
          options={[
            ['', 'both'],
            ['production', 'production'],
            ['sandbox', 'sandbox'],
          ]}
        />
        <Select
          label="Payload format"
          name="payloadFormat"
          hint="RevenueCat: for receivers written for its webhooks. Event types that it lacks are not sent."
          value={webhook?.payloadFormat ?? 'camelCase'}
          options={[
            ['camelCase', 'camelCase'],
            ['snake_case', 'snake_case'],
            ['revenuecat', 'RevenueCat'],
          ]}
        />
      </div>
      <Field
        label="Authorization header"
        name="authorizationHeader"
        autocomplete="off"
        hint={
          webhook?.hasAuthorizationHeader
            ? 'A value is stored but not shown. Leave empty to keep it.'
            : 'Sent with each request (optional: requests are signed).'
        }
      />
      <Check
        label="Deliver each customer’s events in order: later ones wait for a failed one"
        name="ordered"
        value="on"
        isOn={webhook?.ordered ?? true}
      />
    </>
  );
}

/** Includes kinds that were selected over the API, so that they can be deselected. */
function kindsWith(chosen: readonly string[] | null): readonly string[] {
  return [...KINDS, ...(chosen ?? []).filter((kind) => !(KINDS as readonly string[]).includes(kind))];
}

/** Throws if kinds must be selected and none is. */
export function webhookBody(data: FormData): Body {
  const kinds = data.getAll('kind').map(String) as Kind[];
  const isSome = text(data, 'which') === 'some';
  if (isSome && kinds.length === 0) throw new Error('Choose at least one event type, or all types.');
  const header = text(data, 'authorizationHeader');
  const environment = text(data, 'environment');
  return {
    name: text(data, 'name') || null,
    url: text(data, 'url'),
    eventTypes: isSome ? kinds : null,
    appId: text(data, 'appId') || null,
    environment: environment === 'production' || environment === 'sandbox' ? environment : null,
    payloadFormat: text(data, 'payloadFormat') as NonNullable<Body['payloadFormat']>,
    ordered: data.get('ordered') !== null,
    ...(header !== '' && { authorizationHeader: header }),
  };
}
