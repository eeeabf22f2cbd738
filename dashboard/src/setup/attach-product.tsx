// Button that attaches a product which unlocks nothing, where the problem is listed.
import { api, unwrap } from '../api/client';
import { useProject } from '../context/project';
import { Select } from '../parts/form';
import { FormDialog, text } from '../parts/form-dialog';
import { useEntitlements } from './lists';

/** Attaches a product to an entitlement, which also gives access for earlier purchases. */
export function AttachProduct({ productId, name }: { readonly productId: string; readonly name: string }) {
  const { project, may } = useProject();
  const entitlements = useEntitlements().data?.items ?? [];
  if (!may('configure') || entitlements.length === 0) return null;
  const attach = (data: FormData) => {
    const params = { path: { id: project.id, eid: text(data, 'eid') } };
    const body = { productIds: [productId] };
    return unwrap(api.POST('/v1/projects/{id}/entitlements/{eid}/products', { params, body }));
  };
  return (
    <FormDialog
      label="Attach"
      title={`Attach ${name}`}
      action="Attach"
      add={attach}
      done="Attached, including earlier purchases."
    >
      <Select label="Unlocks" name="eid" options={entitlements.map(({ id, lookupKey }) => [id, lookupKey] as const)} />
    </FormDialog>
  );
}
