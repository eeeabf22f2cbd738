// Use of a refresh token: it is exchanged once for its successor, or ends its session. A reused old token means that one of the two holders
// stole it: the session ends for both.
import { RetryLater } from '../../domain/errors.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { sha256Of } from './api-key.js';
import type { Deps } from '../handling/deps.js';
import { readPassword } from './passwords.js';
import {
  expiryOf,
  insertPointer,
  isRefreshToken,
  readSession,
  removeSession,
  replaceSession,
  successorOf,
  type SessionRecord,
} from './session-records.js';

/** Result of using a refresh token. `reused`: the session was ended, now or earlier, because an old token was used again. */
export type Rotation =
  | { readonly kind: 'refused' }
  | { readonly kind: 'reused'; readonly session: SessionRecord }
  | { readonly kind: 'rotated'; readonly session: SessionRecord; readonly refreshToken: string };

/** Checks admission before the swap; throws to refuse. */
export type Admit = (sessionId: string) => Promise<void>;

type Needs = Pick<Deps, 'docs' | 'runtime' | 'dataKeys'>;

/** Grace period for a lost response and for two concurrent tabs: the token just replaced returns its replacement once more. */
const GRACE_MS = 30_000;
const MAX_TRIES = 10;

/**
 * Exchanges a refresh token for its successor. The swap is one guarded write of the session's record, so that of many concurrent uses one
 * swaps and the others find it done. The successor's own record is written first: after a crash in between, the old token is still the
 * current one, and its next use derives the same successor.
 */
export async function rotateSession(
  deps: Needs,
  refreshToken: string,
  ttlSeconds: number,
  admit: Admit,
): Promise<Rotation> {
  if (!isRefreshToken(refreshToken)) return { kind: 'refused' };
  const { docs, runtime } = deps;
  const successor = successorOf(refreshToken, await deps.dataKeys.forSealing('refresh-tokens'));
  const [presented, next] = [sha256Of(refreshToken), sha256Of(successor)];
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const found = await readSession(docs, presented, next);
    if (!found) return { kind: 'refused' };
    const { session, isNextStored } = found;
    const { record } = session;
    if (attempt === 0) await admit(record.sessionId);
    const now = runtime.now();
    if (record.reusedAt !== null) return { kind: 'reused', session: record };
    if (isoFromMs(now) >= record.endsAt) return { kind: 'refused' };
    if (!(await hasCurrentVersion(deps, record))) return { kind: 'refused' };

    if (presented === record.currentSha256) {
      if (isoFromMs(now) >= record.expiresAt) return { kind: 'refused' };
      const changes = {
        currentSha256: next,
        previousSha256: presented,
        rotatedAt: isoFromMs(now),
        expiresAt: expiryOf(now, ttlSeconds, record.endsAt),
      };
      const pointer = isNextStored ? [] : [insertPointer(next, record)];
      const outcome = await docs.write([pointer, [replaceSession(session, changes)]]);
      if (outcome === 'ok') return { kind: 'rotated', session: { ...record, ...changes }, refreshToken: successor };
    } else if (presented === record.previousSha256 && now - msFromIso(record.rotatedAt) <= GRACE_MS) {
      return { kind: 'rotated', session: record, refreshToken: successor };
    } else {
      const changes = { reusedAt: isoFromMs(now) };
      const outcome = await docs.write([[replaceSession(session, changes)]]);
      if (outcome === 'ok') return { kind: 'reused', session: { ...record, ...changes } };
    }
  }
  throw new RetryLater('too many requests use this refresh token at the same time; retry in 1 second', 1);
}

/** Ends the session of a refresh token, used or not. Returns its ID, or null if no session is open. */
export async function endSession(deps: Needs, refreshToken: string): Promise<string | null> {
  if (!isRefreshToken(refreshToken)) return null;
  const presented = sha256Of(refreshToken);
  for (let attempt = 0; attempt < MAX_TRIES; attempt++) {
    const found = await readSession(deps.docs, presented, presented);
    if (!found) return null;
    if (await removeSession(deps.docs, found.session)) return found.session.record.sessionId;
  }
  throw new RetryLater('another request uses this session; retry in 1 second', 1);
}

/** Returns false if all of the user's tokens were ended since the login. Not cached, because this must take effect at once. */
async function hasCurrentVersion({ docs }: Needs, { userId, tokenVersion }: SessionRecord): Promise<boolean> {
  return (await readPassword(docs, userId))?.record.tokenVersion === tokenVersion;
}
