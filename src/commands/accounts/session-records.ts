// Records of a login: one per session (the family of its refresh tokens), which is authoritative, and one per refresh token that only
// references its session. Tokens are never stored, only their SHA-256.
import { createHmac } from 'node:crypto';
import { z } from 'zod';
import type { CollectionSpec, Doc, DocStore, Write } from '../../adapters/documents/port.js';
import { buildInsertion, readRecord, removeMatching, buildReplacement } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { isoFromMs, msFromIso } from '../../domain/time.js';
import { sha256Of } from './api-key.js';
import { createRevocationCache } from './revocation-cache.js';

/** Indexed by their end, so that expired records can be purged. */
export const sessionCollections: readonly CollectionSpec[] = [
  {
    name: 'sessions',
    indexes: [
      { name: 'end', fields: ['endsAt'] },
      { name: 'user', fields: ['userId'] },
    ],
  },
  { name: 'refresh_tokens', indexes: [{ name: 'end', fields: ['endsAt'] }] },
];

const schema = z.object({
  sessionId: z.string(),
  userId: z.string(),
  emailKey: z.string(),
  tokenVersion: z.int(),
  currentSha256: z.string(),
  /** SHA-256 of the previous token; empty before the first rotation. */
  previousSha256: z.string(),
  rotatedAt: z.string(),
  /** Expiry of the current token. */
  expiresAt: z.string(),
  /** Expiry of the whole token family. */
  endsAt: z.string(),
  /** Set once an old token was used again. */
  reusedAt: z.string().nullable(),
});
export type SessionRecord = z.output<typeof schema>;
export type StoredSession = { readonly guard: string; readonly record: SessionRecord };

/** Reads a stored session. */
export function parseSession(doc: Doc): SessionRecord {
  return schema.parse(doc);
}

/** Returns the time at which a session began. */
export function openedAtOf({ endsAt }: SessionRecord): string {
  return isoFromMs(msFromIso(endsAt) - FAMILY_DAYS * DAY_MS);
}

const FORM = /^rt_[A-Za-z0-9_-]{43}$/;
const FAMILY_DAYS = 90;
const DAY_MS = 24 * 60 * 60_000;

export type NewSession = Pick<SessionRecord, 'userId' | 'emailKey' | 'tokenVersion'>;
export type OpenedSession = {
  readonly record: SessionRecord;
  readonly refreshToken: string;
  /** Writes that must be stored before the token is returned. */
  readonly writes: readonly Write[];
};

export function openSession(runtime: Runtime, ttlSeconds: number, session: NewSession): OpenedSession {
  const now = runtime.now();
  const refreshToken = `rt_${runtime.randomBytes(32).toString('base64url')}`;
  const endsAt = isoFromMs(now + FAMILY_DAYS * DAY_MS);
  const record: SessionRecord = {
    ...session,
    sessionId: runtime.newId('ses'),
    currentSha256: sha256Of(refreshToken),
    previousSha256: '',
    rotatedAt: isoFromMs(now),
    expiresAt: expiryOf(now, ttlSeconds, endsAt),
    endsAt,
    reusedAt: null,
  };
  const write = buildInsertion('sessions', record.sessionId, record);
  return { record, refreshToken, writes: [write, insertPointer(record.currentSha256, record)] };
}

export function isRefreshToken(text: string): boolean {
  return FORM.test(text);
}

/**
 * Derives the next token from the token and a server key, so that the same result can be returned twice without storing any token, and the
 * thief of an old token cannot compute its successors.
 */
export function successorOf(refreshToken: string, key: Buffer): string {
  return `rt_${createHmac('sha256', key).update(`successor|${refreshToken}`).digest('base64url')}`;
}

export function expiryOf(now: number, ttlSeconds: number, endsAt: string): string {
  const expiresAt = isoFromMs(now + ttlSeconds * 1000);
  return expiresAt < endsAt ? expiresAt : endsAt;
}

/** Finds the session of any refresh token that was ever issued. `isNextStored`: its successor already has a record. */
export async function readSession(
  docs: DocStore,
  presentedSha256: string,
  nextSha256: string,
): Promise<{ readonly session: StoredSession; readonly isNextStored: boolean } | null> {
  const pointers = await docs.get('refresh_tokens', [presentedSha256, nextSha256]);
  const sessionId = pointers.get(presentedSha256)?.doc?.['sessionId'];
  if (typeof sessionId !== 'string') return null;
  const { guard, doc } = await readRecord(docs, 'sessions', sessionId);
  if (guard === null || doc === null) return null;
  const session = { guard, record: schema.parse(doc) };
  return { session, isNextStored: pointers.has(nextSha256) };
}

export function replaceSession({ guard, record }: StoredSession, changes: Partial<SessionRecord>): Write {
  return buildReplacement('sessions', { id: record.sessionId, guard }, { ...record, ...changes });
}

/** Removes the session, which ends all of its tokens. Returns false if another write was first. */
export async function removeSession(docs: DocStore, { guard, record }: StoredSession): Promise<boolean> {
  return (await docs.write([[buildReplacement('sessions', { id: record.sessionId, guard }, null)]])) === 'ok';
}

const PURGE_BATCH = 500;

/** Removes the records of expired sessions and their tokens. Returns the number removed. */
export async function purgeEndedSessions(docs: DocStore, now: string, signal: AbortSignal): Promise<number> {
  let deletedCount = 0;
  for (const { name: c } of sessionCollections) {
    deletedCount += await removeMatching(docs, c, { index: 'end', eq: [], to: now, limit: PURGE_BATCH }, signal);
  }
  return deletedCount;
}

export function insertPointer(tokenSha256: string, { sessionId, endsAt }: SessionRecord): Write {
  return buildInsertion('refresh_tokens', tokenSha256, { sessionId, endsAt });
}

/** Set of open sessions, read by every request that carries an access token, so that these tokens end with their session. */
export type OpenSessions = {
  /** Returns false after a logout, and after an old refresh token of the session was used again. Cached for one second. */
  has(sessionId: string): Promise<boolean>;
  /** Removes the cached value; called by the process that ends a session. */
  forget(sessionId: string): void;
};

export function createOpenSessions(docs: DocStore, runtime: Pick<Runtime, 'elapsed'>): OpenSessions {
  const isOpen = async (sessionId: string) => {
    const { doc } = await readRecord(docs, 'sessions', sessionId);
    return doc !== null && schema.parse(doc).reusedAt === null;
  };
  const { get: has, forget } = createRevocationCache(isOpen, runtime);
  return { has, forget };
}
