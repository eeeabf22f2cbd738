// Reports that will not come: what waits for them waits no longer, until that is taken back.
import { expect } from 'chai';
import { writeFinanceDetail, type FinanceRow } from '#simulator/store-reports.js';
import { MONTHLY, notification, setUpProject, type Credentials, type Json } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { expectRefusal } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';
import { newMember } from '../support/team.js';

const october = { startDate: '2026-09-27', endDate: '2026-10-31' };
const sale = (day: string, country: string): FinanceRow => ({
  ...{ day, settledOn: day, sku: MONTHLY, country, quantity: 1, price: '9.99', currency: 'USD' },
  ...{ share: '6.99', extendedShare: '6.99', shareCurrency: 'USD', isReturn: false },
});

describe('reports that will not come', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice, as } = setUpService({}, clock.runtime);
  const base = () => `/v1/projects/${slice.projectId}`;
  const call = (method: string, path: string, body?: object, who: Credentials = as) =>
    harness.call(method, `${base()}/books${path}`, body, who);
  const month = async (): Promise<Json> => (await call('GET', '/2026-10')).body;
  const causes = ({ tables }: Json): Record<string, number> =>
    Object.fromEntries(tables[0].causes.map((one: Json) => [one.cause, one.entries]));
  const declare = (body: object, who?: Credentials) => call('POST', '/2026-10/absences', body, who);
  const buy = async (id: string, day: string, storefront: string) => {
    const purchaseDate = Date.parse(`${day}T18:00:00Z`);
    const when = { purchaseDate, expiresDate: purchaseDate + 30 * 86_400_000, storefront, currency: 'USD' };
    const transaction = { transactionId: id, originalTransactionId: id, productId: MONTHLY, price: 9990, ...when };
    const sent = { notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: purchaseDate, transaction };
    expect((await harness.call('POST', slice.notificationPath, notification(sent))).status).to.equal(200);
    await harness.service().idle();
  };
  const addReport = async (rows: readonly FinanceRow[]) => {
    const url = `${harness.service().url ?? ''}${base()}/books/reports?fileName=a.txt&account=1`;
    const body = writeFinanceDetail(rows, october);
    expect((await fetch(url, { method: 'POST', headers: { 'x-api-key': as.key }, body })).status).to.equal(201);
    await harness.service().idle();
  };

  before(async () => {
    await call('PUT', '/settings', { basis: 'gross' });
    await buy('400', '2026-10-04', 'USA');
    await buy('401', '2026-10-09', 'CAN');
    await buy('402', '2026-10-10', 'DEU');
  });

  const america = { store: 'ios-store', countries: ['US', 'CA', 'US'], reason: ' Nothing was settled there. ' };
  let declared: Json;
  it('of some countries end the wait of their purchases alone, and the sums stay', async () => {
    const before = await month();
    expect([before.absences, causes(before), before.state]).to.deep.equal([[], { awaiting_report: 3 }, 'open']);
    const { status, body } = await declare(america);
    expect(status, JSON.stringify(body)).to.equal(201);
    declared = body;
    expect(body).to.deep.include({
      ...{ object: 'report_absence', month: '2026-10', store: 'ios-store', countries: ['CA', 'US'] },
      ...{ reason: 'Nothing was settled there.', declaredAt: '2026-11-20T10:00:00.000Z' },
    });
    expect(body.declaredBy.kind).to.equal('api_key');
    const after = await month();
    expect([after.absences, causes(after), after.state]).to.deep.equal([
      [declared],
      { awaiting_report: 1, missing_there: 2 },
      'open',
    ]);
    expect(after.tables[0].difference).to.deep.equal(before.tables[0].difference);
  });

  it('are declared once, also in another order of countries', async () => {
    const again = await declare({ ...america, countries: ['CA', 'US'], reason: 'Again.' });
    expect([again.status, again.body]).to.deep.equal([201, declared]);
    expect((await month()).absences).to.have.length(1);
  });

  it('let a month be closed without a reason, and a report that comes nevertheless counts', async () => {
    expectRefusal(await call('POST', '/2026-10/close', {}), 409);
    const all = await declare({ store: 'ios-store', reason: 'The account is closed.' });
    expect((await month()).state).to.equal('complete');
    await addReport([sale('2026-10-10', 'DE')]);
    expect(causes(await month())).to.deep.equal({ matched: 1, missing_there: 2 });
    const closed = await call('POST', '/2026-10/close', {});
    expect(closed.body.closing, JSON.stringify(closed.body)).to.deep.include({ number: 1, incompleteReason: null });
    const refused = await call('DELETE', `/2026-10/absences/${all.body.id}`);
    expectRefusal(refused, 409);
    expect(refused.body.message).to.include('reopen');
    expectRefusal(await declare({ store: 'android-store', reason: 'None.' }), 409);
    expect((await call('POST', '/2026-10/reopen', { reason: 'A report comes.' })).status).to.equal(200);
  });

  it('are taken back, so that their purchases wait again', async () => {
    for (const { id } of (await month()).absences)
      expect((await call('DELETE', `/2026-10/absences/${id}`)).body).to.deep.equal({
        ...{ object: 'report_absence', id, deleted: true },
      });
    const after = await month();
    expect([after.absences, causes(after), after.state]).to.deep.equal([
      [],
      { matched: 1, awaiting_report: 2 },
      'open',
    ]);
    expectRefusal(await call('DELETE', `/2026-10/absences/${declared.id}`), 404);
  });

  for (const [name, body, status] of [
    ['no reason', { store: 'ios-store' }, 400],
    ['an empty reason', { store: 'ios-store', reason: '  ' }, 400],
    ['another store', { store: 'test-store', reason: 'x' }, 400],
    ['a region instead of countries', { store: 'ios-store', countries: ['EU'], reason: 'x' }, 400],
    [
      'too many countries',
      { store: 'ios-store', countries: Array.from({ length: 251 }, () => 'DE'), reason: 'x' },
      400,
    ],
  ] as const)
    it(`are refused with ${name}`, async () => expectRefusal(await declare(body), status));

  it('are refused for a month that is not over', async () =>
    expectRefusal(await call('POST', '/2026-11/absences', { store: 'ios-store', reason: 'x' }), 409));

  it('are declared by finance, not by others and not from another project, and are in the audit', async () => {
    const viewer = await newMember(harness.call, slice.projectId, slice.token, 'viewer');
    const finance = await newMember(harness.call, slice.projectId, slice.token, 'finance');
    const body = { store: 'ios-store', reason: 'By finance.' };
    expectRefusal(await declare(body, viewer), 403);
    expectRefusal(await declare(body, { key: (await setUpProject(harness)).secretKey }), 403);
    const { body: own } = await declare(body, finance);
    expect(own.declaredBy.kind).to.equal('user');
    await harness.service().idle();
    const audit = await harness.call('GET', `${base()}/audit?limit=20`, undefined, { token: slice.token });
    expect(audit.body.items.map((one: Json) => one.action)).to.include.members([
      'ReportDeclaredAbsent',
      'ReportAbsenceWithdrawn',
    ]);
    expect(audit.body.items[0]).to.deep.include({ action: 'ReportDeclaredAbsent' });
  });
});
