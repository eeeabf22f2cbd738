// When a period began if the store gives no time for it: where the one before it ended, unless something lay between them.
import type { Subscription } from '../state/state.js';
import type { RecordPeriod } from './store-commands.js';

/** `chain`: the subscriptions of its store chain, oldest first. */
export function withBeginning(c: RecordPeriod, chain: readonly Subscription[]): RecordPeriod {
  const former = chain.at(-1);
  if (!c.followsOn || !former || !reachesUpTo(c, former)) return c;
  return { ...c, purchasedAt: former.contractEndsAt };
}

/** A pause, failed retries or an end by the store's own message lies between; time without any message does not. */
function reachesUpTo(c: RecordPeriod, former: Subscription): boolean {
  const hasGap = former.retrySince !== null || former.pause?.begun === true || former.ended?.by === 'store';
  const isCut = former.refundedAt !== null || former.revokedAt !== null;
  if (hasGap || isCut || former.contractEndsAt >= c.expiresAt) return false;
  return c.followsOn === 'always' || former.graceEndsAt !== null;
}
