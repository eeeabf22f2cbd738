// Offerings: one is current from the first one on, and keys are unique.
import { expect } from 'chai';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import { offeringLimits } from '../../../src/domain/catalog/decide-offering.js';
import { findOffering } from '../../../src/domain/catalog/offerings.js';
import { foldEvents } from '../../../src/domain/decider.js';
import { catalog, displaced, offered, offering, updated } from './samples.js';

const create = (n: number, isCurrent = false) => ({
  kind: 'createOffering' as const,
  offering: offering(n, isCurrent),
});
const update = (n: number, set: object) => ({ kind: 'updateOffering' as const, offering: `ofr_${n}`, set });
const archived = (n: number) => updated(n, { archived: { from: false, to: true } });
const two = [offered(1, true), offered(2)];

describe('an offering', () => {
  it('that is the first becomes current', () => catalog().when(create(1)).then(offered(1, true)));

  it('that comes later does not', () => catalog(offered(1, true)).when(create(2)).then(offered(2)));

  it('that is made current takes the place of the other in the same append', () =>
    catalog(offered(1, true)).when(create(2, true)).then(displaced(1), offered(2, true)));

  it('may become current later', () =>
    catalog(...two)
      .when(update(2, { isCurrent: true }))
      .then(displaced(1), updated(2, { isCurrent: { from: false, to: true } })));

  it('that is current cannot just cease to be', () =>
    catalog(...two)
      .when(update(1, { isCurrent: false }))
      .thenRejected('offering-current'));

  it('that is not current may be made non-current again', () =>
    catalog(...two)
      .when(update(2, { isCurrent: false }))
      .thenNothing());

  it('may not take the key of another, archived or not', () => {
    const command = { kind: 'createOffering' as const, offering: { ...offering(3), lookupKey: 'key_2' } };
    catalog(...two)
      .when(command)
      .thenRejected('offering-exists');
    catalog(...two, archived(2))
      .when(command)
      .thenRejected('offering-exists');
  });

  it('changes its name and metadata, and records only the new one of large documents', () =>
    catalog(...two)
      .when(update(2, { displayName: 'Best', metadata: { a: 1 } }))
      .then(updated(2, { displayName: { from: 'Offering 2', to: 'Best' }, metadata: { to: { a: 1 } } })));

  it('is found by its key', () =>
    catalog(...two)
      .when({ ...update(2, { displayName: 'Best' }), offering: 'key_2' })
      .then(updated(2, { displayName: { from: 'Offering 2', to: 'Best' } })));

  it('records nothing when nothing changes', () =>
    catalog(...two)
      .when(update(2, { displayName: 'Offering 2', metadata: {}, archived: false }))
      .thenNothing());

  it('that is unknown cannot change', () =>
    catalog(...two)
      .when(update(9, { displayName: 'x' }))
      .thenRejected('offering-unknown'));

  it('may be archived and taken back', () => {
    catalog(...two)
      .when(update(2, { archived: true }))
      .then(archived(2));
    catalog(...two, archived(2))
      .when(update(2, { archived: false, isCurrent: true }))
      .then(displaced(1), updated(2, { isCurrent: { from: false, to: true }, archived: { from: true, to: false } }));
  });

  it('that is current cannot be archived', () =>
    catalog(...two)
      .when(update(1, { archived: true }))
      .thenRejected('offering-current'));

  it('that is archived cannot be current', () => {
    catalog(...two, archived(2))
      .when(update(2, { isCurrent: true }))
      .thenRejected('offering-archived');
    catalog(...two)
      .when(update(2, { isCurrent: true, archived: true }))
      .thenRejected('offering-archived');
  });

  it('finds no room beyond the limit, until one is archived', () => {
    const full = Array.from({ length: offeringLimits.live }, (_, i) => offered(i + 1, i === 0));
    catalog(...full)
      .when(create(500))
      .thenRejected('too-many-offerings');
    catalog(...full, archived(2))
      .when(create(500))
      .then(offered(500));
    catalog(...full, archived(2), offered(500))
      .when(update(2, { archived: false }))
      .thenRejected('too-many-offerings');
  });

  it('is found by its id before another is by its key', () => {
    const state = foldEvents(catalogDecider, [
      offered(1, true),
      { ...offered(2), data: { ...offering(2), lookupKey: 'ofr_1' } },
    ]);
    expect(findOffering(state, 'ofr_1')?.offeringId).to.equal('ofr_1');
    expect(findOffering(state, 'key_1')?.offeringId).to.equal('ofr_1');
    expect(findOffering(state, 'key_9')).to.equal(undefined);
  });
});
