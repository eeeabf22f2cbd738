// States of streams that are used often: projects, catalogues, months of activity. Each use reads what the log has after the cached
// revision, so the result is always the log's, never a read model's that may lag, and costs the same however long the stream is.
import { createBoundedCache } from '../../adapters/bounded-cache.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Decider } from '../../domain/decider.js';
import type { DomainEvent, StreamName } from '../../domain/envelope.js';
import { emptyStream, applyEvent, type Loaded } from './run-command.js';

export type StateCache<S> = {
  get(stream: StreamName): Promise<S>;
  /**
   * Loads the state for a command's decision; throws when the stream holds events newer than this code. Contains only the latest commands.
   */
  load(stream: StreamName): Promise<Loaded<S>>;
};

/** A repeat comes soon after what it repeats. */
const COMMANDS = 64;

/** Keeps the `max` most recently used states. */
export function createStateCache<S, C, E extends DomainEvent>(
  log: EventLog,
  decider: Decider<S, C, E>,
  max = 1000,
): StateCache<S> {
  const cached = createBoundedCache<StreamName, Loaded<S>>(max);
  const latest = async (stream: StreamName): Promise<Loaded<S>> => {
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
