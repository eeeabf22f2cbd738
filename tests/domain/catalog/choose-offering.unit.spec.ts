// The choice of a targeting rule: what each condition compares, which rule decides, and what is explained.
import { expect } from 'chai';
import {
  chooseOffering,
  explainRules,
  holds,
  type CustomerFacts,
} from '../../../src/domain/catalog/choose-offering.js';
import type { Condition, Targeting, TargetingRule } from '../../../src/domain/catalog/targeting.js';

const facts = (o: Partial<CustomerFacts> = {}): CustomerFacts => ({
  country: 'DE',
  platform: 'ios',
  appVersion: '2.10',
  attributes: new Map([['plan', 'team']]),
  firstSeenAt: '2026-03-01T00:00:00.000Z',
  isSubscriber: false,
  ...o,
});
const unknown = facts({ country: null, platform: null, appVersion: null, attributes: new Map() });

const cases: readonly (readonly [Condition, CustomerFacts, boolean])[] = [
  [{ kind: 'country', operator: 'in', values: ['AT', 'DE'] }, facts(), true],
  [{ kind: 'country', operator: 'in', values: ['AT'] }, facts(), false],
  [{ kind: 'country', operator: 'not_in', values: ['AT'] }, facts(), true],
  [{ kind: 'country', operator: 'in', values: ['DE'] }, unknown, false],
  [{ kind: 'country', operator: 'not_in', values: ['DE'] }, unknown, false],
  [{ kind: 'platform', operator: 'in', values: ['ios', 'macos'] }, facts(), true],
  [{ kind: 'platform', operator: 'not_in', values: ['ios'] }, facts(), false],
  [{ kind: 'platform', operator: 'not_in', values: ['android'] }, unknown, false],
  [{ kind: 'app_version', operator: 'at_least', value: '2.9' }, facts(), true],
  [{ kind: 'app_version', operator: 'at_least', value: '2.10.1' }, facts(), false],
  [{ kind: 'app_version', operator: 'below', value: '2.10' }, facts(), false],
  [{ kind: 'app_version', operator: 'below', value: '3' }, facts(), true],
  [{ kind: 'app_version', operator: 'below', value: '3' }, unknown, false],
  [{ kind: 'attribute', name: 'plan', operator: 'in', values: ['team'] }, facts(), true],
  [{ kind: 'attribute', name: 'plan', operator: 'not_in', values: ['team'] }, facts(), false],
  [{ kind: 'attribute', name: 'plan', operator: 'in', values: ['Team'] }, facts(), false],
  [{ kind: 'attribute', name: 'plan', operator: 'not_in', values: ['team'] }, unknown, true],
  [{ kind: 'attribute', name: 'toString', operator: 'in', values: ['team'] }, facts(), false],
  [{ kind: 'attribute_set', name: 'plan', value: true }, facts(), true],
  [{ kind: 'attribute_set', name: 'plan', value: true }, unknown, false],
  [{ kind: 'attribute_set', name: 'beta', value: false }, facts(), true],
  [{ kind: 'first_seen', operator: 'before', at: '2026-03-01T00:00:00.000Z' }, facts(), false],
  [{ kind: 'first_seen', operator: 'from', at: '2026-03-01T00:00:00.000Z' }, facts(), true],
  [{ kind: 'first_seen', operator: 'before', at: '2026-03-01T00:00:00.001Z' }, facts(), true],
  [{ kind: 'subscriber', value: true }, facts(), false],
  [{ kind: 'subscriber', value: false }, facts(), true],
  [{ kind: 'subscriber', value: true }, facts({ isSubscriber: true }), true],
];

const rule = (n: number, o: Partial<TargetingRule> = {}): TargetingRule => ({
  ruleId: `tr_${n}`,
  name: `Rule ${n}`,
  isActive: true,
  conditions: [],
  offeringId: `ofr_${n}`,
  placements: [],
  revision: n,
  ...o,
});
const german: Condition = { kind: 'country', operator: 'in', values: ['DE'] };
const french: Condition = { kind: 'country', operator: 'in', values: ['FR'] };
const placements = [1, 2].map((n) => ({ placementId: `plc_${n}`, lookupKey: `place_${n}`, displayName: `Place ${n}` }));
const targeting = (...rules: readonly TargetingRule[]): Targeting => ({ placements, rules });

describe('a condition', () => {
  for (const [condition, about, isMet] of cases) {
    const who = about === unknown ? 'a customer of whom nothing is known' : 'the customer';
    it(`${JSON.stringify(condition)} is ${isMet ? 'met' : 'not met'} by ${who}`, () =>
      expect(holds(condition, about)).to.equal(isMet));
  }
});

describe('the choice of an offering', () => {
  it('is that of the first active rule whose conditions all hold', () => {
    const rules = [
      rule(1, { isActive: false }),
      rule(2, { conditions: [german, french] }),
      rule(3, { conditions: [german] }),
      rule(4),
    ];
    expect(chooseOffering(targeting(...rules), facts(), null)).to.deep.equal({
      offeringId: 'ofr_3',
      byPlacement: [],
      rule: { ruleId: 'tr_3', revision: 3 },
    });
  });

  it('is the current offering if no rule applies', () =>
    expect(chooseOffering(targeting(rule(1, { conditions: [french] })), facts(), null)).to.deep.equal({
      offeringId: null,
      byPlacement: [],
      rule: null,
    }));

  it('has the rule’s exceptions by placement, also nothing', () => {
    const at = [
      { placementId: 'plc_2', offeringId: null },
      { placementId: 'plc_1', offeringId: 'ofr_9' },
    ];
    const { byPlacement } = chooseOffering(targeting(rule(1, { placements: at })), facts(), null);
    expect(byPlacement).to.deep.equal([
      ['place_2', null],
      ['place_1', 'ofr_9'],
    ]);
  });

  it('is the variant of an experiment before any rule, at every placement', () => {
    const at = [{ placementId: 'plc_1', offeringId: null }];
    const chosen = chooseOffering(targeting(rule(1, { placements: at })), facts(), 'ofr_7');
    expect(chosen).to.deep.equal({ offeringId: 'ofr_7', byPlacement: [], rule: null });
  });
});

describe('the explanation of rules', () => {
  const rules = targeting(
    rule(1, { isActive: false }),
    rule(2, { conditions: [german, french] }),
    rule(3),
    rule(4, { conditions: [french] }),
  );
  const resultsOf = (hasVariant: boolean) => explainRules(rules, facts(), hasVariant).map(({ result }) => result);

  it('names what became of each, in their order', () => {
    expect(resultsOf(false)).to.deep.equal(['inactive', 'not_met', 'chosen', 'not_reached']);
    expect(resultsOf(true)).to.deep.equal(['inactive', 'not_reached', 'not_reached', 'not_reached']);
  });

  it('agrees with the choice', () => {
    const chosen = explainRules(rules, facts(), false).find(({ result }) => result === 'chosen');
    expect(chosen?.rule.ruleId).to.equal(chooseOffering(rules, facts(), null).rule?.ruleId);
  });

  it('compares each condition with the fact', () =>
    expect(explainRules(rules, facts(), false)[1]?.conditions).to.deep.equal([
      { condition: german, isMet: true, actual: 'DE' },
      { condition: french, isMet: false, actual: 'DE' },
    ]));
});
