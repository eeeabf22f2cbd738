// Rules of valid lifecycles: returns each event that cannot follow from those before it.
import type { StoreTransaction, LifecycleEvent, Lifecycle, StoreEvent } from '../../simulator/lifecycle-events.js';

type Line = {
  readonly latest: StoreTransaction;
  readonly renews: boolean;
  readonly graceEndsAt: number | null;
  readonly isOver: boolean;
  readonly isFailing: boolean;
  readonly refunded: boolean;
};

/** One sentence per breach; empty for a legal lifecycle. */
export function breachesOf(lifecycle: Lifecycle): string[] {
  const lines = new Map<string, Line>();
  const breaches: string[] = [];
  for (const h of lifecycle.events) {
    const line = 'bought' in h ? lines.get(h.bought.chainId) : undefined;
    const breach = breachOf(h, line, lifecycle);
    if (breach) breaches.push(`lifecycle ${lifecycle.index}: ${h.kind} at ${new Date(h.at).toISOString()}: ${breach}`);
    if (isOfStore(h)) lines.set(h.bought.chainId, next(h, line));
  }
  return breaches;
}

function isOfStore(h: LifecycleEvent): h is StoreEvent {
  return h.kind !== 'receipt' && h.kind !== 'described' && h.kind !== 'granted';
}

function next(h: StoreEvent, line: Line | undefined): Line {
  const isFailing = h.kind === 'billingFailed' || h.kind === 'graceEnded';
  const isOver = h.kind === 'expiredByChoice' || h.kind === 'expiredUnpaid';
  const { bought: latest, graceEndsAt } = h;
  const renews = h.kind === 'refunded' ? (line?.renews ?? true) : h.willRenew;
  return { latest, renews, graceEndsAt, isOver, isFailing, refunded: h.kind === 'refunded' };
}

function breachOf(h: LifecycleEvent, line: Line | undefined, lifecycle: Lifecycle): string | null {
  const breach = (isRight: boolean | undefined, sentence: string) => (isRight ? null : sentence);
  if (!isOfStore(h)) return breach(lifecycle.appUserId !== null, 'by a customer without a name');
  const { bought, at } = h;
  if (h.kind === 'started' || h.kind === 'boughtOnce')
    return breach(!line && !bought.isRenewal && at >= bought.purchasedAt, 'not the first of its chain');
  if (!line) return 'before the first purchase of its chain';
  const { latest } = line;
  const ends = latest.expiresAt ?? 0;
  const isNew = bought.transactionId > latest.transactionId && at >= bought.purchasedAt;
  const isSame = bought.transactionId === latest.transactionId;
  switch (h.kind) {
    case 'resubscribed':
      return breach(isNew && !bought.isRenewal && (line.isOver || line.refunded), 'while the old one goes on');
    case 'renewed':
      return breach(
        isNew && line.renews && !line.isOver && !line.isFailing && !line.refunded && bought.purchasedAt === ends,
        'not due',
      );
    case 'recovered':
      return breach(
        isNew &&
          line.isFailing &&
          (line.graceEndsAt === null || (at < line.graceEndsAt && bought.purchasedAt === ends)),
        'nothing to recover',
      );
    case 'renewalOff':
      return breach(isSame && line.renews && at < ends && !line.isOver && !line.refunded, 'nothing to turn off');
    case 'renewalOn':
      return breach(isSame && !line.renews && at < ends && !line.isOver && !line.refunded, 'nothing to turn on');
    case 'billingFailed':
      return breach(
        isSame && line.renews && at >= ends && !line.isFailing && !line.isOver && !line.refunded,
        'nothing to charge',
      );
    case 'graceEnded':
      return breach(isSame && line.graceEndsAt === at, 'no grace ends here');
    case 'refundRequested':
      return breach(isSame && !line.refunded, 'nothing to refund');
    case 'expiredByChoice':
      return breach(isSame && !line.renews && at >= ends && !line.isOver && !line.refunded, 'the choice was another');
    case 'expiredUnpaid':
      return breach(isSame && line.isFailing && !line.isOver, 'nothing was unpaid');
    case 'refunded':
      return breach(isSame && !line.refunded && latest.priceMilli > 0, 'nothing to give back');
    case 'refundReversed':
      return breach(isSame && line.refunded && at < ends, 'nothing was given back');
  }
}
