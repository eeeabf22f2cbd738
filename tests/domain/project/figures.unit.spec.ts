// The rules of watched figures: one record a day at most, and none while nobody watches.
import { projectDecider } from '../../../src/domain/project/decide.js';
import { projectEvents as e } from '../../../src/domain/project/events.js';
import { given } from '../spec.js';

const created = e.ProjectCreated.of({
  ...{ projectId: 'proj_1', name: 'Weather', ownerId: 'user_1', displayCurrency: 'USD' },
  ...{ transferBehavior: 'transfer', sandboxAccess: 'anybody' },
});
const figureOf = (day: string, chartId = 'revenue') => ({
  ...{ chartId, measure: 'revenue', unit: 'usd' as const, day, side: 'low' as const, days: 12 },
  figure: { value: 1, low: 60, high: 140, median: 100, spread: 10 },
});
const started = e.FigureWatchStarted.of({ chartId: 'revenue' });
const stopped = e.FigureWatchStopped.of({ chartId: 'revenue' });
const left = (day: string) => e.FigureLeftBand.of(figureOf(day));
const watch = { kind: 'watchFigure' as const, chartId: 'revenue' };
const unwatch = { kind: 'unwatchFigure' as const, chartId: 'revenue' };
const record = (day: string, chartId?: string) => ({
  kind: 'recordFigureOutOfBand' as const,
  figure: figureOf(day, chartId),
});

describe('watched figures of a project', () => {
  it('are watched once, and left alone once', () => {
    given(projectDecider, created).when(watch).thenOnce(started);
    given(projectDecider, created, started).when(watch).thenNothing();
    given(projectDecider, created, started).when(unwatch).thenOnce(stopped);
    given(projectDecider, created).when(unwatch).thenNothing();
    given(projectDecider, created, started, stopped).when(watch).then(started);
  });

  it('are recorded once a day, in the order of the days', () => {
    given(projectDecider, created, started).when(record('2026-11-24')).thenOnce(left('2026-11-24'));
    given(projectDecider, created, started, left('2026-11-24')).when(record('2026-11-25')).then(left('2026-11-25'));
    given(projectDecider, created, started, left('2026-11-24')).when(record('2026-11-23')).thenNothing();
    given(projectDecider, created, started, left('2026-11-24'), stopped, started)
      .when(record('2026-11-24'))
      .thenNothing();
  });

  it('are not recorded while nobody watches them', () => {
    given(projectDecider, created).when(record('2026-11-24')).thenNothing();
    given(projectDecider, created, started, stopped).when(record('2026-11-24')).thenNothing();
    given(projectDecider, created, started).when(record('2026-11-24', 'churn')).thenNothing();
    given(projectDecider, created, started, e.ProjectDeleted.of({ projectId: 'proj_1', ownerId: 'user_1' }))
      .when(record('2026-11-24'))
      .thenRejected('project-unknown');
  });
});
