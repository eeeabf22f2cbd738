// Who is logged in. The refresh token is in a cookie that no script reads; the access token is in this module's memory and nowhere else.
import { signal } from '@preact/signals';

export type User = { readonly id: string; readonly email: string; readonly name: string | null };
/** `ended`: it was over while somebody worked; the page stays, so that nothing is lost. */
export type Session =
  | { readonly state: 'starting' }
  | { readonly state: 'out' }
  | { readonly state: 'in'; readonly user: User }
  | { readonly state: 'ended'; readonly user: User };

export const session = signal<Session>({ state: 'starting' });

type Token = { readonly text: string; readonly goodUntil: number };
type Opened = { readonly accessToken: string; readonly expiresIn: number; readonly user?: User };

const EARLY_MS = 30_000;
/** That there may be a cookie, which no script can see. */
const HINT = 'session';
let token: Token | null = null;
let refreshing: Promise<boolean> | null = null;
const others = new BroadcastChannel('subledger-session');

/** With the cookie of an earlier visit, if there is one. `ahead`: what is asked for in the meantime; it may fail. */
export async function startSession(ahead: () => Promise<unknown>): Promise<void> {
  others.addEventListener('message', () => {
    token = null;
    session.value = { state: 'out' };
  });
  if (window.localStorage.getItem(HINT) === null || !(await refresh())) {
    session.value = { state: 'out' };
    return;
  }
  const [response] = await Promise.all([authorizedFetch(new Request('/auth/me')), ahead().catch(() => null)]);
  session.value = response.ok ? { state: 'in', user: (await response.json()) as User } : { state: 'out' };
}

/** Returns why not, or null. */
export async function logIn(email: string, password: string): Promise<string | null> {
  return open('/auth/login', { email, password });
}

export async function register(body: {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly invitationToken?: string;
}): Promise<string | null> {
  return open('/auth/register', body);
}

/** In this tab and all others. */
export async function logOut(): Promise<void> {
  await post('/auth/logout').catch(() => undefined);
  token = null;
  window.localStorage.removeItem(HINT);
  session.value = { state: 'out' };
  others.postMessage('out');
}

/** Sends a request in the user's name. When the session has ended, the page asks to log in again. */
export async function authorizedFetch(request: Request): Promise<Response> {
  if (token && Date.now() >= token.goodUntil) await refresh();
  const again = request.clone();
  const response = await fetch(authorized(request));
  if (response.status !== 401) return response;
  if (await refresh()) return fetch(authorized(again));
  if (session.value.state === 'in') session.value = { ...session.value, state: 'ended' };
  return response;
}

function authorized(request: Request): Request {
  if (token) request.headers.set('authorization', `Bearer ${token.text}`);
  return request;
}

async function open(path: string, body: object): Promise<string | null> {
  const response = await post(path, { ...body, session: 'cookie' });
  if (!response.ok) return messageOf(response);
  const opened = (await response.json()) as Opened;
  keep(opened);
  window.localStorage.setItem(HINT, 'opened');
  if (opened.user) session.value = { state: 'in', user: opened.user };
  return null;
}

/** One at a time: a refresh token is good for one use. */
function refresh(): Promise<boolean> {
  refreshing ??= post('/auth/refresh')
    .then(async (response) => {
      if (!response.ok) token = null;
      else keep((await response.json()) as Opened);
      return response.ok;
    })
    .catch(() => false)
    .finally(() => (refreshing = null));
  return refreshing;
}

function keep({ accessToken, expiresIn }: Opened): void {
  token = { text: accessToken, goodUntil: Date.now() + expiresIn * 1000 - EARLY_MS };
}

function post(path: string, body?: object): Promise<Response> {
  const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(path, { method: 'POST', ...sent });
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { readonly message?: string } | null;
  return body?.message ?? `the server answered with ${response.status}; try again`;
}
