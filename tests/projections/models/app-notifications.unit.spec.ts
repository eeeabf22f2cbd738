// Store notifications of an app by hour.
import { expect } from 'chai';
import { inboxEvents as e, type Outcome } from '../../../src/domain/inbox/inbox.js';
import { streams } from '../../../src/domain/streams.js';
import { appNotifications } from '../../../src/projections/models/app-notifications.js';
import { past, given } from '../support/spec.js';

const APP = 'app_1';
const at = (hour: number, minute = 0) => new Date(Date.UTC(2026, 10, 20, hour, minute)).toISOString();
const streamOf = (key: string) => streams.inbox(APP, key);
const inboxId = (key: string) => `${APP}_${key}`;

const received = (key: string, when: string) =>
  past(
    streamOf(key),
    e.StoreNotificationReceived.of({
      ...{ inboxId: inboxId(key), appId: APP, store: 'ios-store', key, notificationType: 'DID_RENEW', subtype: null },
      ...{ rawBody: '{}', decoded: {}, signedAt: when },
    }),
    when,
  );
const tested = (key: string, when: string) =>
  past(streamOf(key), e.StoreTestNotificationReceived.of({ inboxId: inboxId(key), appId: APP }), when);
const processed = (key: string, when: string, outcome: Outcome = 'applied') =>
  past(
    streamOf(key),
    e.StoreNotificationProcessed.of({ inboxId: inboxId(key), appId: APP, outcome, reason: null, eventIds: [] }),
    when,
  );

describe('app notifications read model', () => {
  it('counts by the hour what came, what was done and what was refused', () =>
    given(
      appNotifications,
      received('a', at(10, 59)),
      processed('a', at(11)),
      received('b', at(11, 1)),
      processed('b', at(11, 2), 'refused'),
    ).then((found) =>
      expect(found['app_notifications']?.[APP]).to.deep.equal({
        lastId: inboxId('b'),
        lastReceivedAt: at(11, 1),
        lastTestAt: null,
        hours: [
          { hour: '2026-11-20T11', received: 1, processed: 1, refused: 1 },
          { hour: '2026-11-20T10', received: 1, processed: 0, refused: 0 },
        ],
      }),
    ));

  it('knows the last test', () =>
    given(appNotifications, received('a', at(1)), tested('a', at(1)), tested('b', at(2))).then((found) =>
      expect(found['app_notifications']?.[APP]).to.include({ lastReceivedAt: at(1), lastTestAt: at(2) }),
    ));

  it('keeps the newest hours only', () => {
    const past = Array.from({ length: 60 }, (_, i) => received(`n${i}`, at(i)));
    return given(appNotifications, ...past).then((found) => {
      const { hours } = found['app_notifications']?.[APP] as unknown as { hours: { hour: string }[] };
      expect(hours.map((h) => h.hour)).to.deep.equal(Array.from({ length: 25 }, (_, i) => at(59 - i).slice(0, 13)));
    });
  });
});
