// Requests that nobody should send: each is refused with the right status, in the one form of refusals, and leaves no trace in the log.
import type { Credentials } from '../support/harness.js';
import { expectRefused } from '../support/refusal.js';
import { setUpService } from '../support/setup.js';

const NUL = '\u0000';
const LONE_SURROGATE = '\ud800';
const AS_TEXT = { headers: { 'content-type': 'text/plain' } };

const iosApp = { name: 'A', platform: 'ios', bundleId: 'a.b' };
const big = (bytes: number) => ({ store: 'ios-store', receipt: 'x'.repeat(bytes) });
/** Returns JSON text, as an object literal would set its prototype. */
const withProto = (fields: object) => JSON.stringify(fields).replace('{', '{"__proto__":{"isAdmin":"yes"},');

describe('a request that is refused', () => {
  const { harness, slice } = setUpService();

  type Case = {
    readonly what: string;
    readonly status: number;
    readonly method?: string;
    /** `~` stands for the project's path. */
    readonly path: string;
    /** A text goes out as it is. */
    readonly body?: unknown;
    readonly as?: Credentials;
  };
  const refuses = ({ what, status, method, path, body, as }: Case) =>
    it(`${status} for ${what}`, () => {
      const send = () =>
        harness.call(
          method ?? (body === undefined ? 'GET' : 'POST'),
          path.replace('~', `/v1/projects/${slice.projectId}`),
          body,
          { key: slice.secretKey, ...as },
        );
      return expectRefused(harness, send, status);
    });

  describe('because of its body', () => {
    const product = { appId: 'app_x', storeProductId: 'a.b', displayName: 'A', type: 'subscription' };
    const deep = `{"attributes":${'['.repeat(40_000)}${']'.repeat(40_000)}}`;
    const attributes = '/v1/subscribers/ann/attributes';
    const grants = '/v1/subscribers/ann/entitlements';
    const weekly = { entitlementId: 'pro', duration: 'weekly' };
    const cases: readonly Case[] = [
      { what: 'broken JSON', status: 400, path: '~/products', body: '{"appId":' },
      { what: 'JSON with a comma too many', status: 400, path: '~/products', body: '{"appId":"x",}' },
      { what: 'a text instead of an object', status: 400, path: '~/products', body: '"x"' },
      { what: 'null instead of an object', status: 400, path: '~/products', body: 'null' },
      { what: 'an array instead of an object', status: 400, path: '~/products', body: [] },
      { what: 'no body', status: 400, method: 'POST', path: '~/products' },
      { what: 'an empty body', status: 400, method: 'POST', path: '~/products', body: '' },
      { what: 'an unknown field', status: 400, path: '~/products', body: { ...product, colour: 'red' } },
      { what: 'a number for a text', status: 400, path: '~/products', body: { ...product, displayName: 1 } },
      { what: 'an array for a text', status: 400, path: '~/products', body: { ...product, displayName: ['A'] } },
      { what: 'an object for a text', status: 400, path: '~/products', body: { ...product, displayName: { $ne: 1 } } },
      { what: 'a word for a number', status: 400, path: '~/apps', body: { ...iosApp, storeAppId: '12' } },
      { what: 'an unknown enum value', status: 400, path: '~/products', body: { ...product, type: 'lifetime' } },
      { what: 'an app of nobody', status: 400, path: '~/products', body: product },
      { what: 'a body that is called text', status: 415, path: '~/products', body: '{}', as: AS_TEXT },
      {
        what: 'a body that is called nothing',
        status: 415,
        path: '~/products',
        body: '{}',
        as: { headers: { 'content-type': '' } },
      },
      {
        what: 'a form',
        status: 415,
        path: attributes,
        body: 'attributes=1',
        as: { headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      },
      {
        what: 'another charset',
        status: 415,
        path: attributes,
        body: '{}',
        as: { headers: { 'content-type': 'application/json; charset=iso-8859-1' } },
      },
      {
        what: 'an encoding that nobody knows',
        status: 415,
        path: attributes,
        body: '{}',
        as: { headers: { 'content-encoding': 'squeezed' } },
      },
      {
        what: 'bytes that are no gzip',
        status: 400,
        path: attributes,
        body: '{}',
        as: { headers: { 'content-encoding': 'gzip' } },
      },
      { what: 'more than a megabyte', status: 413, path: '~/products', body: { x: 'x'.repeat(1 << 20) } },
      { what: 'more than 8 kB of credentials', status: 413, path: '/auth/login', body: { email: 'x'.repeat(8192) } },
      { what: 'more than 8 MB of receipt', status: 413, path: '/v1/subscribers/ann/receipts', body: big(8 << 20) },
      { what: '40,000 nested arrays', status: 400, path: attributes, body: deep },
      { what: 'a field called __proto__', status: 400, path: grants, body: withProto(weekly) },
      {
        what: 'a field called constructor',
        status: 400,
        path: grants,
        body: { ...weekly, constructor: { prototype: {} } },
      },
      {
        what: 'an attribute called __proto__',
        status: 400,
        path: attributes,
        body: `{"attributes":${withProto({ a: 'b' })}}`,
      },
      {
        what: 'an attribute called constructor',
        status: 400,
        path: attributes,
        body: { attributes: { constructor: 'x' } },
      },
      { what: 'an attribute called $gt', status: 400, path: attributes, body: { attributes: { $gt: '' } } },
      { what: 'an attribute with a dot', status: 400, path: attributes, body: { attributes: { 'a.b': 'c' } } },
      {
        what: 'an attribute with half a character',
        status: 400,
        path: attributes,
        body: { attributes: { a: LONE_SURROGATE } },
      },
      {
        what: 'a start before the year 0',
        status: 400,
        path: grants,
        body: { entitlementId: 'pro', expiresAt: '2999-01-01T00:00:00Z', startsAt: '0000-01-01T00:00:00+14:00' },
      },
      {
        what: 'an end after the year 9999',
        status: 400,
        path: grants,
        body: { entitlementId: 'pro', expiresAt: '9999-12-31T23:59:59-14:00' },
      },
      {
        what: 'a duration that runs past the year 9999',
        status: 400,
        path: grants,
        body: { entitlementId: 'pro', duration: 'yearly', startsAt: '9999-06-01T00:00:00Z' },
      },
    ];
    cases.forEach(refuses);
  });

  describe('because of its path or query', () => {
    const cases: readonly Case[] = [
      { what: 'an unknown path', status: 404, path: '/v1/nothing' },
      { what: 'a path of another case', status: 404, path: '/V1/projects' },
      { what: 'PUT on a known path', status: 404, method: 'PUT', path: '/v1/projects', body: {} },
      { what: 'OPTIONS on a known path', status: 404, method: 'OPTIONS', path: '/v1/projects' },
      { what: 'DELETE on a list', status: 404, method: 'DELETE', path: '~/products' },
      { what: 'bad percent-encoding', status: 400, path: '/v1/subscribers/%' },
      { what: 'half a character, percent-encoded', status: 400, path: '/v1/subscribers/%ED%A0%80' },
      { what: 'NUL in an app user id', status: 400, path: '/v1/subscribers/a%00b' },
      { what: 'NUL in a customer id', status: 400, path: '~/customers/cus_%00' },
      { what: 'NUL in an entitlement', status: 400, path: '~/entitlements/%00' },
      { what: 'NUL in an app id', status: 404, path: '~/apps/%00' },
      { what: 'NUL in a product id', status: 404, path: '~/products/prod_%00' },
      { what: 'NUL in a project id', status: 403, path: '/v1/projects/%00' },
      { what: 'NUL in a search', status: 400, path: `~/customers?search=${encodeURIComponent(NUL)}` },
      {
        what: 'NUL in a list of products',
        status: 400,
        method: 'DELETE',
        path: '~/entitlements/pro/products?productIds=%00',
      },
      { what: 'an empty search', status: 400, path: '~/customers?search=' },
      { what: 'a search of 256 characters', status: 400, path: `~/customers?search=${'x'.repeat(256)}` },
      { what: 'a slash in an app user id', status: 400, path: '/v1/subscribers/a%2Fb' },
      { what: 'an app user id of 256 characters', status: 400, path: `/v1/subscribers/${'x'.repeat(256)}` },
      { what: 'a limit given twice', status: 400, path: '~/customers?limit=1&limit=2' },
      { what: 'a search given twice', status: 400, path: '~/customers?search=a&search=b' },
      { what: 'an operator in the query', status: 400, path: '~/customers?a[$ne]=1' },
      { what: 'an operator in a known parameter', status: 400, path: '~/customers?limit[$gt]=1' },
      { what: 'a huge limit', status: 400, path: '~/customers?limit=1e308' },
      { what: 'a limit of 101', status: 400, path: '~/customers?limit=101' },
      { what: 'a limit of 0', status: 400, path: '~/products?limit=0' },
      { what: 'a negative limit', status: 400, path: '~/products?limit=-1' },
      { what: 'half a limit', status: 400, path: '~/products?limit=1.5' },
      { what: 'a limit in words', status: 400, path: '~/products?limit=all' },
      ...['~/apps', '~/api-keys', '~/products', '~/entitlements', '~/customers'].flatMap((path) => [
        { what: `a bad cursor in ${path}`, status: 400, path: `${path}?startingAfter=x` },
        { what: `NUL in the cursor of ${path}`, status: 400, path: `${path}?startingAfter=proj_%00` },
      ]),
      { what: 'a cursor of nobody in customers', status: 400, path: `~/customers?startingAfter=cus_${'0'.repeat(26)}` },
      { what: 'a cursor beside a search', status: 400, path: '~/customers?search=a&startingAfter=cus_x' },
      {
        what: 'a position that was never given',
        status: 400,
        path: '~/products',
        as: { headers: { 'x-position': 'x' } },
      },
    ];
    cases.forEach(refuses);

    it('400 for NUL in the cursor of a user’s projects', () =>
      expectRefused(
        harness,
        () => harness.call('GET', '/v1/projects?startingAfter=proj_%00', undefined, { token: slice.token }),
        400,
      ));

    for (const id of ['null', 'undefined', 'nil', '(null)', 'NaN', '0', '-1', 'unknown', 'anonymous', 'guest']) {
      refuses({ what: `the placeholder ${id}`, status: 400, path: `/v1/subscribers/${encodeURIComponent(id)}` });
    }
  });
});
