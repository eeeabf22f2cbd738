// Registration, login, token refresh and user lookup. Secrets are stored in records; the log contains only that the action happened.
import { commandIds } from '../handling/command-ids.js';
import type { CollectionSpec } from '../../adapters/documents/port.js';
import type { Runtime } from '../../adapters/runtime.js';
import { streams } from '../../domain/streams.js';
import { userDecider, type User } from '../../domain/user/user.js';
import {
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
import { passwordCollection, readPassword } from './passwords.js';
import { secondFactorCollection } from './second-factor.js';
import { createAccount, type Account } from './account.js';
import { createPendingWork, logIn } from './log-in.js';
import { joinByInvitation } from '../members/members.js';
import { endSession, rotateSession, type Admit } from './rotate-session.js';
import { sessionCollections, type SessionRecord } from './session-records.js';
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

/** The collections of {@link authCollections} must be ensured. */
export function createAuth(deps: Deps, options: AuthOptions): Auth {
  const { docs, runtime } = deps;
  const { refreshTtlSeconds } = options;
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

    logIn: (by, o) => logIn(context, pending, by, o),

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

  /** Records the reuse once per session, even if several old tokens are reused; after a crash, the next reuse records it. */
  async function reportReuse(by: Requester, { sessionId, emailKey }: SessionRecord): Promise<void> {
    options.onSessionEnd(sessionId);
    const once = { ...contextOf(by), commandId: commandIds.tokenReused(sessionId) };
    await runOnUser(deps, once, streams.user(emailKey), [{ kind: 'reportReuse', sessionId }]);
  }
}
