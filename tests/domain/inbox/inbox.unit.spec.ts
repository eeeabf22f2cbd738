// One raw store notification and what became of it.
import { inboxDecider, inboxEvents as e } from '../../../src/domain/inbox/inbox.js';
import { given } from '../spec.js';

const place = { inboxId: 'app_1_n1', appId: 'app_1' };
const notification = {
  ...place,
  store: 'ios-store' as const,
  key: 'n1',
  notificationType: 'SUBSCRIBED',
  subtype: 'INITIAL_BUY',
  rawBody: '{"signedPayload":"…"}',
  decoded: {},
  signedAt: '2026-11-20T10:00:00.000Z',
};
const result = { ...place, outcome: 'applied' as const, reason: null, eventIds: ['e1'] };
const received = e.StoreNotificationReceived.of(notification);
const processed = e.StoreNotificationProcessed.of(result);

describe('a store notification', () => {
  it('is kept once', () => given(inboxDecider).when({ kind: 'receive', notification }).then(received));

  it('is finished once', () =>
    given(inboxDecider, received).when({ kind: 'finish', isTest: false, result }).then(processed));

  it('keeps its first outcome', () =>
    given(inboxDecider, received, processed)
      .when({ kind: 'finish', isTest: false, result: { ...result, outcome: 'no_change' } })
      .thenNothing());

  it('keeps what a newer translator added to it', () => {
    const again = { ...place, outcome: 'applied' as const, eventIds: ['e2'] };
    return given(inboxDecider, received, processed)
      .when({ kind: 'finishAgain', result: again })
      .then(e.StoreNotificationReprocessed.of(again));
  });

  it('that was a test is marked as one', () =>
    given(inboxDecider, received)
      .when({ kind: 'finish', isTest: true, result })
      .then(e.StoreTestNotificationReceived.of(place), processed));
});
