// Experiments with their variants. Running experiments are indexed in the order of their start, for enrolment.
import { evolveExperiment, type Experiment } from '../../domain/experiment/experiment.js';
import { defineProjection, type Projection } from '../runtime/projection.js';
import { ofFamily } from '../../domain/vocabulary.js';

/** `startedAt` and `stoppedAt` are empty until then. */
export type ExperimentDoc = Omit<Experiment, 'variants'> & {
  readonly projectId: string;
  readonly variants: readonly (Experiment['variants'][number] & { readonly createdAt: string })[];
  readonly startedAt: string;
  readonly stoppedAt: string;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const experiments: Projection<ExperimentDoc> = defineProjection({
  name: 'experiments',
  version: 1,
  families: ['experiment'],
  indexes: [
    { name: 'project', fields: ['projectId', 'experimentId'] },
    { name: 'status', fields: ['projectId', 'status', 'startedAt'] },
  ],
  select: (stored) => ofFamily(stored, 'experiment'),
  keys: (event) => [event.data.experimentId],
  fold: (doc, event) => {
    const { at, projectId = '' } = event.meta;
    const next = evolveExperiment(doc ?? null, event);
    if (!next) return doc && null;
    const before = doc ?? { projectId, startedAt: '', stoppedAt: '', createdAt: at };
    const { variants, ...rest } = next;
    const madeAt = new Map(doc?.variants.map((v) => [v.variantId, v.createdAt]));
    return {
      ...rest,
      variants: variants.map((v) => ({ ...v, createdAt: madeAt.get(v.variantId) ?? at })),
      projectId: before.projectId,
      startedAt: event.type === 'ExperimentStarted' ? at : before.startedAt,
      stoppedAt: event.type === 'ExperimentStopped' ? at : before.stoppedAt,
      createdAt: before.createdAt,
      updatedAt: at,
    };
  },
});
