// A user's own account: name, password, open sessions and second factor. What weakens or takes over an account needs the password again,
// and a code if there is a second factor, because a session may be in other hands.
import { readStream } from '../../adapters/event-log/port.js';
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, scanPages } from '../../adapters/documents/records.js';
import { type Rejection, RetryLater } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import type { EventOfFamily } from '../../domain/vocabulary.js';
import type { User, UserCommand } from '../../domain/user/user.js';
import type { Requester } from '../handling/deps.js';
import { asUser, emailKeyOf, runOnUser, tokensOf, type AuthContext, type LoginResult } from './auth-context.js';
import { checkNewPassword, exceedsHashLength } from './password-rules.js';
import { readPassword, replacePassword, type StoredPassword } from './passwords.js';
import {
  checkCode,
  confirmSecondFactor,
  prepareSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  readSecondFactor,
  notOnError,
  type SecondFactorState,
} from './second-factor.js';
import { openSession, parseSession, removeSession, type SessionRecord, type StoredSession } from './session-records.js';
import { base32, otpauthUrl } from './totp.js';

/** User of the request, with the session of the request. */
export type OwnAccount = { readonly user: User; readonly sessionId: string };
/** `code`: of the second factor, or a recovery code; required if the user has a second factor. */
export type Proof = { readonly password: string; readonly code?: string | undefined };

export type PreparedFactor = { readonly secret: string; readonly otpauthUrl: string };

export type RenamedUser = Pick<LoginResult, 'user' | 'position'>;

export type Account = {
  rename(by: Requester, own: OwnAccount, name: string | null): Promise<RenamedUser>;
  /** Ends all sessions and opens another. Returns null for a wrong password or code. Throws {@link Rejection} for a weak new password. */
  changePassword(by: Requester, own: OwnAccount, proof: Proof, newPassword: string): Promise<LoginResult | null>;
  /** Open sessions, newest first. */
  sessions(
    userId: string,
    page: SessionPage,
  ): Promise<{ readonly sessions: readonly SessionRecord[]; readonly lastId: string | null }>;
  /** Returns false if the user has no such open session. */
  endSession(by: Requester, own: OwnAccount, sessionId: string): Promise<boolean>;
  /** Ends all sessions but that of the request, and returns their number. */
  endOtherSessions(by: Requester, own: OwnAccount): Promise<number>;
  /** Latest events of the account, newest first. */
  activity(own: OwnAccount): Promise<readonly EventOfFamily<'user'>[]>;
  secondFactor(userId: string): Promise<SecondFactorState>;
  /** Returns null for a wrong password. */
  prepareSecondFactor(own: OwnAccount, password: string): Promise<PreparedFactor | null>;
  /** Returns recovery codes, and ends all other sessions, which were opened without a code; null for a wrong code. */
  confirmSecondFactor(by: Requester, own: OwnAccount, code: string): Promise<readonly string[] | null>;
  /** Returns null for a wrong password or code. */
  replaceRecoveryCodes(by: Requester, own: OwnAccount, proof: Proof): Promise<readonly string[] | null>;
  /** Returns false for a wrong password or code. */
  removeSecondFactor(by: Requester, own: OwnAccount, proof: Proof): Promise<boolean>;
};

export type SessionPage = { readonly limit: number; readonly before?: string };

const SCAN_PAGE = 100;
const MAX_ACTIVITY = 100;

export function createAccount(context: AuthContext): Account {
  const { deps, options, users } = context;
  const { docs, runtime } = deps;

  const ownerOf = ({ user }: OwnAccount) => ({ userId: user.userId, emailKey: emailKeyOf(deps, user.email ?? '') });
  const run = async (by: Requester, own: OwnAccount, commands: readonly UserCommand[]) => {
    const { userId, emailKey } = ownerOf(own);
    return runOnUser(deps, asUser(by, userId), streams.user(emailKey), commands);
  };

  /** Returns the password record, or null if password or code are wrong. */
  const prove = async (by: Requester, own: OwnAccount, { password, code }: Proof): Promise<StoredPassword | null> => {
    const stored = await readPassword(docs, own.user.userId);
    if (!stored || exceedsHashLength(password)) return null;
    if (!(await options.passwords.verify(password, stored.record.hash))) return null;
    const check = await checkCode(deps, ownerOf(own), code);
    if (check.kind === 'wrong') return null;
    if (check.kind === 'right' && check.recoveryCodesLeft !== null) {
      const once = { ...by, requestId: `${by.requestId}-code` };
      await run(once, own, [{ kind: 'useRecoveryCode', left: check.recoveryCodesLeft }]);
    }
    return stored;
  };

  const expectSecondFactor = async ({ user }: OwnAccount) => {
    if ((await readSecondFactor(docs, user.userId)).enabledAt === null) throw notOnError();
  };

  const endOthers = async ({ user, sessionId }: OwnAccount): Promise<number> => {
    let ended = 0;
    for await (const page of scanSessions(docs, user.userId)) {
      for (const session of page) {
        if (session.record.sessionId === sessionId) continue;
        if (!(await removeSession(docs, session))) continue;
        options.onSessionEnd(session.record.sessionId);
        ended++;
      }
    }
    return ended;
  };

  return {
    rename: async (by, own, name) => {
      const { state, position } = await run(by, own, [{ kind: 'rename', name }]);
      return { user: state ?? own.user, position };
    },

    changePassword: async (by, own, proof, newPassword) => {
      const { userId, emailKey } = ownerOf(own);
      checkNewPassword(newPassword, own.user.email ?? '');
      const stored = await prove(by, own, proof);
      if (!stored) return null;
      const hash = await options.passwords.hash(newPassword);
      const tokenVersion = stored.record.tokenVersion + 1;
      const session = openSession(runtime, options.refreshTtlSeconds, { userId, emailKey, tokenVersion });
      // The session is of no use before the password is replaced.
      const writes = [session.writes, [replacePassword(stored, { hash, tokenVersion })]];
      if ((await docs.write(writes)) === 'lost')
        throw new RetryLater('another request changed the password; retry in 1 second', 1);
      options.onTokensEnd(userId);
      await endOthers({ user: own.user, sessionId: session.record.sessionId });
      const { position } = await run(by, own, [{ kind: 'changePassword' }]);
      return { user: own.user, tokens: tokensOf(context, session.record, session.refreshToken), position };
    },

    sessions: async (userId, { limit, before }) => {
      const scan = { index: 'user', eq: [userId], limit, reverse: true, ...(before !== undefined && { to: before }) };
      const [{ rows, next }, password] = await Promise.all([docs.scan('sessions', scan), readPassword(docs, userId)]);
      const now = isoFromMs(runtime.now());
      const sessions = rows.map(({ doc }) => parseSession(doc));
      const isOpen = (s: SessionRecord) =>
        s.reusedAt === null && s.expiresAt > now && s.tokenVersion === password?.record.tokenVersion;
      return { sessions: sessions.filter(isOpen), lastId: next === undefined ? null : (rows.at(-1)?.id ?? null) };
    },

    endSession: async (by, own, sessionId) => {
      const { guard, doc } = await readRecord(docs, 'sessions', sessionId);
      const record = doc && parseSession(doc);
      if (guard === null || record?.userId !== own.user.userId) return false;
      if (!(await removeSession(docs, { guard, record })))
        throw new RetryLater('another request uses this session; retry in 1 second', 1);
      options.onSessionEnd(sessionId);
      await run(by, own, [{ kind: 'endSessions', sessionId, count: 1 }]);
      return true;
    },

    endOtherSessions: async (by, own) => {
      const count = await endOthers(own);
      await run(by, own, [{ kind: 'endSessions', sessionId: null, count }]);
      return count;
    },

    activity: async (own) => {
      const stream = streams.user(ownerOf(own).emailKey);
      const { revision } = await users.load(stream);
      const after = revision !== null && revision >= MAX_ACTIVITY ? revision - MAX_ACTIVITY : undefined;
      const events: EventOfFamily<'user'>[] = [];
      for await (const event of readStream(deps.log, stream, after)) events.push(event);
      return events.reverse();
    },

    secondFactor: (userId) => readSecondFactor(docs, userId),

    prepareSecondFactor: async (own, password) => {
      const stored = await readPassword(docs, own.user.userId);
      if (!stored || exceedsHashLength(password)) return null;
      if (!(await options.passwords.verify(password, stored.record.hash))) return null;
      const secret = await prepareSecondFactor(deps, ownerOf(own));
      return { secret: base32(secret), otpauthUrl: otpauthUrl(secret, own.user.email ?? '') };
    },

    confirmSecondFactor: async (by, own, code) => {
      const codes = await confirmSecondFactor(deps, ownerOf(own), code);
      if (!codes) return null;
      const count = await endOthers(own);
      await run(by, own, [{ kind: 'enableSecondFactor' }, { kind: 'endSessions', sessionId: null, count }]);
      return codes;
    },

    replaceRecoveryCodes: async (by, own, proof) => {
      await expectSecondFactor(own);
      if (!(await prove(by, own, proof))) return null;
      const codes = await replaceRecoveryCodes(deps, own.user.userId);
      await run(by, own, [{ kind: 'replaceRecoveryCodes' }]);
      return codes;
    },

    removeSecondFactor: async (by, own, proof) => {
      await expectSecondFactor(own);
      if (!(await prove(by, own, proof))) return false;
      await removeSecondFactor(docs, own.user.userId);
      await run(by, own, [{ kind: 'disableSecondFactor' }]);
      return true;
    },
  };
}

async function* scanSessions(docs: DocStore, userId: string): AsyncGenerator<readonly StoredSession[]> {
  const scan = { index: 'user', eq: [userId], limit: SCAN_PAGE };
  for await (const rows of scanPages(scan, (one) => docs.scan('sessions', one)))
    yield rows.map(({ guard, doc }) => ({ guard, record: parseSession(doc) }));
}
