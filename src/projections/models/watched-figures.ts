// The charts of each project whose daily figure is watched.
import { touches } from '../../domain/events.js';
import { projectEvents } from '../../domain/project/events.js';
import { ofFamily } from '../../domain/vocabulary.js';
import { defineProjection, type Projection } from '../runtime/projection.js';

export type WatchedFiguresDoc = { readonly projectId: string; readonly chartIds: readonly string[] };

export const watchedFigures: Projection<WatchedFiguresDoc> = defineProjection({
  name: 'watched_figures',
  version: 1,
  families: ['project'],
  indexes: [{ name: 'project', fields: ['projectId'] }],
  select: (stored) => {
    const event = ofFamily(stored, 'project');
    return event && touches(projectEvents, event, 'figures') ? event : null;
  },
  keys: (event) => [event.meta.projectId ?? ''],
  fold: (doc, event) => {
    const { projectId = '' } = event.meta;
    const { chartIds = [] } = doc ?? {};
    switch (event.type) {
      case 'FigureWatchStarted':
        return { projectId, chartIds: [...chartIds.filter((id) => id !== event.data.chartId), event.data.chartId] };
      case 'FigureWatchStopped': {
        const left = chartIds.filter((id) => id !== event.data.chartId);
        return left.length === 0 ? null : { projectId, chartIds: left };
      }
      case 'ProjectDeleted':
        return null;
      case 'FigureLeftBand':
        return doc;
    }
  },
});
