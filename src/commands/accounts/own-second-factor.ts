// The second factor of a user's own account.
import type { Requester } from '../handling/deps.js';
import type { AuthContext } from './auth-context.js';
import { ownerOf, prove, provePassword, runOnOwnAccount, type OwnAccount, type Proof } from './own-account.js';
import { removeOtherSessions } from './own-sessions.js';
import {
  confirmSecondFactor,
  prepareSecondFactor,
  removeSecondFactor,
  replaceRecoveryCodes,
  readSecondFactor,
  notOnError,
  type SecondFactorState,
} from './second-factor.js';
import { base32, otpauthUrl } from './totp.js';

export type PreparedFactor = { readonly secret: string; readonly otpauthUrl: string };

export type OwnSecondFactor = {
  secondFactor(userId: string): Promise<SecondFactorState>;
  /** Returns null for a wrong password. */
  prepareSecondFactor(own: OwnAccount, password: string): Promise<PreparedFactor | null>;
  /** Returns recovery codes, and ends all other sessions, which were opened without a code; null for a wrong code. */
  confirmSecondFactor(by: Requester, own: OwnAccount, code: string): Promise<readonly string[] | null>;
  /** Returns null for a wrong password or code. */
  replaceRecoveryCodes(by: Requester, own: OwnAccount, proof: Proof): Promise<readonly string[] | null>;
  /** Returns false for a wrong password or code. */
  removeSecondFactor(by: Requester, own: OwnAccount, proof: Proof): Promise<boolean>;
};

export function createOwnSecondFactor(context: AuthContext): OwnSecondFactor {
  const { deps } = context;
  const { docs } = deps;

  const expectSecondFactor = async ({ user }: OwnAccount) => {
    if ((await readSecondFactor(docs, user.userId)).enabledAt === null) throw notOnError();
  };

  return {
    secondFactor: (userId) => readSecondFactor(docs, userId),

    prepareSecondFactor: async (own, password) => {
      if (!(await provePassword(context, own, password))) return null;
      const secret = await prepareSecondFactor(deps, ownerOf(deps, own));
      return { secret: base32(secret), otpauthUrl: otpauthUrl(secret, own.user.email ?? '') };
    },

    confirmSecondFactor: async (by, own, code) => {
      const codes = await confirmSecondFactor(deps, ownerOf(deps, own), code);
      if (!codes) return null;
      const count = await removeOtherSessions(context, own);
      const ending = { kind: 'endSessions', sessionId: null, count } as const;
      await runOnOwnAccount(deps, by, own, [{ kind: 'enableSecondFactor' }, ending]);
      return codes;
    },

    replaceRecoveryCodes: async (by, own, proof) => {
      await expectSecondFactor(own);
      if (!(await prove(context, by, own, proof))) return null;
      const codes = await replaceRecoveryCodes(deps, own.user.userId);
      await runOnOwnAccount(deps, by, own, [{ kind: 'replaceRecoveryCodes' }]);
      return codes;
    },

    removeSecondFactor: async (by, own, proof) => {
      await expectSecondFactor(own);
      if (!(await prove(context, by, own, proof))) return false;
      await removeSecondFactor(docs, own.user.userId);
      await runOnOwnAccount(deps, by, own, [{ kind: 'disableSecondFactor' }]);
      return true;
    },
  };
}
