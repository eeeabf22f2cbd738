// The examples of webhook events: one of each kind, whole, and marked as examples.
import { expect } from 'chai';
import { exampleOf } from '../../../src/domain/webhook/examples.js';
import { isProjectKind, sentKinds } from '../../../src/domain/webhook/kinds.js';

const AT = '2026-11-20T10:00:00.000Z';

describe('examples of webhook events', () => {
  for (const kind of sentKinds.filter((one) => !isProjectKind(one))) {
    it(`${kind} is what happened to an invented customer at that instant`, () => {
      const example = exampleOf(kind, AT, 'camelCase');
      expect(example).to.include({ appUserId: 'example-user', isExample: true, eventTimestampMs: Date.parse(AT) });
      if ('environment' in example) expect(example['environment']).to.equal('SANDBOX');
      expect(JSON.stringify(example)).to.not.match(/NaN|undefined/);
    });
  }

  it('those of the books name no customer', () => {
    for (const kind of ['BOOKS_MONTH_COMPLETE', 'BOOKS_LINE_MISSING_HERE'] as const) {
      const example = exampleOf(kind, AT, 'camelCase');
      expect(example).to.include({ isExample: true, month: '2026-11', eventTimestampMs: Date.parse(AT) });
      expect(example).to.not.have.any.keys('appUserId', 'aliases');
    }
  });

  it('that of a figure states the day before', () => {
    const example = exampleOf('FIGURE_OUT_OF_BAND', AT, 'camelCase');
    expect(example).to.include({ isExample: true, day: '2026-11-19', side: 'low', chartId: 'revenue' });
    expect(example['sentence']).to.match(/^Revenue on Thursday 2026-11-19 was \$412\.50, lower than usual/);
    expect(example).to.not.have.any.keys('appUserId', 'aliases');
  });

  it('TEST has no data', () =>
    expect(exampleOf('TEST', AT, 'camelCase')).to.deep.equal({ eventTimestampMs: Date.parse(AT) }));

  it('have the money that their kind moves', () => {
    const prices = { INITIAL_PURCHASE: 9.99, RENEWAL: 9.99, REFUND: -9.99, REFUND_REVERSED: 9.99, CANCELLATION: 0 };
    for (const [kind, price] of Object.entries(prices)) {
      expect(exampleOf(kind as 'REFUND', AT, 'camelCase'), kind).to.include({ price });
    }
  });

  it('ENTITLEMENT_CHANGED has what is active and what was added', () => {
    const { activeEntitlements, added, removed } = exampleOf('ENTITLEMENT_CHANGED', AT, 'camelCase');
    expect(activeEntitlements).to.have.nested.property('pro.expiresAtMs', Date.parse(AT) + 31 * 86_400_000);
    expect([added, removed]).to.deep.equal([['pro'], []]);
  });
});
