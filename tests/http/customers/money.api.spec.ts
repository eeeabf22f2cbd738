// Revenue and refunds of a project, entry by entry.
import { expect } from 'chai';
import { MONTHLY, notification, setUpProject } from '../support/harness.js';
import { walk } from '../support/pages.js';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY = 86_400_000;

describe('the list of transactions', () => {
  const clock = createManualClock(NOW - 40 * DAY);
  const { harness, slice } = setUpService({}, clock.runtime);

  before(async () => {
    const period = (n: number, from: number) => {
      const when = { purchaseDate: NOW + from * DAY, expiresDate: NOW + (from + 30) * DAY };
      return { transactionId: `10${n}`, originalTransactionId: '101', productId: MONTHLY, price: 9990, ...when };
    };
    const notify = async (day: number, type: string, transaction: object, environment = 'Production') => {
      const signedDate = NOW + day * DAY;
      clock.set(signedDate);
      const [notificationType = '', subtype] = type.split('/');
      const named = { notificationType, ...(subtype !== undefined && { subtype }), environment };
      const sent = notification({ ...named, signedDate, transaction } as Parameters<typeof notification>[0]);
      expect((await harness.call('POST', slice.notificationPath, sent)).status).to.equal(200);
      await harness.service().idle();
    };
    await notify(-40, 'SUBSCRIBED/INITIAL_BUY', period(1, -40));
    await notify(-10, 'DID_RENEW', period(2, -10));
    const tried = { ...period(3, -5), originalTransactionId: '103', environment: 'Sandbox' };
    await notify(-5, 'SUBSCRIBED/INITIAL_BUY', tried, 'Sandbox');
    await notify(-1, 'REFUND', { ...period(1, -40), revocationDate: NOW - DAY, revocationReason: 1 });
    clock.set(NOW);
  });

  const base = () => `/v1/projects/${slice.projectId}/transactions`;
  const get = (query = '') => harness.call('GET', `${base()}${query}`, undefined, { key: slice.secretKey });
  const entries = async (query = '') =>
    (await get(query)).body.items.map((i: { kind: string; id: string }) => `${i.kind} ${i.id}`);
  const ALL = ['refund 101', 'purchase 103', 'renewal 102', 'purchase 101'];

  it('has purchases, renewals and refunds, the newest first', async () => {
    expect(await entries()).to.deep.equal(ALL);
    const [refund] = (await get()).body.items;
    expect(refund).to.include({ at: '2026-11-19T10:00:00.000Z', amount: 9.99, refundedUsd: 9.99, store: 'ios-store' });
  });

  it('is narrowed by kind, environment and time', async () => {
    expect(await entries('?kind=renewal')).to.deep.equal(['renewal 102']);
    expect(await entries('?environment=sandbox')).to.deep.equal(['purchase 103']);
    expect(await entries('?kind=refund&environment=sandbox')).to.deep.equal([]);
    expect(await entries(`?since=2026-11-10T10:00:00Z`)).to.deep.equal(ALL.slice(0, 3));
  });

  it('is read in pages, without a repeated or missing row', async () => {
    for (const limit of [1, 2, 3]) {
      const ids = await walk(harness, `${base()}?limit=${limit}`, { key: slice.secretKey });
      expect(ids, String(limit)).to.deep.equal(ALL.map((entry) => entry.split(' ')[1]));
    }
  });

  it('shows nothing of another project', async () => {
    const other = await setUpProject(harness);
    const { nextPage } = (await get('?limit=1')).body;
    const stolen = nextPage.replace(slice.projectId, other.projectId);
    const { status, body } = await harness.call('GET', stolen, undefined, { key: other.secretKey });
    expect([status, body.items]).to.deep.equal([200, []]);
  });

  for (const query of [
    ...['kind=trial', 'environment=test', 'since=yesterday', 'limit=0', 'limit=101', 'page=2', 'startingAfter=101'],
    `startingAfter=${Buffer.from('["2026-11-20","101",true]').toString('base64url')}`,
    `startingAfter=${Buffer.from('["2026-11-20T10:00:00Z","\\ud800",true]').toString('base64url')}`,
  ]) {
    it(`refuses ${query}`, async () => expectRefusal(await get(`?${query}`), 400));
  }
});
