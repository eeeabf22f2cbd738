// What apps offer: packages of products, which can be changed without a new release.
import { api, ask } from '../api/client';
import { useQuery } from '../api/query';
import { useProject } from '../app/project';
import { Adding, text } from '../parts/adding';
import { Field, Select } from '../parts/form';
import { Shown } from '../parts/states';
import { useOfferings, useProducts } from './lists';

const PACKAGES = ['$weekly', '$monthly', '$two_month', '$three_month', '$six_month', '$annual', '$lifetime'];

export function Offerings() {
  const { project, may } = useProject();
  const offerings = useOfferings();
  const products = useProducts().data?.items ?? [];
  const path = { id: project.id };
  const add = (data: FormData) => {
    const body = { lookupKey: text(data, 'lookupKey'), displayName: text(data, 'displayName'), isCurrent: true };
    return ask(api.POST('/v1/projects/{id}/offerings', { params: { path }, body }));
  };
  const addPackage = async (data: FormData) => {
    const oid = text(data, 'oid');
    const lookupKey = text(data, 'lookupKey');
    const body = { lookupKey, displayName: lookupKey.replace('$', '') };
    const made = await ask(
      api.POST('/v1/projects/{id}/offerings/{oid}/packages', { params: { path: { ...path, oid } }, body }),
    );
    const params = { path: { ...path, oid, pid: made.id } };
    const attached = { productIds: [text(data, 'productId')] };
    return ask(api.POST('/v1/projects/{id}/offerings/{oid}/packages/{pid}/products', { params, body: attached }));
  };
  const items = offerings.data?.items ?? [];
  return (
    <section class="card" aria-labelledby="offerings-title">
      <h2 id="offerings-title">Offerings</h2>
      <Shown of={offerings} what="the offerings">
        {() =>
          items.length === 0 ? (
            <p>None yet. Apps ask for the current offering to know what to sell.</p>
          ) : (
            <ul>
              {items.map((one) => (
                <li key={one.id}>
                  {one.displayName} <small>{one.lookupKey}</small>{' '}
                  {one.isCurrent && <span class="badge good">current</span>}
                  <Packages offeringId={one.id} />
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
      {may('configure') && (
        <div class="row">
          <Adding label="Add offering" add={add} done="Added.">
            <Field label="Key for the app" name="lookupKey" required placeholder="default" autocomplete="off" />
            <Field label="Name for people" name="displayName" required maxLength={200} autocomplete="off" />
          </Adding>
          {items.length > 0 && products.length > 0 && (
            <Adding label="Add package" add={addPackage} done="Added.">
              <Select label="Offering" name="oid" options={items.map((one) => [one.id, one.displayName] as const)} />
              <Select label="Package" name="lookupKey" options={PACKAGES.map((id) => [id, id] as const)} />
              <Select
                label="Product"
                name="productId"
                options={products.map((one) => [one.id, one.displayName] as const)}
              />
            </Adding>
          )}
        </div>
      )}
    </section>
  );
}

function Packages({ offeringId }: { readonly offeringId: string }) {
  const { project } = useProject();
  const path = { id: project.id, oid: offeringId };
  const listed = useQuery(`packages|${project.id}|${offeringId}`, (signal) =>
    ask(api.GET('/v1/projects/{id}/offerings/{oid}/packages', { params: { path, query: { limit: 100 } }, signal })),
  );
  const items = listed.data?.items ?? [];
  return <p class="hint">Packages: {items.map(({ lookupKey }) => lookupKey).join(', ') || 'none'}</p>;
}
