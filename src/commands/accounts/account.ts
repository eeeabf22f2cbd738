// A user's own account: name, password and recent events here; sessions and second factor in files of their own.
import { readStream } from '../../adapters/event-log/port.js';
import { type Rejection, RetryLater } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import type { EventOfFamily } from '../../domain/vocabulary.js';
import type { Requester } from '../handling/deps.js';
import { tokensOf, type AuthContext, type LoginResult } from './auth-context.js';
import { ownerOf, prove, runOnOwnAccount, type OwnAccount, type Proof } from './own-account.js';
import { createOwnSecondFactor, type OwnSecondFactor } from './own-second-factor.js';
import { createOwnSessions, removeOtherSessions, type OwnSessions } from './own-sessions.js';
import { checkNewPassword } from './password-rules.js';
import { replacePassword } from './passwords.js';
import { openSession } from './session-records.js';

export type RenamedUser = Pick<LoginResult, 'user' | 'position'>;

export type Account = OwnSessions &
  OwnSecondFactor & {
    rename(by: Requester, own: OwnAccount, name: string | null): Promise<RenamedUser>;
    /** Ends all sessions and opens another. Returns null for a wrong password or code. Throws {@link Rejection} for a weak new password. */
    changePassword(by: Requester, own: OwnAccount, proof: Proof, newPassword: string): Promise<LoginResult | null>;
    /** Latest events of the account, newest first. */
    activity(own: OwnAccount): Promise<readonly EventOfFamily<'user'>[]>;
  };

const MAX_ACTIVITY = 100;

export function createAccount(context: AuthContext): Account {
  const { deps, options, users } = context;
  const { docs, runtime } = deps;
  return {
    ...createOwnSessions(context),
    ...createOwnSecondFactor(context),

    rename: async (by, own, name) => {
      const { state, position } = await runOnOwnAccount(deps, by, own, [{ kind: 'rename', name }]);
      return { user: state ?? own.user, position };
    },

    changePassword: async (by, own, proof, newPassword) => {
      const { userId, emailKey } = ownerOf(deps, own);
      checkNewPassword(newPassword, own.user.email ?? '');
      const stored = await prove(context, by, own, proof);
      if (!stored) return null;
      const hash = await options.passwords.hash(newPassword);
      const tokenVersion = stored.record.tokenVersion + 1;
      const session = openSession(runtime, options.refreshTtlSeconds, { userId, emailKey, tokenVersion });
      // The session is of no use before the password is replaced.
      const writes = [session.writes, [replacePassword(stored, { hash, tokenVersion })]];
      if ((await docs.write(writes)) === 'lost')
        throw new RetryLater('another request changed the password; retry in 1 second', 1);
      options.onTokensEnd(userId);
      await removeOtherSessions(context, { user: own.user, sessionId: session.record.sessionId });
      const { position } = await runOnOwnAccount(deps, by, own, [{ kind: 'changePassword' }]);
      return { user: own.user, tokens: tokensOf(context, session.record, session.refreshToken), position };
    },

    activity: async (own) => {
      const stream = streams.user(ownerOf(deps, own).emailKey);
      const { revision } = await users.load(stream);
      const after = revision !== null && revision >= MAX_ACTIVITY ? revision - MAX_ACTIVITY : undefined;
      const events: EventOfFamily<'user'>[] = [];
      for await (const event of readStream(deps.log, stream, after)) events.push(event);
      return events.reverse();
    },
  };
}
