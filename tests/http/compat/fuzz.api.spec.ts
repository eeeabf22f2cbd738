// Random bodies on every route: no fault of the service, and on receipts no 4xx outside the table.
import { expect } from 'chai';
import { compatRoutes } from '../../../src/http/compat/routes.js';
import { chance } from '../../projections/support/seeded-random.js';
import { watchLoop, type LoopWatch } from '../support/loop-watch.js';
import { setUpService } from '../support/setup.js';
import { addTestApp, sdkClient, testToken, type TestApp } from './setup.js';

const REQUESTS = Number(process.env['REQUESTS'] ?? 1500);
const FIELDS = [
  ...['app_user_id', 'new_app_user_id', 'fetch_token', 'product_id', 'product_ids', 'attributes', 'price', 'currency'],
  ...['is_restore', 'presented_offering_identifier', 'generate_offers', 'end_time_ms', 'duration', 'events'],
];

describe('random requests to the compatibility API', () => {
  const { harness, slice } = setUpService({ COMPAT_PORT: '0' });
  let app: TestApp;
  before(async () => void (app = await addTestApp(harness, slice)));
  let watch: LoopWatch;
  before(() => void (watch = watchLoop()));
  after(() => watch.close());
  const random = chance(7);
  const pick = <T>(all: readonly T[]): T => all[random.below(all.length)] as T;

  const value = (depth = 0): unknown => {
    const plain = [
      null,
      true,
      0,
      -1,
      1e21,
      '',
      'x',
      'a'.repeat(3000),
      '\u0000',
      '__proto__',
      testToken(Date.now()),
      'EUR',
      '9.99',
    ];
    const kind = depth > 2 ? 0 : random.below(4);
    if (kind < 2) return pick(plain);
    if (kind === 2) return [value(depth + 1)];
    return Object.fromEntries(
      Array.from({ length: random.below(4) }, () => [
        pick([...FIELDS, 'value', 'updated_at_ms', '$email']),
        value(depth + 1),
      ]),
    );
  };
  const body = () => {
    if (random.below(10) === 0) return pick(['{', '[]', 'null', '"x"', '']);
    return Object.fromEntries(Array.from({ length: random.below(6) }, () => [pick(FIELDS), value()]));
  };
  const param = () =>
    encodeURIComponent(
      pick(['ann', '$RCAnonymousID:' + '0'.repeat(32), 'null', '\u0000', 'a/b', 'x'.repeat(300), 'cus_1']),
    );

  it('get an answer in the SDKs’ form, and never a bug', async function () {
    this.timeout(120_000);
    const clients = [app.key, slice.publicKey, slice.secretKey, 'appl_unknown'].map((key) =>
      sdkClient(harness, () => key),
    );
    for (let n = 0; n < REQUESTS; n++) {
      const route = pick(compatRoutes);
      const path = route.path.replace(/:\w+/g, param);
      const sent = route.method === 'get' || route.method === 'delete' ? undefined : body();
      const about = `${route.method} ${path} ${JSON.stringify(sent)}`;
      const send = () => pick(clients)(route.method.toUpperCase(), path, sent);
      const { status, body: answer } = await watch.during(about, send);
      expect(status, about).to.be.oneOf([200, 201, 400, 401, 403, 404, 409, 413, 503]);
      if (status < 300) continue;
      expect(answer.code, about).to.be.a('number');
      if (route.path !== '/v1/receipts') continue;
      expect([`400|7103`, `409|7102`, `503|${answer.code}`], about).to.include(`${status}|${answer.code}`);
    }
  });
});
