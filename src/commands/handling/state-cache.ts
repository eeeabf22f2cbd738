// States of streams that are used often: projects, catalogues, months of activity. Each use reads what the log has after the cached
// revision, so the answer is always the log's, never a read model's that may lag, and costs the same however long the stream is.
import type { EventLog } from '../../adapters/event-log/port.js';
import type { Decider } from '../../domain/decider.js';
import type { DomainEvent, StreamName } from '../../domain/envelope.js';
import { nothingHeld, passed, type Held } from './run-command.js';

export type StateCache<S> = {
  get(stream: StreamName): Promise<S>;
  /** For a command to decide on; throws when the stream holds events newer than this code. Knows the latest commands only. */
  held(stream: StreamName): Promise<Held<S>>;
};

/** A repeat comes soon after what it repeats. */
const COMMANDS = 64;

/** Keeps the `max` most recently used states. */
export function createStateCache<S, C, E extends DomainEvent>(
  log: EventLog,
  decider: Decider<S, C, E>,
  max = 1000,
): StateCache<S> {
  const cached = new Map<StreamName, Held<S>>();
  const latest = async (stream: StreamName): Promise<Held<S>> => {
    let held = cached.get(stream) ?? nothingHeld(decider);
    for await (const event of log.read(stream, held.revision ?? undefined))
      held = passed(held, decider, event, COMMANDS);
    cached.delete(stream);
    cached.set(stream, held);
    const [oldest] = cached.keys();
    if (cached.size > max && oldest !== undefined) cached.delete(oldest);
    return held;
  };
  return {
    get: async (stream) => (await latest(stream)).state,
    held: async (stream) => {
      const held = await latest(stream);
      if (held.newer !== null) throw new Error(held.newer);
      return held;
    },
  };
}
