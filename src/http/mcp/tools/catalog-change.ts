// Tool that brings the catalogue to a desired state: it creates and attaches what is missing, and deletes nothing.
import { z } from 'zod';
import { productType } from '../../../domain/catalog/products.js';
import { lookupKey, packageKey, storeProductId, text } from '../../../domain/values/user-text.js';
import { changeInput, changeOutput, listText, previewOrApply } from '../change.js';
import { bodyOf, defineTool, ToolError, type Tool, type ToolContext } from '../tool.js';
import { catalogueReads, readCatalogue } from './setup.js';

const name = text(200);
const sold = z
  .array(storeProductId)
  .max(50)
  .default([])
  .meta({ description: 'Store product IDs, in every app that has them.' });
const desired = {
  products: z
    .array(
      z.strictObject({
        appId: z.string().max(64),
        storeProductId,
        displayName: name,
        type: productType,
        duration: z.string().max(20).optional().meta({ description: 'ISO 8601, such as P1M; for subscriptions.' }),
      }),
    )
    .max(50)
    .default([]),
  entitlements: z
    .array(z.strictObject({ lookupKey, displayName: name, products: sold }))
    .max(50)
    .default([]),
  offerings: z
    .array(
      z.strictObject({
        lookupKey,
        displayName: name,
        packages: z.array(z.strictObject({ lookupKey: packageKey, displayName: name, products: sold })).max(20),
      }),
    )
    .max(20)
    .default([]),
};
const desiredSchema = z.object(desired);

/** `apply` gets the key for requests that must be performed once. */
type Step = { readonly text: string; readonly apply: (key: string) => Promise<unknown> };

const applyCatalog = defineTool({
  name: 'apply_catalog',
  title: 'Apply a catalogue',
  description:
    'Create the products, entitlements, offerings and packages that are missing, and attach products. Nothing is renamed, detached or deleted. The first call returns the plan and changes nothing.',
  kind: 'write',
  uses: [
    ...catalogueReads,
    'POST /v1/projects/{id}/products',
    'POST /v1/projects/{id}/entitlements',
    'POST /v1/projects/{id}/entitlements/{eid}/products',
    'POST /v1/projects/{id}/offerings',
    'POST /v1/projects/{id}/offerings/{oid}/packages',
    'POST /v1/projects/{id}/offerings/{oid}/packages/{pid}/products',
  ],
  input: z.strictObject({ ...desired, ...changeInput }),
  output: z.object(changeOutput),
  run: async (input, context) => {
    const current = await readCatalogue(context);
    const steps = planSteps(input, current, context);
    const data = await previewOrApply(context, {
      tool: 'apply_catalog',
      input,
      state: JSON.stringify(steps.map((step) => step.text)),
      preview: steps.length === 0 ? ['Nothing is missing.'] : steps.map((step) => step.text),
      apply: async (key) => {
        for (const [i, step] of steps.entries()) await step.apply(`${key}-${i}`);
        return {};
      },
    });
    return { data, page: '/setup' };
  },
});

type Catalogue = Awaited<ReturnType<typeof readCatalogue>>;
type DesiredCatalogue = z.output<typeof desiredSchema>;

function planSteps(wanted: DesiredCatalogue, current: Catalogue, context: ToolContext): readonly Step[] {
  const added = wanted.products.filter(
    (p) => !current.products.some((one) => one.appId === p.appId && one.storeProductId === p.storeProductId),
  );
  const unknownApp = added.find((p) => !current.apps.some((app) => app.id === p.appId));
  if (unknownApp) throw new ToolError(`No app ${unknownApp.appId} in this project; see get_catalog.`);
  const planning = { context, current, products: trackProducts(current.products, added) };
  return [
    ...added.map((product) => createProduct(product, planning)),
    ...wanted.entitlements.flatMap((entitlement) => planEntitlement(entitlement, planning)),
    ...wanted.offerings.flatMap((offering) => planOffering(offering, planning)),
  ];
}

type Planning = {
  readonly context: ToolContext;
  readonly current: Catalogue;
  readonly products: ProductIds;
};

/** IDs by store product ID; those of new products are added when they are created. */
type ProductIds = {
  add(storeProductId: string, productId: string): void;
  isPlanned(storeProductId: string): boolean;
  /** Throws {@link ToolError} for a product that neither exists nor is planned. */
  expectKnown(storeProductIds: readonly string[]): void;
  of(storeProductIds: readonly string[]): string[];
};

function trackProducts(existing: Catalogue['products'], added: DesiredCatalogue['products']): ProductIds {
  const ids = new Map<string, string[]>();
  const add = (key: string, productId: string) => void ids.set(key, [...(ids.get(key) ?? []), productId]);
  for (const one of existing) add(one.storeProductId, one.id);
  const planned = new Set(added.map((one) => one.storeProductId));
  return {
    add,
    isPlanned: (key) => planned.has(key),
    expectKnown: (keys) => {
      const unknown = keys.find((key) => !ids.has(key) && !planned.has(key));
      if (unknown !== undefined) throw new ToolError(`No product ${unknown}: list it in products, or see get_catalog.`);
    },
    of: (keys) => keys.flatMap((key) => ids.get(key) ?? []),
  };
}

function createProduct(product: DesiredCatalogue['products'][number], { context, products }: Planning): Step {
  const { client, projectId: id } = context;
  return {
    text: `Create the product ${product.storeProductId} (${product.type}) of the app ${product.appId}.`,
    apply: async (key) => {
      const body = { ...product, duration: product.duration ?? null };
      const created = bodyOf(
        await client.POST('/v1/projects/{id}/products', { params: { path: { id } }, body, headers: once(key) }),
      );
      products.add(created.storeProductId, created.id);
    },
  };
}

function planEntitlement(
  { lookupKey, displayName, products: keys }: DesiredCatalogue['entitlements'][number],
  { context, current, products }: Planning,
): readonly Step[] {
  const { client, projectId: id } = context;
  products.expectKnown(keys);
  const known = current.entitlements.find((one) => one.lookupKey === lookupKey);
  const missing = keys.filter((key) => {
    const own = current.products.filter((one) => one.storeProductId === key);
    const isAttached = (one: (typeof own)[number]) => known !== undefined && one.entitlementIds.includes(known.id);
    return own.length === 0 || products.isPlanned(key) || !own.every(isAttached);
  });
  const create: Step = {
    text: `Create the entitlement ${lookupKey}.`,
    apply: async (key) =>
      bodyOf(
        await client.POST('/v1/projects/{id}/entitlements', {
          params: { path: { id } },
          body: { lookupKey, displayName },
          headers: once(key),
        }),
      ),
  };
  const attach: Step = {
    text: `Let ${listText(missing)} unlock ${lookupKey}.`,
    apply: async (key) =>
      bodyOf(
        await client.POST('/v1/projects/{id}/entitlements/{eid}/products', {
          params: { path: { id, eid: lookupKey } },
          body: { productIds: products.of(missing) },
          headers: once(key),
        }),
      ),
  };
  return [...(known ? [] : [create]), ...(missing.length === 0 ? [] : [attach])];
}

type DesiredOffering = DesiredCatalogue['offerings'][number];

function planOffering({ lookupKey, displayName, packages }: DesiredOffering, planning: Planning): readonly Step[] {
  const { client, projectId: id } = planning.context;
  const known = planning.current.offerings.find((one) => one.lookupKey === lookupKey);
  const create: Step = {
    text: `Create the offering ${lookupKey}.`,
    apply: async (key) =>
      bodyOf(
        await client.POST('/v1/projects/{id}/offerings', {
          params: { path: { id } },
          body: { lookupKey, displayName },
          headers: once(key),
        }),
      ),
  };
  const inside = packages.flatMap((one) => planPackage(one, { lookupKey, known }, planning));
  return [...(known ? [] : [create]), ...inside];
}

function planPackage(
  { lookupKey: pid, displayName, products: keys }: DesiredOffering['packages'][number],
  offering: { readonly lookupKey: string; readonly known: Catalogue['offerings'][number] | undefined },
  { context, products }: Planning,
): readonly Step[] {
  const { client, projectId: id } = context;
  const { lookupKey: oid, known } = offering;
  products.expectKnown(keys);
  const own = known?.packages?.find((one) => one.lookupKey === pid);
  const missing = keys.filter((key) => !own?.products.some((one) => one.storeProductId === key));
  const create: Step = {
    text: `Create the package ${pid} in ${oid}.`,
    apply: async (key) =>
      bodyOf(
        await client.POST('/v1/projects/{id}/offerings/{oid}/packages', {
          params: { path: { id, oid } },
          body: { lookupKey: pid, displayName },
          headers: once(key),
        }),
      ),
  };
  const attach: Step = {
    text: `Sell ${listText(missing)} in the package ${pid} of ${oid}.`,
    apply: async (key) =>
      bodyOf(
        await client.POST('/v1/projects/{id}/offerings/{oid}/packages/{pid}/products', {
          params: { path: { id, oid, pid } },
          body: { productIds: products.of(missing) },
          headers: once(key),
        }),
      ),
  };
  return [...(own ? [] : [create]), ...(missing.length === 0 ? [] : [attach])];
}

function once(key: string) {
  return { 'idempotency-key': key };
}

export const catalogChangeTools: readonly Tool[] = [applyCatalog];
