// A purchase line changes hands.
import { expect } from 'chai';
import { decideAll, foldEvents } from '../../../../src/domain/decider.js';
import type { SubscriberCommand } from '../../../../src/domain/subscriber/decide/commands.js';
import { subscriberDecider } from '../../../../src/domain/subscriber/decide/decider.js';
import { subscriberEvents as e, type SubscriberEvent } from '../../../../src/domain/subscriber/events/events.js';
import { lineOf } from '../../../../src/domain/subscriber/state/line.js';
import type { PurchaseLine, Subscriber } from '../../../../src/domain/subscriber/state/state.js';
import { autoRenew, disabled, refund, refunded } from '../store-samples.js';
import { alice, chain, coins, customer, first, itemCompleted, lifetime, started } from '../samples.js';

const aToB = { fromCustomerId: 'cus_a', toCustomerId: 'cus_b', storeChainId: chain, reason: 'restore' as const };
const bToA = { ...aToB, fromCustomerId: 'cus_b', toCustomerId: 'cus_a' };

function stateOf(...events: readonly SubscriberEvent[]): Subscriber {
  return foldEvents(subscriberDecider, [customer, ...events]);
}

function moved(direction: 'in' | 'out', snapshot: PurchaseLine, way = aToB): SubscriberEvent {
  const { fromCustomerId, toCustomerId, reason } = way;
  return e.PurchaseTransferred.of({
    direction,
    fromCustomerId,
    toCustomerId,
    storeChainIds: [chain],
    reason,
    snapshot,
  });
}

function forPayer(event: SubscriberEvent, whose: { paidBy: string } | { heldBy: string }): SubscriberEvent {
  return { ...event, data: { ...event.data, ...whose } } as SubscriberEvent;
}

describe('a transfer', () => {
  const line = lineOf(stateOf(started(first), disabled(first, 3)), chain);

  it('lets go of the whole line', () =>
    alice(started(first), disabled(first, 3))
      .when({ kind: 'releaseLine', ...aToB })
      .then(moved('out', line)));

  it('takes the line over as it was', () =>
    alice()
      .when({ kind: 'takeLine', ...aToB, line })
      .then(moved('in', line)));

  it('of what is not held is nothing', () =>
    alice()
      .when({ kind: 'releaseLine', ...aToB })
      .thenNothing());

  it('carries the store’s time along, so that an older message stays stale', () =>
    alice(moved('in', line)).when(autoRenew(true, 2)).thenNothing());

  it('leaves the giver nothing to renew', () =>
    alice(started(first), moved('out', lineOf(stateOf(started(first)), chain)))
      .when(autoRenew(false, 3))
      .thenNothing());

  it('leaves other lines where they are', () => {
    const { profile } = stateOf(itemCompleted(lifetime), moved('out', { ...line, storeChainId: 'other' }));
    expect(profile.owned).to.have.length(1);
  });

  it('to another and back ends as it began', () => {
    const before = stateOf(started(first), disabled(first, 3));
    const b = run(stateOf(), { kind: 'takeLine', ...aToB, line: lineOf(before, chain) });
    const afterOut = run(before, { kind: 'releaseLine', ...aToB });
    expect(afterOut.profile.subscriptions).to.deep.equal([]);
    const back = run(afterOut, { kind: 'takeLine', ...bToA, line: lineOf(b, chain) });
    const ofLine = ({ profile, transactions, noted }: typeof back) => ({ profile, transactions, noted });
    expect(ofLine(back)).to.deep.equal(ofLine(before));
    const { profile, ...rest } = stateOf();
    expect(run(b, { kind: 'releaseLine', ...bToA })).to.deep.equal({
      ...rest,
      profile: { ...profile, handedOver: [chain] },
    });
  });
});

describe('a transferred consumable', () => {
  const line = lineOf(stateOf(itemCompleted(coins)), chain);
  const sold = { id: 't1', product: 'app.item', price: 4_990_000 };

  it('is found by its refund at the taker, as another customer’s money', () =>
    alice(moved('in', line))
      .when(refund('t1', 10))
      .then(forPayer(refunded(sold, 10, { isLatest: true, accessRevoked: false, of: null }), { paidBy: 'cus_a' })));

  it('is refunded to its owner once it is transferred back', () => {
    const there = lineOf(stateOf(moved('in', line)), chain);
    alice(itemCompleted(coins), moved('out', line), moved('in', there, bToA))
      .when(refund('t1', 10))
      .then(refunded(sold, 10, { isLatest: true, accessRevoked: false, of: null }));
  });

  it('leaves the former payer only the refund', () => {
    const event = refunded(sold, 10, { isLatest: true, accessRevoked: true, of: null });
    const { profile, transactions } = stateOf(itemCompleted(coins), forPayer(event, { heldBy: 'cus_b' }));
    expect(profile.spentMicros).to.equal(0);
    expect(transactions.get('t1')?.refund, 'the holder’s matter').to.equal(null);
  });

  it('is not found at the giver any more', () =>
    alice(itemCompleted(coins), moved('out', line)).when(refund('t1', 10)).thenNothing());
});

function run(state: Subscriber, command: SubscriberCommand): Subscriber {
  return decideAll(subscriberDecider, [command], state).reduce(subscriberDecider.evolve, state);
}
