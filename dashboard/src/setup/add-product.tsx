// Form that adds a product to the catalogue: a new one, or one that somebody has bought and that is not in it.
import { useState } from 'preact/hooks';
import { api, unwrap, type Schemas } from '../api/client';
import { refresh } from '../api/query';
import { useProject } from '../context/project';
import { DURATION_UNITS, durationOf } from '../parts/durations';
import { Field, Select } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { useApps, useEntitlements, useProducts } from './lists';
import { addPrice, PriceFields } from './prices';

export const PRODUCT_TYPES = [
  ['subscription', 'subscription'],
  ['non_consumable', 'one-time purchase, permanent'],
  ['consumable', 'one-time purchase, used up'],
] as const;
export type BoughtProduct = Pick<Schemas['Product'], 'appId' | 'storeProductId' | 'type'>;

/** `bought`: a product that somebody has bought, so that only what it unlocks is to be chosen; omitted for a new one. */
export function AddProduct({ bought }: { readonly bought?: BoughtProduct }) {
  const { project } = useProject();
  const apps = useApps().data?.items ?? [];
  const products = useProducts().data?.items ?? [];
  const entitlements = useEntitlements().data?.items ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const app = apps.find(({ id }) => id === (bought?.appId ?? chosen)) ?? apps[0];
  /** Continues where a rejected attempt ended. */
  const add = async (data: FormData) => {
    const duration = durationOf(text(data, 'duration'), text(data, 'durationUnit'));
    const body = {
      appId: text(data, 'appId'),
      storeProductId: text(data, 'storeProductId'),
      displayName: text(data, 'displayName'),
      type: text(data, 'type') as 'subscription',
      ...(duration !== null && { duration }),
    };
    const existing = products.find((p) => p.appId === body.appId && p.storeProductId === body.storeProductId);
    const params = { path: { id: project.id } };
    const isUnpriced = existing !== undefined && existing.prices.length === 0 && text(data, 'amount') !== '';
    const { id } = isUnpriced ? existing : await unwrap(api.POST('/v1/projects/{id}/products', { params, body }));
    try {
      const eid = text(data, 'eid');
      if (eid !== '') await attach(project.id, eid, id);
      await addPrice(project.id, id, data);
    } finally {
      await refresh();
    }
  };
  if (!app) return null;
  return (
    <FormDialog
      label={bought ? 'Add' : 'Add product'}
      title={bought ? `Add ${bought.storeProductId}` : 'Add product'}
      action={bought ? 'Add' : 'Add product'}
      add={add}
      done={bought ? 'Added, including earlier purchases.' : 'Added.'}
    >
      <Select
        label="App"
        name="appId"
        value={app.id}
        options={(bought ? [app] : apps).map(({ id, name }) => [id, name] as const)}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Field
        label="Store product ID"
        name="storeProductId"
        required
        readOnly={bought !== undefined}
        defaultValue={bought?.storeProductId ?? ''}
        placeholder="com.example.pro.month"
        autocomplete="off"
      />
      <Field
        label="Display name"
        name="displayName"
        required
        maxLength={200}
        autocomplete="off"
        defaultValue={bought?.storeProductId ?? ''}
      />
      {bought && (
        <Select
          label="Unlocks"
          name="eid"
          value={bought.type === 'consumable' ? '' : entitlements[0]?.id}
          options={[...entitlements.map(({ id, lookupKey }) => [id, lookupKey] as const), ['', 'nothing'] as const]}
        />
      )}
      <Select label="Type" name="type" options={PRODUCT_TYPES} value={bought?.type ?? 'subscription'} />
      <div class="row">
        <Field
          label="Subscription duration"
          name="duration"
          type="number"
          min={1}
          max={999}
          placeholder="1"
          hint="Empty for a purchase without an end."
        />
        <Select label="Unit" name="durationUnit" options={DURATION_UNITS} />
      </div>
      <PriceFields isRequired={app.platform === 'test'} />
    </FormDialog>
  );
}

function attach(projectId: string, eid: string, productId: string) {
  const params = { path: { id: projectId, eid } };
  return unwrap(
    api.POST('/v1/projects/{id}/entitlements/{eid}/products', { params, body: { productIds: [productId] } }),
  );
}
