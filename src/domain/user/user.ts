// A person who logs in. The stream is named by a keyed hash of the email, so that an email registers once.
// These events never contain a password or a token, because events are retained permanently.
import { z } from 'zod';
import type { Decider } from '../decider.js';
import { Rejection } from '../errors.js';
import { defineEvent, remaining, type EventOf } from '../events.js';
import { msFromIso } from '../time.js';

export const userEvents = {
  UserRegistered: defineEvent(
    'UserRegistered',
    { userId: z.string(), email: z.string().nullable(), name: z.string().nullable() },
    { sealed: ['email', 'name'] },
  ),
  UserLoggedIn: defineEvent('UserLoggedIn', { userId: z.string(), sessionId: z.string() }),
  UserLogInFailed: defineEvent('UserLogInFailed', { userId: z.string() }),
  UserPasswordReset: defineEvent('UserPasswordReset', { userId: z.string() }),
  RefreshTokenReuseDetected: defineEvent('RefreshTokenReuseDetected', { userId: z.string(), sessionId: z.string() }),
  UserRenamed: defineEvent('UserRenamed', { userId: z.string(), name: z.string().nullable() }, { sealed: ['name'] }),
  /** The user changed the password, which ended all sessions; the one of the request was opened again. */
  UserPasswordChanged: defineEvent('UserPasswordChanged', { userId: z.string() }),
  /** `sessionId` null: all sessions but the one of the request. */
  UserSessionsEnded: defineEvent('UserSessionsEnded', {
    userId: z.string(),
    sessionId: z.string().nullable(),
    count: z.int(),
  }),
  UserSecondFactorEnabled: defineEvent('UserSecondFactorEnabled', { userId: z.string() }),
  UserSecondFactorDisabled: defineEvent('UserSecondFactorDisabled', { userId: z.string() }),
  UserRecoveryCodesReplaced: defineEvent('UserRecoveryCodesReplaced', { userId: z.string() }),
  /** A recovery code was accepted instead of a code of the second factor; `left` remain. */
  UserRecoveryCodeUsed: defineEvent('UserRecoveryCodeUsed', { userId: z.string(), left: z.int() }),
};
export type UserEvent = EventOf<typeof userEvents>;

/** `email` and `name` are null once the user's data key is gone. */
export type User = {
  readonly userId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly registeredAt: string;
  /** Recorded failures since the last login. */
  readonly failures: number;
  readonly lastFailedAt: string;
  readonly hasSecondFactor: boolean;
};

export type UserCommand =
  | {
      readonly kind: 'register';
      readonly userId: string;
      readonly email: string;
      readonly name: string | null;
      readonly at: string;
    }
  | { readonly kind: 'logIn'; readonly sessionId: string }
  | { readonly kind: 'failLogIn'; readonly at: string }
  | { readonly kind: 'resetPassword' }
  | { readonly kind: 'rename'; readonly name: string | null }
  | { readonly kind: 'changePassword' }
  | { readonly kind: 'endSessions'; readonly sessionId: string | null; readonly count: number }
  | { readonly kind: 'enableSecondFactor' }
  | { readonly kind: 'disableSecondFactor' }
  | { readonly kind: 'replaceRecoveryCodes' }
  | { readonly kind: 'useRecoveryCode'; readonly left: number }
  | { readonly kind: 'reportReuse'; readonly sessionId: string };

const NEW = { failures: 0, lastFailedAt: '', hasSecondFactor: false };

const MIN_RECORD_INTERVAL_MS = 60_000;
const MAX_RECORD_INTERVAL_MS = 24 * 60 * 60_000;

/** Throws {@link Rejection} `email-taken` for a second registration, `user-unknown` for anything before the first. */
export const userDecider: Decider<User | null, UserCommand, UserEvent> = {
  initial: () => null,
  evolve: (state, event) => {
    if (event.type === 'UserRegistered') {
      return { ...event.data, registeredAt: event.at ?? '', ...NEW };
    }
    if (!state) return null;
    switch (event.type) {
      case 'UserLoggedIn':
        return { ...state, failures: 0, lastFailedAt: '' };
      case 'UserLogInFailed':
        return { ...state, failures: state.failures + 1, lastFailedAt: event.at ?? '' };
      case 'UserRenamed':
        return { ...state, name: event.data.name };
      case 'UserSecondFactorEnabled':
        return { ...state, hasSecondFactor: true };
      case 'UserSecondFactorDisabled':
        return { ...state, hasSecondFactor: false };
      default:
        remaining<
          | 'UserPasswordReset'
          | 'RefreshTokenReuseDetected'
          | 'UserPasswordChanged'
          | 'UserSessionsEnded'
          | 'UserRecoveryCodesReplaced'
          | 'UserRecoveryCodeUsed'
        >(event);
        return state;
    }
  },
  decide: (c, state) => {
    if (c.kind === 'register') {
      if (state) throw emailTakenError();
      const { userId, email, name, at } = c;
      return [userEvents.UserRegistered.of({ userId, email, name }, { at })];
    }
    if (!state) throw new Rejection('missing', 'user-unknown', 'user not found');
    const { userId } = state;
    switch (c.kind) {
      case 'logIn':
        return [userEvents.UserLoggedIn.of({ userId, sessionId: c.sessionId })];
      case 'failLogIn':
        return shouldRecordFailure(state, c.at) ? [userEvents.UserLogInFailed.of({ userId }, { at: c.at })] : [];
      case 'resetPassword':
        return [userEvents.UserPasswordReset.of({ userId })];
      case 'reportReuse':
        return [userEvents.RefreshTokenReuseDetected.of({ userId, sessionId: c.sessionId })];
      case 'rename':
        return c.name === state.name ? [] : [userEvents.UserRenamed.of({ userId, name: c.name })];
      case 'changePassword':
        return [userEvents.UserPasswordChanged.of({ userId })];
      case 'endSessions':
        return c.count === 0
          ? []
          : [userEvents.UserSessionsEnded.of({ userId, sessionId: c.sessionId, count: c.count })];
      case 'enableSecondFactor':
        return state.hasSecondFactor ? [] : [userEvents.UserSecondFactorEnabled.of({ userId })];
      case 'disableSecondFactor':
        return state.hasSecondFactor ? [userEvents.UserSecondFactorDisabled.of({ userId })] : [];
      case 'replaceRecoveryCodes':
        return [userEvents.UserRecoveryCodesReplaced.of({ userId })];
      case 'useRecoveryCode':
        return [userEvents.UserRecoveryCodeUsed.of({ userId, left: c.left })];
    }
  },
};

export function emailTakenError(): Rejection {
  return new Rejection('conflict', 'email-taken', 'this email is already registered; log in instead');
}

/**
 * Limits the recorded login failures, because anyone can cause them and the log is permanent. The minimum gap between two recorded
 * failures begins at a minute and doubles up to a day, until the user logs in: eleven events on the first day of an attack, then one a day.
 */
export function shouldRecordFailure({ failures, lastFailedAt }: User, at: string): boolean {
  if (failures === 0) return true;
  const gap = Math.min(MIN_RECORD_INTERVAL_MS * 2 ** (failures - 1), MAX_RECORD_INTERVAL_MS);
  return msFromIso(at) - msFromIso(lastFailedAt) >= gap;
}

/** Idempotent: normalizing a normal form returns it unchanged. */
export function normalizeEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase();
}
