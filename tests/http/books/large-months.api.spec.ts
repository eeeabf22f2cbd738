// Large months: the last result at once, and a newer one as soon as it is compared.
import { expect } from 'chai';
import { createBooks, type Books } from '../../../src/projections/books/books.js';
import { createMonthStore } from '../../../src/projections/books/stored-months.js';
import { MONTHLY, notification } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

describe('a large month of the books', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice } = setUpService({}, clock.runtime);
  const errors: unknown[] = [];

  const sell = async (id: string, day = '2026-10-04') => {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const place = { productId: MONTHLY, price: 9990, storefront: 'USA', currency: 'USD' };
    const times = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000 };
    const transaction = { transactionId: id, originalTransactionId: id, ...place, ...times };
    const type = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate } as const;
    await harness.call('POST', slice.notificationPath, notification({ ...type, transaction }));
    await harness.service().idle();
  };
  /** The books of the service, in which each month is large unless stated otherwise. `wait`: what a comparison waits for. */
  const openBooks = (wait: () => Promise<void>, largeMonth = 0): Books => {
    const { readModels, progress, deps, runtime: own } = harness.service().services;
    const runtime = { ...own, slice: wait };
    const monthStore = createMonthStore(deps.docs, { slice: () => Promise.resolve(), newId: own.newId });
    const parts = { log: deps.log, readModels, progress, runtime, monthStore, largeMonth };
    return createBooks({ ...parts, rates: () => Promise.resolve({}), onError: (err) => errors.push(err) });
  };
  const read = async (books: Books) => {
    const { summary, isOutdated, entries } = await books.view(slice.projectId, '2026-10');
    let listed = 0;
    for await (const piece of entries({}, -1)) listed += piece.length;
    return { entryCount: summary.entryCount, listed, isOutdated };
  };

  it('is waited for once, and then has its last result at once while newer facts are compared', async () => {
    let [isHeld, release] = [false, () => {}];
    const held = new Promise<void>((resolve) => (release = resolve));
    const books = openBooks(() => (isHeld ? held : Promise.resolve()));
    await sell('500');
    expect(await read(books)).to.deep.equal({ entryCount: 1, listed: 1, isOutdated: false });
    await sell('501');
    isHeld = true;
    expect(await read(books)).to.deep.equal({ entryCount: 1, listed: 1, isOutdated: true });
    expect((await books.view(slice.projectId, '2026-10')).isOutdated).to.equal(true);
    isHeld = false;
    release();
    expect((await books.month(slice.projectId, '2026-10')).entries).to.have.length(2);
    expect(await read(books)).to.deep.equal({ entryCount: 2, listed: 2, isOutdated: false });
    expect(errors).to.deep.equal([]);
  });

  it('has its result after a restart', async () => {
    const never = openBooks(() => new Promise<void>(() => {}));
    expect(await read(never)).to.deep.equal({ entryCount: 2, listed: 2, isOutdated: false });
  });

  it('has its last result at once for readers of many months, also if it is small', async () => {
    let [isHeld, release] = [false, () => {}];
    const held = new Promise<void>((resolve) => (release = resolve));
    const books = openBooks(() => (isHeld ? held : Promise.resolve()), 1000);
    const lastView = async () => {
      const { summary, isOutdated } = await books.lastView(slice.projectId, '2026-09');
      return { entryCount: summary.entryCount, isOutdated };
    };
    expect(await lastView()).to.deep.equal({ entryCount: 0, isOutdated: false });
    await sell('502', '2026-09-04');
    isHeld = true;
    expect(await lastView()).to.deep.equal({ entryCount: 0, isOutdated: true });
    isHeld = false;
    release();
    expect((await books.view(slice.projectId, '2026-09')).summary.entryCount).to.equal(1);
    expect(await lastView()).to.deep.equal({ entryCount: 1, isOutdated: false });
    expect(errors).to.deep.equal([]);
  });
});
