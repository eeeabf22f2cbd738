// Sets a user's password without the old one, for the operator of the installation. Ends every token of the user.
import { Rejection } from '../../domain/errors.js';
import { streams } from '../../domain/streams.js';
import { userDecider } from '../../domain/user/user.js';
import type { Deps } from '../handling/deps.js';
import { setPassword } from './passwords.js';
import { load, runCommand } from '../handling/run-command.js';

export type PasswordReset = {
  /** Key of the user's stream. */
  readonly emailKey: string;
  readonly hash: string;
  readonly commandId: string;
};

/** Writes the record first: after a crash in between, the new password works and only the event is missing. Throws {@link Rejection}. */
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
  await deps.mutex.run(stream, () => runCommand(deps, stream, userDecider, [{ kind: 'resetPassword' }], ctx));
  return { userId };
}
