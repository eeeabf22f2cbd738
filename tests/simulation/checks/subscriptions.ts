// Checks the latest period of each subscription against the store events in the order of their times.
import { offers } from '../../../simulator/offers.js';
import type { StoreEvent } from '../../../simulator/lifecycle-events.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS } from '../scenario/tenant.js';
import { ownedStoreEvents } from './access.js';

/** Store events after which the subscription continues. The effect of the others may depend on later polling or deadlines. */
const CONTINUING_EVENTS = new Set<StoreEvent['kind']>([
  'started',
  'resubscribed',
  'renewed',
  'recovered',
  'renewalOff',
  'renewalOn',
]);

export async function checkSubscriptions(simulation: Simulation): Promise<string[]> {
  const { script, journal, tenants, client, timeline } = simulation;
  const findings: string[] = [];
  for (const tenant of TENANTS) {
    const users = new Map<string, StoreEvent[]>();
    for (const [l, { appUserId }] of script.lifecycles[tenant].entries())
      if (appUserId !== null && !journal.erasures.some((e) => e.tenant === tenant && e.user === appUserId))
        users.set(appUserId, [...(users.get(appUserId) ?? []), ...ownedStoreEvents(simulation, tenant, l, appUserId)]);
    for (const [user, storeEvents] of users) {
      const request = client.sendUntilAnswered({
        method: 'GET',
        path: `/v1/subscribers/${user}`,
        key: tenants[tenant].secretKey,
      });
      const shown = (await simulation.awaitInTime(request))?.body.subscriber?.subscriptions ?? {};
      const latest = new Map<string, StoreEvent>();
      for (const storeEvent of storeEvents.toSorted((a, b) => a.at - b.at))
        latest.set(offers[storeEvent.bought.offer].storeProductId, storeEvent);
      for (const [product, { kind, bought, willRenew }] of latest) {
        if (!CONTINUING_EVENTS.has(kind) || bought.expiresAt === null || bought.expiresAt <= timeline.now()) continue;
        const expected = { expiresAt: new Date(bought.expiresAt).toISOString(), willRenew };
        const { expiresAt, unsubscribeDetectedAt } = shown[product] ?? {};
        const actual = { expiresAt, willRenew: unsubscribeDetectedAt === null };
        if (actual.expiresAt !== expected.expiresAt || actual.willRenew !== expected.willRenew)
          findings.push(
            `${product} of ${tenant} ${user} is ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}: ${JSON.stringify(shown[product])}; store events: ${storeEvents.map((h) => `${h.kind} ${h.bought.transactionId} ${new Date(h.at).toISOString()} ${h.willRenew}`).join(', ')}`,
          );
      }
    }
  }
  return findings;
}
