// Odd requests, byte by byte, and the status that each gets: paths, bodies, encodings, methods and headers.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { rawRequest, requestText } from '../support/raw-request.js';
import { setUpService } from '../support/setup.js';

const json = { 'content-type': 'application/json' };
const PATH = '/v1/subscribers/ann';
const ATTRIBUTES = `${PATH}/attributes`;
const BODY = '{"attributes":{"colour":"blue"}}';

describe('an odd request', () => {
  const { harness, slice, as } = setUpService();
  const send = async (text: string | Buffer) => {
    const response = await rawRequest(harness.service().url ?? '', text);
    return { status: Number(response.slice(9, 12)), response };
  };
  const key = () => ({ 'x-api-key': as.key });
  before(async () => {
    const { status } = await send(requestText('POST', ATTRIBUTES, { ...key(), ...json }, BODY));
    expect(status).to.equal(200);
  });

  for (const [target, status] of [
    [PATH, 200],
    [`${PATH}/`, 200],
    [`${PATH}//`, 404],
    [`/${PATH}`, 404],
    ['/V1/SUBSCRIBERS/ANN', 404],
    ['/v1//subscribers/ann', 404],
    ['/%761/subscribers/ann', 404],
    ['/./v1/subscribers/ann', 404],
    ['/../v1/subscribers/ann', 404],
    [`http://service${PATH}`, 200],
    [`https://service:443${PATH}?x=1`, 400],
    [`//service${PATH}`, 404],
    ['v1/subscribers/ann', 400],
    [`${PATH}?`, 200],
    [`${PATH}??`, 400],
    [`${PATH}?a=1&a=2`, 400],
    [`${PATH}?__proto__=1`, 400],
    [`${PATH}?asOf=2026`, 400],
    [`${PATH}?currentOnly=%00`, 400],
    [`${PATH}%`, 400],
    [`${PATH}%zz`, 400],
    [`${PATH}%C3%28`, 400],
    [`${PATH}%00`, 400],
    [`${PATH}%25`, 200],
    [`${PATH}%2F`, 400],
    ['/v1/subscribers/', 404],
    ['/v1/subscribers/%20', 200],
    [`${PATH}/__proto__`, 404],
    ['http://[::1/v1/offerings', 400],
    ['*', 404],
  ] as const)
    it(`for GET ${target} gets ${status}`, async () => {
      const { status: actual, response } = await send(requestText('GET', target, key()));
      expect(actual).to.equal(status);
      expect(response).to.match(/content-type: application\/json/i);
    });

  for (const [method, status] of [
    ['HEAD', 200],
    ['OPTIONS', 404],
    ['PUT', 404],
    ['PATCH', 404],
    ['TRACE', 404],
  ] as const)
    it(`with the method ${method} gets ${status}`, async () =>
      expect((await send(requestText(method, PATH, key()))).status).to.equal(status));

  for (const [name, headers, body, status] of [
    ['text that is no JSON', json, '{', 400],
    ['a list with a comma at its end', json, '[1,]', 400],
    ['a text', json, '"text"', 400],
    ['null', json, '  null', 400],
    ['a list', json, '[]', 400],
    ['a byte order mark', json, `\ufeff${BODY}`, 200],
    ['40 levels', json, '['.repeat(40) + ']'.repeat(40), 400],
    ['nothing', json, '', 400],
    ['a length of 0', { ...json, 'content-length': '0' }, '', 400],
    ['no content type', {}, BODY, 415],
    ['plain text', { 'content-type': 'text/plain' }, BODY, 415],
    ['UTF-16', { 'content-type': 'application/json; charset=utf-16' }, BODY, 400],
    ['Latin-1', { 'content-type': 'application/json; charset=latin1' }, BODY, 415],
    ['another kind of JSON', { 'content-type': 'application/x+json' }, BODY, 415],
    ['a type in capitals', { 'content-type': 'APPLICATION/JSON' }, BODY, 200],
    ['an unknown encoding', { ...json, 'content-encoding': 'compress' }, BODY, 415],
    ['an encoding that it has not', { ...json, 'content-encoding': 'gzip' }, BODY, 400],
    ['chunks', { ...json, 'transfer-encoding': 'chunked' }, '2\r\n{}\r\n0\r\n\r\n', 400],
    ['no chunks', { ...json, 'transfer-encoding': 'chunked' }, '0\r\n\r\n', 400],
    ['an unknown expectation', { ...json, expect: 'something' }, BODY, 417],
    ['1.2 MB', json, JSON.stringify({ attributes: { text: 'x'.repeat(1_200_000) } }), 413],
    ['a position that is none', { ...json, 'x-position': 'nowhere' }, BODY, 400],
    ['an empty idempotency key', { ...json, 'idempotency-key': '' }, BODY, 400],
    ['a long idempotency key', { ...json, 'idempotency-key': 'x'.repeat(256) }, BODY, 400],
  ] as const)
    it(`with a body: ${name} gets ${status}`, async () => {
      const { status: actual, response } = await send(requestText('POST', ATTRIBUTES, { ...key(), ...headers }, body));
      expect(actual).to.equal(status);
      expect(response).to.match(/content-type: application\/json/i);
    });

  it('with a compressed body is read', async () => {
    const packed = gzipSync(BODY);
    const headers = { ...key(), ...json, 'content-encoding': 'gzip', 'content-length': String(packed.length) };
    const text = Buffer.concat([Buffer.from(requestText('POST', ATTRIBUTES, headers)), packed]);
    expect((await send(text)).status).to.equal(200);
  });

  it('with a compressed body above the limit when unpacked gets 413', async () => {
    const packed = gzipSync(JSON.stringify({ attributes: { text: 'x'.repeat(5_000_000) } }));
    const headers = { ...key(), ...json, 'content-encoding': 'gzip', 'content-length': String(packed.length) };
    const text = Buffer.concat([Buffer.from(requestText('POST', ATTRIBUTES, headers)), packed]);
    expect((await send(text)).status).to.equal(413);
  });

  for (const [name, headers, status] of [
    ['no credentials', () => ({}), 401],
    ['an unknown key', () => ({ 'x-api-key': 'sk_unknown' }), 401],
    ['an empty key', () => ({ 'x-api-key': '' }), 401],
    ['a token that is none', () => ({ authorization: 'Bearer no-token' }), 401],
    ['another scheme', () => ({ authorization: 'Basic Zm9v' }), 401],
    ['a key and a token', () => ({ ...key(), authorization: `Bearer ${slice.token}` }), 400],
    ['a token without a project', () => ({ authorization: `Bearer ${slice.token}` }), 400],
    [
      'a token and its project',
      () => ({ authorization: `Bearer ${slice.token}`, 'x-project-id': slice.projectId }),
      200,
    ],
    ['a token and another project', () => ({ authorization: `Bearer ${slice.token}`, 'x-project-id': 'proj_x' }), 404],
    ['a public key', () => ({ 'x-api-key': slice.publicKey }), 200],
  ] as const)
    it(`with ${name} gets ${status}`, async () =>
      expect((await send(requestText('GET', PATH, headers()))).status).to.equal(status));
});
