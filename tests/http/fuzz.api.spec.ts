// Thousands of requests that are right in all but a few places. None may be answered by 500 or in another form than every refusal has,
// and a refused one writes nothing. SEED=<number> plays a run again.
import { expect } from 'chai';
import fc from 'fast-check';
import { routes } from '../../src/http/routes.js';
import type { Route } from '../../src/http/route.js';
import { chance } from '../projections/seeded.js';
import { setUpProject, startHarness, type Credentials, type Harness } from './harness.js';
import { mutateBody, mutatePath, requestPlans, type RequestPlan } from './mutations.js';
import { expectRefusal, headOf } from './refusal.js';
import { bodyOf, furnish, nameOf, pathOf, type Ground } from './route-samples.js';
import { createSetClock } from './set-clock.js';

const REQUESTS = 3200;

/** A failed log-in and a stolen token are facts worth keeping. */
const RECORDS_REFUSALS: ReadonlySet<string> = new Set(['POST /auth/login', 'POST /auth/refresh']);
/** Hashing a password takes as long as a hundred other requests. */
const isSlow = (route: Route) => /register|login/.test(route.path);

type Caller = 'secret key' | 'public key' | 'user';

/** Once one of these is right, hardly any other request can be. */
const ENDS_THE_GROUND: ReadonlySet<string> = new Set([
  ...['DELETE /v1/projects/:id', 'DELETE /v1/projects/:id/apps/:appId'],
  ...['DELETE /v1/projects/:id/products/:pid', 'DELETE /v1/projects/:id/entitlements/:eid'],
]);

describe('any request', () => {
  const clock = createSetClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { seed } = chance();
  let harness: Harness;
  let own: Ground;
  let other: Ground;
  before(async () => {
    harness = await startHarness({}, clock.runtime);
    own = await furnish(harness, await setUpProject(harness), clock.now());
    other = await furnish(harness, await setUpProject(harness), clock.now());
  });
  after(() => harness.stop());

  const credentialsOf = (caller: Caller): Credentials => {
    if (caller === 'secret key') return { key: own.secretKey };
    if (caller === 'public key') return { key: own.publicKey };
    return { token: own.token, headers: { 'x-project-id': own.projectId } };
  };
  const sendMutated = (route: Route, plan: RequestPlan, caller: Caller) => {
    const as = credentialsOf(caller);
    const type = plan.contentType === null ? {} : { 'content-type': plan.contentType };
    const body = bodyOf(route, own);
    const text = body && JSON.stringify(mutateBody(body, plan.mutations));
    const path = mutatePath(route.path, pathOf(route, own), plan);
    return harness.call(route.method.toUpperCase(), path, text, { ...as, headers: { ...as.headers, ...type } });
  };

  it(`is answered, and without a trace when refused (seed ${seed})`, async function () {
    this.timeout(120_000);
    const idsOf = (g: Ground) => [g.projectId, g.appId, g.productId, g.entitlementId, g.customerId, g.keyId];
    const caller = fc.constantFrom<Caller>('secret key', 'secret key', 'public key', 'user', 'user');
    // By name, so that a counterexample can be read.
    const byName = new Map(routes.map((route) => [nameOf(route), route]));
    const quick = fc.constantFrom(...routes.filter((r) => !isSlow(r) && !ENDS_THE_GROUND.has(nameOf(r))).map(nameOf));
    const name = fc.oneof({ weight: 60, arbitrary: quick }, fc.constantFrom(...routes.filter(isSlow).map(nameOf)));
    const plans = requestPlans([...idsOf(own), ...idsOf(other)]);
    const statuses = new Map<number, number>();

    const property = fc.asyncProperty(name, plans, caller, async (target, plan, by) => {
      const route = byName.get(target);
      if (!route) return;
      await harness.service().settled();
      const before = await headOf(harness);
      const answer = await sendMutated(route, plan, by);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      expect(answer.status, target).to.be.below(500);
      if (answer.status < 400) return;
      expectRefusal(answer, answer.status, target);
      if (RECORDS_REFUSALS.has(target)) return;
      await harness.service().settled();
      expect(await headOf(harness), `the log after ${target}`).to.equal(before);
    });
    await fc.assert(property, { numRuns: REQUESTS, seed });

    const answered = (status: number) => statuses.get(status) ?? 0;
    expect(answered(200) + answered(201), 'requests that were right after all').to.be.above(REQUESTS / 20);
    expect(answered(400), 'requests that were wrong').to.be.above(REQUESTS / 20);
  });
});
