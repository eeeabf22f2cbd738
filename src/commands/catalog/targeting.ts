// Commands on placements and targeting rules.
import type { Catalog } from '../../domain/catalog/catalog.js';
import { findPlacement, type RuleChanges, type RuleSettings } from '../../domain/catalog/decide-targeting.js';
import { findOffering } from '../../domain/catalog/offerings.js';
import type { NewPlacement } from '../../domain/catalog/targeting.js';
import type { LogPosition } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import type { Deps, Requester } from '../handling/deps.js';
import { runOnCatalog } from './offerings.js';

type WriteResult<T = object> = Promise<T & { readonly position: LogPosition | null }>;

export async function createPlacement(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<NewPlacement, 'placementId'>,
): WriteResult<{ readonly placementId: string }> {
  const placementId = deps.runtime.newId('plc');
  const command = { kind: 'createPlacement' as const, placement: { placementId, ...o } };
  const { position } = await runOnCatalog(deps, by, projectId, command);
  return { placementId, position };
}

/** `placement` is an id or a lookupKey, here and below. */
export async function updatePlacement(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: { readonly placement: string; readonly displayName: string | undefined },
): WriteResult<{ readonly placementId: string }> {
  const { state, position } = await runOnCatalog(deps, by, projectId, { kind: 'updatePlacement', ...o });
  return { placementId: findPlacement(state, o.placement)?.placementId ?? o.placement, position };
}

export async function deletePlacement(
  deps: Deps,
  by: Requester,
  projectId: string,
  key: string,
): WriteResult<{ readonly placementId: string }> {
  const before = await deps.catalogs.get(streams.catalog(projectId));
  // Deletes by ID: a new placement may have taken the key since.
  const placementId = findPlacement(before, key)?.placementId ?? key;
  const { position } = await runOnCatalog(deps, by, projectId, { kind: 'deletePlacement', placement: placementId });
  return { placementId, position };
}

/** Offerings and placements in `o` are ids or lookupKeys, here and below. */
export async function createTargetingRule(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<RuleSettings, 'ruleId'>,
): WriteResult<{ readonly ruleId: string }> {
  const ruleId = deps.runtime.newId('tr');
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const rule = { ruleId, ...o, ...idsOf(o, catalog) };
  const { position } = await runOnCatalog(deps, by, projectId, { kind: 'createTargetingRule', rule });
  return { ruleId, position };
}

export async function updateTargetingRule(
  deps: Deps,
  by: Requester,
  projectId: string,
  { ruleId, set }: { readonly ruleId: string; readonly set: RuleChanges },
): WriteResult {
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const changes = { ...set, ...idsOf(set, catalog) };
  const command = { kind: 'updateTargetingRule' as const, ruleId, set: changes };
  const { position } = await runOnCatalog(deps, by, projectId, command);
  return { position };
}

export async function deleteTargetingRule(deps: Deps, by: Requester, projectId: string, ruleId: string): WriteResult {
  const { position } = await runOnCatalog(deps, by, projectId, { kind: 'deleteTargetingRule', ruleId });
  return { position };
}

/** Unknown keys remain as they are: the rules refuse them. */
function idsOf({ offeringId, placements }: Pick<RuleChanges, 'offeringId' | 'placements'>, catalog: Catalog) {
  const offering = (key: string | null) => (key === null ? null : (findOffering(catalog, key)?.offeringId ?? key));
  return {
    ...(offeringId !== undefined && { offeringId: offering(offeringId) }),
    ...(placements && {
      placements: placements.map((p) => ({
        placementId: findPlacement(catalog, p.placementId)?.placementId ?? p.placementId,
        offeringId: offering(p.offeringId),
      })),
    }),
  };
}
