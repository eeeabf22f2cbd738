// Places in lists, in the log and in the live feed, and names of repeats: true ones, damaged ones, those of other lists and pure noise. No
// response is a fault of ours, and a refusal has the form of all refusals. SEED=<number> plays a run again, PLACES=<number> makes it
// longer.
import { expect } from 'chai';
import fc from 'fast-check';
import { routes } from '../../../src/http/routes.js';
import { chance } from '../../projections/support/seeded-random.js';
import { furnish, nameOf, pathOf, type Ground } from '../support/route-samples.js';
import { expectRefusal, headOf } from '../support/refusal.js';
import { setUpProject, startHarness, type Harness } from '../support/harness.js';
import { createManualClock } from '../support/manual-clock.js';
import { fastCaller } from './fast-call.js';

const numRuns = Number(process.env['PLACES'] ?? 800);
const lists = routes.filter(
  (route) =>
    route.method === 'get' &&
    'startingAfter' in ((route.query as { readonly shape?: object } | undefined)?.shape ?? {}),
);

describe('a place that is damaged or made up', function () {
  this.timeout(600_000);
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { seed } = chance();
  let harness: Harness;
  let ground: Ground;
  let fast: ReturnType<typeof fastCaller>;
  const known: string[] = [];
  /** Cursors by route. */
  const own = new Map<string, string>();

  before(async () => {
    harness = await startHarness({}, clock.runtime);
    ground = await furnish(harness, await setUpProject(harness), clock.now());
    fast = fastCaller(harness.service().url ?? '');
    await harness.service().idle();
    known.push(await headOf(harness), '0'.repeat(20), '9'.repeat(20));
    for (const route of lists) {
      const { body } = await fast.call('GET', `${pathOf(route, ground)}?limit=1`, undefined, as());
      const place = new URLSearchParams(String(body.nextPage).split('?')[1]).get('startingAfter');
      if (place === null) continue;
      known.push(place);
      own.set(nameOf(route), place);
    }
  });
  after(async () => {
    fast.close();
    await harness.stop();
  });
  const as = (headers: Record<string, string> = {}) => ({ token: ground.token, headers });

  const places = (mine?: string): fc.Arbitrary<string> => {
    const any = fc.constantFrom(...known);
    const one = mine === undefined ? any : fc.oneof({ weight: 3, arbitrary: fc.constant(mine) }, any);
    return fc.oneof(
      one,
      fc.tuple(one, fc.nat(60)).map(([text, length]) => text.slice(0, length)),
      fc
        .tuple(one, fc.nat(60), fc.string({ maxLength: 4 }))
        .map(([text, at, odd]) => text.slice(0, at) + odd + text.slice(at + 1)),
      fc.tuple(one, one).map(([a, b]) => `${a}_${b}`),
      one.map((text) => text.toUpperCase()),
      fc.string({ maxLength: 300 }),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom('-1', '1e9', 'null', '__proto__', '../..', '%00', '\u0000', 'x'.repeat(5000)),
    );
  };
  /** Replaces characters that a header cannot contain. */
  const headerOf = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 2000);

  it(`of a list is accepted or refused (${numRuns} requests, seed ${seed})`, async () => {
    const statuses = new Map<number, number>();
    const limit = fc.constantFrom('1', '100');
    const of = (route: (typeof lists)[number]) =>
      fc.record({ route: fc.constant(route), place: places(own.get(nameOf(route))), limit });
    const asked = fc.oneof(...lists.map(of));
    await fc.assert(
      fc.asyncProperty(asked, async ({ route, place, limit }) => {
        const query = new URLSearchParams({ startingAfter: place, limit }).toString();
        const response = await fast.call('GET', `${pathOf(route, ground)}?${query}`, undefined, as());
        statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
        const about = `${nameOf(route)} after ${JSON.stringify(place)}`;
        expect(response.status, about).to.be.oneOf([200, 400, 404]);
        if (response.status >= 400) expectRefusal(response, response.status, about);
      }),
      { numRuns, seed },
    );
    expect(lists.length).to.be.above(10);
    expect(statuses.get(200) ?? 0).to.be.above(numRuns / 100);
    expect(statuses.get(400) ?? 0).to.be.above(numRuns / 100);
  });

  it(`in the log or in the live feed is taken or refused, and so is the name of a repeat (seed ${seed})`, async () => {
    const subscriber = '/v1/subscribers/ann';
    const ways = {
      'x-position': ['GET', `/v1/projects/${ground.projectId}`, undefined],
      'last-event-id': ['GET', `/v1/projects/${ground.projectId}/live`, undefined],
      'idempotency-key': ['POST', `${subscriber}/attributes`, { attributes: { mood: 'odd' } }],
      'if-none-match': ['GET', `/v1/projects/${ground.projectId}/products`, undefined],
    } as const;
    const asked = fc.record({
      header: fc.constantFrom(...(Object.keys(ways) as (keyof typeof ways)[])),
      place: places(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ header, place }) => {
        const [method, path, body] = ways[header];
        const credentials = header === 'idempotency-key' ? { key: ground.secretKey } : as();
        const headers = { ...('headers' in credentials ? credentials.headers : {}), [header]: headerOf(place) };
        const response = await fast.call(method, path, body, { ...credentials, headers });
        const about = `${header}: ${JSON.stringify(place)}`;
        // No read model has reached a position beyond the log.
        const refusals = header === 'x-position' ? [400, 503] : [400, 409];
        expect(response.status, about).to.be.oneOf([200, 304, ...refusals]);
        if (response.status >= 400) expectRefusal(response, response.status, about);
      }),
      { numRuns: Math.ceil(numRuns / 3), seed },
    );
  });
});
