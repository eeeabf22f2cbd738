// Members of each role and API keys of each scope, which try to access a project while faults are injected: each gets what its role or
// scope permits by the API's table of permissions, and no other project.
import type { KeyScope } from '../../../src/domain/project/roles.js';
import type { Response } from '../engine/http.js';
import type { Client } from './client.js';

/** `leaver` is an admin until the owner lowers the role or removes the member. */
export const MEMBERS = ['analyst', 'support', 'viewer', 'leaver'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type Member = { readonly userId: string; readonly email: string };

/** `goer` has all scopes until the owner deletes it. */
export const KEYS = ['reader', 'writer', 'helper', 'goer'] as const;
export type KeyName = (typeof KEYS)[number];
export type ScopedKey = { readonly id: string; readonly key: string };
export const scopesOf: Readonly<Record<KeyName, readonly KeyScope[]>> = {
  reader: ['read'],
  writer: ['write'],
  helper: ['support', 'pii'],
  goer: ['read', 'write', 'support', 'config', 'pii'],
};

export const IDENTITIES = [...MEMBERS, ...KEYS] as const;
export type Identity = (typeof IDENTITIES)[number];
export const isKey = (who: Identity): who is KeyName => (KEYS as readonly string[]).includes(who);
/** Returns true for the identities with full access that is revoked during the run. */
const losesAccess = (who: Identity): boolean => who === 'leaver' || who === 'goer';

export type AccessChange = 'lowered' | 'removed';

export const PASSWORD = 'correct horse battery staple';

type AccessRule = {
  readonly path: (projectId: string, user: string) => string;
  /** Only identities without permission send this request: permitted writes would disturb other steps. */
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object;
  /** Identities with permission, besides those with full access. */
  readonly allowed: readonly Identity[];
};

/** Value that only unpermitted requests contain: finding it in the log shows a write that should have been refused. */
export const FORBIDDEN_VALUE = 'written-without-leave';
const subscriber = (user: string) => `/v1/subscribers/${encodeURIComponent(user)}`;
const memberRoles = ['analyst', 'support', 'viewer'] as const;
const keys = ['reader', 'writer', 'helper'] as const;
const all = [...memberRoles, ...keys] as const;

export const accessRules: readonly AccessRule[] = [
  { path: (id) => `/v1/projects/${id}/customers`, allowed: all },
  { path: (_id, user) => subscriber(user), allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/timeline`, allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/access`, allowed: all },
  { path: (id) => `/v1/projects/${id}/members`, allowed: memberRoles },
  { path: (id) => `/v1/projects/${id}/webhooks`, allowed: all },
  { path: (id) => `/v1/projects/${id}/metrics/overview`, allowed: ['analyst', 'viewer', ...keys] },
  { path: (id) => `/v1/projects/${id}/api-keys`, allowed: [] },
  { path: (id) => `/v1/projects/${id}/audit`, allowed: [] },
  {
    path: (id) => `/v1/projects/${id}/entitlements`,
    method: 'POST',
    body: { lookupKey: FORBIDDEN_VALUE },
    allowed: [],
  },
  { path: (_id, user) => subscriber(user), method: 'DELETE', allowed: [] },
  {
    path: (_id, user) => `${subscriber(user)}/attributes`,
    method: 'POST',
    body: { attributes: { note: { value: FORBIDDEN_VALUE } } },
    allowed: ['support', 'writer', 'helper'],
  },
];

const MONEY = /"\w*(amount|price|revenue|tax|commission|proceeds|spent|micros)\w*":/i;
const PERSONAL = /canary-/;
const hiddenPatterns: Readonly<Record<Identity, readonly RegExp[]>> = {
  analyst: [PERSONAL],
  support: [MONEY],
  viewer: [PERSONAL],
  leaver: [],
  reader: [PERSONAL],
  writer: [PERSONAL],
  helper: [],
  goer: [],
};

export type AccessAttempt = {
  readonly who: Identity;
  /** Index in `looks`. */
  readonly rule: number;
  readonly user: string;
  /** True if the request goes to the other project, where this identity has no access. */
  readonly isOtherProject: boolean;
};

/** Returns null for a permitted write, and for a key whose request cannot name the other project. */
export function createAccessRequest(attempt: AccessAttempt, projectId: string) {
  const rule = accessRules[attempt.rule];
  if (!rule || (rule.method && (losesAccess(attempt.who) || rule.allowed.includes(attempt.who)))) return null;
  const { method = 'GET', body } = rule;
  const path = rule.path(projectId, attempt.user);
  // A key implies its project.
  if (isKey(attempt.who))
    return attempt.isOtherProject && !path.includes(projectId) ? null : { method, path, ...(body && { body }) };
  return { method, path, headers: { 'x-project-id': projectId }, ...(body && { body }) };
}

/** Returns the violation in a response, or null. Responses of an unavailable service prove nothing. */
export function findAccessViolation(attempt: AccessAttempt, { status, body }: Response): string | null {
  const { who, isOtherProject } = attempt;
  const allowed = accessRules[attempt.rule]?.allowed ?? [];
  const description = `${who} ${JSON.stringify(attempt)}`;
  if (status === 401 || status === 429 || status >= 500) return null;
  const hasAccess = status < 300;
  if (isOtherProject) return hasAccess ? `${description} gets a project without access: ${status}` : null;
  if (hasAccess && !losesAccess(who) && !allowed.includes(who))
    return `${description} gets access without permission: ${status}`;
  if (status === 403 && allowed.includes(who)) return `${description} is refused: ${JSON.stringify(body)}`;
  const leaked = hiddenPatterns[who].find((pattern) => pattern.test(JSON.stringify(body) ?? ''));
  return hasAccess && leaked ? `${description} sees ${String(leaked)}: ${JSON.stringify(body).slice(0, 900)}` : null;
}

/** Returns an access token; null if no login succeeded. */
export async function logIn(client: Client, { email }: Member, tries: number): Promise<string | null> {
  const response = await client.sendUntilAnswered(
    { method: 'POST', path: '/auth/login', body: { email, password: PASSWORD } },
    tries,
  );
  return response?.status === 200 ? (response.body.accessToken as string) : null;
}
