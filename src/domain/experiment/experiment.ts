// The rules of an experiment: draft, running, paused and running again, stopped. After the start, its measurement cannot change.
import { change, withChanges } from '../changes.js';
import type { Decider } from '../decider.js';
import { remaining } from '../events.js';
import { Rejection } from '../errors.js';
import {
  experimentEvents as e,
  type Audience,
  type ExperimentData,
  type ExperimentEvent,
  type ExperimentStatus,
} from './events.js';

export type Variant = Omit<ExperimentData<'ExperimentVariantAdded'>, 'experimentId'>;

export type Experiment = ExperimentData<'ExperimentCreated'> & {
  readonly status: ExperimentStatus;
  readonly winnerVariantId: string | null;
  /** Variants in order of creation. */
  readonly variants: readonly Variant[];
};

/** State of an experiment; null before its creation and after its deletion. */
export type ExperimentState = Experiment | null;

export type ExperimentSettings = Omit<ExperimentData<'ExperimentCreated'>, 'experimentId'>;
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined };
export type ExperimentChanges = Optional<
  ExperimentSettings & { readonly winnerVariantId: string | null; readonly status: ExperimentStatus }
>;

export type ExperimentCommand =
  | { readonly kind: 'create'; readonly experiment: ExperimentData<'ExperimentCreated'> }
  /** `archived`: ids of the archived offerings. */
  | { readonly kind: 'update'; readonly set: ExperimentChanges; readonly archived: ReadonlySet<string> }
  | { readonly kind: 'delete' }
  | {
      readonly kind: 'addVariant';
      readonly variant: Omit<Variant, 'isControl'> & { readonly isControl: boolean | null };
    }
  | { readonly kind: 'deleteVariant'; readonly variantId: string };

const MAX_VARIANTS = 10;

export const experimentDecider: Decider<ExperimentState, ExperimentCommand, ExperimentEvent> = {
  initial: () => null,
  evolve: evolveExperiment,
  decide: (command, state) => {
    if (command.kind === 'create') return state ? [] : [e.ExperimentCreated.of(command.experiment)];
    if (!state) throw new Rejection('missing', 'experiment-unknown', 'experiment not found in this project');
    switch (command.kind) {
      case 'update':
        return updateExperiment(command.set, state, command.archived);
      case 'delete':
        return deleteExperiment(state);
      case 'addVariant':
        return addVariant(command.variant, state);
      case 'deleteVariant':
        return deleteVariant(command.variantId, state);
    }
  },
};

export function evolveExperiment(state: ExperimentState, event: ExperimentEvent): ExperimentState {
  if (event.type === 'ExperimentCreated') {
    return { ...event.data, status: 'draft', winnerVariantId: null, variants: [] };
  }
  if (!state) return state;
  switch (event.type) {
    case 'ExperimentUpdated':
      return withChanges<Experiment>(state, event.data.changes);
    case 'ExperimentStarted':
      return { ...state, status: 'running' };
    case 'ExperimentStopped':
      return { ...state, status: 'stopped' };
    case 'ExperimentDeleted':
      return null;
    case 'ExperimentVariantAdded': {
      const { experimentId: _own, ...variant } = event.data;
      return { ...state, variants: [...state.variants, variant] };
    }
    case 'ExperimentVariantDeleted':
      return { ...state, variants: state.variants.filter((v) => v.variantId !== event.data.variantId) };
    default:
      remaining<never>(event);
      return state;
  }
}

function updateExperiment(
  { status, ...set }: ExperimentChanges,
  state: Experiment,
  archived: ReadonlySet<string>,
): ExperimentEvent[] {
  const { experimentId } = state;
  const audience = set.audience && !isSameAudience(set.audience, state.audience) ? set.audience : undefined;
  const fixed = {
    name: change(state.name, set.name),
    audience: change(state.audience, audience),
    primaryMetric: change(state.primaryMetric, set.primaryMetric),
  };
  if (state.status !== 'draft' && Object.values(fixed).some((c) => c !== undefined)) {
    const text = 'after the start only enrollmentPercentage, status, description and winnerVariantId may change';
    throw new Rejection('conflict', 'experiment-started', text);
  }
  const winnerVariantId = change(state.winnerVariantId, set.winnerVariantId);
  if (winnerVariantId) checkWinner(winnerVariantId.to, state);
  const moves = changeStatus(status, state);
  if (moves === 'start' || moves === 'running') checkOfferings(state, archived);
  const isPause = moves === 'paused' || moves === 'running';
  const changes = {
    ...fixed,
    description: change(state.description, set.description),
    enrollmentPercentage: change(state.enrollmentPercentage, set.enrollmentPercentage),
    winnerVariantId,
    status:
      isPause && (state.status === 'running' || state.status === 'paused')
        ? { from: state.status, to: moves }
        : undefined,
  };
  const definedChanges = Object.fromEntries(Object.entries(changes).filter(([, c]) => c !== undefined));
  const updated =
    Object.keys(definedChanges).length > 0 ? [e.ExperimentUpdated.of({ experimentId, changes: definedChanges })] : [];
  if (moves === 'start') return [...updated, e.ExperimentStarted.of({ experimentId })];
  if (moves === 'stop') return [...updated, e.ExperimentStopped.of({ experimentId })];
  return updated;
}

/** Refuses variants with an archived offering: clients would get the current offering instead, so that the variant tests nothing. */
function checkOfferings({ variants }: Experiment, archived: ReadonlySet<string>): void {
  const hidden = variants.find((v) => archived.has(v.offeringId));
  if (!hidden) return;
  const text = `variant ${hidden.name} names offering ${hidden.offeringId}, which is archived; unarchive it or choose another`;
  throw new Rejection('conflict', 'offering-archived', text);
}

function checkWinner(winner: string | null, state: Experiment): void {
  if (state.status === 'draft') {
    throw new Rejection('conflict', 'experiment-not-started', 'start the experiment before setting a winner');
  }
  if (winner !== null && !state.variants.some((v) => v.variantId === winner)) {
    throw new Rejection('invalid', 'variant-unknown', 'winnerVariantId is not a variant of this experiment');
  }
}

function changeStatus(
  to: ExperimentStatus | undefined,
  state: Experiment,
): 'start' | 'stop' | 'paused' | 'running' | null {
  const { status: from, variants } = state;
  if (to === undefined || to === from) return null;
  if (from === 'draft' && to === 'running') {
    const controls = variants.filter((v) => v.isControl).length;
    if (variants.length >= 2 && controls === 1) return 'start';
    throw new Rejection(
      'conflict',
      'variants-missing',
      'starting requires at least two variants, exactly one of them the control',
    );
  }
  if (from === 'running' && to === 'paused') return 'paused';
  if (from === 'paused' && to === 'running') return 'running';
  if ((from === 'running' || from === 'paused') && to === 'stopped') return 'stop';
  throw new Rejection('conflict', 'status-jump', `an experiment cannot change from ${from} to ${to}`);
}

function deleteExperiment({ experimentId, status }: Experiment): ExperimentEvent[] {
  if (status === 'running' || status === 'paused') {
    throw new Rejection('conflict', 'experiment-started', 'stop the experiment before deleting it');
  }
  return [e.ExperimentDeleted.of({ experimentId })];
}

function addVariant(
  v: Extract<ExperimentCommand, { kind: 'addVariant' }>['variant'],
  state: Experiment,
): ExperimentEvent[] {
  if (state.variants.some((one) => one.variantId === v.variantId)) return [];
  requireDraft(state);
  if (state.variants.length >= MAX_VARIANTS) {
    throw new Rejection('conflict', 'too-many-variants', `an experiment can have at most ${MAX_VARIANTS} variants`);
  }
  const isControl = v.isControl ?? state.variants.length === 0;
  return [e.ExperimentVariantAdded.of({ experimentId: state.experimentId, ...v, isControl })];
}

function deleteVariant(variantId: string, state: Experiment): ExperimentEvent[] {
  if (!state.variants.some((v) => v.variantId === variantId)) {
    throw new Rejection('missing', 'variant-unknown', 'variant not found in this experiment');
  }
  requireDraft(state);
  return [e.ExperimentVariantDeleted.of({ experimentId: state.experimentId, variantId })];
}

function requireDraft({ status }: Experiment): void {
  if (status === 'draft') return;
  throw new Rejection('conflict', 'experiment-started', 'variants cannot change after the start');
}

function isSameAudience(a: Audience, b: Audience): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
