// Offerings that apps present: packages of products, which can be changed without a new release of the app.
import { api, unwrap, type Schemas } from '../api/client';
import { invalidate } from '../api/query';
import { useProject } from '../context/project';
import { productChoices } from '../names/product-choices';
import { FormDialog, text } from '../parts/form-dialog';
import { Check, Field, Form, Select } from '../parts/form';
import { Menu } from '../parts/menu';
import { QueryView } from '../parts/states';
import { toast } from '../parts/toast';
import { useOfferings, useProducts } from './lists';
import { Packages } from './packages';

type Offering = Schemas['Offering'];

export const PACKAGES = ['$weekly', '$monthly', '$two_month', '$three_month', '$six_month', '$annual', '$lifetime'];

export function Offerings() {
  const { project, may } = useProject();
  const offerings = useOfferings();
  const products = useProducts().data?.items ?? [];
  const path = { id: project.id };
  const add = (data: FormData) => {
    const body = { lookupKey: text(data, 'lookupKey'), displayName: text(data, 'displayName'), isCurrent: true };
    return unwrap(api.POST('/v1/projects/{id}/offerings', { params: { path }, body }));
  };
  const addPackage = async (data: FormData) => {
    const oid = text(data, 'oid');
    const lookupKey = text(data, 'lookupKey');
    const body = { lookupKey, displayName: lookupKey.replace('$', '') };
    const offering = await unwrap(
      api.POST('/v1/projects/{id}/offerings/{oid}/packages', { params: { path: { ...path, oid } }, body }),
    );
    const params = { path: { ...path, oid, pid: offering.id } };
    const attached = { productIds: [text(data, 'productId')] };
    return unwrap(api.POST('/v1/projects/{id}/offerings/{oid}/packages/{pid}/products', { params, body: attached }));
  };
  const items = offerings.data?.items ?? [];
  return (
    <section class="card" aria-labelledby="offerings-title">
      <header class="head">
        <h2 id="offerings-title">Offerings</h2>
        {may('configure') && (
          <div class="row">
            <FormDialog label="Add offering" add={add} done="Added.">
              <Field label="Lookup key" name="lookupKey" required placeholder="default" autocomplete="off" />
              <Field label="Display name" name="displayName" required maxLength={200} autocomplete="off" />
            </FormDialog>
            {items.length > 0 && products.length > 0 && (
              <FormDialog label="Add package" add={addPackage} done="Added.">
                <Select label="Offering" name="oid" options={items.map((one) => [one.id, one.displayName] as const)} />
                <Select label="Package" name="lookupKey" options={PACKAGES.map((id) => [id, id] as const)} />
                <Select label="Product" name="productId" options={productChoices(products)} />
              </FormDialog>
            )}
          </div>
        )}
      </header>
      <QueryView of={offerings} what="the offerings">
        {() =>
          items.length === 0 ? (
            <p>No offerings yet. Apps read the current offering to know what to sell.</p>
          ) : (
            <ul class="plain entries">
              {items.map((one) => (
                <li key={one.id}>
                  <header class="head">
                    <h3>
                      {one.displayName} <small>{one.lookupKey}</small>{' '}
                      {one.isCurrent && <span class="badge good">current</span>}
                      {one.archived && <span class="badge">archived</span>}
                    </h3>
                    {may('configure') && <OfferingChanges offering={one} />}
                  </header>
                  <Packages offeringId={one.id} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  );
}

function OfferingChanges({ offering }: { readonly offering: Offering }) {
  const { project } = useProject();
  const { id, displayName, isCurrent, archived } = offering;
  const params = { path: { id: project.id, oid: id } };
  const change = (body: Schemas['UpdateOfferingBody']) =>
    unwrap(api.PATCH('/v1/projects/{id}/offerings/{oid}', { params, body }));
  const save = (data: FormData) =>
    change({
      displayName: text(data, 'displayName'),
      ...(data.get('isCurrent') !== null && !isCurrent && { isCurrent: true }),
    });
  const archive = async () => {
    await change({ archived: !archived });
    invalidate();
    toast(archived ? 'Restored: apps can use it again.' : 'Archived: apps no longer get it.');
  };
  return (
    <Menu label={`Actions for ${displayName}`}>
      <FormDialog label={`Edit ${displayName}`} action="Save" add={save} done="Saved.">
        <Field label="Display name" name="displayName" required maxLength={200} defaultValue={displayName} />
        {!isCurrent && !archived && <Check label="Current offering" name="isCurrent" value="on" isOn={false} />}
      </FormDialog>
      {!isCurrent && (
        <Form label={archived ? 'Restore' : 'Archive'} submit={archive} isPlain>
          <span class="visually-hidden">{displayName}</span>
        </Form>
      )}
    </Menu>
  );
}
