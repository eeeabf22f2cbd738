// Commands on a project's catalogue: products and their prices, entitlements, and the products attached to them.
import { commandIds } from '../handling/command-ids.js';
import { Rejection } from '../../domain/errors.js';
import { catalogDecider, type Catalog, type CatalogCommand } from '../../domain/catalog/catalog.js';
import { requireEntitlement, type EntitlementChanges } from '../../domain/catalog/decide-entitlement.js';
import type { Entitlement } from '../../domain/catalog/entitlements.js';
import type { Price, Product } from '../../domain/catalog/products.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand, type CommandContext, type CommandResult } from '../handling/run-command.js';
/** Created or changed object, and the log position from which read models contain it. */
type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

export async function createProduct(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<Product, 'productId' | 'store'>,
): WriteResult<{ product: Product }> {
  const app = (await deps.projects.get(streams.project(projectId)))?.apps.find((a) => a.appId === o.appId);
  if (!app) throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
  const product: Product = { productId: deps.runtime.newId('prod'), store: app.store, ...o };
  const { position } = await run(deps, by, projectId, { kind: 'createProduct', product });
  return { product, position };
}

/** `force`: also detaches the product from entitlements and packages. */
export function deleteProduct(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly productId: string; readonly force: boolean },
): WriteResult {
  return run(deps, by, projectId, { kind: 'deleteProduct', ...o });
}

/** Deletes the products of a deleted app. Repeats have no effect. */
export async function deleteProductsOfApp(
  deps: Deps,
  projectId: string,
  appId: string,
  ctx: Omit<CommandContext, 'commandId' | 'projectId'>,
): WriteResult {
  const command = { kind: 'deleteProductsOfApp' as const, appId };
  return runIn(deps, projectId, command, { ...ctx, projectId, commandId: commandIds.appDeleted(appId) });
}

export async function addPrice(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<Price, 'priceId'>,
): WriteResult<{ price: Price }> {
  const price: Price = { priceId: deps.runtime.newId('price'), ...o };
  const { position } = await run(deps, by, projectId, { kind: 'addPrice', price });
  return { price, position };
}

export function deletePrice(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Pick<Price, 'productId' | 'priceId'>,
): WriteResult {
  return run(deps, by, projectId, { kind: 'deletePrice', ...o });
}

export async function createEntitlement(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<Entitlement, 'entitlementId' | 'productIds'>,
): WriteResult<{ entitlementId: string }> {
  const entitlementId = deps.runtime.newId('ent');
  const entitlement = { entitlementId, ...o };
  const { position } = await run(deps, by, projectId, { kind: 'createEntitlement', entitlement });
  return { entitlementId, position };
}

/** `entitlement` is an id or a lookupKey. */
export async function updateEntitlement(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly entitlement: string; readonly set: EntitlementChanges },
): WriteResult<{ entitlementId: string }> {
  const { state, position } = await run(deps, by, projectId, { kind: 'updateEntitlement', ...o });
  return { entitlementId: requireEntitlement(state, o.entitlement).entitlementId, position };
}

/** `entitlement` is an id or a lookupKey. Its grants and purchases unlock nothing from then on. */
export async function deleteEntitlement(
  deps: Deps,
  by: Requester,
  projectId: string,
  entitlement: string,
): WriteResult<{ entitlementId: string }> {
  const { entitlementId } = await findEntitlementInLog(deps, projectId, entitlement);
  const { position } = await run(deps, by, projectId, { kind: 'deleteEntitlement', entitlement: entitlementId });
  return { entitlementId, position };
}

/** Attaches or detaches all products or none. `entitlement` is an ID or a lookupKey. */
export async function changeAttachment(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: {
    readonly kind: 'attachProducts' | 'detachProducts';
    readonly entitlement: string;
    readonly productIds: readonly string[];
  },
): WriteResult<{ entitlementId: string }> {
  const { state, position } = await run(deps, by, projectId, o);
  return { entitlementId: requireEntitlement(state, o.entitlement).entitlementId, position };
}

/** Finds an entitlement by ID or lookupKey; throws {@link Rejection} when the project has none. */
export async function findEntitlementInLog(deps: Deps, projectId: string, key: string): Promise<Entitlement> {
  return requireEntitlement(await deps.catalogs.get(streams.catalog(projectId)), key);
}

function run(deps: Deps, by: Requester, projectId: string, command: CatalogCommand): Promise<CommandResult<Catalog>> {
  return runIn(deps, projectId, command, contextOf(by, projectId));
}

function runIn(deps: Deps, projectId: string, command: CatalogCommand, ctx: CommandContext) {
  const stream = streams.catalog(projectId);
  return deps.mutex.run(stream, () => runCommand(deps, stream, catalogDecider, [command], ctx, deps.catalogs.load));
}
