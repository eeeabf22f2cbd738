// Record of a run from outside of the service: requests with their responses, and the store events.
import type { StoreHappening } from '../../../simulator/happenings.js';
import type { Leaving } from './team.js';
import type { TenantName } from './tenant.js';

export type Granted = { readonly tenant: TenantName; readonly user: string; readonly grantId: string };
export type Described = {
  readonly tenant: TenantName;
  readonly user: string;
  readonly value: string;
  readonly isAcked: boolean;
};
export type Recorded = {
  readonly tenant: TenantName;
  readonly user: string;
  readonly name: string;
  /** Time of the first attempt, UTC ms. */
  readonly askedAtMs: number;
  readonly isAcked: boolean;
};
export type Notified = { readonly tenant: TenantName; readonly key: string };

export type Journal = {
  /** Acknowledged grants. */
  readonly grants: Granted[];
  readonly described: Described[];
  /** Custom events that a client sent. */
  readonly recorded: Recorded[];
  readonly notified: Notified[];
  readonly erased: { readonly tenant: TenantName; readonly user: string; readonly isAcked: boolean }[];
  /** Store events so far, by tenant and lifecycle. */
  readonly happened: Map<string, StoreHappening[]>;
  /** User whose receipt was accepted last, by tenant, lifecycle and chain. */
  readonly presented: Map<string, string>;
  /** Admins whose role was lowered or who were removed, acknowledged. */
  readonly left: { readonly tenant: TenantName; readonly leaving: Leaving }[];
  /** Tenants whose key `goer` was deleted, acknowledged. */
  readonly deletedKeys: TenantName[];
  /** Responses that violate an invariant. */
  readonly faults: string[];
};

export function emptyJournal(): Journal {
  return {
    grants: [],
    described: [],
    recorded: [],
    notified: [],
    erased: [],
    happened: new Map(),
    presented: new Map(),
    left: [],
    deletedKeys: [],
    faults: [],
  };
}

export const placeOf = (tenant: TenantName, lifecycle: number): string => `${tenant} ${lifecycle}`;
