// An experiment's steps: which it may take, and what may change when.
import { expect } from 'chai';
import { foldEvents } from '../../../src/domain/decider.js';
import { experimentEvents as e } from '../../../src/domain/experiment/events.js';
import { experimentDecider, type ExperimentChanges } from '../../../src/domain/experiment/experiment.js';
import { given } from '../spec.js';

const experimentId = 'exp_1';
const everybody = { countries: null, platforms: null, appIds: null, minAppVersion: null };
const settings = {
  name: 'Price',
  description: null,
  enrollmentPercentage: 100,
  audience: everybody,
  primaryMetric: 'm',
};
const created = e.ExperimentCreated.of({ experimentId, ...settings });
const variant = (variantId: string, isControl = false) => ({
  variantId,
  name: variantId,
  offeringId: 'ofr_1',
  weight: 1,
  isControl,
});
const added = (id: string, isControl = false) =>
  e.ExperimentVariantAdded.of({ experimentId, ...variant(id, isControl) });
const ready = [created, added('a', true), added('b')];
const started = e.ExperimentStarted.of({ experimentId });
const stopped = e.ExperimentStopped.of({ experimentId });
const became = (from: 'running' | 'paused', to: 'running' | 'paused') =>
  e.ExperimentUpdated.of({ experimentId, changes: { status: { from, to } } });
const set = (changes: ExperimentChanges, archived: readonly string[] = []) => {
  return { kind: 'update' as const, set: changes, archived: new Set(archived) };
};
const add = (id: string, isControl: boolean | null = null) => ({
  kind: 'addVariant' as const,
  variant: { ...variant(id), isControl },
});

describe('an experiment', () => {
  it('is made as a draft', () => {
    given(experimentDecider)
      .when({ kind: 'create', experiment: { experimentId, ...settings } })
      .then(created);
    expect(foldEvents(experimentDecider, [created])).to.include({ status: 'draft', winnerVariantId: null });
  });

  it('has its first variant as the control', () =>
    given(experimentDecider, created).when(add('a'), add('b')).then(added('a', true), added('b')));

  it('has ten variants at most', () => {
    const ten = Array.from({ length: 10 }, (_, i) => added(`v${i}`, i === 0));
    given(experimentDecider, created, ...ten)
      .when(add('v10'))
      .thenRejected('too-many-variants');
  });

  it('starts with two variants and one control', () =>
    given(experimentDecider, ...ready)
      .when(set({ status: 'running' }))
      .then(started));

  for (const [what, variants] of [
    ['no variants', []],
    ['one variant', [added('a', true)]],
    ['no control', [added('a'), added('b')]],
    ['two controls', [added('a', true), added('b', true)]],
  ] as const) {
    it(`does not start with ${what}`, () =>
      given(experimentDecider, created, ...variants)
        .when(set({ status: 'running' }))
        .thenRejected('variants-missing'));
  }

  it('neither starts nor resumes with a variant that names an archived offering: it would test nothing', () => {
    for (const before of [ready, [...ready, started, became('running', 'paused')]])
      given(experimentDecider, ...before)
        .when(set({ status: 'running' }, ['ofr_1']))
        .thenRejected('offering-archived');
    given(experimentDecider, ...ready, started)
      .when(set({ status: 'paused' }, ['ofr_1']))
      .then(became('running', 'paused'));
  });

  it('pauses, resumes and stops', () => {
    given(experimentDecider, ...ready, started)
      .when(set({ status: 'paused' }))
      .then(became('running', 'paused'));
    const paused = [...ready, started, became('running', 'paused')];
    given(experimentDecider, ...paused)
      .when(set({ status: 'running' }))
      .then(became('paused', 'running'));
    given(experimentDecider, ...paused)
      .when(set({ status: 'stopped' }))
      .then(stopped);
    given(experimentDecider, ...ready, started)
      .when(set({ status: 'stopped' }))
      .then(stopped);
  });

  for (const [from, events] of [
    ['draft', ready],
    ['running', [...ready, started]],
    ['paused', [...ready, started, became('running', 'paused')]],
    ['stopped', [...ready, started, stopped]],
  ] as const) {
    const allowed = { draft: ['running'], running: ['paused', 'stopped'], paused: ['running', 'stopped'], stopped: [] }[
      from
    ];
    for (const to of ['draft', 'running', 'paused', 'stopped'] as const) {
      if (to === from || (allowed as readonly string[]).includes(to)) continue;
      it(`that is ${from} does not become ${to}`, () =>
        given(experimentDecider, ...events)
          .when(set({ status: to }))
          .thenRejected('status-jump'));
    }
  }

  it('changes freely as a draft, and then only in its percentage and texts', () => {
    given(experimentDecider, ...ready)
      .when(set({ name: 'B', audience: { ...everybody, countries: ['DE'] } }))
      .then(
        e.ExperimentUpdated.of({
          experimentId,
          changes: {
            name: { from: 'Price', to: 'B' },
            audience: { from: everybody, to: { ...everybody, countries: ['DE'] } },
          },
        }),
      );
    const running = given(experimentDecider, ...ready, started);
    running.when(set({ name: 'B' })).thenRejected('experiment-started');
    running.when(set({ audience: { ...everybody, countries: ['DE'] } })).thenRejected('experiment-started');
    running.when(set({ audience: everybody, name: 'Price' })).thenNothing();
    running
      .when(set({ enrollmentPercentage: 50 }))
      .then(e.ExperimentUpdated.of({ experimentId, changes: { enrollmentPercentage: { from: 100, to: 50 } } }));
  });

  it('names a winner of its own after the start', () => {
    const winner = set({ winnerVariantId: 'b' });
    given(experimentDecider, ...ready)
      .when(winner)
      .thenRejected('experiment-not-started');
    given(experimentDecider, ...ready, started)
      .when(winner)
      .then(e.ExperimentUpdated.of({ experimentId, changes: { winnerVariantId: { from: null, to: 'b' } } }));
    given(experimentDecider, ...ready, started)
      .when(set({ winnerVariantId: 'z' }))
      .thenRejected('variant-unknown');
  });

  it('keeps its variants after the start', () => {
    const running = given(experimentDecider, ...ready, started);
    running.when(add('c')).thenRejected('experiment-started');
    running.when({ kind: 'deleteVariant', variantId: 'a' }).thenRejected('experiment-started');
    given(experimentDecider, ...ready)
      .when({ kind: 'deleteVariant', variantId: 'b' })
      .thenOnce(e.ExperimentVariantDeleted.of({ experimentId, variantId: 'b' }));
    given(experimentDecider, ...ready)
      .when({ kind: 'deleteVariant', variantId: 'z' })
      .thenRejected('variant-unknown');
  });

  it('is deleted before the start or after the end', () => {
    const gone = e.ExperimentDeleted.of({ experimentId });
    given(experimentDecider, ...ready)
      .when({ kind: 'delete' })
      .thenOnce(gone);
    given(experimentDecider, ...ready, started, stopped)
      .when({ kind: 'delete' })
      .thenOnce(gone);
    given(experimentDecider, ...ready, started)
      .when({ kind: 'delete' })
      .thenRejected('experiment-started');
    given(experimentDecider, ...ready, gone)
      .when({ kind: 'delete' })
      .thenRejected('experiment-unknown');
  });
});
