// Differences of access between two services, and the classes of their causes.
import { expect } from 'chai';
import {
  compareAccess,
  differenceClasses,
  losesAccess,
  type AccessHolding,
  type CustomerAccess,
} from '../../../src/domain/comparison/access.js';

const AT = '2026-05-10T12:00:00.000Z';
const ENDED = '2026-05-01T12:00:00.000Z';
const LATER = '2026-06-10T12:00:00.000Z';
const terms = { at: AT, entitlements: new Set(['pro']), stores: new Set(['ios-store', 'android-store']) };

function holding(endsAt: string | null, changes: Partial<AccessHolding> = {}): AccessHolding {
  return {
    entitlement: 'pro',
    endsAt,
    periodEndsAt: endsAt,
    isGrant: false,
    isSandbox: false,
    store: 'ios-store',
    ...changes,
  };
}
const customer = (...holdings: AccessHolding[]): CustomerAccess => ({ status: 'known', holdings });
const unknown: CustomerAccess = { status: 'unknown', holdings: [] };
const classesOf = (there: CustomerAccess, here: CustomerAccess) =>
  compareAccess(there, here, terms).map((d) => d.class);

describe('comparison of access', () => {
  const equal: readonly [string, CustomerAccess, CustomerAccess][] = [
    ['ends within an hour', customer(holding(LATER)), customer(holding('2026-06-10T13:00:00.000Z'))],
    ['no end on both sides', customer(holding(null)), customer(holding(null))],
    ['access that ended on both sides at other times', customer(holding(ENDED)), customer()],
    ['customers that neither side knows', unknown, unknown],
    ['another source of the same access', customer(holding(null, { isGrant: true })), customer(holding(null))],
  ];
  for (const [what, there, here] of equal) {
    it(`reports no difference for ${what}`, () => expect(classesOf(there, here)).to.deep.equal([]));
  }

  const grace = '2026-05-17T12:00:00.000Z';
  const period = '2026-05-09T12:00:00.000Z';
  const soon = '2026-05-10T12:30:00.000Z';
  const different: readonly [string, CustomerAccess, CustomerAccess][] = [
    ['only_there', customer(holding(LATER)), customer()],
    ['only_there', customer(holding(LATER)), customer(holding(ENDED))],
    ['only_here', customer(holding(ENDED)), customer(holding(LATER))],
    ['end_differs', customer(holding(LATER)), customer(holding('2026-06-10T13:00:00.001Z'))],
    ['end_differs', customer(holding(null)), customer(holding(LATER))],
    ['grant_there', customer(holding(LATER, { isGrant: true })), customer()],
    ['grant_here', customer(), customer(holding(LATER, { isGrant: true, store: null }))],
    ['unknown_here', customer(holding(LATER)), unknown],
    ['unknown_there', unknown, customer(holding(LATER))],
    ['entitlement_unknown', customer(holding(LATER, { entitlement: 'gold' })), customer()],
    ['grace', customer(holding(grace, { periodEndsAt: period })), customer(holding(period))],
    ['grace', customer(holding(soon)), customer(holding(grace, { periodEndsAt: soon }))],
    ['sandbox', customer(holding(LATER, { isSandbox: true })), customer()],
    ['sandbox', customer(), customer(holding(LATER, { isSandbox: true }))],
    ['other_store', customer(holding(LATER, { store: 'stripe' })), customer()],
    ['renewing', customer(holding(LATER)), customer(holding('2026-05-10T11:30:00.000Z'))],
    ['renewing', customer(holding(soon)), customer(holding(LATER))],
    ['erased_here', customer(holding(LATER)), { status: 'erased', holdings: [] }],
  ];
  for (const [name, there, here] of different) {
    it(`reports ${name} for ${JSON.stringify([there.holdings[0]?.endsAt, here.holdings[0]?.endsAt])}`, () =>
      expect(classesOf(there, here)).to.deep.equal([name]));
  }

  it('reports unknown_since only for an export, and does not count it as access that is lost', () => {
    const [there, here] = [customer(holding('2026-05-09T12:00:00.000Z')), customer()];
    const [found] = compareAccess(there, here, { ...terms, knownUntil: '2026-05-08T12:00:00.000Z' });
    expect([found?.class, found && losesAccess(found)]).to.deep.equal(['unknown_since', false]);
    expect(classesOf(there, here)).to.deep.equal([]);
  });

  it('has a case for every class', () => {
    const cases = [...different.map(([name]) => name), 'unknown_since'];
    expect(Object.keys(differenceClasses)).to.have.members([...new Set(cases)]);
  });

  it('does not excuse a missing renewal by a grace period of another period', () => {
    const there = customer(holding(grace, { periodEndsAt: period }));
    expect(classesOf(there, customer(holding(ENDED)))).to.deep.equal(['only_there']);
  });

  it('compares each entitlement, by its longest holding', () => {
    const both = new Set(['pro', 'gold']);
    const there = customer(holding(ENDED), holding(LATER), holding(LATER, { entitlement: 'gold' }));
    const found = compareAccess(there, customer(holding(LATER)), { ...terms, entitlements: both });
    expect(found.map((d) => [d.entitlement, d.class, losesAccess(d)])).to.deep.equal([['gold', 'only_there', true]]);
  });
});
