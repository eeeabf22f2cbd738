// Entitlement rules for the purchases of customers, and whether sandbox purchases count.
import { withRetired, type EntitlementRules } from '../../domain/subscriber/entitlements.js';
import type { Profile } from '../../domain/subscriber/state/state.js';
import { entitlements, unlockId, unlocks } from '../../projections/models/catalogue.js';
import { projects } from '../../projections/models/projects.js';
import type { Services } from '../dispatch/services.js';

/** Reads the entitlement rules for the purchases of these profiles at once. */
export async function readEntitlementRules(
  services: Services,
  projectId: string,
  profiles: readonly Profile[],
): Promise<EntitlementRules> {
  const { cached } = services;
  const { sold, granted, hasSandbox } = referencesOf(profiles);
  const unlocking = await cached.getMany(unlocks, [...sold]);
  const retired = [...unlocking.values()].flatMap((u) => u.retired.map((r) => r.entitlementId));
  const existing = await cached.getMany(entitlements, [...granted, ...retired]);
  const exists = (entitlementId: string) => existing.has(entitlementId);
  return {
    unlocks: (appId, storeProductId, boughtAt) => {
      const doc = unlocking.get(unlockId(appId, storeProductId));
      if (!doc) return [];
      const retired = doc.retired.filter((r) => exists(r.entitlementId));
      return withRetired(doc.entitlements, retired, boughtAt);
    },
    productIdOf: (appId, storeProductId) => unlocking.get(unlockId(appId, storeProductId))?.productId ?? null,
    exists,
    allowsSandbox: !hasSandbox || (await allowsSandbox(services, projectId)),
  };
}

/** Returns the unlock IDs of products that were bought or that subscriptions change to, and the IDs of granted entitlements. */
function referencesOf(profiles: readonly Profile[]) {
  const sold = new Set<string>();
  const granted = new Set<string>();
  let hasSandbox = false;
  for (const { subscriptions, owned, grants } of profiles) {
    for (const { purchase } of [...subscriptions, ...owned]) {
      sold.add(unlockId(purchase.appId, purchase.storeProductId));
      hasSandbox ||= purchase.environment === 'sandbox';
    }
    for (const { purchase, nextProduct } of subscriptions) {
      if (nextProduct) sold.add(unlockId(purchase.appId, nextProduct.storeProductId));
    }
    for (const { entitlementId } of grants) granted.add(entitlementId);
  }
  return { sold, granted, hasSandbox };
}

/** Returns whether sandbox purchases give access in the project. */
export async function allowsSandbox({ readModels }: Pick<Services, 'readModels'>, projectId: string): Promise<boolean> {
  return (await readModels.get(projects, projectId))?.sandboxAccess !== 'nobody';
}
