// Cache of the states of frequently used streams: projects, catalogues, months of activity. Each use reads the log after the cached
// revision, so that the result is always current, unlike a read model, and its cost is independent of the length of the stream.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Decider } from '../../domain/decider.js';
import type { DomainEvent, StreamName } from '../../domain/envelope.js';
import { emptyStream, applyEvent, type LoadedState } from './run-command.js';

export type StateCache<S> = {
  get(stream: StreamName): Promise<S>;
  /**
   * Loads the state for a command's decision; throws when the stream holds events newer than this code. Contains only the latest commands.
   */
  load(stream: StreamName): Promise<LoadedState<S>>;
};

/** Maximum of retained commands: a repeat follows soon after the original. */
const COMMANDS = 64;

/** Keeps the `max` most recently used states. */
export function createStateCache<S, C, E extends DomainEvent>(
  log: EventLog,
  decider: Decider<S, C, E>,
  max = 1000,
): StateCache<S> {
  const cached = createBoundedCache<StreamName, LoadedState<S>>(max);
  const latest = async (stream: StreamName): Promise<LoadedState<S>> => {
    let loaded = cached.get(stream) ?? emptyStream(decider);
    for await (const event of log.read(stream, loaded.revision ?? undefined))
      loaded = applyEvent(loaded, decider, event, COMMANDS);
    cached.set(stream, loaded);
    return loaded;
  };
  return {
    get: async (stream) => (await latest(stream)).state,
    load: async (stream) => {
      const loaded = await latest(stream);
      if (loaded.newer !== null) throw new Error(loaded.newer);
      return loaded;
    },
  };
}
