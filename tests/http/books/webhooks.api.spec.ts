// Webhooks of the books: one for a month that became complete, one for the lines of a report that were not recorded, each once.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { readStream } from '../../../src/adapters/event-log/port.js';
import { streams } from '../../../src/domain/streams.js';
import { compareRecentMonths, comparisonsReaction } from '../../../src/workers/books/comparisons.js';
import { pino } from 'pino';
import { MONTHLY, notification, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const october = { startDate: '2026-09-27', endDate: '2026-10-31' };

const sale = (day: string, quantity: number): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country: 'US', quantity, price: '9.99', currency: 'USD' },
  ...{ share: '6.99', extendedShare: (6.99 * quantity).toFixed(2), shareCurrency: 'USD', isReturn: false },
});

describe('webhooks of the books', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;
  const hooks: Record<string, string> = {};

  const buy = async (id: string, day: string) => {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const when = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000, storefront: 'USA', currency: 'USD' };
    const names = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990 };
    const type = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate } as const;
    const body = notification({ ...type, transaction: { ...names, ...when } });
    expect((await harness.call('POST', slice.notificationPath, body)).status).to.equal(200);
    await harness.service().idle();
  };
  const add = async (rows: readonly FinanceRow[], period = october) => {
    // Deliveries are listed by the time at which they were created.
    clock.set(clock.now() + 1000);
    const response = await fetch(`${harness.service().url ?? ''}${base()}/books/reports?fileName=a.txt&account=1`, {
      ...{ method: 'POST', headers: { 'x-api-key': as.key }, body: writeFinanceDetail(rows, period) },
    });
    expect(response.status).to.equal(201);
    await harness.service().idle();
  };
  const deliveriesOf = async (hook: string): Promise<readonly Json[]> => {
    await harness.service().idle();
    const path = `${base()}/webhooks/${hooks[hook] ?? ''}/deliveries`;
    const { items } = (await harness.call('GET', `${path}?limit=100`, undefined, as)).body;
    return items.filter(({ type }: Json) => type.startsWith('BOOKS_')).reverse();
  };
  const eventsOf = async (hook: string, who: object = as): Promise<readonly Json[]> => {
    const found = [];
    for (const { id } of await deliveriesOf(hook)) {
      const path = `${base()}/webhooks/${hooks[hook] ?? ''}/deliveries/${id}`;
      found.push(JSON.parse((await harness.call('GET', path, undefined, who)).body.body).event);
    }
    return found;
  };
  const typesOf = async (hook: string) => (await deliveriesOf(hook)).map(({ type }) => type);

  before(async () => {
    const create = async (name: string, settings: object) => {
      const body = { name, url: 'https://hooks.example.com/', enabled: false, ...settings };
      const made = await harness.call('POST', `${base()}/webhooks`, body, as);
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      hooks[name] = made.body.id;
    };
    await create('all', {});
    await create('snake', { payloadFormat: 'snake_case', eventTypes: ['BOOKS_LINE_MISSING_HERE'] });
    await create('revenuecat', { payloadFormat: 'revenuecat' });
    await create('sandbox', { environment: 'sandbox' });
    for (const [id, day] of [
      ['100', '2026-10-04'],
      ['101', '2026-10-09'],
    ] as const)
      await buy(id, day);
  });

  it('name the lines that were not recorded, with their number and sums, and nobody', async () => {
    await add([sale('2026-10-04', 1), sale('2026-10-20', 2)]);
    const [event, ...others] = await eventsOf('all');
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({
      ...{ type: 'BOOKS_LINE_MISSING_HERE', projectId: slice.projectId, month: '2026-10', store: 'ios-store' },
      ...{ account: '1', reportKind: 'finance_detail', missingLines: 1, eventTimestampMs: NOW + 1000 },
      totals: [{ currency: 'USD', charged: '19.98', refunded: '0.00' }],
    });
    expect(event.lines).to.deep.equal([
      {
        ...{ kind: 'charge', appId: slice.appId, day: '2026-10-20', storeProductId: MONTHLY, country: 'US' },
        ...{ currency: 'USD', count: 2, orderId: null },
      },
    ]);
    expect((await eventsOf('snake'))[0]).to.deep.include({ missing_lines: 1, report_kind: 'finance_detail' });
  });

  it('say that a month became complete when the last purchase has its report', async () => {
    await add([sale('2026-10-04', 1), sale('2026-10-09', 1), sale('2026-10-20', 2)]);
    expect(await typesOf('all')).to.deep.equal(['BOOKS_LINE_MISSING_HERE', 'BOOKS_MONTH_COMPLETE']);
    const completed = (await eventsOf('all'))[1];
    expect(completed.reportIds).to.have.length(1);
    expect(completed.totals).to.deep.equal([{ currency: 'USD', ours: '13.98', store: '27.96' }]);
    expect(await typesOf('snake')).to.deep.equal(['BOOKS_LINE_MISSING_HERE']);
    for (const hook of ['revenuecat', 'sandbox']) expect(await typesOf(hook), hook).to.deep.equal([]);
  });

  it('hide sums from those who see no amounts', async () => {
    const support = await newMember(harness.call, slice.projectId, slice.token, 'support');
    for (const event of await eventsOf('all', support)) {
      expect(event).to.not.have.property('totals');
      expect(event).to.have.property('month');
    }
  });

  it('are sent once, though reports are handled again, come again, and months are compared every day', async () => {
    const { services } = harness.service();
    const worker = { ...services, logger: pino({ level: 'silent' }) };
    const reaction = comparisonsReaction(worker);
    for (const { reportId } of await services.books.listReports(slice.projectId))
      for await (const event of readStream(services.deps.log, streams.books(slice.projectId, reportId)))
        await reaction.handle(event);
    await add([sale('2026-10-04', 1), sale('2026-10-20', 2)]);
    await buy('102', '2026-10-11');
    await add([sale('2026-10-04', 1), sale('2026-10-09', 1), sale('2026-10-11', 1), sale('2026-10-20', 2)]);
    await harness.restart();
    await compareRecentMonths(
      { ...harness.service().services, logger: worker.logger },
      '2026-11-21',
      new AbortController().signal,
    );
    expect(await typesOf('all')).to.deep.equal(['BOOKS_LINE_MISSING_HERE', 'BOOKS_MONTH_COMPLETE']);
  });

  it('come of a daily look where time alone completes the month', async () => {
    const november = { startDate: '2026-11-01', endDate: '2026-11-18' };
    const lookOn = async (day: string) => {
      clock.set(Date.parse(`${day}T20:00:00Z`));
      const worker = { ...harness.service().services, logger: pino({ level: 'silent' }) };
      await compareRecentMonths(worker, day, new AbortController().signal);
      return (await typesOf('all')).slice(2);
    };
    const stateOf = async () => (await harness.call('GET', `${base()}/books/2026-11`, undefined, as)).body.state;
    await buy('103', '2026-11-03');
    await add([sale('2026-11-03', 1)], november);
    expect([await stateOf(), await lookOn('2026-11-21')], 'it has not ended').to.deep.equal(['open', []]);
    await buy('104', '2026-11-04');
    expect([await lookOn('2026-12-05'), await stateOf()], 'one purchase waits').to.deep.equal([[], 'open']);
    expect(await lookOn('2027-02-10')).to.deep.equal(['BOOKS_MONTH_COMPLETE']);
    expect((await eventsOf('all'))[2]).to.include({ month: '2026-11' });
    expect(await stateOf()).to.equal('complete');
  });
});
