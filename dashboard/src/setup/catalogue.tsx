// Products, and the entitlements that they unlock.
import { useState } from 'preact/hooks';
import { api, unwrap } from '../api/client';
import { refresh } from '../api/query';
import { useProject } from '../context/project';
import { storeName } from '../names/stores';
import { FormDialog, text } from '../parts/form-dialog';
import { DURATION_UNITS, durationOf } from '../parts/durations';
import { Field, Select } from '../parts/form';
import { spanName } from '../parts/format';
import '../styles/stacked.css';
import { QueryView } from '../parts/states';
import { Entitlements, ProductChanges } from './catalogue-changes';
import { useApps, useEntitlements, useProducts } from './lists';
import { addPrice, PriceFields, pricesOf } from './prices';

const TYPES = [
  ['subscription', 'subscription'],
  ['non_consumable', 'one-time purchase, permanent'],
  ['consumable', 'one-time purchase, used up'],
] as const;
const TYPE_NAMES: ReadonlyMap<string, string> = new Map(TYPES);

export function Catalogue() {
  const { may } = useProject();
  const products = useProducts();
  const entitlements = useEntitlements();
  return (
    <section class="card" aria-labelledby="catalogue-title">
      <header class="head">
        <h2 id="catalogue-title">Products and entitlements</h2>
        {may('configure') && (
          <div class="row">
            <AddProduct />
            <AddEntitlement />
          </div>
        )}
      </header>
      <QueryView of={products} what="the products">
        {({ items }) =>
          items.length === 0 ? (
            <p>No products yet. Create one for each product in the store.</p>
          ) : (
            <div class="scroll stacked">
              <table>
                <caption>Products</caption>
                <thead>
                  <tr>
                    <th scope="col">Product</th>
                    <th scope="col">Type</th>
                    <th scope="col">Price</th>
                    <th scope="col">Unlocks</th>
                    {may('configure') && (
                      <th scope="col">
                        <span class="visually-hidden">Actions</span>
                      </th>
                    )}
                  </tr>
                </thead>
                <tbody>
                  {items.map((product) => (
                    <tr key={product.id}>
                      <th scope="row">
                        {product.displayName}{' '}
                        <small>
                          {storeName(product.store)} <span class="code">{product.storeProductId}</span>
                        </small>
                      </th>
                      <td>
                        {TYPE_NAMES.get(product.type) ?? product.type}
                        {product.duration !== null && `, ${spanName(product.duration)}`}
                      </td>
                      <td>{pricesOf(product)}</td>
                      <td>
                        {product.entitlementIds.map((one) => keyOf(entitlements.data?.items, one)).join(', ') || '–'}
                      </td>
                      {may('configure') && (
                        <td class="number">
                          <ProductChanges product={product} entitlements={entitlements.data?.items ?? []} />
                        </td>
                      )}
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
          )
        }
      </QueryView>
      {entitlements.data && <Entitlements entitlements={entitlements.data.items} />}
    </section>
  );
}

/** Returns the lookup key of an object; the ID if it is not in the list. */
export function keyOf(
  items: readonly { readonly id: string; readonly lookupKey: string }[] | undefined,
  id: string,
): string {
  return items?.find((one) => one.id === id)?.lookupKey ?? id;
}

function AddProduct() {
  const { project } = useProject();
  const apps = useApps().data?.items ?? [];
  const products = useProducts().data?.items ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const app = apps.find(({ id }) => id === chosen) ?? apps[0];
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
      await addPrice(project.id, id, data);
    } finally {
      await refresh();
    }
  };
  if (!app) return null;
  return (
    <FormDialog label="Add product" add={add} done="Added.">
      <Select
        label="App"
        name="appId"
        value={app.id}
        options={apps.map(({ id, name }) => [id, name] as const)}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      />
      <Field
        label="Store product ID"
        name="storeProductId"
        required
        placeholder="com.example.pro.month"
        autocomplete="off"
      />
      <Field label="Display name" name="displayName" required maxLength={200} autocomplete="off" />
      <Select label="Type" name="type" options={TYPES} />
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

function AddEntitlement() {
  const { project } = useProject();
  const add = (data: FormData) => {
    const body = { lookupKey: text(data, 'lookupKey'), displayName: text(data, 'displayName') };
    return unwrap(api.POST('/v1/projects/{id}/entitlements', { params: { path: { id: project.id } }, body }));
  };
  return (
    <FormDialog label="Add entitlement" add={add} done="Added.">
      <Field label="Lookup key" name="lookupKey" required placeholder="pro" autocomplete="off" />
      <Field label="Display name" name="displayName" required maxLength={200} autocomplete="off" />
    </FormDialog>
  );
}
