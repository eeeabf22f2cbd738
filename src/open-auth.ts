// Puts the log-in together from its adapters, for the composition root.
import { createAccessTokens, type AccessTokens } from './adapters/access-tokens.js';
import { createPasswords } from './adapters/passwords/worker.js';
import { authCollections, createAuth, type Auth } from './commands/auth.js';
import type { AuthOptions } from './commands/auth-context.js';
import type { Deps } from './commands/deps.js';
import { createTokenVersions } from './commands/passwords.js';

export type AuthSettings = Pick<AuthOptions, 'registration' | 'refreshTtlSeconds'> & {
  /** At least 32 bytes. */
  readonly jwtSecret: Buffer | string;
  readonly accessTtlSeconds: number;
  /** bcrypt's; left out, the default. */
  readonly passwordCost?: number;
};

export type OpenedAuth = Auth & {
  readonly accessTokens: AccessTokens;
  /** Finishes the work that no answer waited for, and ends the password thread. */
  close(): Promise<void>;
};

/** Makes the collections it needs. The password thread starts with the first password. */
export async function openAuth(deps: Deps, settings: AuthSettings): Promise<OpenedAuth> {
  await deps.docs.ensure(authCollections);
  const { jwtSecret: secret, accessTtlSeconds: ttlSeconds, passwordCost, registration, refreshTtlSeconds } = settings;
  const { runtime } = deps;
  const versions = createTokenVersions(deps.docs, runtime);
  const accessTokens = createAccessTokens({ secret, ttlSeconds, runtime, versionOf: versions.of });
  const passwords = createPasswords(passwordCost === undefined ? {} : { cost: passwordCost });
  const auth = createAuth(deps, { passwords, accessTokens, registration, refreshTtlSeconds });
  const close = async () => {
    await auth.settled();
    await passwords.close();
  };
  return { ...auth, accessTokens, close };
}
