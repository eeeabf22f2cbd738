// Checks the latest period of each subscription against the store events in the order of their times.
import { offers } from '../../../simulator/offers.js';
import type { StoreHappening } from '../../../simulator/happenings.js';
import type { Played } from '../world/played.js';
import { TENANTS } from '../world/tenant.js';
import { ownedOf } from './access.js';

/** Store events after which the subscription continues. The effect of the others may depend on later polling or deadlines. */
const GOES_ON = new Set<StoreHappening['kind']>([
  'started',
  'resubscribed',
  'renewed',
  'recovered',
  'renewalOff',
  'renewalOn',
]);

export async function checkSubscriptions(played: Played): Promise<string[]> {
  const { script, journal, tenants, client, timeline } = played;
  const found: string[] = [];
  for (const by of TENANTS) {
    const users = new Map<string, StoreHappening[]>();
    for (const [l, { appUserId }] of script.lifecycles[by].entries())
      if (appUserId !== null && !journal.erased.some((e) => e.tenant === by && e.user === appUserId))
        users.set(appUserId, [...(users.get(appUserId) ?? []), ...ownedOf(played, by, l, appUserId)]);
    for (const [user, happened] of users) {
      const asking = client.insist({ method: 'GET', path: `/v1/subscribers/${user}`, key: tenants[by].secretKey });
      const shown = (await played.inTime(asking))?.body.subscriber?.subscriptions ?? {};
      const latest = new Map<string, StoreHappening>();
      for (const one of happened.toSorted((a, b) => a.at - b.at))
        latest.set(offers[one.bought.offer].storeProductId, one);
      for (const [product, { kind, bought, willRenew }] of latest) {
        if (!GOES_ON.has(kind) || bought.expiresAt === null || bought.expiresAt <= timeline.now()) continue;
        const wanted = { expiresAt: new Date(bought.expiresAt).toISOString(), willRenew };
        const { expiresAt, unsubscribeDetectedAt } = shown[product] ?? {};
        const given = { expiresAt, willRenew: unsubscribeDetectedAt === null };
        if (given.expiresAt !== wanted.expiresAt || given.willRenew !== wanted.willRenew)
          found.push(
            `${product} of ${by} ${user} is ${JSON.stringify(given)}, expected ${JSON.stringify(wanted)}: ${JSON.stringify(shown[product])}; store events: ${happened.map((h) => `${h.kind} ${h.bought.transactionId} ${new Date(h.at).toISOString()} ${h.willRenew}`).join(', ')}`,
          );
      }
    }
  }
  return found;
}
