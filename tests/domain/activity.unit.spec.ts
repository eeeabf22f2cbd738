// A customer is seen at most once a UTC day.
import { activityDecider } from '../../src/domain/subscriber/activity.js';
import { activityEvents } from '../../src/domain/subscriber/events.js';
import { given } from './spec.js';

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

  it('is not seen on a day before', () =>
    given(activityDecider, seen('2026-11-20T10:00:00.000Z')).when(mark('2026-11-19T10:00:00.000Z')).thenNothing());
});
