// States of streams that are read often and change seldom (projects, catalogues). Each use reads what the log has after the
// cached revision, so the answer is always the log's, never a view's that may lag.
import type { EventLog } from '../adapters/event-log/port.js';
import type { Decider } from '../domain/decider.js';
import type { DomainEvent, Revision, StreamName } from '../domain/envelope.js';
import { asDecided } from './run-command.js';

export type StateCache<S> = { get(stream: StreamName): Promise<S> };

/** Keeps the `max` most recently used states. */
export function createStateCache<S, C, E extends DomainEvent>(
  log: EventLog,
  decider: Decider<S, C, E>,
  max = 1000,
): StateCache<S> {
  const held = new Map<StreamName, { state: S; revision: Revision | undefined }>();
  return {
    get: async (stream) => {
      let { state, revision } = held.get(stream) ?? { state: decider.initial(), revision: undefined };
      for await (const event of log.read(stream, revision)) {
        state = decider.evolve(state, asDecided<E>(event));
        ({ revision } = event);
      }
      held.delete(stream);
      held.set(stream, { state, revision });
      const [oldest] = held.keys();
      if (held.size > max && oldest !== undefined) held.delete(oldest);
      return state;
    },
  };
}
