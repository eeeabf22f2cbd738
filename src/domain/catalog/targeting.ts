// Events and state of targeting: the placements at which an app offers something, and the ordered rules that choose what. The first active
// rule whose conditions all hold decides. The rules of change are in decide-targeting.ts, the choice is in choose-offering.ts.
import { z } from 'zod';
import { changeOf, withChanges, type Change } from '../changes.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { instant } from '../subscriber/events/blocks.js';

const membership = z.enum(['in', 'not_in']);

/** A condition on one fact about a customer. A customer of whom the country, platform or version is unknown meets none on it. */
export const condition = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('country'), operator: membership, values: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('platform'), operator: membership, values: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('app_version'), operator: z.enum(['at_least', 'below']), value: z.string() }),
  /** An attribute that is not set is in no list. */
  z.strictObject({
    kind: z.literal('attribute'),
    name: z.string(),
    operator: membership,
    values: z.array(z.string()),
  }),
  z.strictObject({ kind: z.literal('attribute_set'), name: z.string(), value: z.boolean() }),
  z.strictObject({ kind: z.literal('first_seen'), operator: z.enum(['before', 'from']), at: instant }),
  /** A subscriber has a subscription that gives access, of production or sandbox. */
  z.strictObject({ kind: z.literal('subscriber'), value: z.boolean() }),
]);
export type Condition = z.output<typeof condition>;

/** `offeringId` null: the app shows nothing at this placement. */
const placementOffering = z.strictObject({ placementId: z.string(), offeringId: z.string().nullable() });

const rule = {
  name: z.string(),
  isActive: z.boolean(),
  conditions: z.array(condition),
  /** The offering in place of the current one; null: the current one. It is shown at each placement that `placements` does not name. */
  offeringId: z.string().nullable(),
  placements: z.array(placementOffering),
  /** Index in the order of the rules. */
  position: z.int().min(0),
};
const placement = { placementId: z.string(), lookupKey: z.string() };

export const targetingEvents = {
  PlacementCreated: defineEvent('PlacementCreated', { ...placement, displayName: z.string() }),
  PlacementUpdated: defineEvent('PlacementUpdated', {
    ...placement,
    changes: z.strictObject({ displayName: changeOf(z.string()) }),
  }),
  PlacementDeleted: defineEvent('PlacementDeleted', placement),
  TargetingRuleCreated: defineEvent('TargetingRuleCreated', { ruleId: z.string(), ...rule }),
  TargetingRuleUpdated: defineEvent('TargetingRuleUpdated', {
    ruleId: z.string(),
    changes: z.strictObject({
      name: changeOf(rule.name),
      isActive: changeOf(rule.isActive),
      conditions: changeOf(rule.conditions),
      offeringId: changeOf(rule.offeringId),
      placements: changeOf(rule.placements),
      position: changeOf(rule.position),
    }),
  }),
  TargetingRuleDeleted: defineEvent('TargetingRuleDeleted', { ruleId: z.string(), name: z.string() }),
};
export type TargetingEvent = EventOf<typeof targetingEvents>;
type DataOf<T extends TargetingEvent['type']> = Extract<TargetingEvent, { type: T }>['data'];

export type NewPlacement = DataOf<'PlacementCreated'>;
export type NewTargetingRule = DataOf<'TargetingRuleCreated'>;

/** `revision`: 1 after the creation, one more after each change. */
export type TargetingRule = Omit<NewTargetingRule, 'position'> & { readonly revision: number };

/** `rules`: in their order. */
export type Targeting = {
  readonly placements: readonly NewPlacement[];
  readonly rules: readonly TargetingRule[];
};
export const noTargeting: Targeting = { placements: [], rules: [] };

export function evolveTargeting<S extends Targeting>(state: S, event: TargetingEvent): S {
  switch (event.type) {
    case 'PlacementCreated':
      return { ...state, placements: [...state.placements, event.data] };
    case 'PlacementUpdated': {
      const { placementId, changes } = event.data;
      const placements = state.placements.map((p) =>
        p.placementId === placementId ? withChanges<NewPlacement>(p, changes) : p,
      );
      return { ...state, placements };
    }
    case 'PlacementDeleted':
      return { ...state, placements: state.placements.filter((p) => p.placementId !== event.data.placementId) };
    case 'TargetingRuleCreated': {
      const { position, ...data } = event.data;
      return { ...state, rules: state.rules.toSpliced(position, 0, { ...data, revision: 1 }) };
    }
    case 'TargetingRuleUpdated':
      return { ...state, rules: updateRule(state.rules, event.data) };
    case 'TargetingRuleDeleted':
      return { ...state, rules: state.rules.filter((r) => r.ruleId !== event.data.ruleId) };
    default:
      remaining<never>(event);
      return state;
  }
}

function updateRule(
  rules: readonly TargetingRule[],
  { ruleId, changes: { position, ...changes } }: DataOf<'TargetingRuleUpdated'>,
): readonly TargetingRule[] {
  const changed = rules.map((r) =>
    r.ruleId === ruleId ? { ...withChanges<TargetingRule>(r, changes), revision: r.revision + 1 } : r,
  );
  return position ? moved(changed, ruleId, position) : changed;
}

function moved(rules: readonly TargetingRule[], ruleId: string, { to }: Change<number>): readonly TargetingRule[] {
  const others = rules.filter((r) => r.ruleId !== ruleId);
  const rule = rules.find((r) => r.ruleId === ruleId);
  return rule ? others.toSpliced(to, 0, rule) : rules;
}
