// Requests about the books: a finance detail report of the ios-store, and the month that it is of.
import { gzipSync } from 'node:zlib';
import { reportKey } from '../../simulator/ios-store/report-server.js';
import { writeFinanceDetail } from '../../simulator/store-reports.js';
import type { ExampleProject } from './example-project.js';
import type { ExampleService } from './example-service.js';

const MONTH = '2026-10';

export async function requestBooks(service: ExampleService, project: ExampleProject): Promise<void> {
  const { ask, idle } = service;
  const { server, id } = project;
  await idle();
  const listed = await ask('GET /v1/projects/:id/transactions', { as: server, path: { id }, query: { limit: '50' } });
  const sold = listed.items.find((one: { store: string }) => one.store === 'ios-store');
  const sale = {
    ...{ day: '2026-10-05', settledOn: '2026-10-06', sku: String(sold.storeProductId), country: 'US', quantity: 1 },
    ...{ price: '9.99', currency: 'USD', share: '8.49', extendedShare: '8.49', shareCurrency: 'USD', isReturn: false },
  };
  const file = writeFinanceDetail([sale], { startDate: '2026-09-27', endDate: '2026-10-31' });
  const as = server;
  const query = { fileName: '81234567_1026_Z1.txt' };
  const added = await ask('POST /v1/projects/:id/books/reports', { as, path: { id }, query, file });
  await ask('GET /v1/projects/:id/books/reports', { as, path: { id } });
  await ask('GET /v1/projects/:id/books/reports/:reportId', { as, path: { id, reportId: added.id } });
  const settings = { basis: 'gross', timeZone: 'Europe/Berlin', lifetimeMonths: 0 };
  await ask('PUT /v1/projects/:id/books/settings', { as, path: { id }, body: settings });
  await ask('GET /v1/projects/:id/books/settings', { as, path: { id } });
  const months = { from: MONTH, to: '2026-12', currency: 'USD' };
  await ask('GET /v1/projects/:id/books/schedule', { as, path: { id }, query: months });
  await ask('GET /v1/projects/:id/books/waterfall', { as, path: { id }, query: months });
  const cell = { billed: MONTH, recognised: MONTH, currency: 'USD', limit: '2' };
  await ask('GET /v1/projects/:id/books/waterfall/transactions', { as, path: { id }, query: cell });
  await ask('GET /v1/projects/:id/books/accounts', { as, path: { id } });
  const accounts = { revenue: { code: '4010', name: 'Income:Subscriptions' } };
  await ask('PUT /v1/projects/:id/books/accounts', { as, path: { id }, body: { accounts } });
  const path = { id, month: MONTH };
  const absent = { store: 'android-store', reason: 'Nothing was sold on Android.' };
  const absence = await ask('POST /v1/projects/:id/books/:month/absences', { as, path, body: absent });
  const incompleteReason = 'The last purchases are settled in the next report.';
  await ask('POST /v1/projects/:id/books/:month/close', { as, path, body: { incompleteReason } });
  await ask('GET /v1/projects/:id/books/:month/closing', { as, path });
  await ask('GET /v1/projects/:id/books/:month/corrections', { as, path });
  await ask('GET /v1/projects/:id/books/:month/journal', { as, path });
  await ask('POST /v1/projects/:id/books/:month/reopen', {
    as,
    path,
    body: { reason: 'The store restated its report.' },
  });
  await requestSources(service, project, file);
  await ask('GET /v1/projects/:id/books', { as, path: { id } });
  await ask('GET /v1/projects/:id/books/:month', { as, path: { id, month: MONTH } });
  await ask('GET /v1/projects/:id/books/:month/lines', { as, path: { id, month: MONTH }, query: { limit: '2' } });
  await ask('DELETE /v1/projects/:id/books/:month/absences/:absenceId', {
    as,
    path: { ...path, absenceId: absence.id },
  });
}

/** Requests about where reports are fetched. */
async function requestSources(
  { ask, ios, android, iosKey: privateKey, idle }: ExampleService,
  { me, id, iosApp, androidApp }: ExampleProject,
  file: string,
): Promise<void> {
  const [issuerId, keyId, vendorNumber] = ['57246542-96fe-1a63-e053-0824d011072a', '7Z3T5JYH91', '81234567'];
  const bucket = 'pubsite_prod_rev_01234567890987654321';
  ios.reports.accountKeys.set(keyId, { issuerId, privateKey, role: 'Finance' });
  ios.reports.vendorNumbers.add(vendorNumber);
  // The store's fiscal year 2027 begins in October.
  ios.reports.reports.set(reportKey(vendorNumber, 'FINANCE_DETAIL', '2027-01'), gzipSync(file));
  android.reports.putReport(bucket, 'readme.txt', Buffer.from('no report'));
  const toIos = 'POST /v1/projects/:id/apps/:appId/report-source/ios-store';
  const toAndroid = 'POST /v1/projects/:id/apps/:appId/report-source/android-store';
  const ofIos = { id, appId: String(iosApp.id) };
  await ask(toIos, { as: me, path: ofIos, body: { issuerId, keyId, privateKey, vendorNumber } });
  await ask(toAndroid, { as: me, path: { id, appId: String(androidApp.id) }, body: { bucket } });
  await idle();
  await ask('GET /v1/projects/:id/books/sources', { as: me, path: { id } });
  await ask('POST /v1/projects/:id/books/look', { as: me, path: { id }, body: { from: MONTH } });
  await ask('DELETE /v1/projects/:id/apps/:appId/report-source', { as: me, path: ofIos });
}
