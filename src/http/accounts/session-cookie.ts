// Session cookie of a browser page. It contains the refresh token, cannot be read by scripts, is sent to `/auth` only, and is accepted only
// from pages of the same origin.
import type { TokenPair } from '../../commands/accounts/auth-context.js';
import { HttpError } from '../bodies/errors.js';

const COOKIE_NAME = 'subledger_session';
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

const EXPIRED_AT = '1970-01-01T00:00:00Z';

type Header = (name: string) => string | undefined;

/** Returns whether a URL has a loopback host, such as `http://localhost:3000`. */
export function isOnLoopback(url: string): boolean {
  return URL.canParse(url) && LOOPBACK.test(new URL(url).hostname);
}

/** Returns the origin of the requesting page as its browser reports it, or `publicUrl`. */
export function pageOriginOf(header: Header, publicUrl: string): string {
  return header('origin') ?? publicUrl;
}

/** Returns the header that sets the cookie. It is restricted to TLS unless the page is on loopback. */
export function sessionCookie({ refreshToken, refreshExpiresAt }: TokenPair, page: string): string {
  return serializeCookie(refreshToken, refreshExpiresAt, page);
}

/** Returns the header that removes the cookie. */
export function expiredCookie(page: string): string {
  return serializeCookie('', EXPIRED_AT, page);
}

function serializeCookie(value: string, until: string, page: string): string {
  const secure = isOnLoopback(page) ? '' : '; Secure';
  return `${COOKIE_NAME}=${value}; Path=/auth; Expires=${new Date(until).toUTCString()}; HttpOnly; SameSite=Strict${secure}`;
}

/** Returns the refresh token, or undefined if no cookie was sent. Throws {@link HttpError} 403 unless a page of the same origin sent it. */
export function tokenInCookie(header: Header, publicUrl: string): string | undefined {
  const cookies = (header('cookie') ?? '').split(';').map((one) => one.trim());
  const token = cookies.find((one) => one.startsWith(`${COOKIE_NAME}=`))?.slice(COOKIE_NAME.length + 1);
  if (!token) return undefined;
  if (!isSameOrigin(header('origin'), header('host'), publicUrl)) {
    throw new HttpError(
      403,
      'a session in a cookie is only accepted from pages of the same origin; send refreshToken instead',
    );
  }
  return token;
}

/** Compares the origin with the `Host` header, or with the public URL for proxies that replace the header. */
function isSameOrigin(origin: string | undefined, host: string | undefined, publicUrl: string): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return new URL(origin).host === host || origin === (URL.canParse(publicUrl) ? new URL(publicUrl).origin : null);
}
