// A valid request for each route, apart from its credentials. Tests generated from the route table start from these.
import { iosKey, serviceAccount } from './store-credentials.js';
import { writeFinanceDetail } from '../../../simulator/store-reports.js';
import { pushBody } from '../../../simulator/android-store/payloads.js';
import { submitTestPurchase } from '../../../src/commands/stores/test/purchases.js';
import { streams } from '../../../src/domain/streams.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import {
  BUNDLE_ID,
  MONTHLY,
  notification,
  store,
  type HttpResponse,
  type Credentials,
  type Harness,
  type Slice,
} from './harness.js';

export type Ground = Slice & {
  readonly refreshToken: string;
  readonly keyId: string;
  readonly androidAppId: string;
  readonly androidPath: string;
  readonly priceId: string;
  readonly offeringId: string;
  readonly packageId: string;
  readonly paywallId: string;
  readonly placementId: string;
  readonly ruleId: string;
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly experimentId: string;
  readonly variantId: string;
  readonly viewId: string;
  readonly segmentId: string;
  readonly testAppId: string;
  readonly testProductId: string;
  readonly annotationId: string;
  /** A viewer. */
  readonly memberId: string;
  readonly invitationId: string;
  /** Lets the user of this ground into another project. */
  readonly invitationToken: string;
  readonly replayName: string;
  readonly importId: string;
  readonly reportId: string;
  readonly absenceId: string;
  readonly customerId: string;
  readonly appUserId: string;
  readonly transactionId: string;
  readonly testTransactionId: string;
  readonly notificationId: string;
  readonly now: number;
};

let furnished = 0;

let reports = 0;

/** A finance detail report of the ios-store, another each time. */
function financeReport(): string {
  const sale = { sku: MONTHLY, country: 'US', quantity: ++reports, price: '1.00', currency: 'USD', share: '0.85' };
  const day = '2026-10-05';
  const extendedShare = (0.85 * reports).toFixed(2);
  const row = { ...sale, day, settledOn: day, shareCurrency: 'USD', extendedShare, isReturn: false };
  return writeFinanceDetail([row], { startDate: '2026-09-27', endDate: '2026-10-31' });
}

/** A key with the role Finance, of the account with this number. */
const financeKey = (n: number) => ({
  issuerId: '57246542-96fe-1a63-e053-0824d011072a',
  keyId: '2X9R4HXF34',
  privateKey: iosKey(),
  vendorNumber: `${80_000_000 + n}`,
});

/** The project of `slice` with a customer, an offering with packages and a paywall, and a key; `$annual` is named by no route. */
export async function furnish({ call, service }: Harness, slice: Slice, now: number): Promise<Ground> {
  const appUserId = 'ann';
  await call('POST', `/v1/subscribers/${appUserId}`, {}, { key: slice.secretKey });
  const base = `/v1/projects/${slice.projectId}`;
  const key = await call('POST', `${base}/api-keys`, { name: 'spare' }, { token: slice.token });
  const customers = await call('GET', `${base}/customers`, undefined, { key: slice.secretKey });
  const as = { key: slice.secretKey };
  const offering = await call('POST', `${base}/offerings`, { lookupKey: 'default', displayName: 'Default' }, as);
  const offeringId: string = offering.body.id;
  const monthly = { lookupKey: '$monthly', displayName: 'Monthly' };
  await call('POST', `${base}/offerings/${offeringId}/packages`, { lookupKey: '$annual', displayName: 'Annual' }, as);
  const packed = await call('POST', `${base}/offerings/${offeringId}/packages`, monthly, as);
  const paywall = await call('POST', `${base}/paywalls`, { name: 'Winter', offeringId, config: {} }, as);
  const placement = await call('POST', `${base}/placements`, { lookupKey: 'start', displayName: 'Start' }, as);
  const rule = await call('POST', `${base}/targeting-rules`, { name: 'Everybody', isActive: false }, as);
  const android = { name: 'Android', platform: 'android', packageName: 'com.example.app' };
  const androidApp = await call('POST', `${base}/apps`, android, as);
  const eur = { amount: 8.99, currency: 'EUR' };
  const price = await call('POST', `${base}/products/${slice.productId}/prices`, eur, as);
  const sold = {
    androidAppId: androidApp.body.id,
    androidPath: new URL(androidApp.body.notificationUrl).pathname,
    priceId: price.body.id,
    offeringId,
    packageId: packed.body.id,
    paywallId: paywall.body.id,
    placementId: placement.body.id,
    ruleId: rule.body.id,
  };
  const hook = await call('POST', `${base}/webhooks`, { url: 'https://hooks.example.com/all' }, as);
  const webhookId: string = hook.body.id;
  const tested = await call('POST', `${base}/webhooks/${webhookId}/test`, undefined, as);
  const deliveryId: string = tested.body.id;
  const drafted = await call('POST', `${base}/experiments`, { name: 'Price' }, as);
  const experimentId: string = drafted.body.id;
  const varied = await call('POST', `${base}/experiments/${experimentId}/variants`, { name: 'A', offeringId }, as);
  const variantId: string = varied.body.id;
  const view = await call('POST', `${base}/views`, { name: 'MRR', query: { chartId: 'mrr' } }, { token: slice.token });
  const german = { name: 'Germany', query: { country: 'DE' } };
  const segment = await call('POST', `${base}/customer-segments`, german, { token: slice.token });
  const annotation = await call('POST', `${base}/annotations`, { day: '2026-11-20', text: 'A note' }, as);
  const replay = await call('POST', `${base}/metrics/replays`, { name: slice.projectId }, as);
  const uploaded = await call('POST', `${base}/imports?fileName=sample.csv`, 'column\n', as);
  await call('PUT', `${base}/books/settings`, { basis: 'gross' }, as);
  const report = await call('POST', `${base}/books/reports?fileName=a.txt&account=1`, financeReport(), as);
  const absent = { store: 'android-store', countries: ['SE'], reason: 'Nothing was sold there.' };
  const absence = await call('POST', `${base}/books/2026-10/absences`, absent, as);
  await call('POST', `${base}/apps/${slice.appId}/report-source/ios-store`, financeKey(0), as);
  const login = { email: `${slice.projectId}@example.com`, password: 'correct horse battery' };
  const { refreshToken } = (await call('POST', '/auth/register', login)).body;
  const customerId: string = customers.body.items[0].id;
  const transactionId = `8${++furnished}${now}`;
  const bought = { transactionId, productId: MONTHLY, purchaseDate: now, expiresDate: now + 86_400_000, price: 9990 };
  const receipt = { store: 'ios-store', receipt: store.signedTransaction({ bundleId: BUNDLE_ID, ...bought }) };
  await call('POST', '/v1/subscribers/buyer/receipts', receipt, as);
  const inTestStore = await buyInTestStore({ call, service }, slice, now);
  await call('POST', slice.notificationPath, notification({ notificationType: 'TEST', signedDate: now }));
  await service().idle();
  const notifications = await call('GET', `${base}/notifications`, undefined, as);
  return {
    ...slice,
    ...sold,
    notificationId: notifications.body.items[0].id,
    webhookId,
    deliveryId,
    experimentId,
    variantId,
    viewId: view.body.id,
    segmentId: segment.body.id,
    annotationId: annotation.body.id,
    ...(await people(call, slice)),
    replayName: replay.body.name ?? 'none',
    importId: uploaded.body.id ?? 'none',
    reportId: report.body.id ?? 'none',
    absenceId: absence.body.id ?? 'none',
    refreshToken,
    keyId: key.body.id,
    customerId,
    appUserId,
    transactionId,
    ...inTestStore,
    now,
  };
}

/** Adds an app of the test store and a purchase of it. */
async function buyInTestStore(
  { call, service }: Pick<Harness, 'call' | 'service'>,
  { projectId, token: as }: Slice,
  now: number,
): Promise<Pick<Ground, 'testTransactionId' | 'testAppId' | 'testProductId'>> {
  const app = { name: 'Test', platform: 'test' };
  const { body } = await call('POST', `/v1/projects/${projectId}/apps`, app, { token: as });
  const product = { appId: body.id, storeProductId: 'test_monthly', displayName: 'Test', type: 'subscription' };
  const sold = await call('POST', `/v1/projects/${projectId}/products`, { ...product, duration: 'P1M' }, { token: as });
  const { deps } = service().services;
  const project = await deps.projects.get(streams.project(projectId));
  const bought = project?.apps.find(({ appId }) => appId === body.id);
  if (!bought) throw new Error('the app of the test store was not added');
  const token = `test_${now}_52a055a7-12c4-4960-967e-${String(++furnished).padStart(12, '0')}`;
  const by = { actor: { kind: 'system', id: 'spec' }, requestId: token } as const;
  const terms = { storeProductId: 'test_monthly', isRestore: false, offeringId: null };
  await submitTestPurchase(deps, by, { projectId, app: bought, appUserId: 'tester', token, ...terms });
  return { testTransactionId: token, testAppId: body.id, testProductId: sold.body.id };
}

/** A viewer, an open invitation, and an invitation of the viewer's for the user of the slice. */
async function people(call: Harness['call'], { projectId, token }: Slice) {
  const members = `/v1/projects/${projectId}/members`;
  const invite = async (path: string, as: string, email: string) =>
    (await call('POST', path, { email, role: 'viewer' }, { token: as })).body;
  const viewer = `viewer.${projectId}@example.com`;
  const { token: invitationToken } = await invite(members, token, viewer);
  const joined = await call('POST', '/auth/register', {
    email: viewer,
    password: 'correct horse battery',
    invitationToken,
  });
  const as: string = joined.body.accessToken;
  const theirs = await call('POST', '/v1/projects', { name: 'Of the viewer' }, { token: as });
  const open = await invite(members, token, `open.${projectId}@example.com`);
  const back = await invite(`/v1/projects/${theirs.body.id}/members`, as, `back.${projectId}@example.com`);
  return { memberId: joined.body.user.id, invitationId: open.id, invitationToken: back.token };
}

export const nameOf = ({ method, path }: Route): string => `${method.toUpperCase()} ${path}`;

/** `:pid` is the product's or, under offerings, the package's, `:eid` the entitlement's id. */
export function pathOf({ path }: Route, g: Ground): string {
  const values: Readonly<Record<string, string>> = {
    id: g.projectId,
    appId: /\/(credentials|report-source)\/android-store$/.test(path)
      ? g.androidAppId
      : path.endsWith('/test-purchase')
        ? g.testAppId
        : g.appId,
    priceId: g.priceId,
    pid: path.includes('/packages/') ? g.packageId : g.productId,
    oid: g.offeringId,
    pwid: g.paywallId,
    plid: g.placementId,
    ruleId: g.ruleId,
    wid: g.webhookId,
    did: g.deliveryId,
    eid: path.includes('/experiments/') ? g.experimentId : g.entitlementId,
    vid: g.variantId,
    keyId: g.keyId,
    cid: g.customerId,
    chartId: /\/(band|watch)$/.test(path) ? 'revenue' : 'actives_movement',
    viewId: g.viewId,
    segmentId: g.segmentId,
    userId: g.memberId,
    invitationId: g.invitationId,
    annotationId: g.annotationId,
    name: g.replayName,
    importId: g.importId,
    reportId: g.reportId,
    absenceId: g.absenceId,
    month: '2026-10',
    appUserId: g.appUserId,
    requestId: encodeURIComponent(`${g.customerId}|${g.transactionId}`),
    transactionId: path.endsWith('/test-action') ? g.testTransactionId : g.transactionId,
    nid: g.notificationId,
    sessionId: 'ses_none',
    token: (path.includes('android-store') ? g.androidPath : g.notificationPath).split('/').at(-1) ?? '',
  };
  return path.replace(/:(\w+)/g, (param, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`give ${param} of ${path} a value here`);
    return value;
  });
}

let drawn = 0;

/** Undefined for routes that take none. Names that must be unique are drawn anew each time. */
export function bodyOf(route: Route, g: Ground): Record<string, unknown> | undefined {
  if (route.body === null) return undefined;
  const name = nameOf(route);
  const body = bodies(g, ++drawn)[name];
  if (!body) throw new Error(`give ${name} a body here`);
  return body;
}

export function send(harness: Harness, route: Route, g: Ground, as: Credentials): Promise<HttpResponse> {
  return harness.call(
    route.method.toUpperCase(),
    `${pathOf(route, g)}${queryOf(route, g)}`,
    route.takesFile ? fileOf(route) : bodyOf(route, g),
    as,
  );
}

const SOME_COUNTRIES = ['AT', 'BE', 'CH', 'DK', 'EE', 'FI', 'GR'];

/** Content of an uploaded file. */
const fileOf = ({ path }: Route): string => (path.endsWith('/books/reports') ? financeReport() : 'column\n');

/** Returns the required query parameters of a route. */
function queryOf({ path }: Route, { now }: Ground): string {
  const day = new Date(now).toISOString().slice(0, 10);
  if (/\/imports(\/:importId\/files)?$/.test(path)) return '?fileName=sample.csv';
  if (path.endsWith('/waterfall/transactions')) return '?billed=2026-10&recognised=2026-11&currency=USD';
  if (path.endsWith('/books/reports')) return '?fileName=a.txt&account=1';
  if (path.endsWith('/:chartId/customers')) return `?bucket=${day}`;
  if (path.endsWith('/:chartId/segments')) return '?segment=country';
  if (path.endsWith('/compare')) return '?previous=period';
  if (path.endsWith('/compare/customers')) return `?thenAsOf=${new Date(now).toISOString()}&bucket=${day}&kind=time`;
  return path.endsWith('/customers/:cid/access') ? '?entitlement=pro' : '';
}

function bodies(g: Ground, n: number): Readonly<Record<string, Record<string, unknown>>> {
  const purchase = {
    transactionId: `9${g.now}`,
    productId: MONTHLY,
    purchaseDate: g.now,
    expiresDate: g.now + 86_400_000,
    price: 9990,
  };
  const login = { email: `${g.projectId}@example.com`, password: 'correct horse battery' };
  const config = { layout: 'cards', blocks: [{ kind: 'title' }] };
  const localizations = { 'de-AT': { title: 'Mehr' } };
  const anybody = { sandboxAccess: 'anybody', displayCurrency: 'USD' };
  const shown = { defaultLocale: 'en', status: 'published' };
  return {
    'POST /v1/projects/:id/imports/:importId/confirm': { digest: 'that of the report' },
    'PUT /v1/projects/:id/books/accounts': { accounts: { revenue: { code: `4${n}`, name: 'Income:Revenue' } } },
    'POST /v1/projects/:id/books/:month/absences': {
      ...{ store: 'android-store', countries: [SOME_COUNTRIES[n % SOME_COUNTRIES.length]] },
      reason: 'Nothing was sold there.',
    },
    'POST /v1/projects/:id/books/:month/close': { incompleteReason: 'Settled in the next report.' },
    'POST /v1/projects/:id/books/:month/reopen': { reason: 'A report was restated.' },
    'PUT /v1/projects/:id/books/settings': { basis: 'net', timeZone: 'Europe/Berlin', lifetimeMonths: n % 100 },
    'POST /v1/projects/:id/metrics/replays': { name: `sample-${n}`, whatIf: { commission: 0.15 } },
    'POST /auth/register': { ...login, email: `sample${n}.${g.projectId}@example.com`, name: 'Sample' },
    'POST /auth/login': login,
    'POST /auth/refresh': { refreshToken: g.refreshToken },
    'POST /auth/logout': { refreshToken: `rt_${'A'.repeat(43)}` },
    'PATCH /auth/me': { name: `Sample ${n}` },
    'POST /auth/password': { password: login.password, newPassword: `another horse ${n}` },
    'POST /auth/second-factor': { password: login.password },
    'POST /auth/second-factor/confirm': { code: '000000' },
    'POST /auth/second-factor/recovery-codes': { password: login.password, code: '000000' },
    'DELETE /auth/second-factor': { password: login.password, code: '000000' },
    'POST /auth/invitations/accept': { token: g.invitationToken },
    'POST /v1/projects/:id/members': { email: `invited${n}.${g.projectId}@example.com`, role: 'viewer' },
    'PATCH /v1/projects/:id/members/:userId': { role: 'support' },
    'POST /v1/projects': {
      name: 'Sample',
      timezone: 'UTC',
      transferBehavior: 'keep',
      sandboxAccess: 'nobody',
      displayCurrency: 'USD',
    },
    'PATCH /v1/projects/:id': { name: `Sample ${n}`, timezone: 'UTC', transferBehavior: 'transfer', ...anybody },
    'PATCH /v1/projects/:id/apps/:appId': {
      name: `Sample ${n}`,
      notificationForwardingUrl: `https://hooks.example.com/${n}`,
      refundPolicy: 'revoke_immediately',
      iosStoreSmallBusiness: false,
      refundAnswer: 'decline',
      refundConsent: 'terms',
    },
    'POST /v1/projects/:id/apps/:appId/credentials/ios-store': {
      issuerId: '57246542-96fe-1a63-e053-0824d011072a',
      keyId: '2X9R4HXF34',
      privateKey: iosKey(),
      storeAppId: 12,
      environment: 'both',
    },
    'POST /v1/projects/:id/apps/:appId/credentials/android-store': {
      serviceAccountJson: serviceAccount(),
      pushServiceAccountEmail: 'push@example.iam.gserviceaccount.com',
      pushAudience: 'https://subledger.example.com',
    },
    'POST /v1/projects/:id/apps/:appId/report-source/ios-store': financeKey(n),
    'POST /v1/projects/:id/apps/:appId/report-source/android-store': { bucket: `pubsite_prod_rev_${n}` },
    'POST /v1/projects/:id/books/look': { from: '2026-10' },
    'POST /v1/projects/:id/products/:pid/prices': {
      amount: 9.99,
      currency: 'USD',
      country: 'US',
      startsAt: new Date(g.now + n * 1000).toISOString(),
    },
    'POST /v1/projects/:id/customers/:cid/purchases/transfer': {
      transactionId: g.transactionId,
      reason: 'Bought with another account',
    },
    'POST /v1/projects/:id/refund-requests/:requestId/answer': { preference: 'decline', customerConsented: true },
    'POST /v1/projects/:id/transactions/:transactionId/test-action': { action: 'renew' },
    'POST /v1/projects/:id/apps/:appId/test-purchase': { productId: g.testProductId, appUserId: 'tester' },
    'POST /v1/projects/:id/views': {
      name: 'By store',
      query: { chartId: 'revenue', period: 'last_90_days', segment: 'store', conversionTimeframe: 'unbounded' },
    },
    'POST /v1/projects/:id/customer-segments': { name: `Spent ${n}`, query: { minSpentUsd: '50', sort: 'lastSeenAt' } },
    'PUT /v1/projects/:id/metrics/charts/:chartId/watch': { isWatched: true },
    'PATCH /v1/projects/:id/views/:viewId': { name: 'By store, renamed', isOnOverview: true },
    'POST /v1/projects/:id/simulations': {
      product: g.productId,
      country: 'DE',
      refundPolicy: 'keep_until_expiry',
      charts: ['revenue'],
      steps: [{ at: '2026-11-20T10:00:00Z', what: 'buy' }],
    },
    'POST /v1/projects/:id/annotations': { day: '2026-11-20', text: 'Version 4.2', kind: 'release' },
    'PATCH /v1/projects/:id/entitlements/:eid': { displayName: `Sample ${n}`, description: null },
    'POST /v1/projects/:id/api-keys': {
      name: 'sample',
      kind: 'public',
      appId: g.appId,
      expiresAt: '2999-01-01T00:00:00Z',
    },
    'POST /v1/projects/:id/apps': {
      name: 'Sample',
      platform: 'ios',
      bundleId: `com.example.sample${n}`,
      storeAppId: 12,
      refundPolicy: 'keep_until_expiry',
      iosStoreSmallBusiness: true,
      refundAnswer: 'none',
      refundConsent: 'each_customer',
    },
    'POST /v1/projects/:id/products': {
      appId: g.appId,
      storeProductId: `sample.${n}`,
      displayName: 'Sample',
      type: 'subscription',
      duration: 'P1M',
      trialDuration: 'P1W',
      gracePeriodDuration: null,
    },
    'POST /v1/projects/:id/entitlements': { lookupKey: `sample.${n}`, displayName: 'Sample', description: 'Opens it' },
    'POST /v1/projects/:id/entitlements/:eid/products': { productIds: [g.productId] },
    'DELETE /v1/projects/:id/entitlements/:eid/products': { productIds: [g.productId] },
    'POST /v1/projects/:id/offerings': { lookupKey: `sample.${n}`, displayName: 'Sample', metadata: { accent: 'red' } },
    'PATCH /v1/projects/:id/offerings/:oid': { displayName: `Sample ${n}`, metadata: { accent: ['blue'] } },
    'POST /v1/projects/:id/offerings/:oid/packages': { lookupKey: `sample.${n}`, displayName: 'Sample', position: 3 },
    'POST /v1/projects/:id/offerings/:oid/packages/:pid/products': { productIds: [g.productId] },
    'DELETE /v1/projects/:id/offerings/:oid/packages/:pid/products': { productIds: [g.productId] },
    'POST /v1/projects/:id/paywalls': { name: 'Sample', offeringId: g.offeringId, config, localizations, ...shown },
    'PATCH /v1/projects/:id/paywalls/:pwid': { name: `Sample ${n}`, offeringId: g.offeringId, config, ...shown },
    'POST /v1/projects/:id/placements': { lookupKey: `sample.${n}`, displayName: 'Sample' },
    'PATCH /v1/projects/:id/placements/:plid': { displayName: `Sample ${n}` },
    'POST /v1/projects/:id/targeting-rules': {
      name: `Sample ${n}`,
      isActive: false,
      conditions: [
        { kind: 'country', operator: 'in', values: ['DE'] },
        { kind: 'app_version', operator: 'at_least', value: '1.2' },
        { kind: 'attribute', name: 'plan', operator: 'not_in', values: ['team'] },
      ],
      offeringId: g.offeringId,
      placements: [],
      position: 0,
    },
    'PATCH /v1/projects/:id/targeting-rules/:ruleId': { name: `Another ${n}`, isActive: false, position: 0 },
    'POST /v1/projects/:id/experiments': {
      name: 'Sample',
      description: 'Which brings more?',
      enrollmentPercentage: 50,
      audience: { countries: ['DE'], platforms: ['ios'], appIds: [g.appId], minAppVersion: '1.2' },
      primaryMetric: 'realized_ltv_per_customer',
      status: 'draft',
    },
    'PATCH /v1/projects/:id/experiments/:eid': { name: `Sample ${n}`, enrollmentPercentage: 60, description: null },
    'POST /v1/projects/:id/experiments/:eid/variants': {
      name: 'B',
      offeringId: 'default',
      weight: 3,
      isControl: false,
    },
    'POST /v1/projects/:id/webhooks': {
      name: 'Sample',
      url: `https://hooks.example.com/${n}`,
      eventTypes: ['INITIAL_PURCHASE', 'RENEWAL'],
      appId: g.appId,
      environment: 'production',
      authorizationHeader: 'Bearer of our own',
      payloadFormat: 'snake_case',
      ordered: false,
      enabled: true,
      sendTestEvent: false,
    },
    'POST /v1/projects/:id/notifications/:nid/retry': {},
    'POST /v1/projects/:id/webhooks/:wid/test': {},
    'POST /v1/projects/:id/webhooks/:wid/deliveries/:did/redeliver': {},
    'POST /v1/projects/:id/webhooks/:wid/replay': {
      from: new Date(g.now - 86_400_000).toISOString(),
      to: new Date(g.now - 86_000_000).toISOString(),
      types: ['TEST'],
      onlyFailed: true,
    },
    'PATCH /v1/projects/:id/webhooks/:wid': {
      name: `Sample ${n}`,
      url: `https://hooks.example.com/changed/${n}`,
      eventTypes: null,
      appId: null,
      environment: null,
      authorizationHeader: null,
      payloadFormat: 'camelCase',
      ordered: true,
      enabled: true,
      rotateSecret: true,
      rotateGraceHours: 1,
    },
    'POST /v1/subscribers/:appUserId': {
      attributes: { colour: 'red' },
      platform: 'ios',
      appVersion: '1.0',
      country: 'DE',
      locale: 'de',
      previousAppUserId: '$anon:0a1e2f9c-d54a-5d9d-8dc0-856f2257d20b',
    },
    'POST /v1/subscribers/:appUserId/attributes': {
      attributes: { colour: 'blue', $email: 'ann@example.com', size: { value: 'L', updatedAtMs: g.now } },
    },
    'POST /v1/subscribers/:appUserId/entitlements': {
      entitlementId: 'pro',
      duration: 'weekly',
      startsAt: new Date(g.now).toISOString(),
    },
    'POST /v1/subscribers/:appUserId/receipts': {
      store: 'ios-store',
      receipt: store.signedTransaction({ ...purchase, bundleId: BUNDLE_ID, environment: 'Production' }),
      isRestore: false,
      price: 9.99,
      currency: 'USD',
      offeringId: 'default',
      attributes: { colour: 'green' },
      appId: g.appId,
    },
    'POST /v1/events': {
      events: [
        {
          name: 'paywall_impression',
          appUserId: g.appUserId,
          properties: { placement: 'start', seconds: 3, isFirst: true, from: null },
          occurredAt: new Date(g.now).toISOString(),
          eventId: `1f0c7a52-8f5e-4b53-9a4e-${String(n).padStart(12, '0')}`,
        },
        { name: 'session_start', appUserId: g.appUserId },
      ],
    },
    'POST /v1/store/android-store/:token': pushBody({
      packageName: 'com.example.app',
      atMs: g.now,
      messageId: `sample-${n}`,
      kind: { testNotification: { version: '1.0' } },
    }),
    'POST /v1/store/ios-store/:token': {
      ...notification({ notificationType: 'SUBSCRIBED', signedDate: g.now, transaction: purchase }),
    },
  };
}
