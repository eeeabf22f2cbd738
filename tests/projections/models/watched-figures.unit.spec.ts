// The charts of a project whose daily figure is watched.
import { expect } from 'chai';
import { projectEvents as e } from '../../../src/domain/project/events.js';
import { streams } from '../../../src/domain/streams.js';
import { watchedFigures } from '../../../src/projections/models/watched-figures.js';
import { DAY } from '../support/customer-events.js';
import { given, past } from '../support/spec.js';

const of = (event: Parameters<typeof past>[1]) => past(streams.project('proj_1'), event, DAY(1));
const started = (chartId: string) => of(e.FigureWatchStarted.of({ chartId }));
const stopped = (chartId: string) => of(e.FigureWatchStopped.of({ chartId }));

describe('watched figures read model', () => {
  const cases: readonly (readonly [string, readonly ReturnType<typeof of>[], readonly string[] | undefined])[] = [
    ['lists the charts', [started('revenue'), started('churn')], ['revenue', 'churn']],
    ['lists each once', [started('revenue'), started('revenue')], ['revenue']],
    [
      'leaves out those that are no longer watched',
      [started('revenue'), started('churn'), stopped('revenue')],
      ['churn'],
    ],
    ['is empty without any', [started('revenue'), stopped('revenue')], undefined],
    [
      'is empty after the project',
      [started('revenue'), of(e.ProjectDeleted.of({ projectId: 'proj_1', ownerId: 'user_1' }))],
      undefined,
    ],
  ];
  for (const [name, events, chartIds] of cases) {
    it(name, () =>
      given(watchedFigures, ...events).then((found) =>
        expect(found['watched_figures']?.['proj_1']?.['chartIds']).to.deep.equal(chartIds),
      ),
    );
  }
});
