// Copies another service's catalogue into a project through the commands of the catalogue and of the project. A dry run comes first.
import { hash } from 'node:crypto';
import type { ForeignCatalogue } from '../../domain/catalog/foreign-catalogue.js';
import { Rejection } from '../../domain/errors.js';
import { storeOfPlatform, rulesOfStore } from '../../domain/store-kinds.js';
import { streams } from '../../domain/streams.js';
import type { Deps, Requester } from '../handling/deps.js';
import { registerApp } from '../projects/apps.js';
import { createApiKey } from '../projects/projects.js';
import { moduleOf } from '../stores/modules.js';
import { changeAttachment, createEntitlement, createProduct } from './catalog.js';
import { changePackage, createOffering, createPackage } from './offerings.js';
import type { CatalogueStep, PlannedObject } from './catalogue-planner.js';
import { planCatalogue } from './plan-catalogue.js';

/** `digest` confirms the plan; the next run with it executes exactly this plan. `failed`: objects that a rule refused, with the reason. */
export type CatalogueImport = {
  readonly digest: string;
  readonly isDryRun: boolean;
  readonly objects: readonly PlannedObject[];
  readonly created: number;
  readonly failed: readonly { readonly kind: CatalogueStep['kind']; readonly reason: string }[];
};

/**
 * Plans, and executes the plan if `confirm` is its digest. What exists is left as it is, so that a repeat does nothing. Throws
 * {@link Rejection} for an unknown project, and if the plan has changed since it was confirmed.
 */
export async function importCatalogue(
  deps: Deps,
  {
    projectId,
    catalogue,
    confirm,
  }: {
    readonly projectId: string;
    readonly catalogue: ForeignCatalogue;
    readonly confirm: string | null;
  },
): Promise<CatalogueImport> {
  const project = await deps.projects.get(streams.project(projectId));
  if (!project) throw new Rejection('missing', 'project-unknown', `project ${projectId} not found`);
  const catalog = await deps.catalogs.get(streams.catalog(projectId));
  const { objects, steps, existing } = planCatalogue(catalogue, { project, catalog });
  const digest = hash('sha256', JSON.stringify([projectId, objects, steps])).slice(0, DIGEST_LENGTH);
  if (confirm === null) return { digest, isDryRun: true, objects, created: 0, failed: [] };
  if (confirm !== digest) {
    throw new Rejection(
      'conflict',
      'plan-changed',
      'the plan has changed since the dry run; run again without --confirm',
    );
  }
  return { digest, isDryRun: false, objects, ...(await execute(deps, projectId, steps, new Map(existing))) };
}

const DIGEST_LENGTH = 16;

/** `ids`: our IDs of apps and products by those of the other service; completed as they are created. */
async function execute(deps: Deps, projectId: string, steps: readonly CatalogueStep[], ids: Map<string, string>) {
  const failed: CatalogueImport['failed'][number][] = [];
  let created = 0;
  for (const step of steps) {
    // Each command needs a request ID of its own: a repeated one has no effect.
    const by: Requester = { actor: { kind: 'system', id: 'command line' }, requestId: deps.runtime.newId('req') };
    try {
      await executeStep(deps, by, projectId, step, ids);
      created++;
    } catch (err) {
      if (!(err instanceof Rejection)) throw err;
      failed.push({ kind: step.kind, reason: err.message });
    }
  }
  return { created, failed };
}

async function executeStep(
  deps: Deps,
  by: Requester,
  projectId: string,
  step: CatalogueStep,
  ids: Map<string, string>,
): Promise<void> {
  switch (step.kind) {
    case 'app': {
      const { id, name, store, storeIdentifier } = step.app;
      const { platform, appField } = rulesOfStore(store);
      const fields = moduleOf(store).app.read({ [appField]: storeIdentifier });
      const terms = { notificationForwardingUrl: null, refundPolicy: 'revoke_immediately' as const };
      const app = { name, platform, store: storeOfPlatform(platform), ...terms, ...fields };
      ids.set(id, (await registerApp(deps, by, projectId, app)).app.appId);
      return;
    }
    case 'publicKey': {
      const key = { name: 'imported', kind: 'public' as const, scopes: [], expiresAt: null, registered: step.key };
      await createApiKey(deps, by, projectId, { ...key, appId: requireId(ids, step.appId) });
      return;
    }
    case 'product': {
      const { id, appId, ...product } = step.product;
      const created = await createProduct(deps, by, projectId, { ...product, appId: requireId(ids, appId) });
      ids.set(id, created.product.productId);
      return;
    }
    case 'entitlement': {
      const { lookupKey, displayName } = step;
      await createEntitlement(deps, by, projectId, { lookupKey, displayName, description: null });
      return;
    }
    case 'entitlementProduct': {
      const productIds = [requireId(ids, step.productId)];
      await changeAttachment(deps, by, projectId, { kind: 'attachProducts', entitlement: step.lookupKey, productIds });
      return;
    }
    case 'offering': {
      const { lookupKey, displayName, metadata } = step.offering;
      // The first offering becomes current by itself; a current one is left.
      await createOffering(deps, by, projectId, { lookupKey, displayName, metadata, isCurrent: false });
      return;
    }
    case 'package': {
      const { offering, lookupKey, displayName, position } = step;
      await createPackage(deps, by, projectId, offering, { lookupKey, displayName, position });
      return;
    }
    case 'packageProduct': {
      const target = { offering: step.offering, package: step.package, productIds: [requireId(ids, step.productId)] };
      await changePackage(deps, by, projectId, { kind: 'attachToPackage', ...target });
      return;
    }
  }
}

function requireId(ids: ReadonlyMap<string, string>, id: string): string {
  const own = ids.get(id);
  if (own === undefined) throw new Rejection('missing', 'object-missing', `what it belongs to (${id}) was not created`);
  return own;
}
