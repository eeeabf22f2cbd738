// Placements and targeting rules: what may be written.
import { expect } from 'chai';
import { targetingLimits, type RuleSettings } from '../../../src/domain/catalog/decide-targeting.js';
import { catalogDecider, type CatalogEvent } from '../../../src/domain/catalog/catalog.js';
import { targetingEvents as e, type NewTargetingRule } from '../../../src/domain/catalog/targeting.js';
import { foldEvents } from '../../../src/domain/decider.js';
import { catalog, offered, updated as offeringUpdated } from './samples.js';

const place = (n: number) => ({ placementId: `plc_${n}`, lookupKey: `place_${n}`, displayName: `Place ${n}` });
const placed = (n: number) => e.PlacementCreated.of(place(n));
const rule = (n: number, o: Partial<NewTargetingRule> = {}): NewTargetingRule => ({
  ruleId: `tr_${n}`,
  name: `Rule ${n}`,
  isActive: true,
  conditions: [{ kind: 'country', operator: 'in', values: ['DE'] }],
  offeringId: 'ofr_2',
  placements: [],
  position: n - 1,
  ...o,
});
const made = (n: number, o: Partial<NewTargetingRule> = {}) => e.TargetingRuleCreated.of(rule(n, o));
const create = (n: number, o: Partial<RuleSettings> = {}) => ({
  kind: 'createTargetingRule' as const,
  rule: { ...rule(n), position: null, ...o },
});
const update = (n: number, set: Partial<NewTargetingRule>) => ({
  kind: 'updateTargetingRule' as const,
  ruleId: `tr_${n}`,
  set,
});
type Changes = Parameters<typeof e.TargetingRuleUpdated.of>[0]['changes'];
const updated = (n: number, changes: Changes) => e.TargetingRuleUpdated.of({ ruleId: `tr_${n}`, changes });
const offers = [offered(1, true), offered(2)];
const archived = offeringUpdated(2, { archived: { from: false, to: true } });
const order = (...events: readonly CatalogEvent[]) =>
  foldEvents(catalogDecider, events).rules.map(({ ruleId, revision }) => `${ruleId} ${revision}`);

describe('a placement', () => {
  it('is created once, with a key of its own', () => {
    catalog()
      .when({ kind: 'createPlacement', placement: place(1) })
      .then(placed(1));
    catalog(placed(1))
      .when({ kind: 'createPlacement', placement: place(1) })
      .thenNothing();
    catalog(placed(1))
      .when({ kind: 'createPlacement', placement: { ...place(1), placementId: 'plc_9' } })
      .thenRejected('placement-exists');
  });

  it('is renamed by id or key', () => {
    const changes = { displayName: { from: 'Place 1', to: 'Start' } };
    const renamed = e.PlacementUpdated.of({ placementId: 'plc_1', lookupKey: 'place_1', changes });
    for (const placement of ['plc_1', 'place_1']) {
      catalog(placed(1)).when({ kind: 'updatePlacement', placement, displayName: 'Start' }).then(renamed);
    }
    catalog(placed(1)).when({ kind: 'updatePlacement', placement: 'plc_1', displayName: 'Place 1' }).thenNothing();
    catalog().when({ kind: 'updatePlacement', placement: 'plc_1', displayName: 'A' }).thenRejected('placement-unknown');
  });

  it('is deleted unless a rule names it, active or not', () => {
    const named = made(1, { isActive: false, placements: [{ placementId: 'plc_1', offeringId: null }] });
    catalog(placed(1))
      .when({ kind: 'deletePlacement', placement: 'place_1' })
      .thenOnce(e.PlacementDeleted.of({ placementId: 'plc_1', lookupKey: 'place_1' }));
    catalog(...offers, placed(1), named)
      .when({ kind: 'deletePlacement', placement: 'plc_1' })
      .thenRejected('placement-used');
  });

  it('is refused beyond the limit', () => {
    const all = Array.from({ length: targetingLimits.placements }, (_, n) => placed(n));
    catalog(...all)
      .when({ kind: 'createPlacement', placement: place(99) })
      .thenRejected('too-many-placements');
  });
});

describe('a targeting rule', () => {
  it('follows all others unless a position is given', () => {
    catalog(...offers, made(1))
      .when(create(2))
      .then(made(2, { position: 1 }));
    catalog(...offers, made(1))
      .when(create(2, { position: 0 }))
      .then(made(2, { position: 0 }));
    catalog(...offers, made(1))
      .when(create(2, { position: 40 }))
      .then(made(2, { position: 1 }));
    catalog(...offers, made(1))
      .when(create(1))
      .thenNothing();
  });

  it('moves in the order, and counts its changes', () => {
    const three = [...offers, made(1), made(2), made(3)];
    catalog(...three)
      .when(update(3, { position: 0 }))
      .then(updated(3, { position: { from: 2, to: 0 } }));
    catalog(...three)
      .when(update(1, { position: 40 }))
      .then(updated(1, { position: { from: 0, to: 2 } }));
    catalog(...three)
      .when(update(2, { position: 1 }))
      .thenNothing();
    expect(order(...three, updated(3, { position: { from: 2, to: 0 } }))).to.deep.equal(['tr_3 2', 'tr_1 1', 'tr_2 1']);
    expect(order(...three, updated(1, { position: { from: 0, to: 1 } }))).to.deep.equal(['tr_2 1', 'tr_1 2', 'tr_3 1']);
    expect(order(...three, e.TargetingRuleDeleted.of({ ruleId: 'tr_2', name: 'Rule 2' }))).to.have.length(2);
  });

  it('names only offerings and placements of the project, each placement once', () => {
    catalog(...offers)
      .when(create(1, { offeringId: 'ofr_9' }))
      .thenRejected('offering-unknown');
    const at = (placementId: string, offeringId: string | null) => ({ placementId, offeringId });
    catalog(...offers, placed(1))
      .when(create(1, { placements: [at('plc_9', null)] }))
      .thenRejected('placement-unknown');
    catalog(...offers, placed(1))
      .when(create(1, { placements: [at('plc_1', 'ofr_9')] }))
      .thenRejected('offering-unknown');
    catalog(...offers, placed(1))
      .when(create(1, { placements: [at('plc_1', null), at('plc_1', 'ofr_1')] }))
      .thenRejected('placement-repeated');
  });

  it('has a name of its own', () => {
    catalog(...offers, made(1))
      .when(create(2, { name: 'Rule 1' }))
      .thenRejected('targeting-rule-exists');
    catalog(...offers, made(1), made(2))
      .when(update(2, { name: 'Rule 1' }))
      .thenRejected('targeting-rule-exists');
  });

  it('shows no archived offering while it is active', () => {
    catalog(...offers, archived)
      .when(create(1))
      .thenRejected('offering-archived');
    catalog(...offers, archived)
      .when(create(1, { isActive: false }))
      .then(made(1, { isActive: false }));
    catalog(...offers, archived, made(1, { isActive: false }))
      .when(update(1, { isActive: true }))
      .thenRejected('offering-archived');
  });

  it('keeps its offerings from being archived while it is active', () => {
    const archive = { kind: 'updateOffering' as const, offering: 'ofr_2', set: { archived: true } };
    const atPlace = { offeringId: null, placements: [{ placementId: 'plc_1', offeringId: 'ofr_2' }] };
    catalog(...offers, made(1))
      .when(archive)
      .thenRejected('offering-targeted');
    catalog(...offers, placed(1), made(1, atPlace))
      .when(archive)
      .thenRejected('offering-targeted');
    catalog(...offers, made(1, { isActive: false }))
      .when(archive)
      .then(archived);
  });

  it('is refused beyond the limit', () => {
    const all = Array.from({ length: targetingLimits.rules }, (_, n) => made(n + 1));
    catalog(...offers, ...all)
      .when(create(99))
      .thenRejected('too-many-targeting-rules');
  });

  it('is unknown once deleted', () => {
    const deleted = e.TargetingRuleDeleted.of({ ruleId: 'tr_1', name: 'Rule 1' });
    catalog(...offers, made(1))
      .when({ kind: 'deleteTargetingRule', ruleId: 'tr_1' })
      .thenOnce(deleted);
    catalog(...offers, made(1), deleted)
      .when(update(1, { name: 'A' }))
      .thenRejected('targeting-rule-unknown');
  });
});
