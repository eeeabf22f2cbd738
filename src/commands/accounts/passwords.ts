// Password records: hash and token version of a user, by user id, and their reset by an operator. They are never part of an event and
// independent of rebuilds.
import { z } from 'zod';
import type { DocStore, Write } from '../../adapters/documents/port.js';
import { buildInsertion, readRecord, buildReplacement, updateRecord } from '../../adapters/documents/records.js';
import type { Runtime } from '../../adapters/runtime.js';
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { userDecider } from '../../domain/user/user.js';
import type { Deps } from '../handling/deps.js';
import { load, runCommand } from '../handling/run-command.js';
import { removeSecondFactor } from './second-factor.js';
import { createRevocationCache } from './revocation-cache.js';

export const passwordCollection = { name: 'passwords', indexes: [] };

const schema = z.object({
  userId: z.string(),
  /** Key of the user's stream. */
  emailKey: z.string(),
  hash: z.string(),
  /** Increases to end all of a user's tokens: each token contains the version at its creation. */
  tokenVersion: z.int(),
});
type PasswordRecord = z.output<typeof schema>;
export type StoredPassword = { readonly guard: string; readonly record: PasswordRecord };

export async function readPassword(docs: DocStore, userId: string): Promise<StoredPassword | null> {
  const { guard, doc } = await readRecord(docs, passwordCollection.name, userId);
  return guard !== null && doc ? { guard, record: schema.parse(doc) } : null;
}

export function insertPassword(record: PasswordRecord): Write {
  return buildInsertion(passwordCollection.name, record.userId, record);
}

export function replacePassword({ guard, record }: StoredPassword, changes: Partial<PasswordRecord>): Write {
  return buildReplacement(passwordCollection.name, { id: record.userId, guard }, { ...record, ...changes });
}

/** Increments the token version, which ends every token. Returns false when the user has no record. */
async function setPassword(docs: DocStore, userId: string, hash: string): Promise<boolean> {
  const { doc } = await updateRecord(docs, passwordCollection.name, userId, (stored) => {
    const record = stored && schema.parse(stored);
    return record ? { ...record, hash, tokenVersion: record.tokenVersion + 1 } : undefined;
  });
  return doc !== null;
}

type TokenVersions = {
  /** Returns a version that is at most a second old; -1 for an unknown user. */
  of(userId: string): Promise<number>;
  /** Removes the cached version; called by the process that changes it. */
  forget(userId: string): void;
};

/** Current token version of each user, read by every request that carries an access token. */
export function createTokenVersions(docs: DocStore, runtime: Pick<Runtime, 'elapsed'>): TokenVersions {
  const versionOf = async (userId: string) => (await readPassword(docs, userId))?.record.tokenVersion ?? -1;
  const { get: of, forget } = createRevocationCache(versionOf, runtime);
  return { of, forget };
}

type PasswordReset = {
  /** Key of the user's stream. */
  readonly emailKey: string;
  readonly hash: string;
  readonly commandId: string;
};

/**
 * Sets a new password and removes the second factor: the way back for a user who has lost both. Writes the records first: after a crash in
 * between, the new password works, and a repeat of the command does the rest. Throws {@link Rejection}.
 */
export async function resetPassword(
  deps: Pick<Deps, 'log' | 'docs' | 'runtime' | 'mutex'>,
  { emailKey, hash, commandId }: PasswordReset,
): Promise<{ readonly userId: string }> {
  const { docs, log } = deps;
  const stream = streams.user(emailKey);
  const userId = (await load(log, stream, userDecider)).state?.userId;
  if (userId === undefined) throw new Rejection('missing', 'user-unknown', 'no user is registered with this email');
  if (!(await setPassword(docs, userId, hash))) {
    throw new Error('the password record of this user is missing: restore the records from their backup');
  }
  const ctx = { commandId, correlationId: commandId, actor: { kind: 'system' as const, id: 'command line' } };
  await removeSecondFactor(docs, userId);
  const commands = [{ kind: 'resetPassword' }, { kind: 'disableSecondFactor' }] as const;
  await deps.mutex.run(stream, () => runCommand(deps, stream, userDecider, commands, ctx));
  return { userId };
}
