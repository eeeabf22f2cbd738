// Products, and the entitlements that they unlock.
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { storeName } from '../names/stores';
import { FormDialog, text } from '../parts/form-dialog';
import { Field } from '../parts/form';
import { spanName } from '../parts/format';
import '../styles/stacked.css';
import { QueryView } from '../parts/states';
import { AddProduct, PRODUCT_TYPES } from './add-product';
import { Entitlements, ProductChanges } from './catalogue-changes';
import { useEntitlements, useProducts } from './lists';
import { pricesOf } from './prices';

const TYPE_NAMES: ReadonlyMap<string, string> = new Map(PRODUCT_TYPES);

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
