// Users by id, with their last login. Email and name are personal data: null after the user's data key was deleted.
import { defineProjection, type Projection } from '../runtime/projection.js';
import { remaining } from '../../domain/events.js';
import { ofFamily } from '../../domain/vocabulary.js';

export type UserDoc = {
  readonly userId: string;
  /** The stream whose data key seals the personal fields. */
  readonly subject: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
  readonly hasSecondFactor: boolean;
};

export const users: Projection<UserDoc> = defineProjection({
  name: 'users',
  version: 3,
  families: ['user'],
  indexes: [],
  select: (stored) => ofFamily(stored, 'user'),
  keys: ({ data }) => [data.userId],
  fold: (doc, event) => {
    const { stream, meta } = event;
    if (event.type === 'UserRegistered') {
      return { ...event.data, subject: stream, createdAt: meta.at, lastLoginAt: null, hasSecondFactor: false };
    }
    if (!doc) return doc;
    switch (event.type) {
      case 'UserLoggedIn':
        return { ...doc, lastLoginAt: meta.at };
      case 'UserRenamed':
        return { ...doc, name: event.data.name };
      case 'UserSecondFactorEnabled':
        return { ...doc, hasSecondFactor: true };
      case 'UserSecondFactorDisabled':
        return { ...doc, hasSecondFactor: false };
      default:
        remaining<
          | 'UserLogInFailed'
          | 'UserPasswordReset'
          | 'UserPasswordChanged'
          | 'RefreshTokenReuseDetected'
          | 'UserSessionsEnded'
          | 'UserRecoveryCodesReplaced'
          | 'UserRecoveryCodeUsed'
        >(event);
        return doc;
    }
  },
  personal: (doc, replace) => {
    const { subject, email, name } = doc;
    return {
      ...doc,
      email: email === null ? null : (replace(subject, 'email', email) ?? null),
      name: name === null ? null : (replace(subject, 'name', name) ?? null),
    };
  },
});
