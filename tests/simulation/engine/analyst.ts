// Somebody who asks for filtered charts now and then, so that the ledgers of the charts are taken in piece by piece beside the projectors.
// It is the code that serves them, past the weather: a thread beside the requests has nothing of its own to lose.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { createServing } from '../../../src/projections/build/serving.js';
import { createChartAnswers } from '../../../src/projections/charts/questions/answers.js';
import type { AskCharts } from '../../../src/projections/charts/questions/questions.js';
import { createLedgers, type Ledgers } from '../../../src/projections/charts/ledger/ledgers.js';
import { chartSource, type ChartSource } from '../../../src/projections/charts/source.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { createRandom } from '../../../src/simulator/random.js';
import { runtimeOf } from './process.js';
import { createTimeline } from './timeline.js';
import { createWeather, type Host } from './weather.js';

export type Analyst = {
  /** Takes in what is there of the project; most times it has something better to do. */
  look(projectId: string): Promise<void>;
  /** As a service answers. */
  readonly ask: AskCharts;
};

const LOOKS = 0.3;
const HOST: Host = { name: 'analyst', isAlive: true, pausedUntil: 0, skewMs: 0 };

export function createAnalyst(docs: DocStore, seed: number, startMs: number): Analyst {
  const random = createRandom(`analyst ${seed}`);
  // A timeline of its own: nothing that it does is part of the world.
  const timeline = createTimeline('analyst', startMs);
  const serving = createServing(docs, runtimeOf({ timeline, weather: createWeather(timeline), pace: 1 }, HOST));
  const limits = { mostRows: 1_000_000, leastChanged: 1000, mostAwaited: 10_000 };
  const ledgers = createLedgers({ docs, snapshots: null, turn: () => Promise.resolve(), ...limits }, serving);
  const source = chartSource(createReadModels(docs, serving), ledgers.read);
  return {
    look: (projectId) => (random.chance(LOOKS) ? ledgers.warm(projectId) : Promise.resolve()),
    ask: answersOf(source, ledgers),
  };
}

/** The same from the customers one after the other. */
export function asksCustomers(source: ChartSource): AskCharts {
  const none: Ledgers = {
    read: () => Promise.resolve(null),
    readOf: () => () => Promise.resolve(null),
    one: () => Promise.resolve(null),
    compare: () => Promise.resolve(null),
    warm: () => Promise.resolve(),
    sweep: () => Promise.resolve(),
  };
  return answersOf(source, none);
}

function answersOf(source: ChartSource, ledgers: Ledgers): AskCharts {
  const variant = () => Promise.reject(new Error('an analyst asks about charts'));
  return createChartAnswers({ ledgers, sourceOf: () => Promise.resolve(source), variant });
}
