// The SDK offerings response and its cache while the catalogue changes.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { tickingClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

type OfferingView = { readonly id: string; readonly lookupKey: string; readonly displayName: string };

describe('repeated requests for offerings', () => {
  const { harness, slice, asMember } = setUpService({}, tickingClock());
  const call = (method: string, path: string, body: object) =>
    harness.call(method, `/v1/projects/${slice.projectId}${path}`, body, asMember);
  const post = (path: string, body: object) => call('POST', path, body);
  const patch = (path: string, body: object) => call('PATCH', path, body);

  it('return the current offerings to SDKs, also when repeated', async () => {
    const reader = await post('/api-keys', { name: 'reads', scopes: ['read'] });
    const callers = [{ key: slice.secretKey }, { key: slice.publicKey }, { key: String(reader.body.key) }];
    const ask = async (by: object, headers = {}) => {
      const [first, second] = [
        await harness.call('GET', '/v1/offerings', undefined, { ...by, headers }),
        await harness.call('GET', '/v1/offerings', undefined, { ...by, headers }),
      ];
      expect(second.body).to.deep.equal(first.body);
      expect([second.status, second.headers.get('etag')]).to.deep.equal([first.status, first.headers.get('etag')]);
      return second;
    };
    await post('/offerings', { lookupKey: 'first', displayName: 'First' });
    const made = await post('/offerings', { lookupKey: 'asked', displayName: 'Asked', isCurrent: true });
    const id = String(made.body.id);
    const named = async () => (await ask(callers[0] ?? {})).body.offerings.find((o: OfferingView) => o.id === id);
    expect(await named()).to.deep.include({ packages: [] });
    await post(`/offerings/${id}/packages`, { lookupKey: 'monthly', displayName: 'M' });
    expect((await named()).packages.map((p: OfferingView) => p.lookupKey)).to.deep.equal(['monthly']);
    for (const by of callers) {
      const etag = (await ask(by)).headers.get('etag') ?? '';
      expect((await ask(by, { 'if-none-match': etag })).status).to.equal(304);
    }
    await patch(`/offerings/${id}`, { displayName: 'Renamed' });
    for (const by of callers) {
      const { body } = await ask(by);
      expect(body.currentOfferingId).to.equal('asked');
      expect(body.offerings.find((o: OfferingView) => o.id === id)?.displayName).to.equal('Renamed');
    }
    expectRefusal(await harness.call('GET', '/v1/offerings?current=1', undefined, callers[0]), 400);
    await patch('/offerings/first', { isCurrent: true });
    expect((await ask(callers[0] ?? {})).body.currentOfferingId).to.equal('first');
  });
});
