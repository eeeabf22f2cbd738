// Thousands of requests: some right in all but a few places, some built from the schemas of the table. No response may be a 500, have a
// form that is not in the table, refuse in another form than all refusals, or show anything of another project; a refused request writes
// nothing. They come from members of all roles and from keys, some under an idempotency key. SEED=<number> plays a run again,
// REQUESTS=<number> makes it longer.
import { expect } from 'chai';
import fc from 'fast-check';
import { roles, type Role } from '../../../src/domain/project/roles.js';
import { routes } from '../../../src/http/routes.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import { chance } from '../../projections/support/seeded-random.js';
import { fastCaller } from './fast-call.js';
import { bodiesOf, queriesOf } from './from-schema.js';
import { setUpProject, startHarness, type Call, type Credentials, type Harness } from '../support/harness.js';
import { mutateBody, mutatePath, oddValues, requestPlans, type RequestPlan } from './mutations.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { bodyOf, furnish, nameOf, pathOf, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { newMember } from '../support/team.js';

const REQUESTS = Number(process.env['REQUESTS'] ?? 4000);
const ALLOWED_MS = 600_000;

/** A failed log-in and a stolen token are recorded as events. */
const RECORDS_REFUSALS: ReadonlySet<string> = new Set(['POST /auth/login', 'POST /auth/refresh']);
/** Credentials that a right request has saved may be of a store that nobody answers for here. */
const ASKS_A_STORE: ReadonlySet<string> = new Set([
  'POST /v1/subscribers/:appUserId/receipts',
  // These routes look up an order ID.
  'POST /v1/projects/:id/customers/:cid/purchases/transfer',
  'GET /v1/projects/:id/transactions/:transactionId',
]);
/** Hashing a password takes as long as a hundred other requests. */
const isSlow = (route: Route) => /register|login/.test(route.path);

/** Once one of these is right, hardly any other request can be. */
const ENDS_THE_GROUND: ReadonlySet<string> = new Set([
  ...['DELETE /v1/projects/:id', 'DELETE /v1/projects/:id/apps/:appId', 'DELETE /v1/subscribers/:appUserId'],
  // It ends the sessions of the ground.
  'POST /auth/password',
  ...['DELETE /v1/projects/:id/products/:pid', 'DELETE /v1/projects/:id/entitlements/:eid'],
]);

type Caller = 'secret key' | 'public key' | 'reading key' | Role;
/** Stands in whatever the other project has of its own. */
const OF_ANOTHER = 'CANARYofanother';
/** Few, so that they are used again, for the same request and for others. */
const IDEMPOTENCY_KEYS = ['a', 'b', 'c', '', ' ', '"{', 'x'.repeat(255), 'x'.repeat(256)];
const APP = { platform: 'ios', bundleId: 'com.example.another' };

type PlannedRequest = {
  readonly name: string;
  readonly plan: RequestPlan;
  readonly caller: Caller;
  readonly idempotencyKey: string | null;
  /** Request that replaces the mutated sample. */
  readonly built: { readonly body: unknown; readonly query: string } | null;
};

describe('any request', function () {
  this.timeout(ALLOWED_MS);
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { seed } = chance();
  const byName = new Map(routes.map((route) => [nameOf(route), route]));
  let harness: Harness;
  let own: Ground;
  let other: Ground;
  let readingKey = '';
  const tokens = new Map<Role, string>();
  let fast: { readonly call: Call; close(): void };
  before(async () => {
    harness = await startHarness({}, clock.runtime);
    own = await furnish(harness, await setUpProject(harness), clock.now());
    other = await furnish(harness, await setUpProject(harness, { name: OF_ANOTHER }), clock.now());
    await harness.call(
      'POST',
      '/v1/subscribers/ann/attributes',
      { attributes: { a: OF_ANOTHER } },
      { key: other.secretKey },
    );
    await harness.call(
      'POST',
      `/v1/projects/${other.projectId}/apps`,
      { ...APP, name: OF_ANOTHER },
      { token: other.token },
    );
    for (const role of roles) tokens.set(role, (await newMember(harness.call, own.projectId, own.token, role)).token);
    const reader = { name: 'reader', scopes: ['read'] };
    const made = await harness.call('POST', `/v1/projects/${own.projectId}/api-keys`, reader, { token: own.token });
    readingKey = made.body.key;
    fast = fastCaller(harness.service().url ?? '');
  });
  after(async () => {
    fast.close();
    await harness.stop();
  });

  const credentialsOf = (caller: Caller): Credentials => {
    if (caller === 'secret key') return { key: own.secretKey };
    if (caller === 'public key') return { key: own.publicKey };
    if (caller === 'reading key') return { key: readingKey };
    return { token: tokens.get(caller) ?? '', headers: { 'x-project-id': own.projectId } };
  };
  const sendPlanned = (route: Route, { plan, caller, idempotencyKey, built }: PlannedRequest) => {
    const as = credentialsOf(caller);
    const extra = {
      ...(plan.contentType !== null && { 'content-type': plan.contentType }),
      ...(idempotencyKey !== null && { 'idempotency-key': idempotencyKey }),
    };
    const mutated = () => {
      const body = bodyOf(route, own);
      return body && mutateBody(body, plan.mutations);
    };
    const body = built && route.body ? built.body : mutated();
    const path = mutatePath(route.path, pathOf(route, own), built ? { ...plan, query: built.query } : plan);
    const text = body === undefined ? undefined : JSON.stringify(body);
    return fast.call(route.method.toUpperCase(), path, text, { ...as, headers: { ...as.headers, ...extra } });
  };
  const planned = (): fc.Arbitrary<PlannedRequest> => {
    const idsOf = (g: Ground) => [
      ...[g.projectId, g.appId, g.productId, g.entitlementId, g.customerId, g.keyId, g.offeringId, g.paywallId],
      ...[g.webhookId, g.deliveryId, g.experimentId, g.notificationId, g.memberId, g.invitationId, g.viewId],
    ];
    const ids = [...idsOf(own), ...idsOf(other)];
    const [plan, odd] = [requestPlans(ids), oddValues(ids)];
    const mighty = fc.constantFrom<Caller>('secret key', 'secret key', 'owner', 'owner', 'public key');
    const caller = fc.oneof({ weight: 3, arbitrary: mighty }, fc.constantFrom<Caller>('reading key', ...roles));
    const key = fc.constantFrom(...IDEMPOTENCY_KEYS);
    const idempotencyKey = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, key);
    const of = (route: Route) => {
      const built = fc.record({ body: bodiesOf(route, odd), query: queriesOf(route, odd) });
      const either = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 2, arbitrary: built });
      return fc.record({ name: fc.constant(nameOf(route)), plan, caller, idempotencyKey, built: either });
    };
    const quick = routes.filter((r) => !isSlow(r) && !ENDS_THE_GROUND.has(nameOf(r)));
    const all = fc.oneof(...quick.map(of));
    return fc.oneof(
      { weight: 300, arbitrary: all },
      { weight: 1, arbitrary: fc.oneof(...routes.filter(isSlow).map(of)) },
    );
  };

  it(`is answered, and without a trace when refused (${REQUESTS} requests, seed ${seed})`, async () => {
    const statuses = new Map<number, number>();
    let head = '';
    const whenIdle = async () => {
      await harness.service().idle();
      head = await headOf(harness);
    };
    await whenIdle();
    const property = fc.asyncProperty(planned(), async (request) => {
      const { name } = request;
      const route = byName.get(name);
      if (!route) return;
      const response = await sendPlanned(route, request);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      expect(JSON.stringify([response.body]), `what ${name} shows of another project`).to.not.include(OF_ANOTHER);
      if (response.status !== 503 || !ASKS_A_STORE.has(name)) expect(response.status, name).to.be.below(500);
      if (response.status < 400 || RECORDS_REFUSALS.has(name)) return whenIdle();
      expectRefusal(response, response.status, name);
      expect(await headOf(harness), `the log after ${name}`).to.equal(head);
    });
    await fc.assert(property, { numRuns: REQUESTS, seed });

    const answered = (status: number) => statuses.get(status) ?? 0;
    expect(answered(200) + answered(201), 'requests that were right after all').to.be.above(REQUESTS / 20);
    expect(answered(400), 'requests that were wrong').to.be.above(REQUESTS / 20);
    expect(answered(404), 'requests for what is not there').to.be.above(REQUESTS / 100);
  });
});
