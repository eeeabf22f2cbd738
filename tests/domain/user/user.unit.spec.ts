// The rules of the user's stream: one registration, and how often a failed log-in becomes an event.
import { expect } from 'chai';
import { foldEvents } from '../../../src/domain/decider.js';
import { Rejection } from '../../../src/domain/errors.js';
import { isoFromMs } from '../../../src/domain/time.js';
import {
  normalizeEmail,
  userDecider,
  userEvents,
  type UserCommand,
  type UserEvent,
} from '../../../src/domain/user/user.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const at = (ms: number) => isoFromMs(Date.UTC(2026, 10, 20) + ms);

const register: UserCommand = { kind: 'register', userId: 'usr_1', email: 'a@example.com', name: 'Ann', at: at(0) };
const registered = userEvents.UserRegistered.of(
  { userId: 'usr_1', email: 'a@example.com', name: 'Ann' },
  { at: at(0) },
);
const stateOf = (...events: UserEvent[]) => foldEvents(userDecider, events);

describe('user', () => {
  it('registers once', () => {
    expect(userDecider.decide(register, null)).to.deep.equal([registered]);
    expect(() => userDecider.decide(register, stateOf(registered)))
      .to.throw(Rejection)
      .with.property('code', 'email-taken');
  });

  it('remembers who registered and when', () => {
    const user = { userId: 'usr_1', email: 'a@example.com', name: 'Ann', registeredAt: at(0) };
    expect(stateOf(registered)).to.include(user);
  });

  it('does nothing before the registration', () => {
    for (const command of [{ kind: 'logIn', sessionId: 's' } as const, { kind: 'failLogIn', at: at(0) } as const]) {
      expect(() => userDecider.decide(command, null))
        .to.throw(Rejection)
        .with.property('code', 'user-unknown');
    }
  });

  it('records eleven failures on the first day of an attack of one a second, then one a day', () => {
    const counts = [0, 0, 0];
    let state = stateOf(registered);
    for (let ms = 0; ms < 3 * DAY; ms += 1000) {
      for (const event of userDecider.decide({ kind: 'failLogIn', at: at(ms) }, state)) {
        state = userDecider.evolve(state, event);
        counts[Math.floor(ms / DAY)] = (counts[Math.floor(ms / DAY)] ?? 0) + 1;
      }
    }
    expect(counts).to.deep.equal([11, 1, 1]);
  });

  it('records the first failure after a log-in at once', () => {
    const failed = userEvents.UserLogInFailed.of({ userId: 'usr_1' }, { at: at(0) });
    const loggedIn = userEvents.UserLoggedIn.of({ userId: 'usr_1', sessionId: 'ses_1' });
    const again: UserCommand = { kind: 'failLogIn', at: at(1) };
    expect(userDecider.decide(again, stateOf(registered, failed))).to.deep.equal([]);
    expect(userDecider.decide(again, stateOf(registered, failed, loggedIn))).to.have.length(1);
  });

  it('takes spellings of one address as one', () => {
    for (const text of [' Ann@Example.COM', 'ann@example.com\t', '\uff41nn@example.com', 'ANN\uff20example.com']) {
      expect(normalizeEmail(text)).to.equal('ann@example.com');
    }
  });
});
