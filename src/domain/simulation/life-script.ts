// Script of a simulated customer life: steps as a store, the customer and support would take them, each with its time.
import type { Catalog } from '../catalog/catalog.js';
import type { Product } from '../catalog/products.js';
import type { App } from '../project/events.js';
import type { SubscriberCommand } from '../subscriber/decide/commands.js';
import type { OneTimePurchaseRef, RefundPolicy } from '../subscriber/events/blocks.js';

/** Steps that need nothing but their time. */
export const plainSteps = [
  'renew',
  'cancel',
  'uncancel',
  'recover',
  'refund',
  'reverse_refund',
  'resume',
  'expire',
] as const;

/**
 * Step of a script; times are ISO 8601 UTC with milliseconds. `product` of `buy` and `trial`: default the product of the script.
 * `graceEndsAt` null: without a grace period; default that of the product. `atRenewal`: the change is planned for the next renewal, else it
 * happens at the step. `until` null: a permanent grant. `transfer`: another customer takes the purchases over. `command`: of the service itself;
 * clients cannot send it.
 */
export type LifeStep = { readonly at: string } & (
  | { readonly what: (typeof plainSteps)[number] }
  | { readonly what: 'transfer' }
  | { readonly what: 'buy' | 'trial'; readonly product?: string | undefined }
  | { readonly what: 'billing_fail'; readonly graceEndsAt?: string | null | undefined }
  | { readonly what: 'pause'; readonly resumesAt?: string | undefined }
  | { readonly what: 'change_product'; readonly product: string; readonly atRenewal?: boolean | undefined }
  | { readonly what: 'extend'; readonly until: string }
  | { readonly what: 'grant'; readonly entitlement: string; readonly until: string | null }
  | { readonly what: 'command'; readonly command: SubscriberCommand }
);

/** `slackMs`: time after an expiry within which the service waits for a message of the store. */
export type LifeScript = {
  readonly projectId: string;
  readonly appUserId: string;
  readonly environment: OneTimePurchaseRef['environment'];
  readonly app: App;
  readonly catalog: Catalog;
  readonly product: Product;
  readonly refundPolicy: RefundPolicy;
  /** ISO 3166 alpha-2; null: unknown. */
  readonly country: string | null;
  readonly steps: readonly LifeStep[];
  readonly slackMs: number;
};

/** The simulated customer, and the store chain of the simulated subscription. */
export const SIMULATED_CUSTOMER = 'cus_simulated';
export const SIMULATED_CHAIN = 'simulated';
