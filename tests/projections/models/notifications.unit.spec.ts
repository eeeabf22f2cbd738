// Each store notification with what became of it.
import { expect } from 'chai';
import { inboxEvents as e, type Outcome } from '../../../src/domain/inbox/inbox.js';
import { streams } from '../../../src/domain/streams.js';
import { notifications } from '../../../src/projections/models/notifications.js';
import { given, past } from '../support/spec.js';

const APP = 'app_1';
const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour)).toISOString();
const ids = (key: string) => ({ inboxId: `${APP}_${key}`, appId: APP });

const received = (key: string, when: string, subtype: string | null = null) =>
  past(
    streams.inbox(APP, key),
    e.StoreNotificationReceived.of({
      ...{ ...ids(key), store: 'ios-store', key, notificationType: 'DID_RENEW', subtype },
      ...{ rawBody: '{}', decoded: {}, signedAt: at(9) },
    }),
    when,
  );
const processed = (key: string, when: string, outcome: Outcome, more: object = {}) =>
  past(
    streams.inbox(APP, key),
    e.StoreNotificationProcessed.of({ ...ids(key), outcome, reason: null, eventIds: [], ...more }),
    when,
  );
const reprocessed = (key: string, when: string, outcome: Outcome) =>
  past(streams.inbox(APP, key), e.StoreNotificationReprocessed.of({ ...ids(key), outcome, eventIds: ['x'] }), when);

describe('notifications read model', () => {
  const first = (found: Record<string, Record<string, unknown>>) => found['notifications']?.[`${APP}_a`];

  it('shows what came as waiting', () =>
    given(notifications, received('a', at(10), 'BILLING_RECOVERY')).then((found) =>
      expect(first(found)).to.deep.include({
        ...{ appId: APP, store: 'ios-store', type: 'DID_RENEW/BILLING_RECOVERY', state: 'waiting' },
        ...{ receivedAt: at(10), signedAt: at(9), outcome: null, customerId: null, finishedAt: null },
      }),
    ));

  it('shows what became of it, and whom it was about', () =>
    given(notifications, received('a', at(10)), processed('a', at(11), 'stale', { customerId: 'cus_1' })).then(
      (found) =>
        expect(first(found)).to.deep.include({
          ...{ state: 'handled', outcome: 'stale', customerId: 'cus_1', finishedAt: at(11) },
        }),
    ));

  for (const [outcome, state] of [
    ['ignored_unknown_type', 'ignored'],
    ['refused', 'refused'],
    ['no_change', 'handled'],
  ] as const) {
    it(`calls ${outcome} ${state}`, () =>
      given(notifications, received('a', at(10)), processed('a', at(11), outcome)).then((found) =>
        expect(first(found)).to.include({ state, outcome }),
      ));
  }

  it('shows what a later run has added', () =>
    given(
      notifications,
      received('a', at(10)),
      processed('a', at(11), 'ignored_unknown_type'),
      reprocessed('a', at(12), 'applied'),
    ).then((found) => expect(first(found)).to.include({ state: 'handled', outcome: 'applied', finishedAt: at(12) })));
});
