// The rules of offerings: keys are unique, and exactly one offering is current once the first exists. For packages see decide-package.ts.
import { Rejection } from '../errors.js';
import type { JsonObject } from '../values/json-object.js';
import { digestOf } from '../values/json-object.js';
import { change } from '../changes.js';
import { decidePackage, requireOffering, type PackageCommand } from './decide-package.js';
import { expectUntargeted } from './decide-targeting.js';
import type { Targeting } from './targeting.js';
import {
  offeringEvents as e,
  type Offering,
  type OfferingData,
  type OfferingEvent,
  type Offerings,
  type ProductRef,
} from './offerings.js';

export type OfferingChanges = {
  readonly displayName?: string | undefined;
  readonly metadata?: JsonObject | undefined;
  readonly isCurrent?: boolean | undefined;
  readonly archived?: boolean | undefined;
};

/** `offering` is an id or a lookupKey. */
export type OfferingCommand =
  | { readonly kind: 'createOffering'; readonly offering: OfferingData<'OfferingCreated'> }
  | { readonly kind: 'updateOffering'; readonly offering: string; readonly set: OfferingChanges }
  | PackageCommand;

/** Limit of offerings that are not archived, and of all. Archived offerings cannot be deleted. */
export const offeringLimits = { live: 100, all: 1000 } as const;

type State = Offerings & Targeting & { readonly products: readonly ProductRef[] };

export function decideOffering(c: OfferingCommand, state: State): OfferingEvent[] {
  switch (c.kind) {
    case 'createOffering':
      return createOffering(c.offering, state);
    case 'updateOffering':
      return updateOffering(requireOffering(state, c.offering), c.set, state);
    default:
      return decidePackage(c, state);
  }
}

/** The first offering becomes current even if the request does not set it, so that clients always have one to show. */
function createOffering(offering: OfferingData<'OfferingCreated'>, state: State): OfferingEvent[] {
  if (state.offerings.some((o) => o.offeringId === offering.offeringId)) return [];
  if (state.offerings.some((o) => o.lookupKey === offering.lookupKey)) {
    throw new Rejection('conflict', 'offering-exists', 'lookupKey is taken in this project; use another');
  }
  if (state.offerings.length >= offeringLimits.all) {
    const message = `a project can have at most ${offeringLimits.all} offerings, including archived ones`;
    throw new Rejection('conflict', 'too-many-offerings', message);
  }
  expectBelowLimit(state);
  const current = currentOf(state);
  const isCurrent = offering.isCurrent || !current;
  return [...(isCurrent ? replaceCurrent(current) : []), e.OfferingCreated.of({ ...offering, isCurrent })];
}

function updateOffering(offering: Offering, set: OfferingChanges, state: State): OfferingEvent[] {
  const isCurrent = change(offering.isCurrent, set.isCurrent);
  const archived = change(offering.archived, set.archived);
  if (isCurrent?.to === false) {
    throw new Rejection(
      'conflict',
      'offering-current',
      'one offering must be current; make another one current instead',
    );
  }
  if (archived?.to && offering.isCurrent) {
    throw new Rejection('conflict', 'offering-current', 'make another offering current before archiving this one');
  }
  if (isCurrent?.to && (archived?.to ?? offering.archived)) {
    throw new Rejection('conflict', 'offering-archived', 'an archived offering cannot be current; unarchive it first');
  }
  if (archived?.to) expectUntargeted(offering, state);
  if (archived?.to === false) expectBelowLimit(state);
  const displayName = change(offering.displayName, set.displayName);
  const isNew = set.metadata !== undefined && digestOf(set.metadata) !== offering.metadataDigest;
  const changes = {
    ...(displayName && { displayName }),
    ...(isNew && { metadata: { to: set.metadata } }),
    ...(isCurrent && { isCurrent }),
    ...(archived && { archived }),
  };
  if (Object.keys(changes).length === 0) return [];
  const { offeringId, lookupKey } = offering;
  const former = isCurrent ? replaceCurrent(currentOf(state)) : [];
  return [...former, e.OfferingUpdated.of({ offeringId, lookupKey, changes })];
}

function expectBelowLimit({ offerings }: Offerings): void {
  if (offerings.filter((o) => !o.archived).length < offeringLimits.live) return;
  const message = `a project can have at most ${offeringLimits.live} offerings; archive one first`;
  throw new Rejection('conflict', 'too-many-offerings', message);
}

function currentOf({ offerings }: Offerings): Offering | undefined {
  return offerings.find((o) => o.isCurrent);
}

/** Returns the event that ends the current state of the former offering, for the append that makes another one current. */
function replaceCurrent(current: Offering | undefined): OfferingEvent[] {
  if (!current) return [];
  const { offeringId, lookupKey } = current;
  return [e.OfferingUpdated.of({ offeringId, lookupKey, changes: { isCurrent: { from: true, to: false } } })];
}
