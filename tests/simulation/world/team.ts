// Who looks at a project while things fail, members of each role and keys of each scope: each sees what the role or the scope may, by the
// table of the interface, and no other project.
import type { KeyScope } from '../../../src/domain/project/roles.js';
import type { Response } from '../engine/http.js';
import type { Client } from './client.js';

/** `leaver` is an admin until the owner ends that. */
export const MEMBERS = ['analyst', 'support', 'viewer', 'leaver'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type Member = { readonly userId: string; readonly email: string };

/** `goer` may all until the owner deletes it. */
export const KEYS = ['reader', 'writer', 'helper', 'goer'] as const;
export type KeyName = (typeof KEYS)[number];
export type ScopedKey = { readonly id: string; readonly key: string };
export const scopesOf: Readonly<Record<KeyName, readonly KeyScope[]>> = {
  reader: ['read'],
  writer: ['write'],
  helper: ['support', 'pii'],
  goer: ['read', 'write', 'support', 'config', 'pii'],
};

export const ONLOOKERS = [...MEMBERS, ...KEYS] as const;
export type Onlooker = (typeof ONLOOKERS)[number];
export const isKey = (who: Onlooker): who is KeyName => (KEYS as readonly string[]).includes(who);
/** Those who may all, until they may nothing. */
const isOnTheWayOut = (who: Onlooker): boolean => who === 'leaver' || who === 'goer';

export type Leaving = 'lowered' | 'removed';

export const PASSWORD = 'correct horse battery staple';

type Look = {
  readonly path: (projectId: string, user: string) => string;
  /** Asked only by who may not: what others write is no business of theirs. */
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object;
  /** Who may, apart from those who may all. */
  readonly allowed: readonly Onlooker[];
};

/** What nobody may write who looks: a trace of it would show a refusal that was none. */
export const FORBIDDEN = 'written-without-leave';
const subscriber = (user: string) => `/v1/subscribers/${encodeURIComponent(user)}`;
const people = ['analyst', 'support', 'viewer'] as const;
const keys = ['reader', 'writer', 'helper'] as const;
const all = [...people, ...keys] as const;

export const looks: readonly Look[] = [
  { path: (id) => `/v1/projects/${id}/customers`, allowed: all },
  { path: (_id, user) => subscriber(user), allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/timeline`, allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/access`, allowed: all },
  { path: (id) => `/v1/projects/${id}/members`, allowed: people },
  { path: (id) => `/v1/projects/${id}/webhooks`, allowed: all },
  { path: (id) => `/v1/projects/${id}/metrics/overview`, allowed: ['analyst', 'viewer', ...keys] },
  { path: (id) => `/v1/projects/${id}/api-keys`, allowed: [] },
  { path: (id) => `/v1/projects/${id}/audit`, allowed: [] },
  { path: (id) => `/v1/projects/${id}/entitlements`, method: 'POST', body: { lookupKey: FORBIDDEN }, allowed: [] },
  { path: (_id, user) => subscriber(user), method: 'DELETE', allowed: [] },
  {
    path: (_id, user) => `${subscriber(user)}/attributes`,
    method: 'POST',
    body: { attributes: { note: { value: FORBIDDEN } } },
    allowed: ['support', 'writer', 'helper'],
  },
];

const MONEY = /"\w*(amount|price|revenue|tax|commission|proceeds|spent|micros)\w*":/i;
const PERSONAL = /canary-/;
const hidden: Readonly<Record<Onlooker, readonly RegExp[]>> = {
  analyst: [PERSONAL],
  support: [MONEY],
  viewer: [PERSONAL],
  leaver: [],
  reader: [PERSONAL],
  writer: [PERSONAL],
  helper: [],
  goer: [],
};

export type Peek = {
  readonly who: Onlooker;
  /** Of `looks`. */
  readonly look: number;
  readonly user: string;
  /** At the other project, where they are nobody. */
  readonly elsewhere: boolean;
};

/** Null where something is written by who may, and where a key cannot name the other project. */
export function requestOf(peek: Peek, projectId: string) {
  const look = looks[peek.look];
  if (!look || (look.method && (isOnTheWayOut(peek.who) || look.allowed.includes(peek.who)))) return null;
  const { method = 'GET', body } = look;
  const path = look.path(projectId, peek.user);
  // A key names its project by itself.
  if (isKey(peek.who))
    return peek.elsewhere && !path.includes(projectId) ? null : { method, path, ...(body && { body }) };
  return { method, path, headers: { 'x-project-id': projectId }, ...(body && { body }) };
}

/** What is wrong with what somebody was answered; null: nothing. Nobody learns anything from a service that is away. */
export function wrongIn(peek: Peek, { status, body }: Response): string | null {
  const { who, elsewhere } = peek;
  const allowed = looks[peek.look]?.allowed ?? [];
  const named = `${who} ${JSON.stringify(peek)}`;
  if (status === 401 || status === 429 || status >= 500) return null;
  const isIn = status < 300;
  if (elsewhere) return isIn ? `${named} opens a project of others: ${status}` : null;
  if (isIn && !isOnTheWayOut(who) && !allowed.includes(who)) return `${named} is let in: ${status}`;
  if (status === 403 && allowed.includes(who)) return `${named} is refused: ${JSON.stringify(body)}`;
  const seen = hidden[who].find((pattern) => pattern.test(JSON.stringify(body) ?? ''));
  return isIn && seen ? `${named} sees ${String(seen)}: ${JSON.stringify(body).slice(0, 900)}` : null;
}

/** Null: no log-in came through. */
export async function logIn(client: Client, { email }: Member, tries: number): Promise<string | null> {
  const response = await client.insist(
    { method: 'POST', path: '/auth/login', body: { email, password: PASSWORD } },
    tries,
  );
  return response?.status === 200 ? (response.body.accessToken as string) : null;
}
