// Restores: one transaction is presented, and the whole history of its buyer becomes that of the presenting customer.
import { expect } from 'chai';
import { eraseSubscriber } from '../../../../src/commands/subscribers/erasure.js';
import { deliveryBodyCollection, deliveryCollection } from '../../../../src/commands/webhooks/deliveries.js';
import { isoFromMs } from '../../../../src/domain/time.js';
import {
  at,
  createStoreFixture,
  show,
  signed,
  signedByStranger,
  type Bought,
  type StoreFixture,
} from './store-fixture.js';

const FIRST: Bought = { transactionId: '1000', day: -60 };
const SECOND: Bought = { transactionId: '1001', originalTransactionId: '1000', day: -30 };
const RESUBSCRIBED: Bought = { transactionId: '3000', day: 0, productId: 'yearly' };
const LIFETIME: Bought = { transactionId: '2000', productId: 'lifetime', type: 'Non-Consumable', day: -90 };
const COINS: Bought = { transactionId: '4000', productId: 'coins', type: 'Consumable', day: -20 };
const ALL = [RESUBSCRIBED, LIFETIME, COINS, SECOND, FIRST];
const CHAINS = ['1000', '2000', '3000', '4000'];
const HISTORY = /\/history\//;

describe('a restore', () => {
  let fixture: StoreFixture;
  const given = async (history = ALL, ...args: Parameters<typeof createStoreFixture>) => {
    fixture = await createStoreFixture(...args);
    show(fixture.production, history);
    return fixture;
  };
  afterEach(() => fixture.close());
  /** Transactions by customer, of each chain. */
  const held = () => Promise.all(CHAINS.map((chain) => fixture.holders(chain)));
  const histories = () => fixture.production.requests.filter((path) => HISTORY.test(path)).length;
  const WHOLE = [{ ann: ['1000', '1001'] }, { ann: ['2000'] }, { ann: ['3000'] }, {}];
  const PRESENTED = [{}, {}, { ann: ['3000'] }, {}];

  it('brings the whole history, without consumables', async () => {
    await given();
    const { appUserId, state } = await fixture.restore('ann', signed(RESUBSCRIBED));
    expect(await held()).to.deep.equal(WHOLE);
    expect([appUserId, state.transactions.size], 'the result').to.deep.equal(['ann', 4]);
    expect(histories()).to.equal(1);
  });

  it('adds nothing when it is repeated', async () => {
    await given();
    await fixture.restore('ann', signed(RESUBSCRIBED));
    const events = await fixture.countEvents();
    // The store signs its responses at the time of the request.
    show(
      fixture.production,
      ALL.map((o) => ({ ...o, signedDate: at(2) })),
    );
    fixture.clock.set(isoFromMs(at(2)));
    await fixture.restore('ann', signed(RESUBSCRIBED));
    await fixture.restore('ann', signed(FIRST));
    expect(await fixture.countEvents()).to.equal(events);
    expect(await held()).to.deep.equal(WHOLE);
  });

  it('is one of the presented transaction without a key of the app, or of its environment', async () => {
    for (const key of [null, 'sandbox'] as const) {
      await fixture?.close();
      await given(ALL, { key });
      await fixture.restore('ann', signed(RESUBSCRIBED));
      expect(await held(), `${key}`).to.deep.equal(PRESENTED);
      expect(await fixture.dueTasks()).not.to.include('restore');
    }
  });

  it('alone brings the history: another receipt does not', async () => {
    await given();
    await fixture.present('ann', signed(RESUBSCRIBED));
    expect(await held()).to.deep.equal(PRESENTED);
    expect(histories()).to.equal(0);
  });

  it('takes along what another customer presented, where purchases are transferred', async () => {
    await given();
    await fixture.present('bob', signed(SECOND));
    await fixture.restore('ann', signed(RESUBSCRIBED));
    expect(await held()).to.deep.equal(WHOLE);
  });

  it('leaves what another customer presented, where purchases are kept, and brings the rest', async () => {
    await given(ALL, { transferBehavior: 'keep' });
    await fixture.present('bob', signed(SECOND));
    await fixture.restore('ann', signed(RESUBSCRIBED));
    expect(await held()).to.deep.equal([{ bob: ['1001'] }, { ann: ['2000'] }, { ann: ['3000'] }, {}]);
  });

  it('brings nothing that is not signed by the store, or of another app or environment', async () => {
    await given();
    const strange = [
      signedByStranger(LIFETIME),
      signed({ ...FIRST, bundleId: 'com.example.other' }),
      signed({ ...SECOND, environment: 'Sandbox' }),
    ];
    const transactions = [...strange, signed(RESUBSCRIBED)];
    fixture.production.chains.set('3000', { transactions, renewal: undefined, status: 1 });
    await fixture.restore('ann', signed(RESUBSCRIBED));
    expect(await held()).to.deep.equal(PRESENTED);
  });

  describe('whose store does not answer', () => {
    for (const [trouble, status] of [
      ['is away', 503],
      ['refuses the key', 401],
    ] as const)
      it(`succeeds with the presented transaction, and brings the rest later: it ${trouble}`, async () => {
        await given();
        fixture.production.setFailure(status);
        await fixture.restore('ann', signed(RESUBSCRIBED));
        expect(await held()).to.deep.equal(PRESENTED);
        await fixture.doTasks();
        expect(await held(), 'still').to.deep.equal(PRESENTED);
        fixture.production.setFailure(null);
        fixture.clock.set(isoFromMs(at(0.1)));
        expect(await fixture.dueTasks()).to.include('restore');
        await fixture.doTasks();
        expect(await held()).to.deep.equal(WHOLE);
        expect(await fixture.dueTasks()).not.to.include('restore');
      });

    it('brings nothing to a customer who was erased since', async () => {
      await given();
      fixture.production.setFailure(503);
      await fixture.restore('ann', signed(RESUBSCRIBED));
      await fixture.deps.docs.ensure([deliveryCollection, deliveryBodyCollection]);
      await eraseSubscriber(fixture.deps, fixture.by(), fixture.projectId, 'ann');
      fixture.production.setFailure(null);
      await fixture.doTasks();
      expect((await fixture.dueTasks()).filter((kind) => kind === 'restore')).to.deep.equal([]);
      expect([await fixture.holders('1000'), await fixture.holders('2000')]).to.deep.equal([{}, {}]);
    });
  });
});
