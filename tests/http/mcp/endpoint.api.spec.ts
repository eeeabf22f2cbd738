// `POST /mcp` as an endpoint: off by default, keys, methods, host names and origins.
import { request } from 'node:http';
import { expect } from 'chai';
import type { Json } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { connect } from './setup.js';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };

type Reply = { readonly status: number; readonly headers: Json; readonly body: Json };

/** Sends any header, also those that `fetch` sets itself. */
function send(url: string, method: string, headers: Record<string, string>, body: unknown = LIST): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const own = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
    const req = request(`${url}/mcp`, { method, headers: { ...own, ...headers } }, (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => {
        const json = text.startsWith('{') ? (JSON.parse(text) as unknown) : text;
        resolve({ status: res.statusCode ?? 0, headers: res.headers, body: json });
      });
    });
    req.on('error', reject);
    req.end(method === 'POST' ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined);
  });
}

describe('POST /mcp', () => {
  const { harness, slice, as, asMember } = setUpService({
    MCP: 'true',
    PUBLIC_URL: 'https://billing.example.com',
    MCP_HOST_NAMES: 'tools.example.com',
  });
  const url = () => harness.service().url ?? '';
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  it('lists tools for a secret key', async () => {
    const { status, body } = await send(url(), 'POST', bearer(as.key));
    expect(status).to.equal(200);
    expect(JSON.stringify(body)).to.include('explain_access');
  });

  it('answers an unknown key, a user and a request without a key with 401 and a challenge', async () => {
    for (const headers of [{}, bearer('sk_wrong'), bearer(asMember.token)] as Record<string, string>[]) {
      const { status, headers: sent, body } = await send(url(), 'POST', headers);
      expect(status).to.equal(401);
      expect(sent['www-authenticate']).to.equal('Bearer');
      expect(body.error.message).to.match(/sk_/);
    }
  });

  it('refuses a public key with 403', async () =>
    expect((await send(url(), 'POST', bearer(slice.publicKey))).status).to.equal(403));

  for (const method of ['GET', 'DELETE', 'PUT']) {
    it(`answers ${method} with 405`, async () => {
      const { status, headers } = await send(url(), method, bearer(as.key));
      expect([status, headers.allow]).to.deep.equal([405, 'POST']);
    });
  }

  it('refuses a host name that is not allowed, and takes those of the configuration', async () => {
    const statusFor = async (host: string) => (await send(url(), 'POST', { ...bearer(as.key), host })).status;
    expect(await statusFor('evil.example.net')).to.equal(403);
    expect(await statusFor('billing.example.com')).to.equal(200);
    expect(await statusFor('tools.example.com:8443')).to.equal(200);
    expect(await statusFor('localhost:3000')).to.equal(200);
  });

  it('refuses pages of other origins', async () => {
    const statusFrom = async (origin: string) => (await send(url(), 'POST', { ...bearer(as.key), origin })).status;
    expect(await statusFrom('https://evil.example.net')).to.equal(403);
    expect(await statusFrom('null')).to.equal(403);
    expect(await statusFrom('https://billing.example.com')).to.equal(200);
  });

  it('answers what is no message with 4xx', async () => {
    for (const body of ['{', '[]', '{}', '5', JSON.stringify({ ...LIST, jsonrpc: '1.0' })]) {
      const { status } = await send(url(), 'POST', bearer(as.key), body);
      expect(status, body).to.be.within(400, 499);
    }
  });

  it('ignores an idempotency key, so that no call gets the answer of another', async () => {
    const headers = { ...bearer(as.key), 'idempotency-key': 'same' };
    const first = await send(url(), 'POST', headers);
    const second = await send(url(), 'POST', headers, { ...LIST, id: 2, method: 'prompts/list' });
    expect(JSON.stringify(second.body)).to.include('why_no_access').and.not.equal(JSON.stringify(first.body));
  });

  it('opens no stream of changes that would never end', async () => {
    const { client } = await connect(harness, as.key);
    expect(await client.listPrompts()).to.have.property('prompts');
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).to.include.members(['subledger://charts/mrr', 'subledger://openapi']);
    for (const { uri } of resources) {
      const { contents } = await client.readResource({ uri });
      expect(Buffer.byteLength(JSON.stringify(contents)), uri).to.be.within(50, 32 * 1024);
    }
  });

  it('has small guides for assistants at /llms.txt and /openapi-guide.md', async () => {
    for (const path of ['/llms.txt', '/openapi-guide.md']) {
      const response = await fetch(url() + path);
      const text = await response.text();
      expect(response.status).to.equal(200);
      expect(Buffer.byteLength(text), path).to.be.within(500, 32 * 1024);
    }
  });
});

describe('without MCP=true', () => {
  const { harness, as } = setUpService();

  it('there is no /mcp', async () => {
    const { status } = await send(harness.service().url ?? '', 'POST', { authorization: `Bearer ${as.key}` });
    expect(status).to.equal(404);
  });
});
