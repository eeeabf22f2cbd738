// A person who logs in. The stream is named by a keyed hash of the email, so that an email registers once.
import { z } from 'zod';
import { Rejection, type Decider } from '../decider.js';
import { defineEvent, type EventOf } from '../events.js';

export const userEvents = {
  UserRegistered: defineEvent(
    'UserRegistered',
    { userId: z.string(), email: z.string().nullable(), name: z.string().nullable() },
    { sealed: ['email', 'name'] },
  ),
  UserLoggedIn: defineEvent('UserLoggedIn', { userId: z.string(), sessionId: z.string() }),
  UserLogInFailed: defineEvent('UserLogInFailed', { userId: z.string() }),
  RefreshTokenReuseDetected: defineEvent('RefreshTokenReuseDetected', { userId: z.string(), sessionId: z.string() }),
};
export type UserEvent = EventOf<typeof userEvents>;

export type User = { readonly userId: string };
export type UserCommand =
  | { readonly kind: 'register'; readonly userId: string; readonly email: string; readonly name: string | null }
  | { readonly kind: 'logIn'; readonly sessionId: string }
  | { readonly kind: 'failLogIn' }
  | { readonly kind: 'reportReuse'; readonly sessionId: string };

export const userDecider: Decider<User | null, UserCommand, UserEvent> = {
  initial: () => null,
  evolve: (state, event) => (event.type === 'UserRegistered' ? { userId: event.data.userId } : state),
  decide: (c, state) => {
    if (c.kind === 'register') {
      if (state) throw new Rejection('conflict', 'email-taken', 'this email is registered already; log in instead');
      const { userId, email, name } = c;
      return [userEvents.UserRegistered.of({ userId, email, name })];
    }
    if (!state) throw new Rejection('missing', 'user-unknown', 'no such user');
    const { userId } = state;
    switch (c.kind) {
      case 'logIn':
        return [userEvents.UserLoggedIn.of({ userId, sessionId: c.sessionId })];
      case 'failLogIn':
        return [userEvents.UserLogInFailed.of({ userId })];
      case 'reportReuse':
        return [userEvents.RefreshTokenReuseDetected.of({ userId, sessionId: c.sessionId })];
    }
  },
};
