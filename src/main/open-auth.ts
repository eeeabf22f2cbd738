// Authentication of users: their access tokens, which the version of their password and their open sessions revoke.
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import { createAccessTokens } from '../adapters/keys/access-tokens.js';
import { openJwtSecret } from '../adapters/keys/secrets.js';
import type { Passwords } from '../adapters/passwords/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createAuth } from '../commands/accounts/auth.js';
import { createTokenVersions } from '../commands/accounts/passwords.js';
import { createOpenSessions } from '../commands/accounts/session-records.js';
import type { Deps } from '../commands/handling/deps.js';
import { registrationOf } from './registration.js';

type AuthParts = {
  readonly deps: Deps;
  /** Runtime by the clock of the machine: access tokens expire by it, also while a demo plays the past. */
  readonly machine: Runtime;
  readonly logger: Logger;
  readonly passwords: Passwords;
};

export function openAuth(config: Config, { deps, machine, logger, passwords }: AuthParts) {
  const { docs, runtime } = deps;
  const [tokenVersions, openSessions] = [createTokenVersions(docs, runtime), createOpenSessions(docs, runtime)];
  const accessTokens = createAccessTokens({
    secret: openJwtSecret(config, runtime, logger),
    ttlSeconds: config.ACCESS_TOKEN_TTL_SECONDS,
    runtime: machine,
    versionOf: tokenVersions.of,
    isOpen: openSessions.has,
  });
  const auth = createAuth(deps, {
    passwords,
    accessTokens,
    registration: registrationOf(config).registration,
    refreshTtlSeconds: config.REFRESH_TOKEN_TTL_SECONDS,
    onSessionEnd: openSessions.forget,
    onTokensEnd: tokenVersions.forget,
  });
  return { auth, accessTokens, onPasswordReset: tokenVersions.forget };
}
