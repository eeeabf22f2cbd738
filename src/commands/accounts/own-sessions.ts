// The open sessions of a user's own account.
import type { DocStore } from '../../adapters/documents/port.js';
import { readRecord, scanPages } from '../../adapters/documents/records.js';
import { RetryLater } from '../../domain/errors.js';
import { isoFromMs } from '../../domain/time.js';
import type { Requester } from '../handling/deps.js';
import type { AuthContext } from './auth-context.js';
import { runOnOwnAccount, type OwnAccount } from './own-account.js';
import { readPassword } from './passwords.js';
import { parseSession, removeSession, type SessionRecord, type StoredSession } from './session-records.js';

export type OwnSessions = {
  /** Open sessions, newest first. */
  sessions(
    userId: string,
    page: SessionPage,
  ): Promise<{ readonly sessions: readonly SessionRecord[]; readonly lastId: string | null }>;
  /** Returns false if the user has no such open session. */
  endSession(by: Requester, own: OwnAccount, sessionId: string): Promise<boolean>;
  /** Ends all sessions but that of the request, and returns their number. */
  endOtherSessions(by: Requester, own: OwnAccount): Promise<number>;
};

export type SessionPage = { readonly limit: number; readonly before?: string };

const SCAN_PAGE = 100;

export function createOwnSessions(context: AuthContext): OwnSessions {
  const { deps, options } = context;
  const { docs, runtime } = deps;
  return {
    sessions: async (userId, { limit, before }) => {
      const scan = { index: 'user', eq: [userId], limit, reverse: true, ...(before !== undefined && { to: before }) };
      const [{ rows, next }, password] = await Promise.all([docs.scan('sessions', scan), readPassword(docs, userId)]);
      const now = isoFromMs(runtime.now());
      const sessions = rows.map(({ doc }) => parseSession(doc));
      const isOpen = (s: SessionRecord) =>
        s.reusedAt === null && s.expiresAt > now && s.tokenVersion === password?.record.tokenVersion;
      return { sessions: sessions.filter(isOpen), lastId: next === undefined ? null : (rows.at(-1)?.id ?? null) };
    },

    endSession: async (by, own, sessionId) => {
      const { guard, doc } = await readRecord(docs, 'sessions', sessionId);
      const record = doc && parseSession(doc);
      if (guard === null || record?.userId !== own.user.userId) return false;
      if (!(await removeSession(docs, { guard, record })))
        throw new RetryLater('another request uses this session; retry in 1 second', 1);
      options.onSessionEnd(sessionId);
      await runOnOwnAccount(deps, by, own, [{ kind: 'endSessions', sessionId, count: 1 }]);
      return true;
    },

    endOtherSessions: async (by, own) => {
      const count = await removeOtherSessions(context, own);
      await runOnOwnAccount(deps, by, own, [{ kind: 'endSessions', sessionId: null, count }]);
      return count;
    },
  };
}

/** Removes all sessions but that of the request, and returns their number; the caller records it. */
export async function removeOtherSessions(
  { deps: { docs }, options }: AuthContext,
  { user, sessionId }: OwnAccount,
): Promise<number> {
  let count = 0;
  for await (const page of scanSessions(docs, user.userId)) {
    for (const session of page) {
      if (session.record.sessionId === sessionId) continue;
      if (!(await removeSession(docs, session))) continue;
      options.onSessionEnd(session.record.sessionId);
      count++;
    }
  }
  return count;
}

async function* scanSessions(docs: DocStore, userId: string): AsyncGenerator<readonly StoredSession[]> {
  const scan = { index: 'user', eq: [userId], limit: SCAN_PAGE };
  for await (const rows of scanPages(scan, (one) => docs.scan('sessions', one)))
    yield rows.map(({ guard, doc }) => ({ guard, record: parseSession(doc) }));
}
