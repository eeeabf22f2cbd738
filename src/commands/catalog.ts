// Commands on a project's catalogue: products, entitlements, and what unlocks what.
import { Rejection } from '../domain/decider.js';
import {
  catalogDecider,
  findEntitlement,
  type Catalog,
  type CatalogCommand,
  type Entitlement,
  type Product,
} from '../domain/catalog/catalog.js';
import type { LogPosition } from '../domain/envelope.js';
import { streams } from '../domain/streams.js';
import { contextOf, type Deps, type Requester } from './deps.js';
import { runCommand } from './run-command.js';

type NewProduct = Omit<Product, 'productId' | 'store'>;
type NewEntitlement = Omit<Entitlement, 'entitlementId' | 'productIds'>;

export async function createProduct(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: NewProduct,
): Promise<{ product: Product; position: LogPosition | null }> {
  const app = (await deps.projects.get(streams.project(projectId)))?.apps.find((a) => a.appId === o.appId);
  if (!app) throw new Rejection('invalid', 'app-unknown', 'appId is not an app of this project');
  const product: Product = { productId: deps.runtime.newId('prod'), store: app.store, ...o };
  const { position } = await run(deps, by, projectId, { kind: 'createProduct', product });
  return { product, position };
}

export async function createEntitlement(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: NewEntitlement,
): Promise<{ entitlementId: string; position: LogPosition | null }> {
  const entitlementId = deps.runtime.newId('ent');
  const entitlement = { entitlementId, ...o };
  const { position } = await run(deps, by, projectId, { kind: 'createEntitlement', entitlement });
  return { entitlementId, position };
}

/** `entitlement` is an id or a lookupKey. All products or none. */
export async function changeAttachment(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: {
    readonly kind: 'attachProducts' | 'detachProducts';
    readonly entitlement: string;
    readonly productIds: readonly string[];
  },
): Promise<{ entitlementId: string; position: LogPosition | null }> {
  const { state, position } = await run(deps, by, projectId, o);
  const { entitlementId } = found(state, o.entitlement);
  return { entitlementId, position };
}

/** By id or lookupKey; throws {@link Rejection} when the project has none such. */
export async function requireEntitlement(deps: Deps, projectId: string, key: string): Promise<Entitlement> {
  return found(await deps.catalogs.get(streams.catalog(projectId)), key);
}

function found(catalog: Catalog, key: string): Entitlement {
  const entitlement = findEntitlement(catalog, key);
  if (!entitlement) throw new Rejection('missing', 'entitlement-unknown', 'no such entitlement in this project');
  return entitlement;
}

function run(deps: Deps, by: Requester, projectId: string, command: CatalogCommand) {
  const stream = streams.catalog(projectId);
  return deps.lanes.run(stream, () => runCommand(deps, stream, catalogDecider, [command], contextOf(by, projectId)));
}
