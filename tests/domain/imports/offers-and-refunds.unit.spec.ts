// Money of imported rows in the charts: periods of offers count by their own length, and a partial refund takes no subscription away.
import { expect } from 'chai';
import { readTransaction } from '../../../src/commands/imports/revenuecat/transactions.js';
import { catalogDecider } from '../../../src/domain/catalog/catalog.js';
import { decideAll } from '../../../src/domain/decider.js';
import { chainUpdates } from '../../../src/domain/imports/chain-updates.js';
import { importOptions } from '../../../src/domain/imports/context.js';
import type { ImportedFact } from '../../../src/domain/imports/facts.js';
import { planCustomer } from '../../../src/domain/imports/plan-customer.js';
import { subscriberDecider } from '../../../src/domain/subscriber/decide/decider.js';
import { accessEndsAt } from '../../../src/domain/subscriber/access.js';
import { noSubscriber } from '../../../src/domain/subscriber/state/state.js';
import { figuresOf } from '../../commands/support/chart-figures.js';
import { contextOf } from '../../commands/stores/ios/samples.js';

const now = '2026-11-20T10:00:00.000Z';
const options = importOptions.parse({});
const context = contextOf({ refundPolicy: 'revoke_immediately' });
const row = {
  ...{ rc_original_app_user_id: 'alice', store: 'app_store', product_identifier: 'com.example.other' },
  ...{ start_time: '2026-01-01 10:00:00', end_time: '2026-02-01 10:00:00', is_auto_renewable: 'true' },
  ...{ purchase_price_in_purchased_currency: '12', price_in_purchased_currency: '12', purchased_currency: 'USD' },
  ...{ store_transaction_id: '1', original_store_transaction_id: '1', product_duration: 'P1M' },
};

function importOf(...rows: readonly Readonly<Record<string, string>>[]) {
  const facts = rows.flatMap((values, n) => {
    return readTransaction({ from: { file: 'a.csv', row: n + 2 }, values: { ...row, ...values } }, { now, options })
      .facts;
  });
  const { projectId, app, hash } = context;
  const terms = { projectId, catalog: context.catalog ?? catalogDecider.initial(), apps: [app], hash, now, options };
  const plan = planCustomer(facts as [ImportedFact, ...ImportedFact[]], terms, () => false);
  const introduce = { kind: 'registerCustomer' as const, appUserId: 'alice', source: 'import' as const };
  const records = plan.lines.map(({ storeChainId, transactions }) => {
    const updates = chainUpdates(transactions, { projectId, storeChainId, hash, now });
    return { kind: 'recordStoreUpdates' as const, storeChainId, updates, passedBefore: now };
  });
  const events = decideAll(subscriberDecider, [introduce, ...records], noSubscriber);
  return { events, state: events.reduce(subscriberDecider.evolve, noSubscriber) };
}

describe('the monthly value of an imported period', () => {
  const durationsOf = (changes: Readonly<Record<string, string>>) =>
    importOf(changes).events.flatMap(({ type, data }) =>
      type === 'SubscriptionStarted' ? [data.periodDuration, data.productDuration] : [],
    );
  const intro = { is_in_intro_offer_period: 'true' };
  for (const [what, changes, expected] of [
    ['of an offer that is paid for three months at once', { ...intro, end_time: '2026-04-01 10:00:00' }, 'P3M'],
    ['of an offer of a week', { ...intro, end_time: '2026-01-08 10:00:00' }, 'P7D'],
    ['of an offer as long as the product’s periods', intro, 'P1M'],
    ['of a promotional offer', { offer_type: 'promotional', end_time: '2027-01-01 10:00:00' }, 'P12M'],
    ['without an offer, also if it was extended', { end_time: '2026-02-09 10:00:00' }, 'P1M'],
  ] as const)
    it(`${what} follows from ${expected}`, () => expect(durationsOf(changes)).to.deep.equal([expected, 'P1M']));

  it('of an offer that a change of product cut short is that of the product’s periods', () => {
    const change = {
      ...{ start_time: '2026-01-11 10:00:00', end_time: '2026-02-11 10:00:00', store_transaction_id: '2' },
      product_identifier: 'com.example.yearly',
    };
    const [first] = importOf({ ...intro, end_time: '2026-01-11 10:00:00' }, change).events.flatMap(({ type, data }) =>
      type === 'SubscriptionStarted' ? [data.periodDuration] : [],
    );
    expect(first).to.equal('P1M');
  });
});

describe('a partial refund followed by a new purchase', () => {
  const half = { price_in_purchased_currency: '6', refunded_at: '2026-01-10 10:00:00' };
  const months = (from: string, to: string, more: Readonly<Record<string, string>>) => ({
    ...{ start_time: `${from} 12:00:00`, end_time: `${to} 12:00:00`, store_transaction_id: '2', ...more },
  });
  for (const [what, next] of [
    ['at once', months('2026-01-10', '2026-02-10', {})],
    ['before the end', months('2026-01-20', '2026-02-20', {})],
    ['after a gap', months('2026-02-05', '2026-03-05', {})],
    ['of another product', months('2026-01-12', '2026-02-12', { product_identifier: 'com.example.yearly' })],
    ['of another subscription', months('2026-01-12', '2026-02-12', { original_store_transaction_id: '2' })],
  ] as const)
    it(`${what} takes away each subscription once, at its end, and no revenue twice`, () => {
      const figures = figuresOf(importOf(half, next).events).map((figure) => /^(\S+) .*: (\S+)$/.exec(figure) ?? []);
      const of = (name: string) => figures.flatMap(([, measure, value]) => (measure === name ? [Number(value)] : []));
      const sumOf = (name: string) => of(name).reduce((a, b) => a + b, 0);
      for (const group of ['actives', 'mrr']) {
        const ends = of(`${group}.out`);
        expect(Math.min(...ends), `${group}.out`).to.be.above(0);
        expect(sumOf(`${group}.out`)).to.equal(sumOf(`${group}.new`) + sumOf(`${group}.back`));
      }
      expect([sumOf('money.gross'), sumOf('money.refunds')]).to.deep.equal([24e6, 6e6]);
      const taken = figures.filter(([text]) => text?.startsWith('actives.out 2026-01-10'));
      expect(taken, 'the refund ends no access').to.deep.equal([]);
    });
});

describe('a full refund of a row with an early end of access', () => {
  const endOf = (effective: string, refunded: string) => {
    const changes = { price_in_purchased_currency: '0', effective_end_time: effective, refunded_at: refunded };
    const [subscription] = importOf(changes).state.profile.subscriptions.values();
    return subscription && accessEndsAt(subscription).slice(0, 10);
  };
  for (const [effective, refunded, expected] of [
    ['2026-01-10 10:00:00', '2026-01-10 10:00:00', '2026-01-10'],
    ['2026-01-10 10:00:00', '2026-01-20 10:00:00', '2026-01-10'],
    ['2026-01-20 10:00:00', '2026-01-10 10:00:00', '2026-01-20'],
    ['2026-02-01 10:00:00', '2026-01-10 10:00:00', '2026-01-10'],
  ] as const)
    it(`ends on ${expected}, as in the file`, () => expect(endOf(effective, refunded)).to.equal(expected));
});
