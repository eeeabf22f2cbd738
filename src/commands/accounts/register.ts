// Registration: the only place where an account is created for an email.
import { buildReplacement, updateRecord } from '../../adapters/documents/records.js';
import type { EventLog } from '../../adapters/event-log/port.js';
import { Rejection, RetryLater } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { normalizeEmail, emailTakenError, type UserCommand } from '../../domain/user/user.js';
import type { Requester, Deps } from '../handling/deps.js';
import {
  asUser,
  emailKeyOf,
  runOnUser,
  tokensOf,
  type AuthContext,
  type Credentials,
  type LoginResult,
} from './auth-context.js';
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

/**
 * Record of the registration in progress of the first user: `REGISTRATION=first_user_only` allows no other. The log shows whether there is
 * a user; the guarded record prevents two concurrent first users.
 */
export const firstUserCollection = { name: 'first_user', indexes: [] };

const ID = 'claim';
/** Two writes separate claim and event. An older claim was left by a crash and must not block registration permanently. */
const CLAIM_MS = 60_000;

/** Throws {@link Rejection} `registration-closed` when a user is already registered. */
async function expectNoUser({ log }: Pick<Deps, 'log'>): Promise<void> {
  if (await hasUser(log))
    throw registrationClosed('registration is closed: the first user of this server is already registered');
}

/**
 * Blocks other emails for a minute, long enough to store the registration. Reads the log again after the claim, which reveals a
 * registration made under an earlier claim.
 */
async function claimFirstUser(deps: Pick<Deps, 'docs' | 'log' | 'runtime'>, emailKey: string): Promise<void> {
  await updateRecord(deps.docs, firstUserCollection.name, ID, (claim) => {
    const now = deps.runtime.now();
    if (claim && claim['emailKey'] !== emailKey && now - msFromIso(String(claim['claimedAt'])) < CLAIM_MS) {
      throw registrationClosed('registration is closed: another registration of the first user is in progress');
    }
    return { emailKey, claimedAt: isoFromMs(now) };
  });
  await expectNoUser(deps);
}

function registrationClosed(message: string): Rejection {
  return new Rejection('forbidden', 'registration-closed', message);
}

async function hasUser(log: EventLog): Promise<boolean> {
  const end = new AbortController();
  try {
    for await (const feed of log.follow({ after: 'start', families: ['user'], max: 1, signal: end.signal })) {
      if (feed.events.length > 0) return true;
      if (feed.caughtUp) return false;
    }
    return false;
  } finally {
    end.abort();
  }
}
