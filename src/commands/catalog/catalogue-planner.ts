// Collects the plan for copying another service's catalogue into a project.
import type { z } from 'zod';
import type {
  ForeignApp,
  ForeignCatalogue,
  ForeignOffering,
  ForeignProduct,
} from '../../domain/catalog/foreign-catalogue.js';

/** Write of one object. IDs are those of the other service; `offering` and `package` are lookup keys. */
export type CatalogueStep =
  | { readonly kind: 'app'; readonly app: ForeignApp }
  | { readonly kind: 'publicKey'; readonly appId: string; readonly key: string }
  | { readonly kind: 'product'; readonly product: ForeignProduct }
  | { readonly kind: 'entitlement'; readonly lookupKey: string; readonly displayName: string }
  | { readonly kind: 'entitlementProduct'; readonly lookupKey: string; readonly productId: string }
  | { readonly kind: 'offering'; readonly offering: ForeignOffering }
  | {
      readonly kind: 'package';
      readonly offering: string;
      readonly lookupKey: string;
      readonly displayName: string;
      readonly position: number | null;
    }
  | {
      readonly kind: 'packageProduct';
      readonly offering: string;
      readonly package: string;
      readonly productId: string;
    };

/** `name`: of the object, for people. `reason`: why it is skipped, or how an existing object differs; else null. */
export type PlannedObject = {
  readonly kind: CatalogueStep['kind'];
  readonly name: string;
  readonly action: 'create' | 'exists' | 'skip';
  readonly reason: string | null;
};
/**
 * Collects the plan. `available`: IDs of the other service that exist here or will; what depends on others is skipped. `twins`: IDs of
 * objects that are listed a second time, with the first ID.
 */
export function createPlanner() {
  const objects: PlannedObject[] = [];
  const steps: CatalogueStep[] = [];
  return {
    objects,
    steps,
    existing: new Map<string, string>(),
    available: new Set<string>(),
    twins: new Map<string, string>(),
    create: (name: string, step: CatalogueStep, reason: string | null = null): void => {
      objects.push({ kind: step.kind, name, action: 'create', reason });
      steps.push(step);
    },
    exists: (kind: CatalogueStep['kind'], name: string, reason: string | null = null): void => {
      objects.push({ kind, name, action: 'exists', reason });
    },
    skip: (kind: CatalogueStep['kind'], name: string, reason: string): void => {
      objects.push({ kind, name, action: 'skip', reason });
    },
  };
}
export type Planner = ReturnType<typeof createPlanner>;

/** Returns the ID under which the object was listed first. */
export function firstIdOf({ twins }: Planner, id: string): string {
  return twins.get(id) ?? id;
}

export function storeNameOf({ products }: ForeignCatalogue, productId: string): string {
  return products.find((p) => p.id === productId)?.storeProductId ?? productId;
}

/** Returns what is wrong with a value, or null. */
export function faultOf(schema: z.ZodType, value: unknown): string | null {
  return schema.safeParse(value).error?.issues[0]?.message ?? null;
}

/** Describes a field of an existing object that differs, or returns null. */
export function differenceOf(field: string, here: string, there: string): string | null {
  return here === there ? null : `left as it is: its ${field} is ${here} here and ${there} there`;
}
