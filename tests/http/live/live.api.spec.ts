// The live feed over real connections: what comes, what stays away, how a reader comes back, and what ends a feed.
import { expect } from 'chai';
import { pino } from 'pino';
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { FULL_VISIBILITY } from '../../../src/domain/values/field-groups.js';
import { createLive } from '../../../src/http/live/live-feeds.js';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import { MONTHLY, notification, setUpProject, type Credentials, type Slice } from '../support/harness.js';
import { openLive, type LiveFeed, type Line } from '../support/live-feed.js';
import { createManualClock } from '../support/manual-clock.js';
import { setUpServiceWithFreshProjects } from '../support/setup.js';

const NOW = Date.parse('2026-11-20T10:00:00.000Z');
const egress = { EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' };

describe('the live feed', () => {
  const clock = createManualClock(NOW);
  const { harness, slice, as, asMember } = setUpServiceWithFreshProjects(egress, clock.runtime);
  const open: LiveFeed[] = [];
  const watch = async (who: Credentials = as, lastEventId?: string, of: Slice = slice) => {
    const feed = await openLive(harness, of.projectId, who, lastEventId);
    open.push(feed);
    return feed;
  };
  afterEach(() => open.splice(0).forEach((feed) => feed.close()));

  let bought = 0;
  const buy = async (of: Slice = slice) => {
    const transactionId = `31${++bought}`;
    const period = { purchaseDate: NOW - 1000, expiresDate: NOW + 86_400_000, price: 9990, currency: 'USD' };
    const transaction = { transactionId, originalTransactionId: transactionId, productId: MONTHLY, ...period };
    const sent = notification({ notificationType: 'SUBSCRIBED', subtype: 'INITIAL_BUY', signedDate: NOW, transaction });
    expect((await harness.call('POST', of.notificationPath, sent)).status).to.equal(200);
    await harness.service().waitForReactions();
    return transactionId;
  };
  const isHandled = ({ event, data }: Line) => event === 'notification' && data.state === 'handled';
  const handledOf = ({ lines }: LiveFeed) => lines.filter(isHandled).length;

  it('shows a notification, what it led to, and what became of it, in the order of the log', async () => {
    const feed = await watch();
    expect([feed.status, feed.headers['content-type']]).to.deep.equal([200, 'text/event-stream; charset=utf-8']);
    expect(feed.headers['cache-control']).to.equal('no-store');
    await buy();
    const handled = await feed.until(isHandled);
    const said = feed.lines.map(({ event, data }) => `${event} ${data.kind}`);
    expect(said).to.deep.equal([
      'notification SUBSCRIBED/INITIAL_BUY',
      'event CustomerCreated',
      'event SubscriptionStarted',
      'notification SUBSCRIBED/INITIAL_BUY',
    ]);
    const [first, created, started] = feed.lines;
    expect(first?.data).to.include({
      state: 'waiting',
      customerId: null,
      store: 'ios-store',
      ms: 0,
      appId: slice.appId,
    });
    expect([created?.data.store, started?.data.store]).to.deep.equal([null, 'ios-store']);
    expect(started?.data.summary).to.match(/^Subscribed to com\.example\.app\.pro\.month/);
    expect(started?.data.notificationId).to.equal(first?.data.notificationId);
    expect(handled.data).to.include({ customerId: created?.data.customerId, ms: 0 });
    const ids = feed.lines.map(({ id }) => id ?? '');
    expect(ids).to.deep.equal(ids.toSorted());
  });

  it('shows nothing of another project', async () => {
    const other = await setUpProject(harness);
    const [feed, theirs] = [await watch(), await watch({ key: other.secretKey }, undefined, other)];
    await buy(other);
    await theirs.until(isHandled);
    await buy();
    await feed.until(isHandled);
    const of = (lines: readonly Line[]) => new Set(lines.map(({ data }) => data.appId ?? data.customerId));
    expect([...of(feed.lines)].filter((id) => of(theirs.lines).has(id))).to.deep.equal([]);
    expect(handledOf(feed)).to.equal(1);
  });

  it('leaves the names of attributes out for a key that may not see them', async () => {
    const path = `/v1/projects/${slice.projectId}/api-keys`;
    const made = await harness.call('POST', path, { name: 'wall', scopes: ['read'] }, asMember);
    const [all, some] = [await watch(), await watch({ key: made.body.key })];
    await harness.call('POST', '/v1/subscribers/ann', { attributes: { diet: 'vegan' } }, as);
    const isChange = ({ data }: Line) => data.kind === 'CustomerAttributesUpdated';
    expect((await all.until(isChange)).data.summary).to.equal('Attributes changed: diet.');
    expect((await some.until(isChange)).data.summary).to.equal('Attributes changed.');
  });

  it('resumes after the last line of a reader, without gaps or duplicates, while events are appended', async () => {
    const all = await watch();
    const some = 12;
    const readers: LiveFeed[] = [];
    for (let i = 0; i < some; i++) {
      await buy();
      await all.until(() => handledOf(all) === 2 * i + 1);
      const from = all.lines[Math.floor((all.lines.length * (i % 4)) / 4)];
      readers.push(await watch(as, from?.id ?? ''));
      await buy();
    }
    await all.until(() => handledOf(all) === 2 * some);
    const last = all.lines.at(-1)?.id;
    for (const [i, reader] of readers.entries()) {
      await reader.until(({ id }) => id === last);
      const ids = reader.lines.map(({ id }) => id ?? '');
      const [first = ''] = ids;
      const expected = all.lines.map(({ id }) => id ?? '').filter((id) => id >= first);
      expect(ids, `reader ${i}`).to.deep.equal(expected);
    }
  });

  it('holds for a reader what the log held before it was there, from the first place on', async () => {
    await buy();
    const feed = await watch(as, '0'.repeat(20));
    await feed.until(isHandled);
    expect(feed.lines.map(({ event }) => event)).to.deep.equal(['notification', 'event', 'event', 'notification']);
  });

  for (const [what, id] of [
    ['that is none', 'abc'],
    ['that the log has not reached', '9'.repeat(20)],
  ] as const) {
    it(`refuses a last line ${what}`, async () => expect((await watch(as, id)).status).to.equal(400));
  }

  it('shows an attempt to deliver, without a place in the log', async () => {
    const receiver = await startReceiver((res) => res.writeHead(200).end());
    const hook = await harness.call('POST', `/v1/projects/${slice.projectId}/webhooks`, { url: receiver.url }, as);
    const feed = await watch();
    await harness.call('POST', `/v1/projects/${slice.projectId}/webhooks/${hook.body.id}/test`, {}, as);
    const { id, data } = await feed.until(({ event }) => event === 'delivery');
    await receiver.stop();
    expect(id).to.equal(null);
    expect(data).to.include({
      kind: 'TEST',
      state: 'delivered',
      status: 200,
      webhookId: hook.body.id,
      customerId: null,
    });
    expect(data.summary).to.equal('TEST was delivered (200).');
  });

  it('names the event that caused an attempt', async () => {
    const receiver = await startReceiver((res) => res.writeHead(200).end());
    const path = `/v1/projects/${slice.projectId}/webhooks`;
    const hook = await harness.call('POST', path, { url: receiver.url }, as);
    const feed = await watch();
    const grant = { entitlementId: 'pro', duration: 'weekly' };
    await harness.call('POST', '/v1/subscribers/caused/entitlements', grant, as);
    const event = await feed.until(({ data }) => data['kind'] === 'EntitlementGranted');
    await harness.service().waitForReactions();
    const { data } = await feed.until((line) => line.event === 'delivery');
    await receiver.stop();
    await harness.call('DELETE', `${path}/${hook.body.id}`, undefined, { token: slice.token });
    expect(data.causeId).to.equal(event.data.eventId);
  });

  it('has fifty readers a project at most, and room again when one has left', async () => {
    const readers = await Promise.all(Array.from({ length: 50 }, () => watch()));
    expect(readers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 50 }, () => 200));
    expect((await watch()).status).to.equal(429);
    const other = await setUpProject(harness);
    expect((await watch({ key: other.secretKey }, undefined, other)).status).to.equal(200);
    readers[0]?.close();
    for (;;) if ((await watch()).status === 200) break;
  });

  it('ends with the key that opened it', async () => {
    const path = `/v1/projects/${slice.projectId}/api-keys`;
    const made = await harness.call('POST', path, { name: 'wall' }, asMember);
    const feed = await watch({ key: made.body.key });
    const stays = await watch();
    await harness.call('DELETE', `${path}/${made.body.id}`, undefined, asMember);
    await clock.step('live access');
    expect(await feed.ended).to.equal('retry: 3000');
    await buy();
    await stays.until(isHandled);
    expect(feed.lines).to.deep.equal([]);
  });

  it('shows a member what the role sees, from the second on in which it changes, and ends with the membership', async () => {
    const base = `/v1/projects/${slice.projectId}/members`;
    const email = `${slice.projectId}@example.com`;
    const user = await harness.call('POST', '/auth/register', { email, password: 'correct horse battery' });
    const member = { token: user.body.accessToken };
    const invited = await harness.call('POST', base, { email, role: 'viewer' }, asMember);
    await harness.call('POST', '/auth/invitations/accept', { token: invited.body.token }, member);
    const feed = await watch(member);
    const started = async () => {
      await buy();
      const seen = handledOf(feed) + 1;
      await feed.until(() => handledOf(feed) === seen);
      return feed.lines.findLast(({ data }) => data.kind === 'SubscriptionStarted')?.data.summary;
    };
    expect(await started()).to.include('9.99 USD');
    await harness.call('PATCH', `${base}/${user.body.user.id}`, { role: 'support' }, asMember);
    await clock.step('live access');
    expect(await started()).to.not.match(/9\.99|USD/);
    await harness.call('DELETE', `${base}/${user.body.user.id}`, undefined, asMember);
    await clock.step('live access');
    expect(await feed.ended).to.equal('retry: 3000');
  });

  it('ends with the project', async () => {
    const [ofKey, ofMember] = [await watch(), await watch(asMember)];
    await harness.call('DELETE', `/v1/projects/${slice.projectId}`, undefined, asMember);
    await clock.step('live access');
    await Promise.all([ofKey.ended, ofMember.ended]);
  });

  it('ends with the access token', async () => {
    const feed = await watch(asMember);
    clock.set(NOW + 3_700_000);
    await clock.step('live access');
    await feed.ended;
    clock.set(NOW);
  });

  it('authorizes once for all readers of a credential, and for each credential in each project', async () => {
    const { log } = harness.service().services.deps;
    const live = createLive({ log, runtime: systemRuntime(), logger: pino({ level: 'silent' }) });
    const asked: string[] = [];
    const enter = (projectId: string, credential: string) => {
      const visibilityNow = () => {
        asked.push(`${projectId} ${credential}`);
        return Promise.resolve(FULL_VISIBILITY);
      };
      return live.open({ projectId, after: null, visibility: FULL_VISIBILITY, credential, visibilityNow });
    };
    for (const credential of ['one', 'one', 'other', 'one']) await enter('proj_a', credential);
    await enter('proj_b', 'one');
    await live.check();
    expect(asked).to.deep.equal(['proj_a one', 'proj_a other', 'proj_b one']);
    await live.check();
    expect(asked).to.have.length(6);
    live.close();
  });

  it('ends when the service stops, which waits for no reader', async () => {
    const feed = await watch();
    await harness.restart();
    expect(await feed.ended).to.equal('retry: 3000');
  });
});
