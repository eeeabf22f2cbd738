// Session of the user. The refresh token is in an HttpOnly cookie; the access token is only in the memory of this module.
import { signal } from '@preact/signals';

export type User = { readonly id: string; readonly email: string; readonly name: string | null };
/** `ended`: the session expired while a page was open; the page stays, so that no input is lost. */
export type Session =
  /** `problem`: why the session cannot be restored now, although it may not have ended. */
  | { readonly state: 'starting'; readonly problem?: Error }
  | { readonly state: 'out' }
  | { readonly state: 'in'; readonly user: User }
  | { readonly state: 'ended'; readonly user: User };

export const session = signal<Session>({ state: 'starting' });

type Token = { readonly text: string; readonly goodUntil: number };
type TokenResponse = { readonly accessToken: string; readonly expiresIn: number; readonly user?: User };

const REFRESH_EARLY_MS = 30_000;
/** Key in local storage that marks a possible cookie, which scripts cannot read. */
const HINT = 'session';
let token: Token | null = null;
let refreshing: Promise<Response> | null = null;
const otherTabs = new BroadcastChannel('subledger-session');

/** Ends the session in this tab when another tab logs out. */
export function followOtherTabs(): void {
  otherTabs.addEventListener('message', () => {
    token = null;
    session.value = { state: 'out' };
  });
}

/**
 * Restores the session from the cookie of an earlier visit, if there is one. `preload` runs while the user is loaded, and may fail. A server
 * that cannot answer now has not ended the session.
 */
export async function startSession(preload: () => Promise<unknown>): Promise<void> {
  session.value = { state: 'starting' };
  if (window.localStorage.getItem(HINT) === null) {
    session.value = { state: 'out' };
    return;
  }
  try {
    session.value = await restore(preload);
  } catch (error) {
    session.value = { state: 'starting', problem: error as Error };
  }
}

async function restore(preload: () => Promise<unknown>): Promise<Session> {
  const refreshed = await refresh();
  if (refreshed.ok) {
    const [response] = await Promise.all([authorizedFetch(new Request('/auth/me')), preload().catch(() => null)]);
    if (response.ok) return { state: 'in', user: (await response.json()) as User };
    if (isUnavailable(response)) throw new Error(await messageOf(response));
  }
  if (isUnavailable(refreshed)) throw new Error(await messageOf(refreshed));
  return { state: 'out' };
}

/** Returns the error message, or null on success. `code` is empty for a user without a second factor. */
export async function logIn(email: string, password: string, code: string): Promise<string | null> {
  return openSession('/auth/login', { email, password, ...(code !== '' && { code }) });
}

export async function register(body: {
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly invitationToken?: string;
}): Promise<string | null> {
  return openSession('/auth/register', body);
}

/** Replaces the tokens of this session by those of the new password. Returns the error message, or null on success. */
export async function changePassword(body: {
  readonly password: string;
  readonly newPassword: string;
  readonly code?: string;
}): Promise<string | null> {
  const headers = { 'content-type': 'application/json' };
  const sent = { method: 'POST', headers, body: JSON.stringify({ ...body, session: 'cookie' }) };
  const response = await authorizedFetch(new Request('/auth/password', sent));
  if (!response.ok) return messageOf(response);
  storeToken((await response.json()) as TokenResponse);
  return null;
}

/** Shows the changed name of the user. */
export function updateUser(user: User): void {
  if ('user' in session.value) session.value = { ...session.value, user };
}

/** Logs out in this tab and in all others. */
export async function logOut(): Promise<void> {
  await post('/auth/logout').catch(() => undefined);
  token = null;
  window.localStorage.removeItem(HINT);
  session.value = { state: 'out' };
  otherTabs.postMessage('out');
}

/** Sends a request with the access token. If the session has ended, the login dialog appears. */
export async function authorizedFetch(request: Request): Promise<Response> {
  if (token && Date.now() >= token.goodUntil) await refresh();
  const again = request.clone();
  const response = await fetch(withAuthorization(request));
  if (response.status !== 401) return response;
  const refreshed = await refresh();
  if (refreshed.ok) return fetch(withAuthorization(again));
  if (isUnavailable(refreshed)) return refreshed;
  if (session.value.state === 'in') session.value = { ...session.value, state: 'ended' };
  return response;
}

function withAuthorization(request: Request): Request {
  if (token) request.headers.set('authorization', `Bearer ${token.text}`);
  return request;
}

async function openSession(path: string, body: object): Promise<string | null> {
  const response = await post(path, { ...body, session: 'cookie' });
  if (!response.ok) return messageOf(response);
  const opened = (await response.json()) as TokenResponse;
  storeToken(opened);
  window.localStorage.setItem(HINT, 'opened');
  if (opened.user) session.value = { state: 'in', user: opened.user };
  return null;
}

/** Refreshes the tokens. Concurrent calls share one request, because a refresh token can be used only once. */
async function refresh(): Promise<Response> {
  refreshing ??= post('/auth/refresh')
    .then(async (response) => {
      if (response.ok) storeToken((await response.clone().json()) as TokenResponse);
      else if (!isUnavailable(response)) token = null;
      return response;
    })
    .finally(() => (refreshing = null));
  return (await refreshing).clone();
}

/** Returns true if the server did not decide: too many requests, or it is starting or failing. */
function isUnavailable({ status }: Response): boolean {
  return status === 429 || status >= 500;
}

function storeToken({ accessToken, expiresIn }: TokenResponse): void {
  token = { text: accessToken, goodUntil: Date.now() + expiresIn * 1000 - REFRESH_EARLY_MS };
}

function post(path: string, body?: object): Promise<Response> {
  const sent = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return fetch(path, { method: 'POST', ...sent });
}

async function messageOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { readonly message?: string } | null;
  return body?.message ?? `The server returned ${response.status}. Try again.`;
}
