// Every route, asked by everybody who may not: the statuses follow from the table of callers in the interface's design, not from the
// code under test. A refused request writes nothing.
import { expect } from 'chai';
import { routes } from '../../../src/http/routes.js';
import type { Route } from '../../../src/http/dispatch/route.js';
import { isOnServers } from '../../distributed/servers.js';
import { setUpProject, type Credentials } from '../support/harness.js';
import { expectRefused } from '../support/refusal.js';
import { furnish, nameOf, pathOf, send, type Ground } from '../support/route-samples.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpHarness } from '../support/setup.js';

const HOUR_MS = 3600_000;

/** The rows of the table. */
type Row =
  'open' | 'me' | 'list projects' | 'make projects' | 'manage keys' | 'project' | 'sdk' | 'sdk grants' | 'sdk keys';

/** A second factor is checked by a code that is made from its secret, and no other session is open: these callers were let in, too. */
function lettingIn({ path }: Route): readonly number[] {
  if (path === '/auth/sessions/:sessionId') return [404];
  // No store has asked about a refund on the ground.
  if (path.includes('/refund-requests/:requestId')) return [404];
  return path.startsWith('/auth/second-factor') ? [200, 403, 409] : [200, 201, 202];
}

function rowOf({ method, path }: Route): Row {
  if (/^\/auth\/(register|login|refresh|logout)$|^\/v1\/store\//.test(path)) return 'open';
  if (path.startsWith('/auth/')) return 'me';
  if (path === '/v1/demo') return 'make projects';
  if (path === '/v1/projects') return method === 'get' ? 'list projects' : 'make projects';
  if (path === '/v1/projects/:id' && method === 'delete') return 'manage keys';
  if (path.includes('/api-keys')) return method === 'get' ? 'project' : 'manage keys';
  if (path.includes('/views')) return 'manage keys';
  if (path.includes('/members')) return method === 'get' ? 'project' : 'manage keys';
  if (path.startsWith('/v1/projects/:id')) return 'project';
  if (path.startsWith('/v1/offerings') || path === '/v1/events' || path === '/v1/api-key') return 'sdk keys';
  if (path === '/v1/subscribers/:appUserId' && method === 'delete') return 'sdk grants';
  if (path.startsWith('/v1/subscribers/')) return path.includes('/entitlements') ? 'sdk grants' : 'sdk';
  throw new Error(`give ${path} a row here`);
}

/** A simulation stores nothing, although it has a body. */
function isRead({ method, path }: Route): boolean {
  return method === 'get' || path.endsWith('/simulations');
}

/** Null: may. A row without an entry for a caller: refused to that caller with the first number. */
type Refusals = { readonly else: number } & Partial<Record<Row, number | null>>;
type Who = {
  readonly as: (own: Ground, other: Ground, extra: Extra) => Credentials;
  readonly refused: Refusals;
  readonly writesOnly?: boolean;
};
type Extra = {
  readonly expiredToken: string;
  readonly deletedKey: string;
  readonly expiredKey: string;
  readonly readKey: string;
};

const onSdk = (token: string, { projectId }: Ground) => ({ token, headers: { 'x-project-id': projectId } });
const NOT_OPEN = { else: 401, open: null };
const NO_KEY = { open: null, me: 401 } as const;
const ON_SDK = { sdk: null, 'sdk keys': null } as const;
const THEIR_OWN = { open: null, me: null, 'list projects': null, 'make projects': null } as const;

const callers: Readonly<Record<string, Who>> = {
  nobody: { as: () => ({}), refused: NOT_OPEN },
  'a token that is none': { as: () => ({ token: 'x.y.z' }), refused: NOT_OPEN },
  'a key that is none': { as: () => ({ key: 'sk_x' }), refused: NOT_OPEN },
  'an expired token': { as: (own, _, { expiredToken }) => onSdk(expiredToken, own), refused: NOT_OPEN },
  'an expired key': { as: (_own, _other, { expiredKey }) => ({ key: expiredKey }), refused: NOT_OPEN },
  'a deleted key': { as: (_own, _other, { deletedKey }) => ({ key: deletedKey }), refused: NOT_OPEN },
  'token and key at once': { as: (own) => ({ token: own.token, key: own.secretKey }), refused: { else: 400 } },
  'token and key at once, both wrong': { as: () => ({ token: 'x', key: 'y' }), refused: { else: 400 } },
  'another project’s user': {
    as: (own, other) => onSdk(other.token, own),
    refused: { else: 404, ...THEIR_OWN, 'sdk keys': 401 },
  },
  'a user of no named project': {
    as: (own) => ({ token: own.token }),
    refused: { else: 400, ...THEIR_OWN, project: null, 'manage keys': null, 'sdk keys': 401 },
  },
  'another project’s secret key': {
    as: (_, other) => ({ key: other.secretKey }),
    refused: { else: 403, ...NO_KEY, 'list projects': null, ...ON_SDK, 'sdk grants': null },
  },
  'another project’s public key': {
    as: (_, other) => ({ key: other.publicKey }),
    refused: { else: 403, ...NO_KEY, ...ON_SDK },
  },
  'the own public key': { as: (own) => ({ key: own.publicKey }), refused: { else: 403, ...NO_KEY, ...ON_SDK } },
  'the own secret key': {
    as: (own) => ({ key: own.secretKey }),
    refused: { else: 403, ...NO_KEY, 'list projects': null, project: null, ...ON_SDK, 'sdk grants': null },
  },
  'a key that may only read': {
    as: (_own, _other, { readKey }) => ({ key: readKey }),
    refused: { else: 403, ...NO_KEY },
    writesOnly: true,
  },
};

describe('the table of callers', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const harness = setUpHarness({}, clock.runtime);
  let own: Ground;
  let other: Ground;
  let extra: Extra;

  before(async () => {
    const { token: expiredToken } = await setUpProject(harness);
    const aged = await setUpProject(harness);
    const inAnHour = new Date(clock.now() + HOUR_MS).toISOString();
    const expiring = await harness.call(
      'POST',
      `/v1/projects/${aged.projectId}/api-keys`,
      { name: 'x', expiresAt: inAnHour },
      aged,
    );
    clock.set(clock.now() + 2 * HOUR_MS);
    own = await furnish(harness, await setUpProject(harness), clock.now());
    other = await furnish(harness, await setUpProject(harness), clock.now());
    const keys = `/v1/projects/${own.projectId}/api-keys`;
    const as = { token: own.token };
    const reading = await harness.call('POST', keys, { name: 'reader', scopes: ['read'] }, as);
    const gone = await harness.call('POST', keys, { name: 'gone' }, as);
    await harness.call('DELETE', `${keys}/${gone.body.id}`, undefined, as);
    extra = { expiredToken, expiredKey: expiring.body.key, deletedKey: gone.body.key, readKey: reading.body.key };
  });

  for (const [who, { as, refused, writesOnly = false }] of Object.entries(callers)) {
    describe(`refuses ${who}`, () => {
      for (const route of routes) {
        const row = refused[rowOf(route)];
        const status = row === undefined ? refused.else : row;
        if (status === null || (writesOnly && isRead(route))) continue;
        it(`${nameOf(route)}: ${status}`, () =>
          expectRefused(harness, () => send(harness, route, own, as(own, other, extra)), status));
      }
    });
  }

  describe('refuses an id of another project', () => {
    const asOwner: Readonly<Record<string, () => Credentials>> = {
      'by the user': () => onSdk(own.token, own),
      'by the secret key': () => ({ key: own.secretKey }),
    };
    // A chart's id is the same in every project.
    const withChild = routes.filter(
      ({ path }) => /^\/v1\/projects\/:id\/.*:(?!chartId|month)/.test(path) || path.endsWith('/:eid'),
    );
    for (const [by, as] of Object.entries(asOwner)) {
      for (const route of withChild) {
        const status = by === 'by the secret key' && rowOf(route) === 'manage keys' ? 403 : 404;
        it(`${nameOf(route)} ${by}: ${status}`, () => {
          const strange = { ...other, projectId: own.projectId, appUserId: own.appUserId };
          return expectRefused(harness, () => send(harness, route, strange, as()), status);
        });
      }
    }

    const inBody: readonly [what: string, method: string, path: string, status: number, body: () => object][] = [
      ['the app of a product', 'POST', '~/products', 400, () => ({ ...product, appId: other.appId })],
      ['the app of a public key', 'POST', '~/api-keys', 400, () => ({ name: 'x', kind: 'public', appId: other.appId })],
      [
        'a product to attach',
        'POST',
        '~/entitlements/pro/products',
        400,
        () => ({ productIds: [own.productId, other.productId] }),
      ],
      ['the offering of a paywall', 'POST', '~/paywalls', 400, () => ({ ...paywall, offeringId: other.offeringId })],
      [
        'a product of a package',
        'POST',
        '~/offerings/default/packages/$annual/products',
        400,
        () => ({ productId: other.productId }),
      ],
      ['a product to detach', 'DELETE', '~/entitlements/pro/products', 400, () => ({ productId: other.productId })],
      [
        'the app of a receipt',
        'POST',
        '/v1/subscribers/ann/receipts',
        400,
        () => ({ store: 'ios-store', receipt: 'x', appId: other.appId }),
      ],
      [
        'the entitlement of a grant',
        'POST',
        '/v1/subscribers/ann/entitlements',
        404,
        () => ({ entitlementId: other.entitlementId, duration: 'daily' }),
      ],
    ];
    const product = { storeProductId: 'a.b', displayName: 'A', type: 'subscription' };
    const paywall = { name: 'A', config: {} };
    for (const [what, method, path, status, body] of inBody) {
      it(`in a body, as ${what}: ${status}`, () => {
        const at = path.replace('~', `/v1/projects/${own.projectId}`);
        return expectRefused(harness, () => harness.call(method, at, body(), onSdk(own.token, own)), status);
      });
    }

    for (const list of ['apps', 'products', 'entitlements', 'offerings', 'paywalls', 'api-keys', 'customers']) {
      it(`in a cursor: nothing of the other project's ${list} is shown`, async () => {
        const path = `/v1/projects/${own.projectId}/${list}`;
        const ids = {
          apps: other.appId,
          products: other.productId,
          entitlements: other.entitlementId,
          offerings: other.offeringId,
          paywalls: other.paywallId,
          'api-keys': other.keyId,
        };
        const cursor = { ...ids, customers: other.customerId }[list];
        const { status, body } = await harness.call('GET', `${path}?startingAfter=${cursor}`, undefined, own);
        expect(status).to.be.oneOf([200, 400]);
        expect(JSON.stringify(body)).not.to.include(other.projectId);
      });
    }
  });

  it('403 for a key on a project that does not exist, as on one that does', () => {
    const path = pathOf({ path: '/v1/projects/:id' } as Route, { ...own, projectId: `proj_${'0'.repeat(26)}` });
    return expectRefused(harness, () => harness.call('GET', path, undefined, { key: own.secretKey }), 403);
  });

  it('404 for a user on a project that does not exist, as on one of others', () => {
    const path = `/v1/projects/proj_${'0'.repeat(26)}`;
    return expectRefused(harness, () => harness.call('GET', path, undefined, { token: own.token }), 404);
  });

  it('shows a key on an SDK path the subscriber of its own project only', async () => {
    const path = '/v1/subscribers/shared';
    await harness.call('POST', path, { attributes: { secret: 'of the one' } }, { key: own.secretKey });
    const { body } = await harness.call('GET', path, undefined, { key: other.secretKey });
    expect(body.subscriber.attributes).to.deep.equal({});
  });

  // A separate suite, which runs after the others, since it deletes the project.
  describe('lets in', () => {
    it('who may', async () => {
      // Deleting routes come last, from inner to outer resources.
      const deleting = routes.filter((r) => r.method === 'delete').sort((a, b) => b.path.length - a.path.length);
      for (const route of [...routes.filter((r) => r.method !== 'delete'), ...deleting]) {
        const row = rowOf(route);
        const as = row === 'open' ? {} : row === 'sdk keys' ? { key: own.publicKey } : onSdk(own.token, own);
        const { status, body } = await send(harness, route, own, as);
        // Known callers, but a demo has a service to itself, which keeps its data in files.
        const refused = isOnServers && route.path === '/v1/demo' ? 403 : 409;
        // The import of the ground was not checked: its state refuses a caller who was let in.
        const isOfImport = route.path.includes('/imports/:importId/');
        const expected = isOfImport ? [409] : route.path.includes('/demo') ? [refused] : lettingIn(route);
        // A new password ends the session of the old one.
        if (route.path === '/auth/password') own = { ...own, token: body.accessToken };
        expect(status, `${nameOf(route)}: ${JSON.stringify(body)}`).to.be.oneOf(expected);
      }
    });
  });
});
