// Groups of sales that only a finance report of the ios-store has: the histories of customers who may be meant are read, and what is new is
// recorded as if its notification had come late.
import { expect } from 'chai';
import { pino } from 'pino';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { daysOfMonth, pacificDay } from '../../../src/domain/books/report-values.js';
import { compareRecentMonths } from '../../../src/workers/books/comparisons.js';
import { BUNDLE_ID, setUpProject, store as signer, type Json } from '../support/harness.js';
import { FIRST, type Period } from '../stores/ios/scenario.js';
import { setUpScenarios } from '../stores/ios/scenarios.js';

const DAY_MS = 86_400_000;
/** Only one app sells it, because a report names no app. */
const PLUS = 'com.example.app.plus.month';
const USA = { productId: PLUS, storefront: 'USA', currency: 'USD' };
const first: Period = { ...FIRST, ...USA };
const second: Period = { n: 2, from: 31, to: 62, ...USA };

for (const isAsked of [true, false])
  describe(`sales that only a report of the ios-store has, ${isAsked ? 'with' : 'without'} credentials`, () => {
    const ground = setUpScenarios({ isAsked });
    const { scenario, clock, idle, call, projectId, key } = ground;
    before(() => ground.sell(PLUS, 'P1M', 'plus'));
    const get = async (path: string): Promise<Json> =>
      (await call('GET', `/v1/projects/${projectId()}${path}`, undefined, { key: key() })).body;

    /** A customer's subscription, and the report of the month in which it renews. */
    const lost = () => {
      const life = scenario();
      const dayOf = (day: number) => pacificDay(life.ms(day));
      const month = dayOf(31).slice(0, 7);
      const show = (...periods: readonly Period[]) => {
        const { originalTransactionId } = life.transaction(first);
        const signedDate = clock.now();
        const signed = periods.map((one) =>
          signer.signedTransaction({
            ...{ bundleId: BUNDLE_ID, environment: 'Production', signedDate },
            ...life.transaction(one),
          }),
        );
        const shared = { environment: 'Production' as const, signedDate, originalTransactionId };
        const renewal = signer.signedRenewalInfo({ ...shared, productId: PLUS, autoRenewStatus: 0 });
        ground.store().chains.set(originalTransactionId, { transactions: signed, renewal, status: 2 });
      };
      const own = { projectId: projectId(), secretKey: key() };
      const add = async (rows: readonly Partial<FinanceRow>[], to = own) => {
        const lines = rows.map((row): FinanceRow => {
          const { day = dayOf(31) } = row;
          const place = { sku: PLUS, country: 'US', quantity: 1, price: '9.99', currency: 'USD' };
          const paid = { share: '6.99', extendedShare: '6.99', shareCurrency: 'USD', isReturn: false };
          return { ...place, ...paid, day, settledOn: day, ...row };
        });
        const url = `${ground.url()}/v1/projects/${to.projectId}/books/reports?fileName=a.txt&account=1`;
        const body = writeFinanceDetail(lines, daysOfMonth(month));
        const response = await fetch(url, { method: 'POST', headers: { 'x-api-key': to.secretKey }, body });
        const added = (await response.json()) as Json;
        expect(response.status, JSON.stringify(added)).to.equal(201);
        await idle();
        return added;
      };
      const endMonth = () => clock.set(Date.parse(daysOfMonth(month).endDate) + 5 * DAY_MS);
      const entries = async () => (await get(`/books/${month}/lines?limit=100`)).items as readonly Json[];
      return { ...life, dayOf, month, show, add, endMonth, entries };
    };
    const compareAgain = async () => {
      const worker = { ...ground.services(), logger: pino({ level: 'silent' }) };
      await compareRecentMonths(worker, pacificDay(clock.now()), new AbortController().signal);
      await idle();
    };
    const outcomes = (entries: readonly Json[]) =>
      entries.map(({ cause, lookUp }) => `${cause} ${lookUp === null ? '' : lookUp.outcome}`);

    if (!isAsked) {
      it('wait for credentials', async () => {
        const { notify, endMonth, add, entries, events } = lost();
        await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
        endMonth();
        await add([{}]);
        expect(outcomes(await entries())).to.deep.equal(['missing_here no_credentials']);
        expect(await events()).not.to.include('SubscriptionRenewed T+31');
      });
      return;
    }

    it('are read and recorded, with the report as their cause; a late notification changes nothing', async () => {
      const { notify, show, endMonth, add, entries, events, timeline, month } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      endMonth();
      show(first, second);
      const report = await add([{}]);
      expect(outcomes(await entries())).to.deep.equal(['matched ']);
      expect(await events()).to.include('SubscriptionRenewed T+31');
      const renewed = ((await timeline()) as readonly Json[]).find(({ type }) => type === 'SubscriptionRenewed');
      expect(renewed.cause.report).to.deep.include({ id: report.id, kind: 'finance_detail', month });
      const before = await events();
      await notify(64, 'DID_RENEW', { period: second, signed: 31 });
      await idle();
      expect((await events()).filter((one) => one.startsWith('SubscriptionRenewed'))).to.have.length(1);
      expect(before.filter((one) => one.startsWith('SubscriptionRenewed'))).to.have.length(1);
    });

    it('are recorded if they are refunds', async () => {
      const { notify, show, endMonth, add, entries, events, dayOf, ms } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      await notify(31, 'DID_RENEW', { period: second });
      endMonth();
      show(first, { ...second, revocationDate: ms(32), revocationReason: 0 });
      await add([{}, { day: dayOf(32), isReturn: true }]);
      expect(outcomes(await entries())).to.deep.equal(['matched ', 'matched ']);
      expect(await events()).to.include('TransactionRefunded T+32');
    });

    it('are of nobody who is known in another country, and are looked up once', async () => {
      const { notify, show, endMonth, add, entries, transaction } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      endMonth();
      show(first);
      const histories = () => ground.store().requests.filter((path) => path.includes(transaction(first).transactionId));
      await add([{ country: 'DE' }]);
      expect(outcomes(await entries())).to.deep.equal(['missing_here nobody_known']);
      expect(histories()).to.deep.equal([]);
      await add([{}, { country: 'DE' }]);
      expect(outcomes(await entries()).sort()).to.deep.equal([
        'missing_here histories_read',
        'missing_here nobody_known',
      ]);
      const asked = histories().length;
      await compareAgain();
      expect(histories().length).to.equal(asked);
    });

    it('are recorded for an erased customer without the person', async () => {
      const { notify, customer, show, endMonth, add, entries, transaction } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      const { id, appUserId } = await customer();
      const subscriber = `/v1/subscribers/${encodeURIComponent(appUserId)}`;
      const erased = await call('DELETE', subscriber, undefined, { key: key() });
      expect(erased.status, JSON.stringify(erased.body)).to.be.oneOf([200, 202, 204]);
      await idle();
      endMonth();
      show(first, second);
      await add([{}]);
      const [entry] = await entries();
      expect([entry?.cause, entry?.transactions]).to.deep.equal([
        'matched',
        [{ transactionId: transaction(second).transactionId, customerId: id }],
      ]);
      for (const path of [`/customers/${id}`, `/customers/${id}/timeline`])
        expect((await get(path)).statusCode, path).to.equal(404);
      expect((await get(`/customers?search=${transaction(second).transactionId}`)).items).to.deep.equal([]);
    });

    it('are of no customer of another project that sells the same product', async () => {
      const { notify, show, endMonth, add, month, transaction } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      endMonth();
      show(first, second);
      const other = await setUpProject({ call });
      const as = { key: other.secretKey };
      const base = `/v1/projects/${other.projectId}`;
      const fields = {
        appId: other.appId,
        storeProductId: PLUS,
        displayName: 'Plus',
        type: 'subscription',
        duration: 'P1M',
      };
      expect((await call('POST', `${base}/products`, fields, as)).status).to.equal(201);
      await add([{}], other);
      const { items } = (await call('GET', `${base}/books/${month}/lines?limit=100`, undefined, as)).body;
      expect(outcomes(items)).to.deep.equal(['missing_here nobody_known']);
      const { transactionId } = transaction(first);
      expect(ground.store().requests.filter((path) => path.includes(transactionId))).to.deep.equal([]);
    });

    it('wait for a store that is down, also over a restart', async () => {
      const { notify, show, endMonth, add, entries, events } = lost();
      await notify(0, 'SUBSCRIBED/INITIAL_BUY', { period: first });
      endMonth();
      show(first, second);
      ground.store().setFailure(503);
      await add([{}]);
      expect(outcomes(await entries())).to.deep.equal(['missing_here not_named']);
      await ground.restart(() => Promise.resolve());
      ground.store().setFailure(null);
      clock.set(clock.now() + DAY_MS / 24);
      await idle();
      expect(outcomes(await entries())).to.deep.equal(['matched ']);
      expect((await events()).filter((one) => one.startsWith('SubscriptionRenewed'))).to.have.length(1);
    });
  });
