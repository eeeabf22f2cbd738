// Login with a password, and a code of the second factor where the user has one.
import type { StreamName } from '../../domain/envelope.js';
import { RetryLater } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { normalizeEmail, shouldRecordFailure, type User, type UserCommand } from '../../domain/user/user.js';
import { contextOf, type Requester } from '../handling/deps.js';
import {
  asUser,
  emailKeyOf,
  runOnUser,
  tokensOf,
  type AuthContext,
  type LoginCredentials,
  type LoginResult,
} from './auth-context.js';
import { exceedsHashLength } from './password-rules.js';
import { readPassword, replacePassword, type StoredPassword } from './passwords.js';
import { checkCode } from './second-factor.js';
import { openSession } from './session-records.js';

export type PendingWork = {
  /** Lets the work run without anybody waiting for it. */
  track(work: Promise<unknown>): void;
  /** Resolves once all work has ended. */
  idle(): Promise<void>;
};

/** Placeholder user for unknown emails, so that the lookup is made in every case. */
const NOBODY = 'nobody';

/** Returns null for a wrong password, an unknown email, and a missing or wrong code of the second factor. */
export async function logIn(
  context: AuthContext,
  pending: PendingWork,
  by: Requester,
  { email, password, code }: LoginCredentials,
): Promise<LoginResult | null> {
  const { deps, options, users } = context;
  const { docs, runtime } = deps;
  const { passwords, refreshTtlSeconds } = options;
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
    if (user) pending.track(recordFailedLogin(context, by, stream, user));
    return null;
  }
  const { userId, tokenVersion } = stored.record;
  const check = await checkCode(deps, { userId, emailKey }, code);
  if (check.kind === 'wrong') {
    pending.track(recordFailedLogin(context, by, stream, user));
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
  if (passwords.isOutdated(stored.record.hash)) pending.track(rehash(context, stored, password));
  return { user, tokens: tokensOf(context, session.record, session.refreshToken), position };
}

/** The response must not wait for it: known and unknown emails must take the same time. */
async function recordFailedLogin({ deps }: AuthContext, by: Requester, stream: StreamName, user: User): Promise<void> {
  const at = isoFromMs(deps.runtime.now());
  if (shouldRecordFailure(user, at)) await runOnUser(deps, contextOf(by), stream, [{ kind: 'failLogIn', at }]);
}

async function rehash({ deps, options }: AuthContext, stored: StoredPassword, password: string): Promise<void> {
  const hash = await options.passwords.hash(password);
  await deps.docs.write([[replacePassword(stored, { hash })]]);
}

/** Work that may be lost: the next login creates the same opportunity again. */
export function createPendingWork(): PendingWork {
  const pending = new Set<Promise<void>>();
  return {
    track: (work) => {
      const end = work.then(
        () => undefined,
        () => undefined,
      );
      pending.add(end);
      void end.then(() => pending.delete(end));
    },
    idle: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
  };
}
