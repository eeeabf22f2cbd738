// The user's own account: name, password, sessions, second factor and its history.
import { z } from 'zod';
import { openedAtOf, type SessionRecord } from '../../commands/accounts/session-records.js';
import { text } from '../../domain/values/user-text.js';
import { users } from '../../projections/models/users.js';
import { HttpError } from '../bodies/errors.js';
import { listBody, olderThanBound } from '../bodies/paging.js';
import { id, page } from '../bodies/request-schemas.js';
import { deletionOf, listOf, type BodyOf } from '../bodies/response-schemas.js';
import { defineRoute, readModelsAt, type Route } from '../dispatch/route.js';
import { code, expectNoIdempotencyKey, password, presentLogin, presentUser, session } from './auth-routes.js';
import { NEEDS_PROOF, ownAccountOf, proof, PROOF, proven } from './own-account.js';
import {
  accountEvent,
  endedSessions,
  loginResponse,
  openedSession,
  preparedSecondFactor,
  recoveryCodes,
  secondFactor,
  user,
} from './responses.js';
import { pageOriginOf } from './session-cookie.js';

function presentSession(s: SessionRecord, current: string): BodyOf<typeof openedSession> {
  const { sessionId, rotatedAt, expiresAt } = s;
  const isCurrent = sessionId === current;
  return { object: 'session', id: sessionId, isCurrent, openedAt: openedAtOf(s), lastUsedAt: rotatedAt, expiresAt };
}

const SESSIONS = '/auth/sessions';
const SECOND_FACTOR = '/auth/second-factor';

export const accountRoutes: readonly Route[] = [
  defineRoute({
    method: 'patch',
    path: '/auth/me',
    access: 'user',
    summary: 'Change own name',
    example: { name: 'Ada Lovelace' },
    body: z.strictObject({ name: text(100).nullable() }),
    response: user,
    handle: async ({ caller, body, by }, services) => {
      const { user: renamed, position } = await services.auth.account.rename(
        by,
        await ownAccountOf(services, caller),
        body.name,
      );
      return { body: presentUser(renamed), after: readModelsAt(position, users), isSecret: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/auth/password',
    access: 'user',
    summary: 'Change own password',
    description: `${NEEDS_PROOF} Ends all sessions, and returns the tokens of a new one.`,
    example: { ...PROOF, newPassword: 'a better horse battery' },
    body: z.strictObject({ ...proof.shape, newPassword: password, session }),
    bodyLimit: 'small',
    response: loginResponse,
    handle: async ({ caller, body, by, ip, header }, services) => {
      const { session: kind, newPassword, ...given } = body;
      expectNoIdempotencyKey(kind, header);
      const own = await ownAccountOf(services, caller);
      const { account } = services.auth;
      const changed = await proven(services, { ...own, ip }, () => account.changePassword(by, own, given, newPassword));
      return presentLogin(changed, kind, pageOriginOf(header, services.publicUrl()));
    },
  }),
  defineRoute({
    method: 'get',
    path: SESSIONS,
    access: 'user',
    summary: 'List own open sessions',
    query: page,
    response: listOf(openedSession),
    handle: async ({ caller, query: { limit, startingAfter } }, services) => {
      const own = await ownAccountOf(services, caller);
      const { to: before } = olderThanBound(startingAfter, 'sessionId');
      const bounds = { limit, ...(before !== undefined && { before }) };
      const { sessions, lastId } = await services.auth.account.sessions(own.user.userId, bounds);
      const items = sessions.map((one) => presentSession(one, own.sessionId));
      return { body: listBody(SESSIONS, items, { lastId, limit }), isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: SESSIONS,
    access: 'user',
    summary: 'End all other own sessions',
    response: endedSessions,
    handle: async ({ caller, by }, services) => {
      const count = await services.auth.account.endOtherSessions(by, await ownAccountOf(services, caller));
      return { body: { object: 'endedSessions', count }, isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: `${SESSIONS}/:sessionId`,
    access: 'user',
    summary: 'End own session',
    description: 'Its tokens are refused from then on, in every process within two seconds.',
    params: z.object({ sessionId: id }),
    response: deletionOf('session'),
    handle: async ({ caller, params: { sessionId }, by }, services) => {
      const own = await ownAccountOf(services, caller);
      if (!(await services.auth.account.endSession(by, own, sessionId))) throw new HttpError(404, 'session not found');
      return { body: { object: 'session', id: sessionId, deleted: true }, isSecret: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/auth/activity',
    access: 'user',
    summary: 'List own account history',
    description: 'The latest 100 logins, failed logins and changes of the account, newest first.',
    response: listOf(accountEvent),
    handle: async ({ caller }, services) => {
      const events = await services.auth.account.activity(await ownAccountOf(services, caller));
      const items = events.map(({ id: eventId, type: action, meta }) => {
        const byOperator = meta.actor.kind === 'system' && meta.actor.id === 'command line';
        return { object: 'accountEvent' as const, id: eventId, at: meta.recordedAt, action, byOperator };
      });
      return { body: listBody('/auth/activity', items, { lastId: null, limit: items.length }), isSecret: true };
    },
  }),
  defineRoute({
    method: 'get',
    path: SECOND_FACTOR,
    access: 'user',
    summary: 'Get own second factor',
    response: secondFactor,
    handle: async ({ caller }, services) => {
      const { user: own } = await ownAccountOf(services, caller);
      const { enabledAt, recoveryCodesLeft } = await services.auth.account.secondFactor(own.userId);
      const body = { object: 'secondFactor' as const, enabled: enabledAt !== null, enabledAt, recoveryCodesLeft };
      return { body, isSecret: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: SECOND_FACTOR,
    access: 'user',
    summary: 'Prepare second factor',
    description:
      'Returns a secret for an authenticator app (TOTP, RFC 6238). Logins need a code only after it was confirmed, within an hour.',
    example: { password: PROOF.password },
    body: z.strictObject({ password }),
    bodyLimit: 'small',
    response: preparedSecondFactor,
    handle: async ({ caller, body, ip }, services) => {
      const own = await ownAccountOf(services, caller);
      const { account } = services.auth;
      const prepared = await proven(services, { ...own, ip }, () => account.prepareSecondFactor(own, body.password));
      return { body: { object: 'preparedSecondFactor', ...prepared }, isSecret: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${SECOND_FACTOR}/confirm`,
    access: 'user',
    summary: 'Confirm second factor',
    description: 'From then on a login needs a code. Returns the recovery codes, and ends all other sessions.',
    example: { code: PROOF.code },
    body: z.strictObject({ code }),
    bodyLimit: 'small',
    response: recoveryCodes,
    handle: async ({ caller, body, by, ip }, services) => {
      const own = await ownAccountOf(services, caller);
      const confirm = () => services.auth.account.confirmSecondFactor(by, own, body.code);
      const refusal = 'the code is wrong; check the clock of the device, and enter the code shown now';
      const codes = await proven(services, { ...own, ip }, confirm, refusal);
      return { body: { object: 'recoveryCodes', codes }, isSecret: true };
    },
  }),
  defineRoute({
    method: 'post',
    path: `${SECOND_FACTOR}/recovery-codes`,
    access: 'user',
    summary: 'Replace recovery codes',
    description: `${NEEDS_PROOF} The former recovery codes are void.`,
    example: PROOF,
    body: proof,
    bodyLimit: 'small',
    response: recoveryCodes,
    handle: async ({ caller, body, by, ip }, services) => {
      const own = await ownAccountOf(services, caller);
      const { account } = services.auth;
      const codes = await proven(services, { ...own, ip }, () => account.replaceRecoveryCodes(by, own, body));
      return { body: { object: 'recoveryCodes', codes }, isSecret: true };
    },
  }),
  defineRoute({
    method: 'delete',
    path: SECOND_FACTOR,
    access: 'user',
    summary: 'Remove second factor',
    description: NEEDS_PROOF,
    example: PROOF,
    body: proof,
    bodyLimit: 'small',
    response: secondFactor,
    handle: async ({ caller, body, by, ip }, services) => {
      const own = await ownAccountOf(services, caller);
      await proven(services, { ...own, ip }, () => services.auth.account.removeSecondFactor(by, own, body));
      return {
        body: { object: 'secondFactor', enabled: false, enabledAt: null, recoveryCodesLeft: 0 },
        isSecret: true,
      };
    },
  }),
];
