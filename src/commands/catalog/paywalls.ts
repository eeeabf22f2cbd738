// Commands on paywalls.
import type { NewPaywall, PaywallChanges } from '../../domain/catalog/paywalls.js';
import type { LogPosition } from '../../domain/envelope.js';
import type { Deps, Requester } from '../handling/deps.js';
import { runOnCatalog } from './offerings.js';

type Position = { readonly position: LogPosition | null };

export async function createPaywall(
  deps: Deps,
  by: Requester,
  projectId: string,
  o: Omit<NewPaywall, 'paywallId'>,
): Promise<Position & { readonly paywallId: string }> {
  const paywallId = deps.runtime.newId('pw');
  const { position } = await runOnCatalog(deps, by, projectId, {
    kind: 'createPaywall',
    paywall: { paywallId, ...o },
  });
  return { paywallId, position };
}

export async function updatePaywall(
  deps: Deps,
  by: Requester,
  projectId: string,
  paywallId: string,
  set: PaywallChanges,
): Promise<Position> {
  const { position } = await runOnCatalog(deps, by, projectId, { kind: 'updatePaywall', paywallId, set });
  return { position };
}

export async function deletePaywall(
  deps: Deps,
  by: Requester,
  projectId: string,
  paywallId: string,
): Promise<Position> {
  const { position } = await runOnCatalog(deps, by, projectId, { kind: 'deletePaywall', paywallId });
  return { position };
}
