// Changes of the catalogue: attaches products to entitlements and detaches them, deletes products and entitlements, and renames entitlements.
import type { Schemas } from '../api/client';
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { FormDialog, text } from '../parts/form-dialog';
import { Confirm } from '../parts/confirm';
import { Field, Select } from '../parts/form';
import { Menu } from '../parts/menu';
import { AddPrice } from './prices';

type Product = Schemas['Product'];
type Entitlement = Schemas['Entitlement'];

export function ProductChanges({
  product,
  entitlements,
}: {
  readonly product: Product;
  readonly entitlements: readonly Entitlement[];
}) {
  const { id: pid, displayName, entitlementIds } = product;
  const { project } = useProject();
  const path = { id: project.id };
  const attached = entitlements.filter(({ id }) => entitlementIds.includes(id));
  const others = entitlements.filter(({ id }) => !entitlementIds.includes(id));
  const attach = (data: FormData) => {
    const params = { path: { ...path, eid: text(data, 'eid') } };
    return unwrap(api.POST('/v1/projects/{id}/entitlements/{eid}/products', { params, body: { productIds: [pid] } }));
  };
  const detach = (data: FormData) => {
    const params = { path: { ...path, eid: text(data, 'eid') } };
    return unwrap(api.DELETE('/v1/projects/{id}/entitlements/{eid}/products', { params, body: { productIds: [pid] } }));
  };
  const remove = () =>
    unwrap(
      api.DELETE('/v1/projects/{id}/products/{pid}', { params: { path: { ...path, pid }, query: { force: 'true' } } }),
    );
  return (
    <Menu label={`Actions for ${displayName}`}>
      <AddPrice product={product} />
      {others.length > 0 && (
        <FormDialog
          label="Attach"
          title={`Attach ${displayName}`}
          add={attach}
          done="Attached, including earlier purchases."
        >
          <Select label="Unlocks" name="eid" options={others.map(({ id, lookupKey }) => [id, lookupKey] as const)} />
        </FormDialog>
      )}
      {attached.length > 0 && (
        <Confirm
          label="Detach"
          title={`Detach ${displayName}`}
          run={detach}
          done="Detached."
          breaks={<>Customers who bought {displayName} lose this access unless something else grants it too.</>}
        >
          <Select label="From" name="eid" options={attached.map(({ id, lookupKey }) => [id, lookupKey] as const)} />
        </Confirm>
      )}
      <Confirm
        label="Delete"
        title={`Delete ${displayName}`}
        run={remove}
        done="Deleted."
        breaks="It is removed from all entitlements and packages, and customers who bought it lose the access it grants. Amounts stay in the charts."
      />
    </Menu>
  );
}

export function Entitlements({ entitlements }: { readonly entitlements: readonly Entitlement[] }) {
  const { may } = useProject();
  if (entitlements.length === 0) return <p>No entitlements yet. An entitlement is what a purchase unlocks.</p>;
  return (
    <>
      <h3>Entitlements</h3>
      <ul class="plain entries" aria-label="Entitlements">
        {entitlements.map((one) => (
          <li key={one.id} class="head">
            <span>
              <strong>{one.lookupKey}</strong> {one.displayName}
            </span>
            {may('configure') && <EntitlementChanges entitlement={one} />}
          </li>
        ))}
      </ul>
    </>
  );
}

function EntitlementChanges({ entitlement }: { readonly entitlement: Entitlement }) {
  const { project } = useProject();
  const { id, lookupKey, displayName, description } = entitlement;
  const params = { path: { id: project.id, eid: id } };
  const change = (data: FormData) => {
    const body = { displayName: text(data, 'displayName'), description: text(data, 'description') || null };
    return unwrap(api.PATCH('/v1/projects/{id}/entitlements/{eid}', { params, body }));
  };
  const remove = () => unwrap(api.DELETE('/v1/projects/{id}/entitlements/{eid}', { params }));
  return (
    <Menu label={`Actions for ${lookupKey}`}>
      <FormDialog label={`Edit ${lookupKey}`} action="Save" add={change} done="Saved.">
        <Field label="Display name" name="displayName" required maxLength={200} defaultValue={displayName} />
        <Field label="Description" name="description" maxLength={1000} defaultValue={description ?? ''} />
      </FormDialog>
      <Confirm
        label={`Delete ${lookupKey}`}
        action="Delete"
        run={remove}
        done="Deleted."
        breaks={<>Nobody has access to {lookupKey} any more, neither by purchase nor by grant.</>}
      />
    </Menu>
  );
}
