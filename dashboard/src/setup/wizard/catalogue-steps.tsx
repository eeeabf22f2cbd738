// Steps of the guide that fill the catalogue: a product with its entitlement, and an offering with a package.
import { api, unwrap, type Schemas } from '../../api/client';
import { refresh } from '../../api/query';
import { useProject } from '../../context/project';
import { productChoices } from '../../names/product-choices';
import { sentenceCase } from '../../parts/format';
import { Field, Form, Select } from '../../parts/form';
import { text } from '../../parts/form-dialog';
import { useEntitlements, useOfferings, useProducts } from '../lists';
import { PACKAGES } from '../offerings';
import { addPrice, PriceFields } from '../prices';

type StepProps = { readonly app: Schemas['App']; readonly onDone: () => void };

const DURATIONS = [
  ['P1M', 'a month'],
  ['P1Y', 'a year'],
  ['P1W', 'a week'],
  ['P3M', 'three months'],
  ['P6M', 'six months'],
  ['', 'no end: a one-time purchase'],
] as const;
const PACKAGE_BY_DURATION: Readonly<Record<string, string>> = {
  P1W: '$weekly',
  P1M: '$monthly',
  P3M: '$three_month',
  P6M: '$six_month',
  P1Y: '$annual',
};

export function ProductStep({ app, onDone }: StepProps) {
  const { project } = useProject();
  const entitlements = useEntitlements().data?.items ?? [];
  const products = useProducts().data?.items.filter(({ appId }) => appId === app.id) ?? [];
  const path = { id: project.id };
  /** Continues where a rejected attempt ended. */
  const create = async (data: FormData) => {
    const duration = text(data, 'duration');
    const body = {
      appId: app.id,
      storeProductId: text(data, 'storeProductId'),
      displayName: text(data, 'displayName'),
      ...(duration === '' ? { type: 'non_consumable' as const } : { type: 'subscription' as const, duration }),
    };
    const lookupKey = text(data, 'lookupKey');
    const existing = entitlements.find((one) => one.lookupKey === lookupKey);
    const names = { lookupKey, displayName: sentenceCase(lookupKey) };
    try {
      const { id: eid } =
        existing ?? (await unwrap(api.POST('/v1/projects/{id}/entitlements', { params: { path }, body: names })));
      const product =
        products.find(({ storeProductId }) => storeProductId === body.storeProductId) ??
        (await unwrap(api.POST('/v1/projects/{id}/products', { params: { path }, body })));
      const attached = { params: { path: { ...path, eid } }, body: { productIds: [product.id] } };
      await unwrap(api.POST('/v1/projects/{id}/entitlements/{eid}/products', attached));
      if (product.prices.length === 0) await addPrice(project.id, product.id, data);
    } finally {
      await refresh();
    }
    onDone();
  };
  return (
    <Form label="Add product" submit={create}>
      <Field
        label="Store product ID"
        name="storeProductId"
        required
        placeholder="com.example.pro.month"
        hint="As in the store’s console."
        autocomplete="off"
      />
      <Field
        label="Display name"
        name="displayName"
        required
        maxLength={200}
        placeholder="Pro, monthly"
        autocomplete="off"
      />
      <Select label="Duration" name="duration" options={DURATIONS} />
      <PriceFields isRequired={app.platform === 'test'} />
      <Field
        label="Unlocks"
        name="lookupKey"
        required
        defaultValue={entitlements[0]?.lookupKey ?? 'pro'}
        hint="Lookup key of the entitlement that the app checks. It is created if it does not exist."
        autocomplete="off"
      />
    </Form>
  );
}

export function OfferingStep({ app, onDone }: StepProps) {
  const { project } = useProject();
  const offerings = useOfferings().data?.items ?? [];
  const products = useProducts().data?.items.filter(({ appId }) => appId === app.id) ?? [];
  const path = { id: project.id };
  if (products.length === 0) return <p>Add a product first.</p>;
  const create = async (data: FormData) => {
    const body = { lookupKey: 'default', displayName: text(data, 'displayName'), isCurrent: true };
    const chosen = text(data, 'oid');
    const oid =
      chosen !== '' ? chosen : (await unwrap(api.POST('/v1/projects/{id}/offerings', { params: { path }, body }))).id;
    const lookupKey = text(data, 'lookupKey');
    const within = { path: { ...path, oid } };
    const products = await unwrap(
      api.GET('/v1/projects/{id}/offerings/{oid}/packages', { params: { ...within, query: { limit: 100 } } }),
    );
    const names = { lookupKey, displayName: lookupKey.replace('$', '') };
    const { id: pid } =
      products.items.find((one) => one.lookupKey === lookupKey) ??
      (await unwrap(api.POST('/v1/projects/{id}/offerings/{oid}/packages', { params: within, body: names })));
    const attached = { params: { path: { ...path, oid, pid } }, body: { productIds: [text(data, 'productId')] } };
    await unwrap(api.POST('/v1/projects/{id}/offerings/{oid}/packages/{pid}/products', attached));
    await refresh();
    onDone();
  };
  const [first] = products;
  return (
    <Form label="Offer it" submit={create}>
      <p>The app reads the current offering to know what to sell, so that you can change it without a release.</p>
      {offerings.length > 0 ? (
        <Select label="Offering" name="oid" options={offerings.map((one) => [one.id, one.displayName] as const)} />
      ) : (
        <Field label="Offering" name="displayName" required maxLength={200} defaultValue="Default" autocomplete="off" />
      )}
      <Select label="Product" name="productId" options={productChoices(products)} />
      <Select
        label="Package"
        name="lookupKey"
        value={PACKAGE_BY_DURATION[first?.duration ?? ''] ?? '$lifetime'}
        options={PACKAGES.map((id) => [id, id] as const)}
      />
    </Form>
  );
}
