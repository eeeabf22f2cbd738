// Given events, when commands, then events: how every rule of a decider is stated. A command that is repeated must change nothing,
// so each case that ends in events decides its commands once more.
import { expect } from 'chai';
import { decideAll, foldEvents, type Decider } from '../../src/domain/decider.js';
import { Rejection } from '../../src/domain/errors.js';
import type { DomainEvent } from '../../src/domain/envelope.js';

export type Then<E> = {
  /** Exactly these events, and none when the commands are repeated. */
  then(...expected: readonly E[]): void;
  /** Exactly these events, by commands that are not recognised as repeats: deleting a thing, logging in. */
  thenOnce(...expected: readonly E[]): void;
  thenNothing(): void;
  thenRejected(code: string): void;
};

export type When<C, E> = { when(...commands: readonly C[]): Then<E> };

export function given<S, C, E extends DomainEvent>(
  decider: Decider<S, C, E>,
  ...events: readonly NoInfer<E>[]
): When<C, E> {
  const before = foldEvents(decider, events);
  return { when: (...commands) => outcome(decider, before, commands) };
}

function outcome<S, C, E extends DomainEvent>(decider: Decider<S, C, E>, before: S, commands: readonly C[]): Then<E> {
  const decided = () => decideAll(decider, commands, before);
  const thenOnce = (...expected: readonly E[]) => expect(decided()).to.deep.equal(expected);
  return {
    thenOnce,
    then: (...expected) => {
      thenOnce(...expected);
      const after = expected.reduce(decider.evolve, before);
      expect(decideAll(decider, commands, after), 'when repeated').to.deep.equal([]);
    },
    thenNothing: () => expect(decided()).to.deep.equal([]),
    thenRejected: (code) => expect(rejectionOf(decided)).to.equal(code),
  };
}

function rejectionOf(decided: () => readonly DomainEvent[]): string {
  try {
    return `no rejection but ${decided().length} events`;
  } catch (err) {
    if (err instanceof Rejection) return err.code;
    throw err;
  }
}
