// A customer is seen once a UTC day, and again when the app sends new data about its device.
import { activityDecider } from '../../../../src/domain/subscriber/state/activity.js';
import { activityEvents } from '../../../../src/domain/subscriber/events/events.js';
import { given } from '../../spec.js';

const device = { platform: 'ios', appVersion: '1.0', country: 'US' };
const seen = (at: string) => activityEvents.CustomerSeen.of(device, { at });
const mark = (at: string) => ({ kind: 'markSeen' as const, at, ...device });

describe('a customer', () => {
  it('is seen', () =>
    given(activityDecider).when(mark('2026-11-20T10:00:00.000Z')).then(seen('2026-11-20T10:00:00.000Z')));

  it('is seen once a day', () =>
    given(activityDecider, seen('2026-11-20T00:00:00.000Z')).when(mark('2026-11-20T23:59:59.999Z')).thenNothing());

  it('is seen again the next day', () =>
    given(activityDecider, seen('2026-11-20T23:59:59.999Z'))
      .when(mark('2026-11-21T00:00:00.000Z'))
      .then(seen('2026-11-21T00:00:00.000Z')));

  it('is seen again the same day when the app reports something new, once', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const updated = { platform: null, appVersion: '2.0', country: null };
    given(activityDecider, seen('2026-11-20T10:00:00.000Z'))
      .when({ kind: 'markSeen', at, ...updated })
      .then(activityEvents.CustomerSeen.of(updated, { at }));
  });

  it('is not seen again by a request that reports nothing new', () =>
    given(activityDecider, seen('2026-11-20T10:00:00.000Z'))
      .when({ ...mark('2026-11-20T12:00:00.000Z'), platform: null, appVersion: null, country: null })
      .thenNothing());

  it('is not seen on a day before', () =>
    given(activityDecider, seen('2026-11-20T10:00:00.000Z')).when(mark('2026-11-19T10:00:00.000Z')).thenNothing());
});
