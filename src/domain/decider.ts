// The shape of every business rule: commands and state in, events out; no clock, no I/O.
import type { DomainEvent } from './envelope.js';

export type Decider<S, C, E extends DomainEvent> = {
  readonly initial: () => S;
  readonly evolve: (state: S, event: E) => S;
  /** `[]` means "already so". Throws {@link Rejection} for "may not". */
  readonly decide: (command: C, state: S) => E[];
};

export function foldEvents<S, E>(decider: { initial: () => S; evolve: (s: S, e: E) => S }, events: Iterable<E>): S {
  let state = decider.initial();
  for (const event of events) state = decider.evolve(state, event);
  return state;
}

/** The events, and the state that they leave behind. */
type Decision<S, E> = { readonly events: E[]; readonly state: S };

/** Decides several commands one after another on the state each leaves behind, as one list of events. */
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

/** The events alone. */
export function decideAll<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  commands: readonly C[],
  state: S,
): E[] {
  return decideInTurn(decider, commands, state).events;
}
