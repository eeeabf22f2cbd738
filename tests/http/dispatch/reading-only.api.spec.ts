// Whoever may only read, or only asks with HEAD, leaves no trace: nobody is made, seen or given a variant.
import { expect } from 'chai';
import { routes } from '../../../src/http/routes.js';
import { expectRefused, headOf } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const DAY_MS = 86_400_000;
/** All GETs that name a subscriber. */
const paths = routes.filter((r) => r.method === 'get' && r.path.includes(':appUserId')).map((r) => r.path);

describe('a request that may only read', () => {
  const clock = createManualClock(NOW);
  const { harness, slice } = setUpService({}, clock.runtime);
  let readKey: string;
  before(async () => {
    const base = `/v1/projects/${slice.projectId}`;
    const post = (path: string, body: object) => harness.call('POST', `${base}${path}`, body, { token: slice.token });
    readKey = (await post('/api-keys', { name: 'reader', scopes: ['read'] })).body.key;
    for (const lookupKey of ['standard', 'cheap']) await post('/offerings', { lookupKey, displayName: lookupKey });
    const { body } = await post('/experiments', { name: 'Price' });
    for (const offeringId of ['standard', 'cheap'])
      await post(`/experiments/${body.id}/variants`, { name: offeringId, offeringId });
    const as = { token: slice.token };
    await harness.call('PATCH', `${base}/experiments/${body.id}`, { status: 'running' }, as);
  });

  const get = (path: string, key: string) => harness.call('GET', path, undefined, { key });
  const head = async (path: string, key: string) => {
    const url = `${harness.service().url}${path}`;
    return (await fetch(url, { method: 'HEAD', headers: { 'x-api-key': key } })).status;
  };
  const expectSameHead = async (work: () => Promise<unknown>) => {
    await harness.service().idle();
    const before = await headOf(harness);
    await work();
    await harness.service().idle();
    expect(await headOf(harness)).to.equal(before);
  };

  for (const path of paths) {
    const of = (who: string) => path.replace(':appUserId', who);

    it(`GET ${path} with a key that may only read makes no subscriber: 404`, () =>
      expectRefused(harness, () => get(of('nobody'), readKey), 404));

    it(`HEAD ${path} makes no subscriber, whatever the key: 404`, () =>
      expectSameHead(async () => {
        for (const key of [readKey, slice.publicKey, slice.secretKey])
          expect(await head(of('nobody'), key)).to.equal(404);
      }));

    it(`GET and HEAD ${path} show one who is known, who is neither seen by it nor takes part in an experiment`, async () => {
      await get('/v1/subscribers/ann', slice.publicKey);
      clock.set(clock.now() + DAY_MS);
      await expectSameHead(async () => {
        expect((await get(of('ann'), readKey)).status).to.equal(200);
        expect(await head(of('ann'), slice.publicKey)).to.equal(200);
      });
    });
  }

  it('shows a variant that was assigned before', async () => {
    const given = await get('/v1/subscribers/ben/offerings', slice.publicKey);
    expect(given.body.experiment.variantId).to.be.a('string');
    await harness.service().idle();
    expect((await get('/v1/subscribers/ben/offerings', readKey)).body).to.deep.equal(given.body);
  });
});
