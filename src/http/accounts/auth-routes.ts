// Registration, login, refresh, logout and the current user. The credentials of all but the last are in the request itself.
import { z } from 'zod';
import type { LoginResult, TokenPair } from '../../commands/accounts/auth-context.js';
import { isRefreshToken } from '../../commands/accounts/session-records.js';
import type { User } from '../../domain/user/user.js';
import { projects } from '../../projections/models/projects.js';
import { users } from '../../projections/models/users.js';
import type { ReadModels } from '../../projections/queries/read-models.js';
import { endedSession, loginResponse, me, tokens, type user } from './responses.js';
import { emailAddress, invitationToken } from '../bodies/request-schemas.js';
import { expiredCookie, pageOriginOf, sessionCookie, tokenInCookie } from './session-cookie.js';
import { HttpError } from '../bodies/errors.js';
import { readMemberships } from '../projects/memberships.js';
import type { Scope } from '../dispatch/caller.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import type { Services } from '../dispatch/services.js';
import { text } from '../../domain/values/user-text.js';
import type { BodyOf } from '../bodies/response-schemas.js';

const email = emailAddress;
/** Password of a login or registration. This schema only bounds its length: the command checks the rules for new passwords. */
export const password = z.string().min(1, 'must not be empty').max(128, 'must have at most 128 characters');

/** Code of the second factor, or a recovery code. */
export const code = z.string().min(1, 'must not be empty').max(64, 'must have at most 64 characters').meta({
  description: 'Six digits from the authenticator app, or a recovery code.',
});

/** Destination of the refresh token: the body or a cookie. */
export const session = z
  .enum(['token', 'cookie'])
  .default('token')
  .meta({ description: '`cookie`: for a browser page, so that no script can read the refresh token.' });
export type Session = z.output<typeof session>;

/** Refuses to repeat tokens of a session that has ended. */
async function expectSessionOpen(stored: object, _scope: Scope, { accessTokens }: Services): Promise<void> {
  if ('accessToken' in stored && (await accessTokens.verify(String(stored.accessToken)))) return;
  throw new HttpError(409, 'the user was registered, but the session of that response has ended; log in');
}

export const authRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/auth/register',
    access: 'open',
    summary: 'Register user, and log in',
    description:
      'A password has 10 to 128 characters and at most 72 bytes. 403 if the operator has closed registration. With `invitationToken` the user becomes a member of the project immediately, even if registration is closed.',
    example: { email: 'me@example.com', password: 'correct horse battery', name: 'Ada' },
    body: z.strictObject({
      email,
      password,
      name: text(100).nullish(),
      invitationToken: invitationToken.optional(),
      session,
    }),
    bodyLimit: 'small',
    response: loginResponse,
    statuses: [201],
    idempotencyScope: ({ email }) => email,
    onRepeat: expectSessionOpen,
    handle: async ({ body, by, header }, { auth, runtime, publicUrl }) => {
      const { name = null, session, invitationToken: token, ...credentials } = body;
      expectNoIdempotencyKey(session, header);
      const registration = { ...credentials, name };
      const registered =
        token === undefined
          ? await auth.register(by, registration, runtime)
          : await auth.registerInvited(by, { ...registration, token }, runtime);
      const after = readModelsAt(registered.position, users, projects);
      return { after, ...presentLogin(registered, session, pageOriginOf(header, publicUrl())) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/auth/login',
    access: 'open',
    summary: 'Log in',
    description:
      'A user with a second factor also sends `code`, from the authenticator app, or a recovery code. The response 401 is the same for a wrong password, an unknown email, and a missing or wrong code.',
    example: { email: 'me@example.com', password: 'correct horse battery' },
    body: z.strictObject({ email, password, code: code.optional(), session }),
    bodyLimit: 'small',
    response: loginResponse,
    handle: async ({ body: { session, ...body }, by, ip, header }, { auth, limits, publicUrl }) => {
      const guess = await limits.beginLogin(body.email, ip);
      const loggedIn = await auth.logIn(by, body).catch(async (err: unknown) => {
        await guess.untried();
        throw err;
      });
      await (loggedIn ? guess.right() : guess.wrong());
      // One text for all cases, so that nobody can find out which addresses are registered, or whether the password was right.
      if (!loggedIn) {
        throw new HttpError(401, 'invalid email or password, or the code of your second factor is missing or wrong');
      }
      return presentLogin(loggedIn, session, pageOriginOf(header, publicUrl()));
    },
  }),
  defineRoute({
    method: 'post',
    path: '/auth/refresh',
    access: 'open',
    summary: 'Refresh tokens',
    description:
      'Send the refresh token in the body or as `Authorization: Bearer`; a page whose session is in a cookie sends neither. A refresh token can be used once. Reuse within 30 seconds returns the same new tokens; later reuse revokes the session.',
    example: { refreshToken: 'rt_…' },
    body: z.strictObject({ refreshToken: z.string().optional() }).optional(),
    bodyLimit: 'small',
    response: tokens,
    handle: async ({ body, by, header }, { auth, limits, publicUrl }) => {
      const { token, session } = refreshTokenOf(body?.refreshToken, header, publicUrl());
      const tokens = await auth.refresh(by, token, (sessionId) => limits.countRefresh(sessionId));
      if (!tokens) throw new HttpError(401, 'the refresh token is invalid, expired or used up; log in again');
      return {
        body: presentTokens(tokens, session),
        isSecret: true,
        ...cookieFor(tokens, session, pageOriginOf(header, publicUrl())),
      };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/auth/logout',
    access: 'open',
    summary: 'Log out',
    description:
      'Ends the session of a refresh token, sent as in `POST /auth/refresh`, with all its tokens, and removes the cookie. `id` is null if no session was open.',
    example: { refreshToken: 'rt_…' },
    body: z.strictObject({ refreshToken: z.string().optional() }).optional(),
    bodyLimit: 'small',
    response: endedSession,
    handle: async ({ body, header }, { auth, publicUrl }) => {
      const { token, session } = refreshTokenOf(body?.refreshToken, header, publicUrl());
      const id = await auth.logOut(token);
      return {
        body: { object: 'session', id, deleted: true },
        isSecret: true,
        ...(session === 'cookie' && { cookie: expiredCookie(pageOriginOf(header, publicUrl())) }),
      };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/auth/me',
    access: 'user',
    summary: 'Get current user, with their projects',
    response: me,
    handle: async ({ caller }, { auth, readModels }) => {
      const user = caller.kind === 'user' ? await auth.findUser(caller.userId) : null;
      if (!user) throw userDeletedError();
      return { body: { ...presentUser(user), projects: await readProjects(readModels, user.userId) }, isSecret: true };
    },
  }),
];

function refreshTokenOf(
  inBody: string | undefined,
  header: (name: string) => string | undefined,
  publicUrl: string,
): { readonly token: string; readonly session: Session } {
  const authorization = header('authorization');
  if (inBody !== undefined && authorization !== undefined) {
    throw new HttpError(400, 'send the refresh token in the body or as Authorization: Bearer, not both');
  }
  const [, inHeader] = /^Bearer (\S+)$/i.exec(authorization ?? '') ?? [];
  const refreshToken = inBody ?? inHeader;
  if (refreshToken !== undefined && (inBody !== undefined || isRefreshToken(refreshToken)))
    return { token: refreshToken, session: 'token' };
  // A dashboard page sends its access token with every request; its session is in the cookie.
  const token = tokenInCookie(header, publicUrl);
  if (token === undefined && refreshToken !== undefined) return { token: refreshToken, session: 'token' };
  if (token === undefined) throw new HttpError(401, 'send refreshToken in the body or as Authorization: Bearer');
  return { token, session: 'cookie' };
}

/** Refuses an idempotency key with a cookie: only bodies are stored under a key. */
export function expectNoIdempotencyKey(session: Session, header: (name: string) => string | undefined): void {
  if (session === 'cookie' && header('idempotency-key') !== undefined) {
    throw new HttpError(400, 'a session in a cookie cannot be repeated; omit Idempotency-Key');
  }
}

export function presentLogin({ user, tokens }: LoginResult, session: Session, page: string) {
  const body = { user: presentUser(user), ...presentTokens(tokens, session) };
  return { body, isSecret: true, ...cookieFor(tokens, session, page) };
}

function cookieFor(tokens: TokenPair, session: Session, page: string) {
  return session === 'cookie' ? { cookie: sessionCookie(tokens, page) } : {};
}

function presentTokens({ accessToken, refreshToken, expiresIn }: TokenPair, session: Session): BodyOf<typeof tokens> {
  const refreshing = session === 'cookie' ? {} : { refreshToken };
  return { accessToken, ...refreshing, tokenType: 'Bearer', expiresIn };
}

export function userDeletedError(): HttpError {
  return new HttpError(401, 'the user of this token was deleted; log in again');
}

/** Throws {@link HttpError} 401 for a user whose personal data was erased. */
export function presentUser({ userId, email: address, name, registeredAt }: User): BodyOf<typeof user> {
  if (address === null) throw userDeletedError();
  return { object: 'user', id: userId, email: address, name, createdAt: registeredAt };
}

async function readProjects(readModels: ReadModels, userId: string) {
  const found: BodyOf<typeof me>['projects'][number][] = [];
  for await (const { project, role } of readMemberships(readModels, userId))
    found.push({ id: project.projectId, name: project.name, role });
  return found;
}
