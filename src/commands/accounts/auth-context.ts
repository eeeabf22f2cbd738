// Shared types and helpers of registration, login and token refresh.
import type { AccessTokens } from '../../adapters/keys/access-tokens.js';
import type { Passwords } from '../../adapters/passwords/port.js';
import type { LogPosition, StreamName } from '../../domain/envelope.js';
import { msFromIso } from '../../domain/time.js';
import { userDecider, type User, type UserCommand } from '../../domain/user/user.js';
import { contextOf, type Deps, type Requester } from '../handling/deps.js';
import { runCommand, type CommandContext } from '../handling/run-command.js';
import type { SessionRecord } from './session-records.js';
import type { StateCache } from '../handling/state-cache.js';

export type AuthOptions = {
  readonly passwords: Passwords;
  readonly accessTokens: Pick<AccessTokens, 'issue'>;
  readonly registration: 'open' | 'first_user_only' | 'closed';
  readonly refreshTtlSeconds: number;
  readonly onSessionEnd: (sessionId: string) => void;
  /** All tokens of a user have ended. */
  readonly onTokensEnd: (userId: string) => void;
};

export type AuthContext = {
  readonly deps: Deps;
  readonly options: AuthOptions;
  readonly users: StateCache<User | null>;
};

export type Credentials = { readonly email: string; readonly password: string };
/** `code`: of the second factor, or a recovery code; ignored for a user without a second factor. */
export type LoginCredentials = Credentials & { readonly code?: string | undefined };

/** `expiresIn`: remaining seconds of the access token. `refreshExpiresAt`: expiry of the refresh token. */
export type TokenPair = {
  readonly accessToken: string;
  readonly refreshToken: string;
  readonly expiresIn: number;
  readonly refreshExpiresAt: string;
};
export type LoginResult = { readonly user: User; readonly tokens: TokenPair; readonly position: LogPosition | null };

/** Returns the key of the user's stream. `email`: in its normal form. */
export function emailKeyOf({ hash }: Pick<Deps, 'hash'>, email: string): string {
  return hash('email', email);
}

export function runOnUser(deps: Deps, context: CommandContext, stream: StreamName, commands: readonly UserCommand[]) {
  return deps.mutex.run(stream, () => runCommand(deps, stream, userDecider, commands, context));
}

/** Attributes the command to the user, for requests that arrived without one. */
export function asUser(by: Requester, userId: string): CommandContext {
  return { ...contextOf(by), actor: { kind: 'user', id: userId } };
}

/** Derives the token pair from the session's state, so that repeated requests for one rotation return the same pair. */
export function tokensOf({ deps, options }: AuthContext, session: SessionRecord, refreshToken: string): TokenPair {
  const { userId, sessionId, tokenVersion, currentSha256, rotatedAt } = session;
  const grant = { userId, sessionId, tokenVersion, issuedAtMs: msFromIso(rotatedAt) };
  const { token, expiresAtMs } = options.accessTokens.issue({ ...grant, tokenId: currentSha256.slice(0, 32) });
  const expiresIn = Math.max(0, Math.ceil((expiresAtMs - deps.runtime.now()) / 1000));
  return { accessToken: token, refreshToken, expiresIn, refreshExpiresAt: session.expiresAt };
}
