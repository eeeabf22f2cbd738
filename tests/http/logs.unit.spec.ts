// What may not stand in a log line: secrets, and what people are called. Each is a canary here, sent through every kind of request.
import { expect } from 'chai';
import { BUNDLE_ID, MONTHLY, notification, setUpProject, startHarness, store, type Harness } from './harness.js';

const DAY_MS = 86_400_000;
const PASSWORD = 'CANARYpassword-3f9a';
const EMAIL = 'canary.email.7c21@example.com';
const WHO = 'CANARYuser-51be';
const VALUE = 'CANARYvalue-90d4';
const CUSTOMER_EMAIL = 'canary.customer.11aa@example.com';

/** Every line, and every secret by a name under which a failure can speak of it. */
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
  const transaction = { transactionId: '9100001', productId: MONTHLY, purchaseDate: now, expiresDate: now + DAY_MS };
  const receipt = store.signedTransaction({ ...transaction, bundleId: BUNDLE_ID, environment: 'Production' });
  await call('POST', `${path}/receipts`, { store: 'ios-store', receipt }, as);
  await call('POST', `${path}/receipts`, { store: 'ios-store', receipt: `${receipt}x` }, as);
  const told = notification({ notificationType: 'DID_RENEW', signedDate: now, transaction });
  await call('POST', slice.notificationPath, told);
  await call('POST', slice.notificationPath, { signedPayload: `${told.signedPayload}x` });
  await call('POST', '/v1/store/ios-store/CANARYtoken-77', told);
  const customers = `/v1/projects/${slice.projectId}/customers`;
  await call('GET', `${customers}?search=${encodeURIComponent(CUSTOMER_EMAIL)}`, undefined, as);
  await call('GET', `${customers}/${WHO}`, undefined, as);
  await call('GET', `${customers}/${WHO}/timeline`, undefined, as);
  await call('GET', `/v1/${WHO}/%`, undefined, as);
  await call('GET', '/v1/projects', undefined, { key: 'sk_CANARYkey' });
  await harness.service().settled();

  return {
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
    'a notification': told.signedPayload.slice(-40),
  };
}

describe('the log of a service', () => {
  let run: Run;
  before(async () => {
    const lines: string[] = [];
    const harness = await startHarness({ LOG_LEVEL: 'trace' }, {}, { write: (line) => void lines.push(line) });
    const canaries = await play(harness);
    await harness.restart();
    await harness.stop();
    run = { lines, canaries };
  });

  it('holds no secret and no name of anybody', () => {
    const found = Object.entries(run.canaries).filter(([, canary]) =>
      run.lines.some((line) => line.toLowerCase().includes(canary.toLowerCase())),
    );
    expect(found.map(([what]) => what)).to.deep.equal([]);
    for (const canary of Object.values(run.canaries)) expect(canary).to.have.length.above(8);
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
