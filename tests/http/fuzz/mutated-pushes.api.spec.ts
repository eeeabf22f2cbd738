// Damaged pushes about an android app: refused or kept, never a fault of ours, and nobody becomes a customer by them.
import { expect } from 'chai';
import fc from 'fast-check';
import { mutationRuns } from '../../adapters/ios-store/jws-mutations.js';
import { aboutProduct, aboutSubscription, pushBody } from '../../../simulator/android-store/payloads.js';
import { PACKAGE } from '../stores/android/scenario.js';
import { setUpAndroidScenarios } from '../stores/android/scenarios.js';

const RUNS = mutationRuns(600);
const OUTCOMES = [200, 400, 401];

describe(`mutated pushes (${RUNS.numRuns} times, seed ${RUNS.seed})`, function () {
  this.timeout(600_000);
  const ground = setUpAndroidScenarios();

  it('are rejected or stored, and create no customer', async () => {
    const token = 'nobodys-purchase';
    const kinds = [aboutSubscription('PURCHASED', token), aboutProduct(1, token, 'coins'), { testNotification: {} }];
    let messages = 0;
    const bodyOf = (kind: object) =>
      pushBody({ packageName: PACKAGE, atMs: ground.clock.now(), messageId: `m-${++messages}`, kind: { ...kind } });
    const encoded = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
    const withData = (data: unknown) => {
      const body = bodyOf({});
      return JSON.stringify({ ...body, message: { ...body.message, data } });
    };
    const right = fc.constantFrom(...kinds).map((kind) => JSON.stringify(bodyOf(kind)));
    const inside = fc
      .constantFrom(...kinds)
      .map((kind) => Buffer.from(bodyOf(kind).message.data, 'base64').toString('utf8'));
    const field = fc.constantFrom(
      ...['version', 'packageName', 'eventTimeMillis', 'subscriptionNotification', 'oneTimeProductNotification'],
      ...['voidedPurchaseNotification', '__proto__', 'constructor'],
    );
    const bodies = fc.oneof(
      fc.tuple(inside, field, fc.jsonValue()).map(([text, name, value]) => {
        const edited = `${text.slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
        return withData(encoded(edited));
      }),
      fc.tuple(inside, fc.nat(), fc.integer({ min: 1, max: 255 })).map(([text, at, mask]) => {
        const bytes = Buffer.from(text);
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ mask;
        return withData(encoded(bytes));
      }),
      fc.tuple(inside, fc.nat(200)).map(([text, length]) => withData(encoded(text.slice(0, length)))),
      fc.jsonValue().map((value) => withData(value)),
      fc.jsonValue().map((value) => JSON.stringify({ message: value })),
      fc.tuple(right, fc.nat(400)).map(([text, length]) => text.slice(0, length)),
      fc.json(),
      fc.string({ unit: 'binary' }),
    );
    const url = `${ground.harness().service().url ?? ''}${ground.notificationPath()}`;
    const headers = { 'content-type': 'application/json' };
    const answered = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        const response = await fetch(url, { method: 'POST', headers, body });
        await response.text();
        answered.set(response.status, (answered.get(response.status) ?? 0) + 1);
        expect(response.status, body.slice(0, 300)).to.be.oneOf(OUTCOMES);
      }),
      RUNS,
    );
    await ground.idle();
    const { items } = await ground.call('GET', `${ground.base()}/customers`);
    expect(items).to.deep.equal([]);
    for (const status of OUTCOMES.slice(0, 2)) expect(answered.get(status) ?? 0, `answers ${status}`).to.be.above(10);
  });
});
