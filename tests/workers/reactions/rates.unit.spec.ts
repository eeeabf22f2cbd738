// Charges that came before their rates get their USD value when the rates come in, once, and refunds take the rate of the charge.
import { expect } from 'chai';
import { importRates } from '../../../src/commands/catalog/exchange-rates.js';
import { createProgress } from '../../../src/projections/runtime/progress.js';
import { customers } from '../../../src/projections/models/customers.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { createServing, servingCollection } from '../../../src/projections/rebuild/serving.js';
import { transactions } from '../../../src/projections/models/transactions.js';
import { createReadModels } from '../../../src/projections/queries/read-models.js';
import { ratesReaction } from '../../../src/workers/reactions/rates.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { createProjectFixture } from '../../commands/support/project-fixture.js';
import { feedsOf, firstBuild, open, runAll } from '../../projections/support/builds.js';

const FRIDAY = { day: '2026-11-20', rates: { USD: '1.2', GBP: '0.8' } };

async function rigged() {
  const fixture = await createProjectFixture();
  const { deps } = fixture;
  await deps.docs.ensure([servingCollection]);
  const readModels = createReadModels(deps.docs, createServing(deps.docs, deps.runtime));
  const progress = createProgress();
  const reaction = ratesReaction(deps, readModels, progress);
  const project = async () => {
    for (const projection of [transactions, customers] as Projection[]) {
      await runAll(
        await open(deps.log, deps.docs, firstBuild(projection)),
        feedsOf(await eventsOf(deps.log), () => 100),
      );
      progress.reportPosition(projection.name, await deps.log.head());
    }
  };
  /** All events of the rates, as after a restart at the beginning. */
  const react = async () => {
    await project();
    for (const event of await eventsOf(deps.log))
      if (reaction.serialKeyOf(event) !== null) await reaction.handle(event);
    await project();
  };
  const corrections = async () => (await eventsOf(deps.log)).filter((e) => e.type === 'TransactionPriceCorrected');
  const spent = async () => {
    const { rows } = await readModels.scan(customers, { index: 'id', eq: [], limit: 9 });
    return rows.map(({ doc }) => doc.spentMicros);
  };
  return {
    ...fixture,
    readModels,
    react,
    corrections,
    spent,
    publish: (...days: (typeof FRIDAY)[]) => importRates(deps, days, deps.runtime.newId('imp')),
  };
}

const inPounds = (o: Parameters<typeof monthly>[0] = {}) => monthly({ currency: 'GBP', price: 8000, ...o });

describe('exchange rates', () => {
  it('that are known fix the USD value with the charge', async () => {
    const { publish, submit, deps } = await rigged();
    await publish(FRIDAY);
    await submit('ann', inPounds());
    const started = (await eventsOf(deps.log)).find((e) => e.type === 'SubscriptionStarted');
    const { money } = started?.data as { money: object };
    expect(money).to.include({ amountMicros: 8_000_000, usdMicros: 12_000_000, fxRate: '1.5', fxDate: '2026-11-20' });
  });

  it('that come later fill in what was unknown, once', async () => {
    const { publish, submit, react, corrections, spent, readModels } = await rigged();
    await submit('ann', inPounds());
    await submit('ben', monthly({ transactionId: 'tx_9', originalTransactionId: 'tx_9' }));
    await react();
    expect(await spent()).to.have.members([0, 9_990_000]);
    await publish(FRIDAY);
    await react();
    await react();
    expect((await corrections()).map((e) => (e.data as { money: object }).money)).to.have.length(1);
    expect(await spent()).to.have.members([12_000_000, 9_990_000]);
    const left = await readModels.scanDerived(transactions, 'unconverted_transactions', {
      index: 'id',
      eq: [],
      limit: 9,
    });
    expect(left.rows).to.deep.equal([]);
  });

  it('leave unknown what has none within a week', async () => {
    const { publish, submit, react, corrections } = await rigged();
    await submit('ann', inPounds());
    await publish({ ...FRIDAY, day: '2026-11-12' }, { ...FRIDAY, day: '2026-11-21' });
    await react();
    expect(await corrections()).to.deep.equal([]);
  });

  it('of the charge are those of its refund', async () => {
    const { publish, notify, submit, react, spent } = await rigged();
    await publish(FRIDAY, { day: '2026-12-20', rates: { USD: '2', GBP: '0.5' } });
    await submit('ann', inPounds());
    const back = inPounds({ revocationDate: Date.parse('2026-12-20T10:00:00.000Z'), revocationReason: 0 });
    await notify(notification('REFUND', back));
    await react();
    expect(await spent()).to.deep.equal([0]);
  });

  it('that are corrected do not rewrite what was converted', async () => {
    const { publish, submit, react, corrections } = await rigged();
    await publish(FRIDAY);
    await submit('ann', inPounds());
    await submit('ann', renewal({ originalTransactionId: 'tx_1' }));
    const added = await publish({ ...FRIDAY, rates: { USD: '1.3', GBP: '0.8' } });
    await react();
    expect(await corrections()).to.deep.equal([]);
    expect(added).to.deep.equal({ days: 1, published: 0, corrected: 1, from: '2026-11-20', to: '2026-11-20' });
  });
});
