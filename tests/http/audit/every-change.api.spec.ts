// No change of the configuration, of keys, members, credentials and grants passes without an entry: every route that writes such a thing,
// and every field of those that change one.
import { expect } from 'chai';
import type { z } from 'zod';
import type { Route } from '../../../src/http/dispatch/route.js';
import { routes } from '../../../src/http/routes.js';
import { newMember } from '../support/team.js';
import { setUpProject, type Json } from '../support/harness.js';
import { furnish, nameOf, pathOf, send, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

/** Writing routes outside of the table, and what they do. */
const elsewhere: Readonly<Record<string, string>> = {
  'POST /v1/projects': 'begins a project of its own',
  'DELETE /v1/projects/:id': 'takes the audit with it',
  'POST /v1/projects/:id/demo/purchase': 'sends what a store and a device send',
  'POST /v1/projects/:id/customers/:cid/purchases/transfer': 'is on the timelines of both customers',
  'POST /v1/projects/:id/customers/:cid/refresh': 'is on the timeline of the customer',
  'POST /v1/projects/:id/transactions/:transactionId/test-action': 'is on the timeline of the customer',
  'POST /v1/projects/:id/refund-requests/:requestId/answer': 'is on the timeline of the customer',
  'POST /v1/projects/:id/apps/:appId/notification-check': 'asks and records nothing',
  'POST /v1/projects/:id/apps/:appId/test-purchase': 'is on the timeline of the customer',
  'POST /v1/projects/:id/notifications/:nid/retry': 'works off what a store sent',
  'POST /v1/projects/:id/imports': 'checks a file and records nothing',
  'POST /v1/projects/:id/imports/:importId/files': 'checks a file and records nothing',
  'POST /v1/projects/:id/imports/:importId/confirm': 'has its entry in the specs of imports, which have a file',
  'POST /v1/projects/:id/books/look': 'asks a store; what is added has an entry',
  'POST /v1/projects/:id/simulations': 'computes a life and records nothing',
  'POST /v1/projects/:id/metrics/replays': 'copies charts',
  'DELETE /v1/projects/:id/metrics/replays/:name': 'forgets a copy',
  'POST /v1/projects/:id/customer-segments': 'names a filter',
  'DELETE /v1/projects/:id/customer-segments/:segmentId': 'forgets a filter',
  'POST /v1/projects/:id/views': 'is a look at charts',
  'PATCH /v1/projects/:id/views/:viewId': 'is a look at charts',
  'DELETE /v1/projects/:id/views/:viewId': 'is a look at charts',
  'POST /v1/projects/:id/annotations': 'is a note on charts',
  'DELETE /v1/projects/:id/annotations/:annotationId': 'is a note on charts',
  'POST /v1/projects/:id/webhooks/:wid/deliveries/:did/redeliver': 'sends',
  'POST /v1/projects/:id/webhooks/:wid/replay': 'sends',
  'POST /v1/projects/:id/webhooks/:wid/test': 'sends',
};
/** Grants are written on the paths of subscribers. */
const grants = ['POST /v1/subscribers/:appUserId/entitlements', 'DELETE /v1/subscribers/:appUserId/entitlements/:eid'];

const writes = routes.filter(
  (route) =>
    grants.includes(nameOf(route)) ||
    (route.path.startsWith('/v1/projects') && route.method !== 'get' && !(nameOf(route) in elsewhere)),
);

/** Returns a changed value for each field. */
const fields = (g: Ground): Readonly<Record<string, Readonly<Record<string, unknown>>>> => ({
  'PATCH /v1/projects/:id': {
    name: 'Another',
    transferBehavior: 'keep',
    sandboxAccess: 'nobody',
    displayCurrency: 'EUR',
    timezone: 'Europe/Berlin',
  },
  'PATCH /v1/projects/:id/members/:userId': { role: 'support' },
  'PATCH /v1/projects/:id/apps/:appId': {
    name: 'Another',
    notificationForwardingUrl: 'https://hooks.example.com/forwarded',
    refundPolicy: 'keep_until_expiry',
    iosStoreSmallBusiness: true,
    refundAnswer: 'grant_prorated',
    refundConsent: 'terms',
  },
  'PATCH /v1/projects/:id/entitlements/:eid': { displayName: 'Another', description: 'What it opens' },
  'PATCH /v1/projects/:id/offerings/:oid': { displayName: 'Another', metadata: { accent: 'blue' } },
  'PATCH /v1/projects/:id/paywalls/:pwid': {
    name: 'Another',
    config: { layout: 'list' },
    defaultLocale: 'de',
    localizations: { de: { title: 'Mehr' } },
    status: 'published',
  },
  'PATCH /v1/projects/:id/placements/:plid': { displayName: 'Another' },
  'PATCH /v1/projects/:id/targeting-rules/:ruleId': {
    name: 'Another',
    isActive: true,
    conditions: [{ kind: 'subscriber', value: true }],
    offeringId: g.offeringId,
    placements: [{ placementId: g.placementId, offeringId: null }],
  },
  'PATCH /v1/projects/:id/experiments/:eid': {
    name: 'Another',
    description: 'Why',
    enrollmentPercentage: 7,
    audience: { countries: ['DE'] },
    primaryMetric: 'mrr',
  },
  'PATCH /v1/projects/:id/webhooks/:wid': {
    name: 'Another',
    url: 'https://hooks.example.com/another',
    eventTypes: ['RENEWAL'],
    appId: g.appId,
    environment: 'production',
    authorizationHeader: 'Bearer of our own',
    payloadFormat: 'snake_case',
    ordered: false,
    enabled: false,
    rotateSecret: true,
  },
});
/** Fields that take no other value here, or go with another one. */
const besides = ['offeringId', 'isCurrent', 'archived', 'winnerVariantId', 'status', 'position', 'rotateGraceHours'];

describe('every change of the set-up', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);
  let ground: Ground;
  before(async () => {
    ground = await furnish(harness, await setUpProject(harness), clock.now());
  });

  const owner = () => ({ token: ground.token, headers: { 'x-project-id': ground.projectId } });
  const audit = async (): Promise<readonly Json[]> => {
    await harness.service().idle();
    const path = `/v1/projects/${ground.projectId}/audit?limit=100`;
    return (await harness.call('GET', path, undefined, { token: ground.token })).body.items;
  };
  /** The actions that the audit has gained. */
  const gained = async (work: () => Promise<{ readonly status: number; readonly body: unknown }>) => {
    clock.set(clock.now() + 1000);
    const since = new Date(clock.now()).toISOString();
    const { status, body } = await work();
    expect(status, JSON.stringify(body)).to.be.within(200, 201);
    return (await audit()).filter(({ at }) => at >= since);
  };

  it('is found in the table of routes', () => expect(writes).to.have.length.above(40));

  for (const route of writes.filter(({ method }) => method === 'patch')) {
    it(`has an entry for each field of ${nameOf(route)}`, async () => {
      const values = fields(ground)[nameOf(route)] ?? {};
      const known = Object.keys((route.body as z.ZodObject).shape);
      expect([...Object.keys(values), ...besides], 'give the new field a value').to.include.members(known);
      for (const [name, value] of Object.entries(values)) {
        const path = pathOf(route, ground);
        const entries = await gained(() => harness.call('PATCH', path, { [name]: value }, owner()));
        expect(entries, name).to.have.length(1);
        expect(entries[0].actor.kind, name).to.equal('user');
      }
    });
  }

  const others = writes.filter(({ method }) => method !== 'patch');
  // The product is attached from the start; what is deleted last holds what is deleted before.
  const rank = (route: Route) =>
    nameOf(route) === 'DELETE /v1/projects/:id/entitlements/:eid/products' || route.method === 'put'
      ? 0
      : route.method === 'post'
        ? 1
        : 2;
  const ordered = others.toSorted((a, b) => rank(a) - rank(b) || (rank(a) === 2 ? b.path.length - a.path.length : 0));
  for (const route of ordered) {
    it(`has an entry for ${nameOf(route)}`, async () => {
      expect(await gained(() => send(harness, route, ground, owner()))).to.have.length.above(0);
    });
  }

  it('has one for who joins', async () => {
    const entries = await gained(async () => {
      await newMember(harness.call, ground.projectId, ground.token, 'viewer');
      return { status: 200, body: null };
    });
    expect(entries.map(({ action }) => action)).to.deep.equal(['MemberJoined', 'MemberInvited']);
  });
});
