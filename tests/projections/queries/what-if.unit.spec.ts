// Copies under other rules change the events that the rules are about, and no others.
import { expect } from 'chai';
import { supposing } from '../../../src/projections/queries/what-if.js';
import { history, type History } from '../support/history.js';

describe('what if', () => {
  let past: History;
  before(async () => {
    past = await history();
  });

  it('no rule is supposed, every event is as it was', () => {
    const suppose = supposing({});
    for (const event of past.events) expect(suppose(event)).to.equal(event);
  });

  it('the stores kept another share, every charge and refund shows it', () => {
    const suppose = supposing({ commission: 0.15 });
    const rates = past.events.flatMap((event) => {
      const { money, refund } = suppose(event).data as Record<string, { commissionRate?: number; money?: object }>;
      return [money?.commissionRate, (refund?.money as { commissionRate?: number } | undefined)?.commissionRate];
    });
    const known = rates.filter((rate) => rate !== undefined);
    expect(known.length).to.be.greaterThan(3);
    expect(new Set(known)).to.deep.equal(new Set([0.15]));
  });

  it('refunds left or took access, only that changes', () => {
    const stream = past.events.find(({ type }) => type === 'SubscriptionStarted')?.stream;
    const refunded = {
      stream,
      type: 'TransactionRefunded',
      data: { isLatest: true, accessRevoked: true, policy: 'x', share: 1 },
    };
    const older = { stream, type: 'TransactionRefunded', data: { isLatest: false, accessRevoked: false, policy: 'x' } };
    const as = (event: object, refundPolicy: 'keep_until_expiry' | 'revoke_immediately') =>
      supposing({ refundPolicy })(event as (typeof past.events)[number]).data;
    const keep = { isLatest: true, accessRevoked: false, policy: 'keep_until_expiry', share: 1 };
    expect(as(refunded, 'keep_until_expiry')).to.deep.equal(keep);
    expect(as(refunded, 'revoke_immediately')).to.include({ accessRevoked: true, policy: 'revoke_immediately' });
    expect(as(older, 'revoke_immediately')).to.include({ accessRevoked: false });
    const tooLate = { ...refunded.data, policy: 'revoke_immediately', accessRevoked: false };
    expect(as({ ...refunded, data: tooLate }, 'revoke_immediately')).to.equal(tooLate);
  });
});
