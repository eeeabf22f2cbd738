// The rules of placements and targeting rules: keys and names are unique, and an active rule names only what exists and is not archived.
import { change, withChanges } from '../changes.js';
import { Rejection } from '../errors.js';
import type { Offering, Offerings } from './offerings.js';
import {
  targetingEvents as e,
  type NewPlacement,
  type NewTargetingRule,
  type Targeting,
  type TargetingEvent,
  type TargetingRule,
} from './targeting.js';

/** Limits of a project: all its rules together stay below half a megabyte, since every request for offerings reads them. */
export const targetingLimits = { placements: 50, rules: 50 } as const;
/** Limit of a rule's conditions as JSON. */
export const MAX_CONDITIONS_KIB = 4;

type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
/** `position` null: after all others. */
export type RuleSettings = Omit<NewTargetingRule, 'position'> & { readonly position: number | null };
export type RuleChanges = Optional<Omit<NewTargetingRule, 'ruleId'>>;

/** `placement` is an id or a lookupKey; offerings and placements inside rules are ids. */
export type TargetingCommand =
  | { readonly kind: 'createPlacement'; readonly placement: NewPlacement }
  | { readonly kind: 'updatePlacement'; readonly placement: string; readonly displayName: string | undefined }
  | { readonly kind: 'deletePlacement'; readonly placement: string }
  | { readonly kind: 'createTargetingRule'; readonly rule: RuleSettings }
  | { readonly kind: 'updateTargetingRule'; readonly ruleId: string; readonly set: RuleChanges }
  | { readonly kind: 'deleteTargetingRule'; readonly ruleId: string };

type State = Targeting & Offerings;

export function decideTargeting(c: TargetingCommand, state: State): TargetingEvent[] {
  switch (c.kind) {
    case 'createPlacement':
      return createPlacement(c.placement, state);
    case 'updatePlacement': {
      const { placementId, lookupKey, displayName } = requirePlacement(state, c.placement);
      const renamed = change(displayName, c.displayName);
      return renamed ? [e.PlacementUpdated.of({ placementId, lookupKey, changes: { displayName: renamed } })] : [];
    }
    case 'deletePlacement':
      return deletePlacement(requirePlacement(state, c.placement), state);
    case 'createTargetingRule':
      return createRule(c.rule, state);
    case 'updateTargetingRule':
      return updateRule(requireRule(state, c.ruleId), c.set, state);
    case 'deleteTargetingRule': {
      const { ruleId, name } = requireRule(state, c.ruleId);
      return [e.TargetingRuleDeleted.of({ ruleId, name })];
    }
  }
}

function createPlacement(placement: NewPlacement, state: State): TargetingEvent[] {
  if (state.placements.some((p) => p.placementId === placement.placementId)) return [];
  if (state.placements.some((p) => p.lookupKey === placement.lookupKey)) {
    throw new Rejection('conflict', 'placement-exists', 'lookupKey is taken in this project; use another');
  }
  if (state.placements.length >= targetingLimits.placements) {
    const message = `a project can have at most ${targetingLimits.placements} placements; delete one first`;
    throw new Rejection('conflict', 'too-many-placements', message);
  }
  return [e.PlacementCreated.of(placement)];
}

function deletePlacement({ placementId, lookupKey }: NewPlacement, state: State): TargetingEvent[] {
  const user = state.rules.find((r) => r.placements.some((p) => p.placementId === placementId));
  if (user) {
    const message = `the targeting rule ${user.name} names this placement; remove it from the rule first`;
    throw new Rejection('conflict', 'placement-used', message);
  }
  return [e.PlacementDeleted.of({ placementId, lookupKey })];
}

function createRule({ position, ...rule }: RuleSettings, state: State): TargetingEvent[] {
  if (state.rules.some((r) => r.ruleId === rule.ruleId)) return [];
  if (state.rules.length >= targetingLimits.rules) {
    const message = `a project can have at most ${targetingLimits.rules} targeting rules; delete one first`;
    throw new Rejection('conflict', 'too-many-targeting-rules', message);
  }
  expectValid(rule, state);
  const last = state.rules.length;
  return [e.TargetingRuleCreated.of({ ...rule, position: Math.min(position ?? last, last) })];
}

function updateRule(rule: TargetingRule, set: RuleChanges, state: State): TargetingEvent[] {
  const from = state.rules.indexOf(rule);
  const to = set.position === undefined ? undefined : Math.min(set.position, state.rules.length - 1);
  const all = {
    name: change(rule.name, set.name),
    isActive: change(rule.isActive, set.isActive),
    conditions: changeOfList(rule.conditions, set.conditions),
    offeringId: change(rule.offeringId, set.offeringId),
    placements: changeOfList(rule.placements, set.placements),
    position: change(from, to),
  };
  const changes = Object.fromEntries(Object.entries(all).filter(([, c]) => c !== undefined));
  if (Object.keys(changes).length === 0) return [];
  expectValid(withChanges<TargetingRule>(rule, changes), state);
  return [e.TargetingRuleUpdated.of({ ruleId: rule.ruleId, changes })];
}

function changeOfList<T>(from: readonly T[], to: readonly T[] | undefined) {
  return to === undefined || JSON.stringify(from) === JSON.stringify(to) ? undefined : { from, to };
}

function expectValid(rule: Omit<NewTargetingRule, 'position'>, { rules, offerings, placements }: State): void {
  if (rules.some((r) => r.ruleId !== rule.ruleId && r.name === rule.name)) {
    throw new Rejection('conflict', 'targeting-rule-exists', 'name is taken by another targeting rule; use another');
  }
  const known = new Set(placements.map((p) => p.placementId));
  if (rule.placements.some((p) => !known.has(p.placementId))) {
    throw new Rejection('invalid', 'placement-unknown', 'placements: no placement with this ID in this project');
  }
  if (new Set(rule.placements.map((p) => p.placementId)).size < rule.placements.length) {
    throw new Rejection('invalid', 'placement-repeated', 'placements must name each placement once');
  }
  for (const id of offeringsOf(rule)) {
    const offering = offerings.find((o) => o.offeringId === id);
    if (!offering)
      throw new Rejection('invalid', 'offering-unknown', 'offeringId: no offering with this ID in this project');
    if (rule.isActive && offering.archived) {
      const message = `offering ${offering.lookupKey} is archived; unarchive it, choose another, or deactivate the rule`;
      throw new Rejection('conflict', 'offering-archived', message);
    }
  }
}

/** Returns the ids of the offerings that a rule shows. */
function offeringsOf({ offeringId, placements }: Pick<TargetingRule, 'offeringId' | 'placements'>): readonly string[] {
  return [offeringId, ...placements.map((p) => p.offeringId)].filter((id) => id !== null);
}

/** Throws {@link Rejection} if an active rule shows the offering, since customers would get nothing instead. */
export function expectUntargeted({ offeringId }: Offering, { rules }: Targeting): void {
  const user = rules.find((r) => r.isActive && offeringsOf(r).includes(offeringId));
  if (!user) return;
  const message = `the targeting rule ${user.name} shows this offering; change or deactivate the rule first`;
  throw new Rejection('conflict', 'offering-targeted', message);
}

/** Finds a placement by id or `lookupKey`. */
export function findPlacement({ placements }: Targeting, key: string): NewPlacement | undefined {
  return placements.find((p) => p.placementId === key) ?? placements.find((p) => p.lookupKey === key);
}

function requirePlacement(state: State, key: string): NewPlacement {
  const placement = findPlacement(state, key);
  if (!placement) throw new Rejection('missing', 'placement-unknown', 'placement not found in this project');
  return placement;
}

function requireRule({ rules }: State, ruleId: string): TargetingRule {
  const rule = rules.find((r) => r.ruleId === ruleId);
  if (!rule) throw new Rejection('missing', 'targeting-rule-unknown', 'targeting rule not found in this project');
  return rule;
}
