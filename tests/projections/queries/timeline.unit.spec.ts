// A customer's timeline as support reads it: a sentence per event, with the access before and after.
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { streams } from '../../../src/domain/streams.js';
import { catalogDecider, rulesOf } from '../../../src/domain/catalog/catalog.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { subscriberEvents, type SubscriberEvent } from '../../../src/domain/subscriber/events/events.js';
import { readCustomerEvents } from '../../../src/projections/queries/customer-events.js';
import { readCause } from '../../../src/projections/queries/entry-causes.js';
import { readTimeline, timelineOf, type TimelineEntry } from '../../../src/projections/queries/timeline.js';
import { summaryOf } from '../../../src/projections/queries/timeline-summaries.js';
import { monthly, notification, renewal } from '../../commands/support/store-data.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { createProjectFixture, type ProjectFixture } from '../../commands/support/project-fixture.js';
import { customer, DAY, DEC } from '../support/customer-events.js';
import { logOf, PROJECT } from '../support/spec.js';

const END = '2026-12-20T10:00:00.000Z';
const NEXT_END = '2027-01-19T10:00:00.000Z';

async function timelineFor(fixture: ProjectFixture, customerId: string): Promise<readonly TimelineEntry[]> {
  const { deps, projectId } = fixture;
  const rules = rulesOf(await deps.catalogs.get(streams.catalog(projectId)), true);
  return readTimeline(deps.log, projectId, customerId, rules);
}

describe('timeline', () => {
  it('shows a purchase and its renewal, with the access before and after', async () => {
    const fixture = await createProjectFixture();
    const { customerId } = await fixture.submit('ann', monthly());
    await fixture.notify(notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1' })));
    const entries = await timelineFor(fixture, customerId);
    expect(entries.map((e) => e.summary)).to.deep.equal([
      'Customer ann was created through the app.',
      'Subscribed to com.example.pro.month (paid, 9.99 USD) until 2026-12-20 10:00 UTC.',
      'Renewal 1 of com.example.pro.month for 9.99 USD until 2027-01-19 10:00 UTC.',
    ]);
    expect(entries.map((e) => e.access)).to.deep.equal([
      { before: {}, after: {} },
      { before: {}, after: { pro: END } },
      { before: { pro: END }, after: { pro: NEXT_END } },
    ]);
  });

  it('shows no access before a renewal that came after a gap', async () => {
    const fixture = await createProjectFixture();
    const { customerId } = await fixture.submit('ann', monthly());
    await fixture.notify(notification('DID_RENEW', renewal({ originalTransactionId: 'tx_1', ...late() })));
    const entries = await timelineFor(fixture, customerId);
    expect(entries.at(-1)?.access.before).to.deep.equal({});
    expect(entries.at(-1)?.access.after).to.have.key('pro');
  });

  it('includes what happened to the customers that were merged in, in the order of the log', async () => {
    const fixture = await createProjectFixture();
    await fixture.notify(notification('SUBSCRIBED', monthly()));
    const { customerId } = await fixture.submit('ann', monthly());
    const entries = await timelineFor(fixture, customerId);
    expect(entries.map((e) => e.type)).to.deep.equal([
      'CustomerCreated',
      'SubscriptionStarted',
      'PurchaseTransferred',
      'CustomerMergedInto',
      'CustomerCreated',
      'PurchaseTransferred',
      'CustomerMerged',
    ]);
    expect(entries.map((e) => e.position)).to.deep.equal(entries.map((e) => e.position).sort());
  });

  it('ends with what was known at an instant', async () => {
    const fixture = await createProjectFixture();
    const { customerId } = await fixture.submit('ann', monthly());
    const rules = rulesOf(await fixture.deps.catalogs.get(streams.catalog(fixture.projectId)), true);
    const all = await timelineFor(fixture, customerId);
    const [first] = all;
    const before = new Date(Date.parse(first?.recordedAt ?? '') - 1).toISOString();
    const asOf = async (at: string) =>
      timelineOf(await readCustomerEvents(fixture.deps.log, fixture.projectId, customerId, at), rules);
    expect(await asOf(before)).to.deep.equal([]);
    const shown = (entries: readonly TimelineEntry[]) => JSON.stringify(entries);
    expect(shown(await asOf(all.at(-1)?.recordedAt ?? ''))).to.equal(shown(all));
  });

  it('computes the access of the selected entries alone, however long the history', async () => {
    const LONG = 10_000;
    const ann = customer('ann');
    const changes = Array.from({ length: LONG - 1 }, (_, n) => ann.attributes({ color: `c${n}` }));
    const log = await logOf([ann.subscribed(), ...changes]);
    let looks = 0;
    const counting = new Proxy(rulesOf(catalogDecider.initial(), true), {
      get: (rules, name) => {
        looks++;
        return Reflect.get(rules, name);
      },
    });
    const page = await readTimeline(log, PROJECT, ann.customerId, counting, { pick: (all) => all.slice(-10) });
    expect(page).to.have.length(10);
    expect(page.at(-1)?.position.endsWith(String(LONG))).to.equal(true);
    expect(looks).to.be.within(1, 1000);
  });

  it('names the actor and refers to the notification that caused it', async () => {
    const fixture = await createProjectFixture();
    await fixture.notify(notification('SUBSCRIBED', monthly(), { subtype: 'INITIAL_BUY', uuid: 'uuid-1' }));
    const event = (await eventsOf(fixture.deps.log)).find((e) => e.type === 'SubscriptionStarted');
    expect(event?.meta.actor).to.deep.equal({ kind: 'store', id: 'ios-store' });
    const cause = await readCause(fixture.deps.log, event?.meta.correlationId ?? '');
    if (!cause || !('notification' in cause)) throw new Error('no notification');
    const { notification: received } = cause;
    expect(received).to.include({ id: 'uuid-1', store: 'ios-store', type: 'SUBSCRIBED/INITIAL_BUY' });
    expect(JSON.parse(received.rawBody)).to.include({ notificationUUID: 'uuid-1' });
  });

  it('goes back to no notification for a request', async () => {
    const fixture = await createProjectFixture();
    expect(await readCause(fixture.deps.log, 'req_1')).to.equal(null);
  });

  it('is empty for an unknown customer', async () => {
    const fixture = await createProjectFixture();
    expect(await timelineFor(fixture, 'cus_nobody')).to.deep.equal([]);
  });
});

describe('sentences of the timeline', () => {
  const ann = customer('ann');
  const cases: readonly [string, Parameters<typeof logOf>[0][number]][] = [
    ['Attributes changed: $email.', ann.attributes({ $email: 'a@b.c' })],
    ['Customer ben was merged into this customer.', ann.merged('ben')],
    ['This customer was merged into ben.', ann.mergedInto('ben')],
    [`Subscribed to pro.month (free trial, free) until 2026-12-01 10:00 UTC.`, ann.subscribed({ type: 'trial' })],
    [
      'The store granted a grace period until 2026-12-07 10:00 UTC and is retrying the charge.',
      ann.graceEntered(DEC(7)),
    ],
    [
      'The renewal was not paid: the subscription gives no access while the store is retrying the charge.',
      ann.retryEntered(),
    ],
    ['The subscription to pro.month ended (unknown; expired without a store message).', ann.expired()],
    ['Bought pro.month for 5.00 USD.', ann.ownedForever('tx_9')],
    ['Transaction tx_1 was refunded (9.99 USD), which ended its purchase.', ann.refunded('tx_1')],
    ['The refund of transaction tx_1 was reversed and its purchase was restored.', ann.refundReversed('tx_1')],
    ['Promotional access to pro was granted until 2026-12-03 10:00 UTC.', ann.granted(DEC(3))],
    ['Promotional access to pro was granted with no end date.', ann.granted(null)],
    ['Promotional access to pro was revoked.', ann.grantRevoked(DAY(9))],
    ['Promotional access to pro expired.', ann.grantEnded(DAY(9))],
  ];
  for (const [sentence, given] of cases) {
    it(`read "${sentence}"`, async () => {
      const [event] = await eventsOf(await logOf([given]));
      expect(event && summaryOf(event as unknown as RecordedEvent<SubscriberEvent>)).to.equal(sentence);
    });
  }

  // Another purchase or a grant may go on: what an event did to the customer's access is in the entry's own `access`.
  it('are about what the event is of, never about the access of the customer', () => {
    const folder = new URL('../../fixtures/events/', import.meta.url);
    const sentences = readdirSync(folder)
      .map((file) => JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as RecordedEvent<SubscriberEvent>)
      .filter(({ type, v }) => Object.hasOwn(subscriberEvents, type) && v === subscriberEvents[type].version)
      .map((event) => summaryOf(event));
    expect(sentences.length).to.be.above(30);
    const ofOneThing = /^Promotional access to |(it|subscription) gives no access/;
    expect(sentences.filter((text) => /access/i.test(text) && !ofOneThing.test(text))).to.deep.equal([]);
  });
});

/** Charged five days after the end of the period before. */
function late() {
  const purchaseDate = Date.parse('2026-12-25T10:00:00.000Z');
  return { purchaseDate, expiresDate: Date.parse('2027-01-25T10:00:00.000Z'), signedDate: purchaseDate };
}
