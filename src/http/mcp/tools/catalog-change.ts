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

function planSteps(
  desiredCatalogue: z.output<typeof desiredSchema>,
  current: Catalogue,
  context: ToolContext,
): readonly Step[] {
  const { client, projectId: id } = context;
  /** IDs by store product ID; those of new products are added when they are created. */
  const ids = new Map<string, string[]>();
  const add = (key: string, productId: string) => ids.set(key, [...(ids.get(key) ?? []), productId]);
  for (const one of current.products) add(one.storeProductId, one.id);
  const added = desiredCatalogue.products.filter(
    (p) => !current.products.some((one) => one.appId === p.appId && one.storeProductId === p.storeProductId),
  );
  const unknownApp = added.find((p) => !current.apps.some((app) => app.id === p.appId));
  if (unknownApp) throw new ToolError(`No app ${unknownApp.appId} in this project; see get_catalog.`);
  const planned = new Set(added.map((one) => one.storeProductId));
  const expectKnown = (keys: readonly string[]) => {
    const unknown = keys.find((key) => !ids.has(key) && !planned.has(key));
    if (unknown !== undefined) throw new ToolError(`No product ${unknown}: list it in products, or see get_catalog.`);
  };
  const idsOf = (keys: readonly string[]) => keys.flatMap((key) => ids.get(key) ?? []);
  const once = (key: string) => ({ 'idempotency-key': key });

  const products = added.map((p): Step => ({
    text: `Create the product ${p.storeProductId} (${p.type}) of the app ${p.appId}.`,
    apply: async (key) => {
      const body = { ...p, duration: p.duration ?? null };
      const created = bodyOf(
        await client.POST('/v1/projects/{id}/products', { params: { path: { id } }, body, headers: once(key) }),
      );
      add(created.storeProductId, created.id);
    },
  }));
  const entitlements = desiredCatalogue.entitlements.flatMap(({ lookupKey, displayName, products: keys }): Step[] => {
    expectKnown(keys);
    const known = current.entitlements.find((one) => one.lookupKey === lookupKey);
    const missing = keys.filter((key) => {
      const own = current.products.filter((one) => one.storeProductId === key);
      return (
        own.length === 0 || planned.has(key) || own.some((one) => !known || !one.entitlementIds.includes(known.id))
      );
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
            body: { productIds: idsOf(missing) },
            headers: once(key),
          }),
        ),
    };
    return [...(known ? [] : [create]), ...(missing.length === 0 ? [] : [attach])];
  });
  const offerings = desiredCatalogue.offerings.flatMap(({ lookupKey: oid, displayName, packages }): Step[] => {
    const known = current.offerings.find((one) => one.lookupKey === oid);
    const create: Step = {
      text: `Create the offering ${oid}.`,
      apply: async (key) =>
        bodyOf(
          await client.POST('/v1/projects/{id}/offerings', {
            params: { path: { id } },
            body: { lookupKey: oid, displayName },
            headers: once(key),
          }),
        ),
    };
    const inside = packages.flatMap(({ lookupKey: pid, displayName, products: keys }): Step[] => {
      expectKnown(keys);
      const own = known?.packages?.find((one) => one.lookupKey === pid);
      const missing = keys.filter((key) => !own?.products.some((one) => one.storeProductId === key));
      const createPackage: Step = {
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
              body: { productIds: idsOf(missing) },
              headers: once(key),
            }),
          ),
      };
      return [...(own ? [] : [createPackage]), ...(missing.length === 0 ? [] : [attach])];
    });
    return [...(known ? [] : [create]), ...inside];
  });
  return [...products, ...entitlements, ...offerings];
}

export const catalogChangeTools: readonly Tool[] = [applyCatalog];
