// Registering, logging in and refreshing. What must be kept secret is in records; the log holds only that it happened.
import type { AccessTokens } from '../adapters/access-tokens.js';
import type { CollectionSpec } from '../adapters/documents/port.js';
import { Unavailable } from '../adapters/event-log/port.js';
import type { Passwords } from '../adapters/passwords/port.js';
import { Rejection } from '../domain/decider.js';
import type { LogPosition, StreamName } from '../domain/envelope.js';
import { streams } from '../domain/streams.js';
import { isoFromMs, msFromIso } from '../domain/time.js';
import { normalEmail } from '../domain/user/email.js';
import { emailTaken, isWorthRecording, userDecider, type User, type UserCommand } from '../domain/user/user.js';
import { contextOf, type Deps, type Requester } from './deps.js';
import { claimFirstUser, firstUserCollection, refuseUnlessFirst, registrationClosed } from './first-user.js';
import { checkNewPassword, isCutOff } from './password-rules.js';
import { insertPassword, passwordCollection, readPassword, replacePassword, type HeldPassword } from './passwords.js';
import { rotateSession } from './rotate-session.js';
import { runCommand, type CommandContext } from './run-command.js';
import { openSession, sessionCollections, type SessionRecord } from './session-records.js';
import { createStateCache } from './state-cache.js';

export const authCollections: readonly CollectionSpec[] = [
  passwordCollection,
  firstUserCollection,
  ...sessionCollections,
];

export type AuthOptions = {
  readonly passwords: Passwords;
  readonly accessTokens: Pick<AccessTokens, 'issue'>;
  readonly registration: 'open' | 'first_user_only' | 'closed';
  readonly refreshTtlSeconds: number;
};

/** `expiresIn`: seconds left of the access token. */
export type TokenPair = { readonly accessToken: string; readonly refreshToken: string; readonly expiresIn: number };
export type LoggedIn = { readonly user: User; readonly tokens: TokenPair; readonly position: LogPosition | null };

type Credentials = { readonly email: string; readonly password: string };

export type Auth = {
  /** Throws {@link Rejection}: password refused, email taken, registration closed. */
  register(by: Requester, o: Credentials & { readonly name: string | null }): Promise<LoggedIn>;
  /** Null for a wrong password and for an unknown email, in the same time. */
  logIn(by: Requester, o: Credentials): Promise<LoggedIn | null>;
  /** Null for whatever is not a refresh token that may be used now. */
  refresh(by: Requester, refreshToken: string): Promise<TokenPair | null>;
  findUser(userId: string): Promise<User | null>;
  /** Resolves once the facts that no answer waited for are stored or lost. */
  settled(): Promise<void>;
};

/** Stands for the user where there is none, so that a look-up is made all the same. */
const NOBODY = 'nobody';

export function createAuth(deps: Deps, options: AuthOptions): Auth {
  const { docs, log, runtime } = deps;
  const { passwords, registration, refreshTtlSeconds } = options;
  const users = createStateCache(log, userDecider);
  const unowned = new Set<Promise<void>>();

  return {
    /*
     * Records first, fact last. The stream's existence decides whose email it is, and its first event names the user under whose id the
     * password is kept; ids are fresh per attempt. So before the fact nothing leads to the record, and a crash leaves a record that opens
     * nothing and an email that is free. Of two attempts at once one gets the stream and the other's record stays unreachable: neither
     * password opens the other's account. After the fact the account is whole: a lost answer is cured by logging in.
     * (The fact first would leave accounts without password; one record per email could be replaced while its owner's fact is on the way.)
     */
    register: async (by, { email, password, name }) => {
      if (registration === 'closed') throw registrationClosed('registration is closed on this server');
      if (registration === 'first_user_only') await refuseUnlessFirst(deps);
      const address = normalEmail(email);
      checkNewPassword(password, address);
      const emailKey = emailKeyOf(deps, address);
      const stream = streams.user(emailKey);
      if (await users.get(stream)) throw emailTaken();
      const hash = await passwords.hash(password);
      if (registration === 'first_user_only') await claimFirstUser(deps, emailKey);

      const userId = runtime.newId('usr');
      const session = openSession(runtime, refreshTtlSeconds, { userId, emailKey, tokenVersion: 0 });
      const records = [insertPassword({ userId, emailKey, hash, tokenVersion: 0 }), ...session.writes];
      if ((await docs.write([records])) === 'lost') throw new Unavailable('fresh ids were taken; try again', 1);
      const at = isoFromMs(runtime.now());
      const facts: UserCommand[] = [
        { kind: 'register', userId, email: address, name, at },
        { kind: 'logIn', sessionId: session.record.sessionId },
      ];
      try {
        const { state, position } = await run(asUser(by, userId), stream, facts);
        return { user: known(state), tokens: tokensOf(session.record, session.refreshToken), position };
      } catch (err) {
        // Only after a clear no: after an unknown outcome the fact may stand, and its records with it.
        if (err instanceof Rejection) {
          const tombstones = records.map(({ c, id }) => ({ c, id, expect: '1', guard: '2', doc: null }));
          // What stays opens nothing.
          await docs.write([tombstones]).catch(() => undefined);
        }
        throw err;
      }
    },

    logIn: async (by, { email, password }) => {
      const emailKey = emailKeyOf(deps, normalEmail(email));
      const stream = streams.user(emailKey);
      const user = await users.get(stream);
      const held = await readPassword(docs, user?.userId ?? NOBODY);
      const isRight =
        held && !isCutOff(password)
          ? await passwords.verify(password, held.record.hash)
          : await passwords.verifyAgainstNothing(password);
      if (!user || !held || !isRight) {
        if (user) noteFailure(by, stream, user);
        return null;
      }
      const { userId, tokenVersion } = held.record;
      const session = openSession(runtime, refreshTtlSeconds, { userId, emailKey, tokenVersion });
      if ((await docs.write([session.writes])) === 'lost') throw new Unavailable('fresh ids were taken; try again', 1);
      const fact: UserCommand = { kind: 'logIn', sessionId: session.record.sessionId };
      const { position } = await run(asUser(by, userId), stream, [fact]);
      if (passwords.isOutdated(held.record.hash)) own(rehash(held, password));
      return { user, tokens: tokensOf(session.record, session.refreshToken), position };
    },

    refresh: async (by, refreshToken) => {
      const rotation = await rotateSession(deps, refreshToken, refreshTtlSeconds);
      if (rotation.kind === 'rotated') return tokensOf(rotation.session, rotation.refreshToken);
      if (rotation.kind === 'reused') await reportReuse(by, rotation.session);
      return null;
    },

    findUser: async (userId) => {
      const held = await readPassword(docs, userId);
      const user = held && (await users.get(streams.user(held.record.emailKey)));
      return user?.userId === userId ? user : null;
    },

    settled: async () => {
      while (unowned.size > 0) await Promise.all(unowned);
    },
  };

  function run(context: CommandContext, stream: StreamName, commands: readonly UserCommand[]) {
    return deps.lanes.run(stream, () => runCommand(deps, stream, userDecider, commands, context));
  }

  /** A function of the session's state, so that one rotation is answered with one pair however often it is asked for. */
  function tokensOf(session: SessionRecord, refreshToken: string): TokenPair {
    const { userId, sessionId, tokenVersion, currentSha256, rotatedAt } = session;
    const grant = { userId, sessionId, tokenVersion, issuedAtMs: msFromIso(rotatedAt) };
    const { token, expiresAtMs } = options.accessTokens.issue({ ...grant, tokenId: currentSha256.slice(0, 32) });
    const expiresIn = Math.max(0, Math.ceil((expiresAtMs - runtime.now()) / 1000));
    return { accessToken: token, refreshToken, expiresIn };
  }

  /** No answer waits for it: known and unknown emails must take the same time. */
  function noteFailure(by: Requester, stream: StreamName, user: User): void {
    const at = isoFromMs(runtime.now());
    if (!isWorthRecording(user, at)) return;
    own(run(contextOf(by), stream, [{ kind: 'failLogIn', at }]));
  }

  async function rehash(held: HeldPassword, password: string): Promise<void> {
    const hash = await passwords.hash(password);
    await docs.write([[replacePassword(held, { hash })]]);
  }

  /** Told once per session, whichever of its old tokens comes back how often; a crash before it is made good by the next use. */
  async function reportReuse(by: Requester, { sessionId, emailKey }: SessionRecord): Promise<void> {
    const context = { ...contextOf(by), commandId: `reuse|${sessionId}` };
    await run(context, streams.user(emailKey), [{ kind: 'reportReuse', sessionId }]);
  }

  /** For work that may be lost: the next log-in finds the same occasion again. */
  function own(work: Promise<unknown>): void {
    const end = work.then(
      () => undefined,
      () => undefined,
    );
    unowned.add(end);
    void end.then(() => unowned.delete(end));
  }
}

/** Names the user's stream. `email` in its normal form. */
export function emailKeyOf({ hash }: Pick<Deps, 'hash'>, email: string): string {
  return hash('email', email);
}

function asUser(by: Requester, userId: string): CommandContext {
  return { ...contextOf(by), actor: { kind: 'user', id: userId } };
}

function known(user: User | null): User {
  if (!user) throw new Error('a registered user is missing from its own stream');
  return user;
}
