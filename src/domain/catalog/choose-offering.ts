// Chooses the targeting rule of a customer: the first active one whose conditions all hold. A variant of an experiment wins over every rule,
// because its results must come from its own offering alone.
import { givesAccess } from '../subscriber/access.js';
import { countryOf } from '../subscriber/state/country.js';
import type { Profile } from '../subscriber/state/state.js';
import { isVersionAtLeast } from '../values/app-version.js';
import type { Condition, Targeting, TargetingRule } from './targeting.js';

/** The facts about a customer that conditions compare. Null: unknown. */
export type CustomerFacts = {
  readonly country: string | null;
  readonly platform: string | null;
  readonly appVersion: string | null;
  readonly attributes: ReadonlyMap<string, string>;
  readonly firstSeenAt: string;
  readonly isSubscriber: boolean;
};

export function factsOf(profile: Profile, firstSeenAt: string, now: string): CustomerFacts {
  const { platform, appVersion, subscriptions } = profile;
  return {
    ...{ country: countryOf(profile), platform, appVersion, firstSeenAt },
    attributes: new Map(profile.attributes.map(({ k, v }) => [k, v])),
    isSubscriber: subscriptions.some((s) => s.pending === null && givesAccess(s, now)),
  };
}

/** The choice for an app. `offeringId` null: the current offering. `byPlacement`: by `lookupKey`; null: nothing is shown there. */
export type OfferingChoice = {
  readonly offeringId: string | null;
  readonly byPlacement: readonly (readonly [lookupKey: string, offeringId: string | null])[];
  readonly rule: Pick<TargetingRule, 'ruleId' | 'revision'> | null;
};

/** `variantOfferingId`: the offering of the customer's variant, null without one. */
export function chooseOffering(
  targeting: Targeting,
  facts: CustomerFacts,
  variantOfferingId: string | null,
): OfferingChoice {
  if (variantOfferingId !== null) return { offeringId: variantOfferingId, byPlacement: [], rule: null };
  const rule = targeting.rules.find((r) => r.isActive && r.conditions.every((c) => holds(c, facts)));
  if (!rule) return { offeringId: null, byPlacement: [], rule: null };
  const keys = new Map(targeting.placements.map((p) => [p.placementId, p.lookupKey]));
  const byPlacement = rule.placements.flatMap(({ placementId, offeringId }) => {
    const lookupKey = keys.get(placementId);
    return lookupKey === undefined ? [] : [[lookupKey, offeringId] as const];
  });
  const { ruleId, revision, offeringId } = rule;
  return { offeringId, byPlacement, rule: { ruleId, revision } };
}

export function holds(c: Condition, facts: CustomerFacts): boolean {
  switch (c.kind) {
    case 'country':
    case 'platform': {
      const value = facts[c.kind];
      return value !== null && c.values.includes(value) === (c.operator === 'in');
    }
    case 'app_version':
      return facts.appVersion !== null && isVersionAtLeast(facts.appVersion, c.value) === (c.operator === 'at_least');
    case 'attribute': {
      const value = facts.attributes.get(c.name);
      return (value !== undefined && c.values.includes(value)) === (c.operator === 'in');
    }
    case 'attribute_set':
      return facts.attributes.has(c.name) === c.value;
    case 'first_seen':
      return facts.firstSeenAt < c.at === (c.operator === 'before');
    case 'subscriber':
      return facts.isSubscriber === c.value;
  }
}

/** `not_reached`: an earlier rule decided, or an experiment. */
type RuleResult = 'chosen' | 'not_met' | 'inactive' | 'not_reached';
export type RuleExplanation = {
  readonly rule: TargetingRule;
  readonly result: RuleResult;
  /** `actual`: the compared fact as text; null: unknown or not set. */
  readonly conditions: readonly {
    readonly condition: Condition;
    readonly isMet: boolean;
    readonly actual: string | null;
  }[];
};

/** Explains each rule in order. Conditions are evaluated for all, so that a reader sees what a change of the order would do. */
export function explainRules(
  { rules }: Targeting,
  facts: CustomerFacts,
  hasVariant: boolean,
): readonly RuleExplanation[] {
  let isDecided = hasVariant;
  return rules.map((rule) => {
    const conditions = rule.conditions.map((condition) => {
      return { condition, isMet: holds(condition, facts), actual: actualOf(condition, facts) };
    });
    const isMet = conditions.every((c) => c.isMet);
    const reached = isMet ? 'chosen' : 'not_met';
    const result = !rule.isActive ? 'inactive' : isDecided ? 'not_reached' : reached;
    isDecided ||= result === 'chosen';
    return { rule, result, conditions };
  });
}

function actualOf(c: Condition, facts: CustomerFacts): string | null {
  switch (c.kind) {
    case 'country':
    case 'platform':
      return facts[c.kind];
    case 'app_version':
      return facts.appVersion;
    case 'attribute':
    case 'attribute_set':
      return facts.attributes.get(c.name) ?? null;
    case 'first_seen':
      return facts.firstSeenAt;
    case 'subscriber':
      return facts.isSubscriber ? 'yes' : 'no';
  }
}
