// Every command on the user's own account runs on the user's stream. What weakens or takes over an account needs the password again, and a
// code if there is a second factor, because a session may be in other hands.
import { streams } from '../../domain/streams.js';
import type { User, UserCommand } from '../../domain/user/user.js';
import type { Deps, Requester } from '../handling/deps.js';
import { asUser, emailKeyOf, runOnUser, type AuthContext } from './auth-context.js';
import { exceedsHashLength } from './password-rules.js';
import { readPassword, type StoredPassword } from './passwords.js';
import { checkCode } from './second-factor.js';

/** User of the request, with the session of the request. */
export type OwnAccount = { readonly user: User; readonly sessionId: string };
/** `code`: of the second factor, or a recovery code; required if the user has a second factor. */
export type Proof = { readonly password: string; readonly code?: string | undefined };

export function ownerOf(deps: Deps, { user }: OwnAccount): { readonly userId: string; readonly emailKey: string } {
  return { userId: user.userId, emailKey: emailKeyOf(deps, user.email ?? '') };
}

export function runOnOwnAccount(deps: Deps, by: Requester, own: OwnAccount, commands: readonly UserCommand[]) {
  const { userId, emailKey } = ownerOf(deps, own);
  return runOnUser(deps, asUser(by, userId), streams.user(emailKey), commands);
}

/** Returns the password record, or null if the password is wrong. */
export async function provePassword(
  { deps, options }: AuthContext,
  own: OwnAccount,
  password: string,
): Promise<StoredPassword | null> {
  const stored = await readPassword(deps.docs, own.user.userId);
  if (!stored || exceedsHashLength(password)) return null;
  return (await options.passwords.verify(password, stored.record.hash)) ? stored : null;
}

/** Returns the password record, or null if password or code are wrong. A recovery code is used up. */
export async function prove(
  context: AuthContext,
  by: Requester,
  own: OwnAccount,
  { password, code }: Proof,
): Promise<StoredPassword | null> {
  const { deps } = context;
  const stored = await provePassword(context, own, password);
  if (!stored) return null;
  const check = await checkCode(deps, ownerOf(deps, own), code);
  if (check.kind === 'wrong') return null;
  if (check.kind === 'right' && check.recoveryCodesLeft !== null) {
    const once = { ...by, requestId: `${by.requestId}-code` };
    await runOnOwnAccount(deps, once, own, [{ kind: 'useRecoveryCode', left: check.recoveryCodesLeft }]);
  }
  return stored;
}
