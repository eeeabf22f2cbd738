// The typed client against a running service.
import { expect } from 'chai';
import { createClient, type Client } from '../../sdk/src/client.js';
import { items } from '../../sdk/src/items.js';
import { setUpService } from '../http/support/setup.js';

describe('the client', () => {
  const { harness, slice } = setUpService();
  let client: Client;
  before(() => {
    client = createClient({ baseUrl: harness.service().url ?? '', apiKey: slice.secretKey });
  });

  it('reads what a subscriber may use', async () => {
    const params = { path: { appUserId: 'ann' } };
    const body = { entitlementId: 'pro', duration: 'weekly' as const };
    const granted = await client.POST('/v1/subscribers/{appUserId}/entitlements', { params, body });
    expect(granted.response.status).to.equal(201);
    const { data } = await client.GET('/v1/subscribers/{appUserId}', { params });
    expect(data?.subscriber.entitlements['pro']?.isActive).to.equal(true);
  });

  it('encodes ids in paths', async () => {
    const appUserId = 'ann@example.com ?#%';
    const { data } = await client.GET('/v1/subscribers/{appUserId}', { params: { path: { appUserId } } });
    expect(data?.subscriber.appUserId).to.equal(appUserId);
  });

  it('sends no request for an ID that a URL parser removes, which would reach the endpoint of the parent', async () => {
    for (const eid of ['', '.', '..']) {
      const params = { path: { appUserId: 'ann', eid } };
      const { error } = await client.DELETE('/v1/subscribers/{appUserId}/entitlements/{eid}', { params });
      expect(error).to.deep.include({ statusCode: 400, error: 'Bad Request' });
      expect(error?.message).to.include(`eid must not be "${eid}"`);
    }
    const { data } = await client.GET('/v1/subscribers/{appUserId}', { params: { path: { appUserId: 'ann' } } });
    expect(data?.subscriber.entitlements).to.have.property('pro');
  });

  it('hands over the message of a refusal', async () => {
    const path = { id: slice.projectId, pid: 'prod_x' };
    const { error, data } = await client.GET('/v1/projects/{id}/products/{pid}', { params: { path } });
    expect(error).to.deep.equal({ statusCode: 404, message: 'product not found in this project', error: 'Not Found' });
    expect(data).to.equal(undefined);
  });

  it('sends requests as a user', async () => {
    const asUser = createClient({
      baseUrl: harness.service().url ?? '',
      accessToken: slice.token,
      projectId: slice.projectId,
    });
    expect((await asUser.GET('/auth/me')).data?.projects.map((p) => p.id)).to.deep.equal([slice.projectId]);
    const { data } = await asUser.GET('/v1/subscribers/{appUserId}', { params: { path: { appUserId: 'ann' } } });
    expect(data?.subscriber.appUserId).to.equal('ann');
  });

  it('walks a list to its end', async () => {
    for (const lookupKey of ['a', 'b', 'c', 'd']) {
      const params = { path: { id: slice.projectId } };
      await client.POST('/v1/projects/{id}/entitlements', { params, body: { lookupKey, displayName: lookupKey } });
    }
    const keys: string[] = [];
    const list = items(client, '/v1/projects/{id}/entitlements', {
      path: { id: slice.projectId },
      query: { limit: 2 },
    });
    for await (const entitlement of list) keys.push(entitlement.lookupKey);
    expect(keys).to.deep.equal(['d', 'c', 'b', 'a', 'pro']);
  });
});
