// Annotations over HTTP: written ones, and those of catalogue changes.
import { expect } from 'chai';
import { expectRefusal } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

describe('annotations', () => {
  const clock = createManualClock(Date.parse('2026-11-20T10:00:00.000Z'));
  const { harness, slice } = setUpService({}, clock.runtime);

  const ask = (method: string, path: string, body?: object) =>
    harness.call(method, `/v1/projects/${slice.projectId}${path}`, body, { key: slice.secretKey });
  const add = (body: object) => ask('POST', '/annotations', body);
  type AnnotationView = { day: string; text: string; kind: string; automatic: boolean };
  const texts = async () => {
    const found: string[] = [];
    for (let path: string | null = '/annotations?limit=2'; path !== null;) {
      const { status, body } = await ask('GET', path);
      expect(status).to.equal(200);
      found.push(...body.items.map((i: AnnotationView) => `${i.day} ${i.kind} ${i.text}${i.automatic ? ' *' : ''}`));
      path = body.nextPage?.replace(`/v1/projects/${slice.projectId}`, '') ?? null;
    }
    return found;
  };

  it('are written and deleted, with changes of the catalogue among them by themselves', async () => {
    const { status, body } = await add({ day: '2026-11-21', text: 'Version 4.2', kind: 'release' });
    expect([status, body.automatic]).to.deep.equal([201, false]);
    await add({ day: '2026-11-19', text: 'A newspaper wrote about us' });
    const price = { amount: 8.99, currency: 'EUR', startsAt: '2026-12-01T00:00:00Z' };
    await ask('POST', `/products/${slice.productId}/prices`, price);
    const { id: offeringId } = (await ask('POST', '/offerings', { lookupKey: 'winter', displayName: 'Winter' })).body;
    const { id: experimentId } = (await ask('POST', '/experiments', { name: 'Price test' })).body;
    for (const name of ['A', 'B']) await ask('POST', `/experiments/${experimentId}/variants`, { name, offeringId });
    await ask('PATCH', `/experiments/${experimentId}`, { status: 'running' });
    clock.set(clock.now() + 3 * 86_400_000);
    await ask('PATCH', `/experiments/${experimentId}`, { status: 'stopped' });
    await harness.service().idle();
    const { displayName } = (await ask('GET', `/products/${slice.productId}`)).body;
    const shown = await texts();
    const [of20th, rest] = [
      shown.filter((t) => t.startsWith('2026-11-20')),
      shown.filter((t) => !t.startsWith('2026-11-20')),
    ];
    expect(rest).to.deep.equal([
      `2026-12-01 price Price of ${displayName}: 8.99 EUR *`,
      '2026-11-23 experiment Experiment Price test stopped *',
      '2026-11-21 release Version 4.2',
      '2026-11-19 note A newspaper wrote about us',
    ]);
    expect(of20th).to.have.members([
      '2026-11-20 offering Offering winter became the current one *',
      '2026-11-20 experiment Experiment Price test started *',
    ]);
    const gone = await ask('DELETE', `/annotations/${body.id}`);
    expect(gone.body).to.deep.equal({ object: 'annotation', id: body.id, deleted: true });
    expect(await texts()).to.deep.equal(shown.filter((t) => !t.includes('Version 4.2')));
    expectRefusal(await ask('DELETE', `/annotations/${body.id}`), 404);
  });

  it('of the catalogue cannot be deleted', async () => {
    const { items } = (await ask('GET', '/annotations')).body;
    const automatic = items.find((i: AnnotationView) => i.automatic);
    expectRefusal(await ask('DELETE', `/annotations/${automatic.id}`), 404);
  });

  const right = { day: '2026-11-20', text: 'A note' };
  for (const [what, body] of [
    ['no day', { text: 'A note' }],
    ['a day that is none', { ...right, day: '2026-02-30' }],
    ['an instant', { ...right, day: '2026-11-20T10:00:00Z' }],
    ['no text', { day: '2026-11-20' }],
    ['an empty text', { ...right, text: '' }],
    ['a text above 500 characters', { ...right, text: 'x'.repeat(501) }],
    ['an unknown kind', { ...right, kind: 'party' }],
    ['an unknown field', { ...right, colour: 'red' }],
  ] as const) {
    it(`are refused with ${what}`, async () => expectRefusal(await add(body), 400));
  }

  for (const cursor of ['ann_x', '2026-11-20', '2026-11-20.ÄÖ']) {
    it(`are not listed after ${cursor}`, async () =>
      expectRefusal(await ask('GET', `/annotations?startingAfter=${encodeURIComponent(cursor)}`), 400));
  }
});
