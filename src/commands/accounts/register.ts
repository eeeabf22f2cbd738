// Registration: the only place where an account is created for an email.
import { buildReplacement } from '../../adapters/documents/records.js';
import { Rejection, RetryLater } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs } from '../../domain/time.js';
import { normalizeEmail } from '../../domain/user/email.js';
import { emailTakenError, type UserCommand } from '../../domain/user/user.js';
import {
  asUser,
  emailKeyOf,
  runOnUser,
  tokensOf,
  type AuthContext,
  type Credentials,
  type LoginResult,
} from './auth-context.js';
import type { Requester } from '../handling/deps.js';
import { claimFirstUser, expectNoUser, registrationClosed } from './first-user.js';
import { checkNewPassword } from './password-rules.js';
import { insertPassword, readPassword } from './passwords.js';
import { openSession } from './session-records.js';

export type Registration = Credentials & { readonly name: string | null };

/**
 * Registration of a user: records first, event last. The stream's existence decides who owns the email, and its first event names the user
 * under whose ID the password is stored; that ID is new for each attempt. Before the event nothing refers to the records, so a crash leaves
 * unreachable records and a free email. Of two concurrent attempts one gets the stream, and the records of the other are never looked up:
 * neither password opens the other's account. After the event the account is complete, and logging in recovers from a lost response.
 * Writing the event first would leave accounts without a password. One record per email could be replaced while its owner's event is being
 * appended.
 */
export async function registerUser(
  context: AuthContext,
  by: Requester,
  { email, password, name, userId, isInvited }: Registration & { readonly userId: string; readonly isInvited: boolean },
): Promise<LoginResult> {
  const { deps, users } = context;
  const { passwords, registration, refreshTtlSeconds } = context.options;
  if (registration === 'closed' && !isInvited) throw registrationClosed('registration is closed on this server');
  const address = normalizeEmail(email);
  const emailKey = emailKeyOf(deps, address);
  const stream = streams.user(emailKey);
  const there = await users.get(stream);
  // The same registration was sent again after its response was lost.
  const isRepeat = there?.userId === userId;
  const isForFirst = registration === 'first_user_only' && !isRepeat && !isInvited;
  if (isForFirst) await expectNoUser(deps);
  checkNewPassword(password, address);
  if (there && !isRepeat) throw emailTakenError();
  const hash = await passwords.hash(password);
  if (isForFirst) await claimFirstUser(deps, emailKey);

  const session = openSession(deps.runtime, refreshTtlSeconds, { userId, emailKey, tokenVersion: 0 });
  const records = [insertPassword({ userId, emailKey, hash, tokenVersion: 0 }), ...session.writes];
  if ((await deps.docs.write([records])) === 'lost') {
    const stored = await readPassword(deps.docs, userId);
    if (stored?.record.emailKey !== emailKey) throw new RetryLater('the new id is taken; retry in 1 second', 1);
  }
  const commands: UserCommand[] = [
    { kind: 'register', userId, email: address, name, at: isoFromMs(deps.runtime.now()) },
    { kind: 'logIn', sessionId: session.record.sessionId },
  ];
  try {
    const { state, position } = await runOnUser(deps, asUser(by, userId), stream, commands);
    if (!state) throw new Error('a registered user is missing from its own stream');
    return { user: state, tokens: tokensOf(context, session.record, session.refreshToken), position };
  } catch (err) {
    // Only after a definite refusal: after an unknown outcome the event may be stored, and needs its records.
    if (err instanceof Rejection) {
      const tombstones = records.map(({ c, id, guard }) => buildReplacement(c, { id, guard }, null));
      // Leftover records give no access.
      await deps.docs.write([tombstones]).catch(() => undefined);
    }
    throw err;
  }
}
