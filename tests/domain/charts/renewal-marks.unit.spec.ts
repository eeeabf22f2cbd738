// A renewal that was turned off and on again at one instant, as the store tells of it: what was said last holds, as it does for access.
import { expect } from 'chai';
import { runQuery } from './run-query.js';
import { historiesOf, type NormalEvent } from './normal-form.js';

const started: readonly NormalEvent[] = [
  { type: 'CustomerCreated', customerId: 'ann', at: '2026-03-01T00:00:00.000Z' },
  {
    ...{ type: 'SubscriptionStarted', customerId: 'ann', subscriptionId: 'a', transactionId: 'a1' },
    ...{ at: '2026-03-17T00:00:00.000Z', expiresAt: '2026-04-17T00:00:00.000Z', periodType: 'normal' },
    ...{ productDuration: 'P1M', periodDuration: 'P1M', store: 'android-store', appId: 'app_1', revenueUsd: 9.99 },
  },
];
const turned = (which: 'Disabled' | 'Enabled', recordedAt: string): NormalEvent => ({
  ...{ type: `SubscriptionAutoRenew${which}`, customerId: 'ann', subscriptionId: 'a' },
  ...{ at: '2026-03-28T09:23:11.000Z', recordedAt },
});
const [first, second] = ['2026-03-28T09:23:12.000Z', '2026-04-08T19:34:03.000Z'] as const;

describe('a renewal that is turned off and on at one instant', () => {
  const status = (events: readonly NormalEvent[], asOf: string) => {
    const period = { start: '2026-04-01', end: '2026-05-01', interval: 'month' } as const;
    const shown = runQuery([...historiesOf([...started, ...events]).values()], 'subscription_status', {
      ...period,
      asOf,
    });
    return (shown as { buckets: { values: unknown }[] }).buckets[0]?.values;
  };
  const renews = { set_to_renew: 1, set_to_cancel: 0, billing_issue: 0 };
  const ends = { set_to_renew: 0, set_to_cancel: 1, billing_issue: 0 };

  it('is on if that was reported last', () => {
    const events = [turned('Disabled', first), turned('Enabled', second)];
    expect(status(events, '2026-04-10')).to.deep.equal(renews);
    expect(status(events, '2026-04-05')).to.deep.equal(ends);
  });

  it('is off if that was reported last', () => {
    const events = [turned('Enabled', first), turned('Disabled', second)];
    expect(status(events, '2026-04-10')).to.deep.equal(ends);
    expect(status(events, '2026-04-05')).to.deep.equal(renews);
  });
});
