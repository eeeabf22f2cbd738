// What those outside of the service know in the end: what was asked of it and what it answered, and what customers did at the stores.
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
  /** When it was first sent, UTC ms. */
  readonly askedAtMs: number;
  readonly isAcked: boolean;
};
export type Notified = { readonly tenant: TenantName; readonly key: string };

export type Journal = {
  /** Answered with success. */
  readonly grants: Granted[];
  readonly described: Described[];
  /** Events of the app's own making that were asked for. */
  readonly recorded: Recorded[];
  readonly notified: Notified[];
  readonly erased: { readonly tenant: TenantName; readonly user: string; readonly isAcked: boolean }[];
  /** By tenant and lifecycle, those that the store has seen. */
  readonly happened: Map<string, StoreHappening[]>;
  /** Whose the purchases of a lifecycle are by now: those who presented a receipt, with success. */
  readonly presented: Map<string, string>;
  /** Admins who are none any more, with success. */
  readonly left: { readonly tenant: TenantName; readonly leaving: Leaving }[];
  /** Whose key `goer` was deleted, with success. */
  readonly deletedKeys: TenantName[];
  /** What must never be answered, and was. */
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
