// A customer's purchase history, one document per transaction.
import { expect } from 'chai';
import { transactions } from '../../../src/projections/models/transactions.js';
import { customer, DAY, DEC, transfer } from '../support/customer-events.js';
import { given } from '../support/spec.js';

const ann = customer('ann');
const ben = customer('ben');
const line = [ann.created(), ann.subscribed(), ann.renewed(), ben.created()];

describe('transactions read model', () => {
  it('keeps each period with its price and its end', () =>
    given(transactions, ...line).then((found) => {
      expect(found['transactions']).to.have.all.keys('proj_1|tx_1', 'proj_1|tx_2');
      expect(found['transactions']?.['proj_1|tx_1']).to.include({ kind: 'purchase' });
      expect(found['transactions']?.['proj_1|tx_2']).to.deep.include({
        customerId: 'cus_ann',
        originalTransactionId: 'tx_1',
        subscriptionId: 'sub_tx_1',
        type: 'normal',
        kind: 'renewal',
        purchasedAt: DEC(1),
        expiresAt: DEC(31),
        refundedAt: null,
      });
    }));

  it('keeps a purchase without a subscription by its kind', () =>
    given(transactions, ann.created(), ann.ownedForever('tx_9')).then((found) =>
      expect(found['transactions']?.['proj_1|tx_9']).to.deep.include({ type: 'non_consumable', subscriptionId: null }),
    ));

  it('dates a refund, and takes the date back when it is reversed', async () => {
    const refunded = [...line, ann.refunded('tx_1', DAY(5))];
    await given(transactions, ...refunded).then((found) =>
      expect([found['transactions']?.['proj_1|tx_1']?.['refundedAt'], found['refunds']]).to.deep.equal([
        DAY(5),
        { 'proj_1|tx_1|refund': { projectId: 'proj_1', environment: 'production', refundedAt: DAY(5) } },
      ]),
    );
    await given(transactions, ...refunded, ann.refundReversed('tx_1')).then((found) =>
      expect([found['transactions']?.['proj_1|tx_1']?.['refundedAt'], found['refunds']]).to.deep.equal([null, {}]),
    );
  });

  it('lists each refund and reversal at its time, also when it was taken back', async () => {
    const refundedTwice = [ann.refunded('tx_1', DAY(5)), ann.refundReversed('tx_1'), ann.refunded('tx_1', DAY(25))];
    const at = (found: Record<string, Record<string, Record<string, unknown>>>) =>
      Object.entries(found['money_moves'] ?? {}).map(([id, doc]) => `${id} ${String(doc['at'])}`);
    await given(transactions, ...line, ...refundedTwice).then((found) =>
      expect(at(found))
        .to.have.length(3)
        .and.include(`proj_1|tx_1|move|0 ${DAY(5)}`),
    );
  });

  it('has the end of a period that an upgrade ended', async () => {
    const upgrade = ann.upgraded('tx_2', 'sub_tx_3', DEC(10));
    const replacedOf = (found: Parameters<Parameters<ReturnType<typeof given>['then']>[0]>[0], id: string) =>
      found['transactions']?.[`proj_1|${id}`]?.['replaced'];
    await given(transactions, ...line, upgrade).then((found) => {
      expect(replacedOf(found, 'tx_2')).to.include({ at: DEC(10) });
      expect(replacedOf(found, 'tx_1')).to.equal(undefined);
    });
    await given(transactions, ...line, ann.upgraded('tx_2', 'sub_tx_1', DEC(10))).then((found) =>
      expect(replacedOf(found, 'tx_2'), 'within a trial').to.equal(undefined),
    );
  });

  it('makes nothing of a refund of what was never seen', () =>
    given(transactions, ann.created(), ann.refunded('tx_7')).then((found) =>
      expect(found['transactions']).to.deep.equal({}),
    ));

  it('shows the whole line under its new owner, and under its old one when it came back', async () => {
    const there = transfer('ann', 'ben', line);
    const owners = (found: Parameters<Parameters<ReturnType<typeof given>['then']>[0]>[0]) =>
      Object.values(found['transactions'] ?? {}).map((doc) => doc['customerId']);
    await given(transactions, ...line, ...there).then((found) =>
      expect(owners(found)).to.deep.equal(['cus_ben', 'cus_ben']),
    );
    await given(transactions, ...line, ...there, ...transfer('ben', 'ann', [...line, ...there])).then((found) =>
      expect(owners(found)).to.deep.equal(['cus_ann', 'cus_ann']),
    );
  });
});
