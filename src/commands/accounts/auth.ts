// Login, token refresh and user lookup. Secrets are stored in records; the log contains only that the action happened.
import { commandIds } from '../handling/command-ids.js';
import type { CollectionSpec } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { RetryLater } from '../../domain/errors.js';
import type { StreamName } from '../../domain/envelope.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import {
  normalizeEmail,
  shouldRecordFailure,
  userDecider,
  type User,
  type UserCommand,
} from '../../domain/user/user.js';
import {
  asUser,
  emailKeyOf,
  runOnUser,
  tokensOf,
  type AuthContext,
  type AuthOptions,
  type LoginCredentials,
  type LoginResult,
  type TokenPair,
} from './auth-context.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { firstUserCollection, registerUser, type Registration } from './register.js';
import { exceedsHashLength } from './password-rules.js';
import { passwordCollection, readPassword, replacePassword, type StoredPassword } from './passwords.js';
import { checkCode, secondFactorCollection } from './second-factor.js';
import { createAccount, type Account } from './account.js';
import { joinByInvitation } from '../members/members.js';
import { endSession, rotateSession, type Admit } from './rotate-session.js';
import { openSession, sessionCollections, type SessionRecord } from './session-records.js';
import { createStateCache } from '../handling/state-cache.js';

export const authCollections: readonly CollectionSpec[] = [
  passwordCollection,
  firstUserCollection,
  ...sessionCollections,
  secondFactorCollection,
];

export type Auth = {
  readonly account: Account;
  /** Throws `Rejection`: password refused, email taken, registration closed. `runtime`: with one seed, a repeat gets the same user ID. */
  register(by: Requester, o: Registration, runtime?: Runtime): Promise<LoginResult>;
  /** Registers an invited user, also where registration is closed, and adds the user to the project in the same step. */
  registerInvited(by: Requester, o: Registration & { readonly token: string }, runtime?: Runtime): Promise<LoginResult>;
  /** Returns null for a wrong password, an unknown email, and a missing or wrong code of the second factor. */
  logIn(by: Requester, o: LoginCredentials): Promise<LoginResult | null>;
  /** Returns null for anything that is not a currently valid refresh token. */
  refresh(by: Requester, refreshToken: string, admit: Admit): Promise<TokenPair | null>;
  /** Ends the session of this token together with its access tokens. Returns the session ID, or null if no session is open. */
  logOut(refreshToken: string): Promise<string | null>;
  /** Reads record and log, so that a user who has just registered is found. */
  findUser(userId: string): Promise<User | null>;
  /** Resolves once all background writes are stored or lost. */
  idle(): Promise<void>;
};

/** Placeholder user for unknown emails, so that the lookup is made in every case. */
const NOBODY = 'nobody';

/** The collections of {@link authCollections} must be ensured. */
export function createAuth(deps: Deps, options: AuthOptions): Auth {
  const { docs, runtime } = deps;
  const { passwords, refreshTtlSeconds } = options;
  const users = createStateCache(deps.log, userDecider);
  const context: AuthContext = { deps, options, users };
  const pending = createPendingWork();

  return {
    account: createAccount(context),

    register: (by, o, drawing = runtime) => {
      const userId = drawing.newId('usr');
      return registerUser(drawingFrom(drawing), by, { ...o, userId, isInvited: false });
    },

    registerInvited: async (by, { token, ...o }, drawing = runtime) => {
      const userId = drawing.newId('usr');
      const make = () => registerUser(drawingFrom(drawing), by, { ...o, userId, isInvited: true });
      const byUser = { ...by, actor: { kind: 'user' as const, id: userId } };
      const { created, position } = await joinByInvitation(deps, byUser, { token, userId }, make);
      return { ...created, position };
    },

    logIn: async (by, { email, password, code }) => {
      const emailKey = emailKeyOf(deps, normalizeEmail(email));
      const stream = streams.user(emailKey);
      const found = await users.get(stream);
      // A user whose personal data was erased is nobody.
      const user = found?.email == null ? null : found;
      const stored = await readPassword(docs, user?.userId ?? NOBODY);
      const isRight =
        stored && !exceedsHashLength(password)
          ? await passwords.verify(password, stored.record.hash)
          : await passwords.verifyDummy(password);
      if (!user || !stored || !isRight) {
        if (user) recordFailedLogin(by, stream, user);
        return null;
      }
      const { userId, tokenVersion } = stored.record;
      const check = await checkCode(deps, { userId, emailKey }, code);
      if (check.kind === 'wrong') {
        recordFailedLogin(by, stream, user);
        return null;
      }
      const session = openSession(runtime, refreshTtlSeconds, { userId, emailKey, tokenVersion });
      if ((await docs.write([session.writes])) === 'lost')
        throw new RetryLater('the new id is taken; retry in 1 second', 1);
      const left = check.kind === 'right' ? check.recoveryCodesLeft : null;
      const commands: UserCommand[] = [
        ...(left === null ? [] : [{ kind: 'useRecoveryCode', left } as const]),
        { kind: 'logIn', sessionId: session.record.sessionId },
      ];
      const { position } = await runOnUser(deps, asUser(by, userId), stream, commands);
      if (passwords.isOutdated(stored.record.hash)) pending.track(rehash(stored, password));
      return { user, tokens: tokensOf(context, session.record, session.refreshToken), position };
    },

    refresh: async (by, refreshToken, admit) => {
      const rotation = await rotateSession(deps, refreshToken, refreshTtlSeconds, admit);
      if (rotation.kind === 'rotated') return tokensOf(context, rotation.session, rotation.refreshToken);
      if (rotation.kind === 'reused') await reportReuse(by, rotation.session);
      return null;
    },

    logOut: async (refreshToken) => {
      const sessionId = await endSession(deps, refreshToken);
      if (sessionId !== null) options.onSessionEnd(sessionId);
      return sessionId;
    },

    findUser: async (userId) => {
      const stored = await readPassword(docs, userId);
      const user = stored && (await users.get(streams.user(stored.record.emailKey)));
      return user?.userId === userId ? user : null;
    },

    idle: pending.idle,
  };

  /** Returns a context whose ids and tokens come from the given runtime. */
  function drawingFrom(drawing: Runtime): AuthContext {
    return { ...context, deps: { ...deps, runtime: drawing } };
  }

  /** Runs without the response waiting for it: known and unknown emails must take the same time. */
  function recordFailedLogin(by: Requester, stream: StreamName, user: User): void {
    const at = isoFromMs(runtime.now());
    if (shouldRecordFailure(user, at))
      pending.track(runOnUser(deps, contextOf(by), stream, [{ kind: 'failLogIn', at }]));
  }

  async function rehash(stored: StoredPassword, password: string): Promise<void> {
    const hash = await passwords.hash(password);
    await docs.write([[replacePassword(stored, { hash })]]);
  }

  /** Records the reuse once per session, even if several old tokens are reused; after a crash, the next reuse records it. */
  async function reportReuse(by: Requester, { sessionId, emailKey }: SessionRecord): Promise<void> {
    options.onSessionEnd(sessionId);
    const once = { ...contextOf(by), commandId: commandIds.tokenReused(sessionId) };
    await runOnUser(deps, once, streams.user(emailKey), [{ kind: 'reportReuse', sessionId }]);
  }
}

/** Work that may be lost: the next login creates the same opportunity again. */
function createPendingWork() {
  const pending = new Set<Promise<void>>();
  return {
    track: (work: Promise<unknown>): void => {
      const end = work.then(
        () => undefined,
        () => undefined,
      );
      pending.add(end);
      void end.then(() => pending.delete(end));
    },
    idle: async (): Promise<void> => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
