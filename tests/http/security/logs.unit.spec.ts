// Log lines contain no secrets and no names of customers and users. Each is a canary value, sent in every kind of request.
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { startAndroidStore } from '../../../simulator/android-store/server.js';
import { aboutSubscription, pushBody } from '../../../simulator/android-store/payloads.js';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import {
  BUNDLE_ID,
  MONTHLY,
  notification,
  setUpProject,
  startHarness,
  store,
  type Harness,
  type Slice,
} from '../support/harness.js';
import { anotherRsaKey, iosKey, serviceAccount } from '../support/store-credentials.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'CANARYpassword-3f9a';
const EMAIL = 'canary.email.7c21@example.com';
const WHO = 'CANARYuser-51be';
const VALUE = 'CANARYvalue-90d4';
const CUSTOMER_EMAIL = 'canary.customer.11aa@example.com';
const SERVICE_EMAIL = 'canary.service.42aa@example.iam.gserviceaccount.com';
const PURCHASE = 'CANARYpurchase-9d01';
const PACKAGE = 'com.example.canary';
const TRANSACTION = '9100001';

const refuse = (res: ServerResponse) => void res.writeHead(401).end('{}');

/** Every line, and every secret by a name that a failure can show. */
type Run = { readonly lines: readonly string[]; readonly canaries: Readonly<Record<string, string>> };

async function play(harness: Harness): Promise<Readonly<Record<string, string>>> {
  const { call } = harness;
  const registered = await call('POST', '/auth/register', { email: EMAIL, password: PASSWORD, name: 'CANARYname-22' });
  const { accessToken: token, refreshToken } = registered.body;
  await call('POST', '/auth/login', { email: EMAIL, password: `${PASSWORD}-wrong` });
  await call('POST', '/auth/login', { email: EMAIL, password: PASSWORD });
  const refreshed = await call('POST', '/auth/refresh', { refreshToken });
  await call('POST', '/auth/refresh', { refreshToken: 'rt_CANARYrefresh' });
  await call('GET', '/auth/me', undefined, { token });

  const slice = await setUpProject(harness);
  const as = { key: slice.secretKey };
  const path = `/v1/subscribers/${WHO}`;
  await call('POST', path, { attributes: { note: VALUE, $email: CUSTOMER_EMAIL } }, as);
  await call('GET', path, undefined, { key: slice.publicKey });
  await call('POST', `${path}/attributes`, { attributes: { 'bad name': VALUE } }, as);
  await call('POST', `${path}/attributes`, `{"attributes":{"note":"${VALUE}"`, as);
  await call('POST', `${path}/entitlements`, { entitlementId: 'pro', duration: 'weekly' }, as);
  await call('DELETE', `${path}/entitlements/pro`, undefined, as);
  const now = Date.now();
  const transaction = { transactionId: TRANSACTION, productId: MONTHLY, purchaseDate: now, expiresDate: now + DAY_MS };
  const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
  await call('POST', `${path}/receipts`, { store: 'ios-store', receipt }, as);
  await call('POST', `${path}/receipts`, { store: 'ios-store', receipt: `${receipt}x` }, as);
  const body = notification({ notificationType: 'DID_RENEW', signedDate: now, transaction });
  await call('POST', slice.notificationPath, body);
  await call('POST', slice.notificationPath, { signedPayload: `${body.signedPayload}x` });
  await call('POST', '/v1/store/ios-store/CANARYtoken-77', body);
  const customers = `/v1/projects/${slice.projectId}/customers`;
  await call('GET', `${customers}?search=${encodeURIComponent(CUSTOMER_EMAIL)}`, undefined, as);
  await call('GET', `${customers}/${WHO}`, undefined, as);
  await call('GET', `${customers}/${WHO}/timeline`, undefined, as);
  await call('GET', `/v1/${WHO}/%`, undefined, as);
  await call('GET', '/v1/projects', undefined, { key: 'sk_CANARYkey' });
  await callStores(harness, slice);
  await harness.service().idle();

  return {
    'the email of a service account': SERVICE_EMAIL,
    'the id of its key': 'CANARYkeyid',
    'an id of an ios key': 'CANARYioskey',
    'a purchase token': PURCHASE,
    'a transaction asked about': TRANSACTION,
    'a password': PASSWORD,
    'an email': EMAIL,
    'a name': 'CANARYname',
    'an app user id': WHO,
    'an attribute': VALUE,
    'the email of a customer': CUSTOMER_EMAIL,
    'an access token': token,
    'a refresh token': refreshToken,
    'its successor': refreshed.body.refreshToken,
    'a made-up refresh token': 'CANARYrefresh',
    'a secret key': slice.secretKey,
    'a public key': slice.publicKey,
    'a made-up key': 'CANARYkey',
    'a store token': slice.notificationPath.slice('/v1/store/ios-store/'.length),
    'a made-up store token': 'CANARYtoken',
    'a receipt': receipt.slice(-40),
    'a notification': body.signedPayload.slice(-40),
  };
}

/** Calls the stores with credentials that they reject. */
async function callStores({ call, service }: Harness, slice: Slice): Promise<void> {
  const as = { key: slice.secretKey };
  const apps = `/v1/projects/${slice.projectId}/apps`;
  const { body: app } = await call('POST', apps, { name: 'A', platform: 'android', packageName: PACKAGE }, as);
  const account = { private_key_id: 'CANARYkeyid', client_email: SERVICE_EMAIL, private_key: anotherRsaKey() };
  const serviceAccountJson = { ...serviceAccount(), ...account };
  await call('POST', `${apps}/${app.id}/credentials/android-store`, { serviceAccountJson }, as);
  const kind = aboutSubscription('PURCHASED', PURCHASE);
  const push = pushBody({ packageName: PACKAGE, atMs: Date.now(), messageId: 'canary-1', kind });
  await call('POST', new URL(app.notificationUrl).pathname, push);
  const key = { issuerId: 'CANARYissuer', keyId: 'CANARYioskey', privateKey: iosKey() };
  await call('POST', `${apps}/${slice.appId}/credentials/ios-store`, key, as);
  await service().idle();
  await call('GET', `${apps}/${app.id}/credentials/status`, undefined, as);
}

describe('the log of a service', () => {
  let run: Run;
  before(async () => {
    const lines: string[] = [];
    const [androidStore, iosStore] = [await startAndroidStore(PACKAGE), await startReceiver(refuse)];
    const stores = {
      ...androidStore.settings,
      IOS_STORE_API_URL: iosStore.url,
      IOS_STORE_SANDBOX_API_URL: iosStore.url,
    };
    const env = { LOG_LEVEL: 'trace', ...stores };
    const harness = await startHarness(env, {}, { write: (line) => void lines.push(line) });
    const canaries = await play(harness);
    await harness.restart();
    await harness.stop();
    await androidStore.close();
    await iosStore.stop();
    run = { lines, canaries };
  });

  it('shows stores that refuse credentials', () => {
    const reasons = run.lines.filter((line) => line.includes('store request failed; retrying')).join();
    expect(reasons).to.include('no access token').and.to.include('the ios-store refused');
  });

  it('contain no secret and no customer’s name', () => {
    const found = Object.entries(run.canaries).filter(([, canary]) =>
      run.lines.some((line) => line.toLowerCase().includes(canary.toLowerCase())),
    );
    expect(found.map(([what]) => what)).to.deep.equal([]);
    for (const canary of Object.values(run.canaries)) expect(canary).to.have.length.above(6);
  });

  it('has a line for each request, by its route and not by its address', () => {
    const requests = run.lines.map((line) => JSON.parse(line)).filter((line) => line.msg === 'request');
    expect(requests).to.have.length.above(25);
    for (const request of requests) {
      const fields = ['level', 'time', 'pid', 'hostname', 'method', 'route', 'status', 'ms', 'requestId', 'msg'];
      const { projectId: _project, keyId: _key, ...rest } = request;
      expect(rest).to.have.all.keys(fields);
    }
    expect(requests.map((r) => r.route)).to.include.members([
      '/v1/subscribers/:appUserId/receipts',
      '/v1/store/ios-store/:token',
      '/v1/projects/:id/customers/:cid',
    ]);
  });
});
