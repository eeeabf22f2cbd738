// Access tokens of the demo's owner, who logs in and whose session expires in simulated time.
import { RequestFailed, type Client } from '#simulator/client.js';
import type { PlaybackContext } from '#simulator/ios-store/play.js';
import { logIn, refresh, type Login, type Session, type SimulatedProject } from '#simulator/project.js';

/** Manages tokens as a dashboard does: refreshes an expired token, and logs in when the session has expired. */
export function createSupportToken(
  client: Client,
  login: Login,
  { session }: SimulatedProject,
  openedAt: number,
): PlaybackContext['supportToken'] {
  const withValidity = (from: number, opened: Session) => ({ ...opened, from, until: from + opened.expiresIn * 1000 });
  let last = Promise.resolve(withValidity(openedAt, session));
  return async (atMs) => {
    // Sequential, because a refresh token can be used only once.
    last = last.then(async (current) => {
      if (atMs >= current.from && atMs < current.until) return current;
      const refreshed =
        atMs < current.from ? null : await refresh(client, current.refreshToken, atMs).catch(unlessRefused);
      return withValidity(atMs, refreshed ?? (await logIn(client, login, atMs)));
    });
    return (await last).accessToken;
  };
}

function unlessRefused(err: unknown): null {
  if (err instanceof RequestFailed) return null;
  throw err;
}
