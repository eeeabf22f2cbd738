// Form fields of a paywall. The form checks the JSON syntax, the server the content.
import type { Schemas } from '../api/client';
import { text } from '../parts/form-dialog';
import { Area, Field, Select } from '../parts/form';
import { useOfferings } from '../setup/lists';

export type Paywall = Schemas['Paywall'];

export function PaywallFields({ paywall }: { readonly paywall?: Paywall }) {
  const offerings = useOfferings().data?.items ?? [];
  return (
    <>
      <Field label="Name" name="name" required maxLength={100} autocomplete="off" defaultValue={paywall?.name ?? ''} />
      <div class="row end">
        <Select
          label="Offering"
          name="offeringId"
          value={paywall?.offeringId ?? offerings[0]?.id ?? ''}
          options={offerings.map(({ id, displayName }) => [id, displayName] as const)}
        />
        <Select
          label="State"
          name="status"
          value={paywall?.status ?? 'draft'}
          options={[
            ['draft', 'draft'],
            ['published', 'published, in place of the former'],
          ]}
        />
        <Field
          label="Language"
          name="defaultLocale"
          required
          autocomplete="off"
          size={8}
          defaultValue={paywall?.defaultLocale ?? 'en'}
        />
      </div>
      <div class="json">
        <Area
          label="Configuration (JSON)"
          name="config"
          rows={12}
          defaultValue={JSON.stringify(paywall?.config ?? { template: 'plain', title: 'title' }, null, 2)}
        />
        <Area
          label="Texts by language (JSON)"
          name="localizations"
          defaultValue={JSON.stringify(paywall?.localizations ?? { en: { title: 'Go Pro' } }, null, 2)}
        />
      </div>
    </>
  );
}

/** Throws if a field is not a JSON object; the message begins with the name of the field. */
export function paywallBody(data: FormData) {
  return {
    name: text(data, 'name'),
    offeringId: text(data, 'offeringId'),
    status: text(data, 'status') === 'published' ? ('published' as const) : ('draft' as const),
    defaultLocale: text(data, 'defaultLocale'),
    config: objectOf(data, 'config'),
    localizations: objectOf(data, 'localizations'),
  };
}

function objectOf(data: FormData, name: string): Record<string, never> {
  const read = parseJson(name, text(data, name));
  if (typeof read !== 'object' || read === null || Array.isArray(read)) {
    throw new Error(`${name} must be a JSON object: { … }`);
  }
  return read as Record<string, never>;
}

function parseJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (err) {
    throw new Error(`${name} is not valid JSON: ${(err as Error).message}`, { cause: err });
  }
}
