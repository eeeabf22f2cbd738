// Record of a run from outside of the service: requests with their responses, and the store events.
import type { StoreEvent } from '../../../simulator/lifecycle-events.js';
import type { AccessChange } from './team.js';
import type { TenantName } from './tenant.js';

export type GrantRecord = { readonly tenant: TenantName; readonly user: string; readonly grantId: string };
export type AttributeRecord = {
  readonly tenant: TenantName;
  readonly user: string;
  readonly value: string;
  readonly isAcked: boolean;
};
export type CustomEventRecord = {
  readonly tenant: TenantName;
  readonly user: string;
  readonly name: string;
  /** Time of the first attempt, UTC ms. */
  readonly firstSentAtMs: number;
  readonly isAcked: boolean;
};
export type NotificationRecord = { readonly tenant: TenantName; readonly key: string };

export type Journal = {
  /** Acknowledged grants. */
  readonly grants: GrantRecord[];
  readonly attributes: AttributeRecord[];
  /** Custom events that a client sent. */
  readonly customEvents: CustomEventRecord[];
  readonly notifications: NotificationRecord[];
  readonly erasures: { readonly tenant: TenantName; readonly user: string; readonly isAcked: boolean }[];
  /** Store events so far, by tenant and lifecycle. */
  readonly storeEvents: Map<string, StoreEvent[]>;
  /** User whose receipt was accepted last, by tenant, lifecycle and chain. */
  readonly receiptOwners: Map<string, string>;
  /** Admins whose role was lowered or who were removed, acknowledged. */
  readonly formerAdmins: { readonly tenant: TenantName; readonly leaving: AccessChange }[];
  /** Tenants whose key `goer` was deleted, acknowledged. */
  readonly deletedKeys: TenantName[];
  /** Responses that violate an invariant. */
  readonly violations: string[];
};

export function createJournal(): Journal {
  return {
    grants: [],
    attributes: [],
    customEvents: [],
    notifications: [],
    erasures: [],
    storeEvents: new Map(),
    receiptOwners: new Map(),
    formerAdmins: [],
    deletedKeys: [],
    violations: [],
  };
}

export const lifecycleKey = (tenant: TenantName, lifecycle: number): string => `${tenant} ${lifecycle}`;
