// The interface of every business rule: it takes commands and state and returns events, without a clock and without I/O.
import type { DomainEvent } from './envelope.js';

export type Decider<S, C, E extends DomainEvent> = {
  readonly initial: () => S;
  readonly evolve: (state: S, event: E) => S;
  /** Returns `[]` if the state is already as requested. Throws {@link Rejection} if a rule forbids the command. */
  readonly decide: (command: C, state: S) => E[];
};

export function foldEvents<S, E>(decider: { initial: () => S; evolve: (s: S, e: E) => S }, events: Iterable<E>): S {
  let state = decider.initial();
  for (const event of events) state = decider.evolve(state, event);
  return state;
}

/** The events of a decision and the state after them. */
type Decision<S, E> = { readonly events: E[]; readonly state: S };

/** Decides several commands in order, each on the state after the previous one, and returns all events as one list. */
export function decideInTurn<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
  state: S,
): Decision<S, E> {
  const all: E[] = [];
  let current = state;
  for (const command of commands) {
    const events = decider.decide(command, current);
    for (const event of events) current = decider.evolve(current, event);
    all.push(...events);
  }
  return { events: all, state: current };
}

/** Returns only the events of {@link decideInTurn}. */
export function decideAll<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
  state: S,
): E[] {
  return decideInTurn(decider, commands, state).events;
}
