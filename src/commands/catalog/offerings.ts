// Commands on offerings, their packages, and the products in packages.
import { Rejection } from '../../domain/errors.js';
import { catalogDecider, type Catalog, type CatalogCommand } from '../../domain/catalog/catalog.js';
import type { OfferingChanges } from '../../domain/catalog/decide-offering.js';
import { findOffering, findPackage, type Offering, type OfferingData } from '../../domain/catalog/offerings.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand } from '../handling/run-command.js';

type Position = { readonly position: LogPosition | null };
type ChangedOffering = Position & { readonly offeringId: string; readonly packageId: string };

export async function createOffering(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<OfferingData<'OfferingCreated'>, 'offeringId'>,
): Promise<Position & { readonly offeringId: string }> {
  const offeringId = deps.runtime.newId('ofr');
  const { position } = await runOnCatalog(deps, by, projectId, {
    kind: 'createOffering',
    offering: { offeringId, ...o },
  });
  return { offeringId, position };
}

/** `key` is an id or a lookupKey, here and below. */
export async function updateOffering(
  deps: Deps,
  by: Requester,
  projectId: string,
  key: string,
  set: OfferingChanges,
): Promise<Position & { readonly offeringId: string }> {
  const command = { kind: 'updateOffering' as const, offering: key, set };
  const { state, position } = await runOnCatalog(deps, by, projectId, command);
  return { offeringId: expectOffering(state, key).offeringId, position };
}

export async function createPackage(
  deps: Deps,
  by: Requester,
  projectId: string,
  key: string,
  o: { readonly lookupKey: string; readonly displayName: string; readonly position: number | null },
): Promise<ChangedOffering> {
  const packageId = deps.runtime.newId('pkg');
  const command = { kind: 'createPackage' as const, offering: key, package: { packageId, ...o } };
  const { state, position } = await runOnCatalog(deps, by, projectId, command);
  return { offeringId: expectOffering(state, key).offeringId, packageId, position };
}

/** Returns the id of the deleted package. */
export async function deletePackage(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly offering: string; readonly package: string },
): Promise<Position & { readonly packageId: string }> {
  const before = findOffering(await deps.catalogs.get(streams.catalog(projectId)), o.offering);
  const packageId = (before && findPackage(before, o.package)?.packageId) ?? o.package;
  // Deletes by ID: a new package may have taken the key since.
  const command = { kind: 'deletePackage' as const, offering: o.offering, package: packageId };
  const { position } = await runOnCatalog(deps, by, projectId, command);
  return { packageId, position };
}

/** Changes all products or none. */
export async function changePackage(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: {
    readonly kind: 'attachToPackage' | 'detachFromPackage';
    readonly offering: string;
    readonly package: string;
    readonly productIds: readonly string[];
  },
): Promise<ChangedOffering> {
  const { state, position } = await runOnCatalog(deps, by, projectId, o);
  const offering = expectOffering(state, o.offering);
  const packageId = findPackage(offering, o.package)?.packageId ?? o.package;
  return { offeringId: offering.offeringId, packageId, position };
}

/** Runs under the mutex of the catalogue, so that two commands of this process never compete for its stream. */
export function runOnCatalog(deps: Deps, by: Requester, projectId: string, command: CatalogCommand) {
  const stream = streams.catalog(projectId);
  return deps.mutex.run(stream, () =>
    runCommand(deps, stream, catalogDecider, [command], contextOf(by, projectId), deps.catalogs.load),
  );
}

function expectOffering(catalog: Catalog, key: string): Offering {
  const offering = findOffering(catalog, key);
  if (!offering) throw new Rejection('missing', 'offering-unknown', 'offering not found in this project');
  return offering;
}
