// Custom events of apps: counted, repeats recognised, kept out of the streams that decisions read.
import { expect } from 'chai';
import { recordCustomEvents } from '../../../src/commands/subscribers/activity.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { customerId } from '../../../src/domain/ids.js';
import { familyOf } from '../../../src/domain/streams.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { walk } from '../support/pages.js';
import { expectRefusal, expectRefused } from '../support/refusal.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpService } from '../support/setup.js';

const NOW = '2026-11-03T10:00:00.000Z';
const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(Date.parse(NOW) - days * DAY_MS).toISOString();
const uuid = (n: number) => `1f0c7a52-8f5e-4b53-9a4e-${String(n).padStart(12, '0')}`;

describe('custom events', () => {
  const clock = createManualClock(Date.parse(NOW));
  const { harness, slice } = setUpService({}, clock.runtime);

  const post = (body: unknown, key = slice.publicKey) => harness.call('POST', '/v1/events', body, { key });
  const server = () => ({ key: slice.secretKey });
  const recorded = async (name: string): Promise<readonly RecordedEvent[]> => {
    const all = await eventsOf(harness.service().services.deps.log);
    return all.filter((e) => e.type === 'CustomEventRecorded' && (e.data as { name: string }).name === name);
  };

  it('are recorded one by one, with their properties and times', async () => {
    const properties = { placement: 'start', seconds: 3, isFirst: true, from: null, 'com.example.tier': 'gold' };
    const { status, body } = await post({ name: 'one', appUserId: 'ann', properties, occurredAt: ago(1) });
    expect([status, body]).to.deep.equal([201, { accepted: 1, duplicates: 0 }]);
    const [event] = await recorded('one');
    expect(event?.data).to.deep.include({ name: 'one', properties, occurredAt: ago(1) });
    expect(event?.meta).to.include({ at: ago(1), recordedAt: NOW });
  });

  it('are recorded many at once, for several customers and months', async () => {
    const events = ['ann', 'ben', 'ann'].map((who, i) => ({ name: 'many', appUserId: who, occurredAt: ago(3 * i) }));
    expect((await post({ events })).body).to.deep.equal({ accepted: 3, duplicates: 0 });
    const streams = (await recorded('many')).map((e) => e.stream);
    expect(new Set(streams).size).to.equal(3);
    expect(streams.map(familyOf)).to.deep.equal(['activity', 'activity', 'activity']);
  });

  it('are recorded once, however often and in whatever batch they arrive', async () => {
    const customEvent = (n: number, more: object = {}) => ({
      name: 'once',
      appUserId: 'ann',
      eventId: uuid(n),
      ...more,
    });
    expect((await post(customEvent(1))).body).to.deep.equal({ accepted: 1, duplicates: 0 });
    expect((await post({ events: [customEvent(1), customEvent(2), customEvent(2)] })).body).to.deep.equal({
      accepted: 1,
      duplicates: 2,
    });
    expect((await post(customEvent(2, { eventId: uuid(2).toUpperCase() }))).body).to.deep.equal({
      accepted: 0,
      duplicates: 1,
    });
    expect(await recorded('once')).to.have.length(2);
  });

  it('are recognised in the month after they were received', async () => {
    const late = { name: 'late', appUserId: 'ann', eventId: uuid(10) };
    clock.set(Date.parse('2026-11-30T23:59:00.000Z'));
    expect((await post(late)).body.accepted).to.equal(1);
    clock.set(Date.parse('2026-12-02T00:00:00.000Z'));
    expect((await post(late)).body).to.deep.equal({ accepted: 0, duplicates: 1 });
    clock.set(Date.parse(NOW));
  });

  describe('of a customer who logs in before they are sent again', () => {
    const anonymous = '$anon:7c9e6679-7425-40de-944b-e07fc1f90ae7';
    const early = (n: number) => ({ name: `early-${n}`, appUserId: anonymous, eventId: uuid(30 + n) });
    const duplicate = { accepted: 0, duplicates: 1 };
    before(async () => {
      await post({ events: [early(1), early(2)] });
      const login = { previousAppUserId: anonymous };
      expect((await harness.call('POST', '/v1/subscribers/hal', login, { key: slice.publicKey })).status).to.equal(201);
    });

    it('are recorded once', async () => {
      expect((await post(early(1))).body).to.deep.equal(duplicate);
      expect(await recorded('early-1')).to.have.length(1);
    });

    it('are recorded once, also when they come under the new name', async () => {
      expect((await post({ ...early(2), appUserId: 'hal' })).body).to.deep.equal(duplicate);
      expect(await recorded('early-2')).to.have.length(1);
    });

    it('are shown in the timeline with the access of who that is by then', async () => {
      const grant = { entitlementId: 'pro', duration: 'lifetime' };
      await harness.call('POST', '/v1/subscribers/hal/entitlements', grant, server());
      await post({ name: 'after-log-in', appUserId: anonymous });
      const path = `/v1/projects/${slice.projectId}/customers/hal/timeline`;
      const { body } = await harness.call('GET', path, undefined, server());
      const accessOf = (name: string) =>
        body.items.find((e: { type: string; data: { name?: string } }) => e.data.name === name)?.access.after;
      expect(accessOf('early-1')).to.deep.equal({});
      expect(accessOf('after-log-in')).to.deep.equal({ pro: null });
    });

    it('are recorded once, concurrently with a first try before the login', async () => {
      const { deps } = harness.service().services;
      expect((await post(early(3))).body).to.deep.equal({ accepted: 1, duplicates: 0 });
      const own = customerId(deps.hash, slice.projectId, anonymous);
      const by = { actor: { kind: 'system', id: 'held up' }, requestId: 'req_held_up' } as const;
      const { name, eventId } = early(3);
      const event = { customerId: own, person: [own], name, properties: {}, occurredAt: null, eventId } as const;
      expect(await recordCustomEvents(deps, by, slice.projectId, [event])).to.include(duplicate);
      expect(await recorded('early-3')).to.have.length(1);
    });
  });

  it('of two customers may have one id', async () => {
    const events = ['ann', 'ben'].map((appUserId) => ({ name: 'shared', appUserId, eventId: uuid(20) }));
    expect((await post({ events })).body).to.deep.equal({ accepted: 2, duplicates: 0 });
  });

  it('make a customer who was not known, as any other first visibility does, and change none who was', async () => {
    const beside = async () =>
      (await eventsOf(harness.service().services.deps.log)).filter((e) => familyOf(e.stream) !== 'activity');
    await harness.call('GET', '/v1/subscribers/ann', undefined, { key: slice.publicKey });
    const before = await beside();
    await post({ events: ['ann', 'stranger', 'stranger'].map((appUserId) => ({ name: 'apart', appUserId })) });
    expect((await beside()).slice(before.length).map((e) => e.type)).to.deep.equal(['CustomerCreated']);
    const path = `/v1/projects/${slice.projectId}/customers/stranger`;
    const { body } = await harness.call('GET', path, undefined, { key: slice.secretKey });
    expect(body).to.include({ appUserId: 'stranger', firstSeenAt: NOW, status: 'never' });
  });

  it('are sealed in the log, since their properties may be personal', async () => {
    const [event] = await recorded('one');
    expect(JSON.stringify(event?.data)).to.include('gold');
    const { deps } = harness.service().services;
    const subject = `cus_${event?.stream.slice(event.stream.lastIndexOf('_') + 1)}`;
    expect((await deps.dataKeys.forOpening([subject])).size).to.equal(1);
  });

  describe('are read again', () => {
    const list = (query = '') =>
      harness.call('GET', `/v1/projects/${slice.projectId}/events${query}`, undefined, server());
    const customEvent = (name: string, appUserId: string, days: number) => ({ name, appUserId, occurredAt: ago(days) });
    const places = [
      customEvent('seen', 'dana', 2),
      customEvent('seen', 'emil', 1),
      customEvent('left', 'dana', 0),
      customEvent('seen', 'dana', 4),
    ];
    before(async () => {
      await post({ events: places.map((e, i) => ({ ...e, properties: { place: i } })) });
    });
    const placesOf = ({ body }: { readonly body: { items: { properties: { place: number } }[] } }) =>
      body.items.map((e) => e.properties.place);

    it('newest first, by name, customer and time', async () => {
      expect(placesOf(await list('?name=seen'))).to.deep.equal([1, 0, 3]);
      expect(placesOf(await list('?customer=dana'))).to.deep.equal([2, 0, 3]);
      expect(placesOf(await list(`?customer=dana&name=seen&since=${ago(3)}`))).to.deep.equal([0]);
      expect((await list()).body.items).to.have.length.above(4);
      const [first] = (await list('?customer=emil')).body.items;
      expect(first).to.include({
        object: 'event',
        name: 'seen',
        appUserId: 'emil',
        occurredAt: ago(1),
        recordedAt: NOW,
      });
      expect(placesOf(await list(`?customer=${first.customerId}`))).to.deep.equal([1]);
    });

    it('page by page, once each', async () => {
      for (const query of ['', '&name=seen', '&customer=dana', '&customer=dana&name=seen', `&since=${ago(3)}`]) {
        const all = (await list(`?limit=100${query}`)).body.items;
        const paged = await walk(harness, `/v1/projects/${slice.projectId}/events?limit=1${query}`, server());
        expect(paged, query).to.deep.equal(all.map((e: { id: string }) => e.id));
      }
      for (const wrong of [
        'startingAfter=x',
        `startingAfter=${uuid(1)}`,
        'customer=nobody-known',
        'name=a%20b',
        'since=x',
      ])
        expectRefusal(await list(`?${wrong}`), 400);
    });

    it('in the timeline, with the access of their time', async () => {
      const path = `/v1/projects/${slice.projectId}/customers/dana/timeline`;
      const { body } = await harness.call('GET', path, undefined, server());
      const shown = body.items.filter((e: { type: string }) => e.type === 'CustomEventRecorded');
      expect(shown.map((e: { data: { properties: { place: number } } }) => e.data.properties.place)).to.have.members([
        ...[0, 2, 3],
      ]);
      expect(shown[0].summary).to.match(/^The app recorded (seen|left)\.$/);
      expect(shown[0].access).to.deep.equal({ before: {}, after: {} });
      const before = await harness.call('GET', `${path}?limit=1&order=oldest`, undefined, server());
      expect(before.body.items[0].type).to.equal('CustomerCreated');
    });

    it('also those of the time before a log-in', async () => {
      const anonymous = '$anon:0a1e2f9c-d54a-5d9d-8dc0-856f2257d20b';
      await post(customEvent('browsed', anonymous, 1));
      const login = { previousAppUserId: anonymous };
      await harness.call('POST', '/v1/subscribers/fay', login, { key: slice.publicKey });
      await post(customEvent('browsed', anonymous, 0));
      const { body } = await list('?customer=fay&name=browsed');
      expect(body.items.map((e: { occurredAt: string }) => e.occurredAt)).to.deep.equal([ago(0), ago(1)]);
      const page = `/v1/projects/${slice.projectId}/events?limit=1&customer=fay`;
      expect(await walk(harness, page, server())).to.have.length(2);
    });

    it('but not their properties for a customer who was erased', async () => {
      await post({ name: 'secret', appUserId: 'gus', properties: { email: 'gus@example.com' } });
      await harness.call('DELETE', '/v1/subscribers/gus', undefined, server());
      const { body } = await list('?name=secret');
      expect(body.items.map((e: { properties: unknown }) => e.properties)).to.deep.equal([null]);
      expectRefusal(await list('?customer=gus'), 400);
    });

    it('nor those that were sent under the name from before a log-in, once who logged in was erased', async () => {
      const anonymous = '$anon:550e8400-e29b-41d4-a716-446655440000';
      const event = { name: 'secret-of-ida', appUserId: anonymous, properties: { email: 'ida@example.com' } };
      await post(event);
      await harness.call('POST', '/v1/subscribers/ida', { previousAppUserId: anonymous }, { key: slice.publicKey });
      await post(event);
      await harness.call('DELETE', '/v1/subscribers/ida', undefined, server());
      const { body } = await list('?name=secret-of-ida');
      expect(body.items.map((e: { properties: unknown }) => e.properties)).to.deep.equal([null, null]);
    });
  });

  it('session_start marks a customer as seen, once a day', async () => {
    await harness.call('GET', '/v1/subscribers/cleo', undefined, { key: slice.publicKey });
    const start = (days: number) => ({ name: 'session_start', appUserId: 'cleo', occurredAt: ago(days) });
    clock.set(Date.parse(NOW) + 3 * DAY_MS);
    await post({ events: [start(-3), start(-1), start(-1), start(-2)] });
    const { body } = await harness.call('GET', '/v1/subscribers/cleo', undefined, { key: slice.publicKey });
    expect(body.subscriber.lastSeenAt).to.equal(ago(-3));
    const seen = (await eventsOf(harness.service().services.deps.log)).filter((e) => e.type === 'CustomerSeen');
    expect(seen.map((e) => e.meta.at)).to.deep.equal([ago(-1), ago(-2), ago(-3)]);
    clock.set(Date.parse(NOW));
  });

  const good = { name: 'x', appUserId: 'ann' };
  const flat = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`k${i}`, 'x'.repeat(90)]));
  const bad: Readonly<Record<string, unknown>> = {
    'no body': undefined,
    'no name': { appUserId: 'ann' },
    'a name with a space': { ...good, name: 'a b' },
    'a name too long': { ...good, name: 'x'.repeat(101) },
    nobody: { name: 'x' },
    'a placeholder for a customer': { ...good, appUserId: 'null' },
    'properties in properties': { ...good, properties: { a: { b: 1 } } },
    'a list in properties': { ...good, properties: { a: [1] } },
    'more than 8 KiB of properties': { ...good, properties: flat },
    'an event of last week': { ...good, occurredAt: ago(7.01) },
    'an event of the future': { ...good, occurredAt: ago(-0.01) },
    'an id that is none': { ...good, eventId: 'x' },
    'an unknown field': { ...good, colour: 'red' },
    'no events': { events: [] },
    'more than a hundred': { events: Array.from({ length: 101 }, () => good) },
    'events beside an event': { ...good, events: [good] },
  };
  for (const [what, body] of Object.entries(bad)) {
    it(`are refused for ${what}`, () => expectRefused(harness, () => post(body), 400));
  }

  it('are refused together, and the message names the bad one', async () => {
    for (const wrong of [
      { ...good, name: '' },
      { ...good, occurredAt: ago(8) },
    ]) {
      await expectRefused(harness, () => post({ events: [good, good, wrong] }), 400);
      expect((await post({ events: [good, good, wrong] })).body.message).to.match(/^events\.2\.\w+ must/);
    }
    expect((await post({ ...good, eventId: 1 })).body.message).to.match(/^eventId must be a UUID/);
  });
});
