// User of a request about the own account, and the proof that it is the user and not only the user's session.
import { z } from 'zod';
import type { OwnAccount } from '../../commands/accounts/own-account.js';
import { HttpError } from '../bodies/errors.js';
import type { Caller } from '../dispatch/caller.js';
import type { Services } from '../dispatch/services.js';
import { code, password, userDeletedError } from './auth-routes.js';

export const proof = z.strictObject({ password, code: code.optional() });
export const PROOF = { password: 'correct horse battery', code: '123456' };
export const NEEDS_PROOF =
  'Needs the password, and `code` if there is a second factor; wrong ones count as failed logins. 403 does not tell which one was wrong.';

/** Throws {@link HttpError} 401 for a user who was deleted. */
export async function ownAccountOf(
  { auth }: Services,
  caller: Caller,
): Promise<OwnAccount & { readonly email: string }> {
  const found = caller.kind === 'user' ? await auth.findUser(caller.userId) : null;
  if (caller.kind !== 'user' || found?.email == null) throw userDeletedError();
  return { user: found, sessionId: caller.sessionId, email: found.email };
}

/** Counts a wrong password or code like a failed login of this user. Throws {@link HttpError} 403 for one. */
export async function proven<T>(
  { limits }: Services,
  { email, ip }: { readonly email: string; readonly ip: string },
  prove: () => Promise<T | null | false>,
  refusal = 'the password is wrong, or the code of your second factor is missing or wrong',
): Promise<T> {
  const guess = await limits.beginLogin(email, ip);
  const result = await prove().catch(async (err: unknown) => {
    await guess.untried();
    throw err;
  });
  if (result === null || result === false) {
    await guess.wrong();
    throw new HttpError(403, refusal);
  }
  await guess.right();
  return result;
}
