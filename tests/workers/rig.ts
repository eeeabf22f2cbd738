// Runs workers on stores in memory with a clock that sleeping moves, and shows what they logged.
import { createStoreCircuitBreakers } from '../../src/commands/stores/store-circuit-breaker.js';
import type { StoreDeps } from '../../src/commands/stores/store-integration.js';
import { inboxReaction } from '../../src/workers/stores/stores.js';
import { pino, type Logger } from 'pino';
import { createMemoryDocuments, type MemoryDocumentsOptions } from '../adapters/documents/memory.js';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import type { Runtime } from '../../src/adapters/runtime.js';
import { createProgress } from '../../src/projections/runtime/progress.js';
import { servingCollection } from '../../src/projections/rebuild/serving.js';
import { parkedEventCollection } from '../../src/commands/handling/parked-events.js';
import { reactionCheckpointCollection, runReaction, type Reaction } from '../../src/workers/reactions/reaction.js';

export type Line = Readonly<Record<string, unknown>>;

export function listener(): { logger: Logger; lines: Line[] } {
  const lines: Line[] = [];
  return { logger: pino({ level: 'debug' }, { write: (text) => void lines.push(JSON.parse(text)) }), lines };
}

/** Lets everything go on until the condition holds; gives up after many turns, not after a time. */
export async function until(condition: () => boolean, what = 'the condition'): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    if (turns > 20_000) throw new Error(`${what} never came to hold`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

export async function reactionRig(log: EventLog, runtime: Runtime, options: MemoryDocumentsOptions = {}) {
  const docs = createMemoryDocuments(options);
  await docs.ensure([reactionCheckpointCollection, parkedEventCollection, servingCollection]);
  const { logger, lines } = listener();
  const progress = createProgress();
  const deps = { log, docs, runtime, logger, progress };
  /** `stop` ends the run as a shutdown does. */
  const start = (reaction: Reaction) => {
    const stopping = new AbortController();
    const ended = runReaction(reaction, deps, stopping.signal);
    return {
      abort: () => stopping.abort(),
      ended,
      stop: async () => {
        stopping.abort();
        await ended;
      },
    };
  };
  const checkpoint = async (name: string) =>
    (await docs.get(reactionCheckpointCollection.name, [name])).get(name)?.doc?.['position'] ?? null;
  const parked = async () =>
    (await docs.scan('parked_events', { index: 'id', eq: [], limit: 1000 })).rows.map((row) => row.doc);
  return { docs, deps, lines, progress, start, checkpoint, parked };
}

/** The reaction that processes stored notifications, as a worker creates it. */
export function inboxOn(deps: StoreDeps): Reaction {
  const circuitBreakers = createStoreCircuitBreakers(deps.runtime);
  return inboxReaction({ deps, circuitBreakers, logger: pino({ level: 'silent' }) });
}
