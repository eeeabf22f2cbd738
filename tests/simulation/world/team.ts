// People of a project who look at it while things fail: each sees what the role may, by the table of the interface, and no other project.
import type { Response } from '../engine/http.js';
import type { Client } from './client.js';

/** `leaver` is an admin until the owner ends that. */
export const MEMBERS = ['analyst', 'support', 'viewer', 'leaver'] as const;
export type MemberName = (typeof MEMBERS)[number];
export type Member = { readonly userId: string; readonly email: string };
export type Leaving = 'lowered' | 'removed';

export const PASSWORD = 'correct horse battery staple';

type Look = {
  readonly path: (projectId: string, user: string) => string;
  readonly method?: 'POST' | 'DELETE';
  readonly body?: object;
  /** Who may, apart from the leaver, who may all. */
  readonly allowed: readonly MemberName[];
};

/** What nobody may write who looks: a trace of it would show a refusal that was none. */
export const FORBIDDEN = 'written-without-leave';
const subscriber = (user: string) => `/v1/subscribers/${encodeURIComponent(user)}`;
const all = ['analyst', 'support', 'viewer'] as const;

export const looks: readonly Look[] = [
  { path: (id) => `/v1/projects/${id}/customers`, allowed: all },
  { path: (_id, user) => subscriber(user), allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/timeline`, allowed: all },
  { path: (id, user) => `/v1/projects/${id}/customers/${user}/access`, allowed: all },
  { path: (id) => `/v1/projects/${id}/members`, allowed: all },
  { path: (id) => `/v1/projects/${id}/webhooks`, allowed: all },
  { path: (id) => `/v1/projects/${id}/metrics/overview`, allowed: ['analyst', 'viewer'] },
  { path: (id) => `/v1/projects/${id}/api-keys`, allowed: [] },
  { path: (id) => `/v1/projects/${id}/audit`, allowed: [] },
  { path: (id) => `/v1/projects/${id}/entitlements`, method: 'POST', body: { lookupKey: FORBIDDEN }, allowed: [] },
  { path: (_id, user) => subscriber(user), method: 'DELETE', allowed: [] },
];

const MONEY = /"\w*(amount|price|revenue|tax|commission|proceeds|spent|micros)\w*":/i;
const PERSONAL = /canary-/;
const hidden: Readonly<Record<MemberName, readonly RegExp[]>> = {
  analyst: [PERSONAL],
  support: [MONEY],
  viewer: [PERSONAL],
  leaver: [],
};

export type Peek = {
  readonly member: MemberName;
  /** Of `looks`. */
  readonly look: number;
  readonly user: string;
  /** At the other project, where they are nobody. */
  readonly elsewhere: boolean;
};

/** Null for the leaver where something is written: an admin may. */
export function requestOf(peek: Peek, projectId: string) {
  const look = looks[peek.look];
  if (!look || (peek.member === 'leaver' && look.method)) return null;
  const { method = 'GET', body } = look;
  const headers = { 'x-project-id': projectId };
  return { method, path: look.path(projectId, peek.user), headers, ...(body && { body }) };
}

/** What is wrong with what a member was answered; null: nothing. Nobody learns anything from a service that is away. */
export function wrongIn(peek: Peek, { status, body }: Response): string | null {
  const { member, elsewhere } = peek;
  const allowed = looks[peek.look]?.allowed ?? [];
  const who = `${member} ${JSON.stringify(peek)}`;
  if (status === 401 || status === 429 || status >= 500) return null;
  const isIn = status < 300;
  if (elsewhere) return isIn ? `${who} opens a project of others: ${status}` : null;
  if (isIn && member !== 'leaver' && !allowed.includes(member)) return `${who} is let in: ${status}`;
  if (status === 403 && allowed.includes(member)) return `${who} is refused: ${JSON.stringify(body)}`;
  const seen = hidden[member].find((pattern) => pattern.test(JSON.stringify(body) ?? ''));
  return isIn && seen ? `${who} sees ${String(seen)}: ${JSON.stringify(body).slice(0, 900)}` : null;
}

/** Null: no log-in came through. */
export async function logIn(client: Client, { email }: Member, tries: number): Promise<string | null> {
  const response = await client.insist(
    { method: 'POST', path: '/auth/login', body: { email, password: PASSWORD } },
    tries,
  );
  return response?.status === 200 ? (response.body.accessToken as string) : null;
}
