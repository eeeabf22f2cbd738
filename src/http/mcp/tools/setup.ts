// Tools about the setup of a project: progress, catalogue, and received store notifications.
import { z } from 'zod';
import { notificationStates } from '../../../domain/inbox/inbox.js';
import { setupStatus } from '../../accounts/responses.js';
import { entitlement, offering, offeredPackage, product } from '../../catalog/responses.js';
import { notification } from '../../notifications/responses.js';
import { cursor, instant, limit, nextCursor } from '../inputs.js';
import { bodyOf, cursorOf, defineTool, given, readList, type Operation, type Tool, type ToolContext } from '../tool.js';

const MAX_ITEMS = 100;

const getSetupStatus = defineTool({
  name: 'get_setup_status',
  title: 'Get the setup status',
  description:
    'What is set up and what is missing: steps, per app the last store notification and whether its credentials work, products without an entitlement, offerings without a product, failing webhooks, and SDK calls.',
  uses: ['GET /v1/projects/{id}/setup-status'],
  input: z.strictObject({}),
  output: setupStatus.omit({ object: true }).strip(),
  run: async (_input, { client, projectId: id }) => ({
    data: bodyOf(await client.GET('/v1/projects/{id}/setup-status', { params: { path: { id } } })),
    page: '/setup',
  }),
});

export const catalogueReads: readonly Operation[] = [
  'GET /v1/projects/{id}/apps',
  'GET /v1/projects/{id}/products',
  'GET /v1/projects/{id}/entitlements',
  'GET /v1/projects/{id}/offerings',
];

/** Reads the whole catalogue: a conflict, or what is missing, is found among all of it. */
export async function readCatalogue({ client, projectId: id }: ToolContext) {
  const path = { id };
  const apps = await readList((query) => client.GET('/v1/projects/{id}/apps', { params: { path, query } }));
  const products = await readList((query) => client.GET('/v1/projects/{id}/products', { params: { path, query } }));
  const entitlements = await readList((query) =>
    client.GET('/v1/projects/{id}/entitlements', { params: { path, query } }),
  );
  const offerings = await readList((query) =>
    client.GET('/v1/projects/{id}/offerings', { params: { path, query: { ...query, expand: 'packages' } } }),
  );
  return { apps, products, entitlements, offerings };
}

const appFields = z.object({ id: z.string(), name: z.string(), platform: z.string(), store: z.string() });
const dates = { createdAt: true, updatedAt: true, object: true } as const;

const getCatalog = defineTool({
  name: 'get_catalog',
  title: 'Get the catalogue',
  description:
    'Apps, products, entitlements and the products that unlock them, offerings with their packages, and conflicts: products that unlock nothing, and packages without a product for an app. At most 100 of each; section returns one part.',
  uses: catalogueReads,
  input: z.strictObject({ section: z.enum(['apps', 'products', 'entitlements', 'offerings', 'conflicts']).optional() }),
  output: z.object({
    apps: z.array(appFields).optional(),
    products: z.array(product.omit({ ...dates, prices: true }).strip()).optional(),
    entitlements: z
      .array(
        entitlement
          .omit(dates)
          .extend({ productIds: z.array(z.string()) })
          .strip(),
      )
      .optional(),
    offerings: z
      .array(
        offering
          .omit({ ...dates, metadata: true })
          .extend({
            packages: z.array(offeredPackage.omit({ ...dates, offeringId: true, position: true }).strip()),
          })
          .strip(),
      )
      .optional(),
    conflicts: z.array(z.string()).optional(),
  }),
  tooLarge: 'Ask for one section.',
  run: async ({ section }, context) => {
    const { apps, products, offerings, ...found } = await readCatalogue(context);
    const entitlements = found.entitlements.map((one) => ({
      ...one,
      productIds: products.filter((p) => p.entitlementIds.includes(one.id)).map((p) => p.id),
    }));
    const withPackages = offerings.map((one) => ({ ...one, packages: one.packages ?? [] }));
    const conflicts = [
      ...products
        .filter((p) => p.entitlementIds.length === 0 && p.type !== 'consumable')
        .map((p) => `Product ${p.storeProductId} (${p.id}) unlocks no entitlement.`),
      ...entitlements
        .filter((one) => one.productIds.length === 0)
        .map((one) => `Entitlement ${one.lookupKey} is unlocked by no product.`),
      ...withPackages
        .filter((one) => !one.archived)
        .flatMap((one) => one.packages.flatMap((p) => missingApps(one.lookupKey, p, apps))),
    ];
    const all = {
      apps: apps.slice(0, MAX_ITEMS),
      products: products.slice(0, MAX_ITEMS),
      entitlements: entitlements.slice(0, MAX_ITEMS),
      offerings: withPackages.slice(0, MAX_ITEMS),
      conflicts: conflicts.slice(0, MAX_ITEMS),
    };
    return { data: section === undefined ? all : { [section]: all[section] }, page: '/setup' };
  },
});
type PackageProducts = { readonly lookupKey: string; readonly products: readonly { readonly appId: string }[] };

function missingApps(
  offeringKey: string,
  { lookupKey, products }: PackageProducts,
  apps: readonly { readonly id: string; readonly name: string }[],
): readonly string[] {
  return apps
    .filter((app) => products.every(({ appId }) => appId !== app.id))
    .map((app) => `Package ${lookupKey} of offering ${offeringKey} has no product of the app ${app.name}.`);
}

const listReceivedNotifications = defineTool({
  name: 'list_received_notifications',
  title: 'List received store notifications',
  description:
    'Notifications that the stores sent, newest first, with what became of each: handled, ignored, refused, parked (stopped by an internal error) or waiting, and the reason. A page may have fewer items although nextCursor is not null.',
  uses: ['GET /v1/projects/{id}/notifications'],
  input: z.strictObject({
    app: z.string().max(64).optional().meta({ description: 'App ID (app_…), see get_catalog.' }),
    state: z.enum(notificationStates).optional(),
    since: instant.optional(),
    limit,
    cursor,
  }),
  output: z.object({ notifications: z.array(notification.omit({ object: true }).strip()), nextCursor }),
  run: async ({ app: appId, cursor: startingAfter, ...input }, { client, projectId: id }) => {
    const found = bodyOf(
      await client.GET('/v1/projects/{id}/notifications', {
        params: { path: { id }, query: given({ ...input, appId, startingAfter }) },
      }),
    );
    return { data: { notifications: found.items, nextCursor: cursorOf(found) }, page: '/notifications' };
  },
});

export const setupTools: readonly Tool[] = [getSetupStatus, getCatalog, listReceivedNotifications];
