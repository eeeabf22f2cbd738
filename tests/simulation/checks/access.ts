// Checks the access that the service reports for each customer against the store events and the grants in the log. The reference is written
// from the stores' rules and shares no code with the service.
import type { StoreEvent } from '../../../simulator/lifecycle-events.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { lifecycleKey } from '../scenario/journal.js';
import { MAX_SKEW_MS } from '../scenario/faults.js';
import type { Simulation } from '../scenario/simulation.js';
import { TENANTS, type TenantName } from '../scenario/tenant.js';
import type { StoredData } from './stored-data.js';

/** Returns true if the purchases of one customer give access at an instant (UTC ms). */
export function hasPaidAccess(storeEvents: readonly StoreEvent[], atMs: number): boolean {
  const past = storeEvents.filter((h) => h.at <= atMs);
  const isRefunded = (transactionId: string) => {
    const about = past.filter(
      (h) => h.bought.transactionId === transactionId && (h.kind === 'refunded' || h.kind === 'refundReversed'),
    );
    return about.sort((a, b) => a.at - b.at).at(-1)?.kind === 'refunded';
  };
  /** A grace period ends early when its unpaid renewal is paid. */
  const graceEndOf = ({ at, bought: { chainId }, graceEndsAt }: StoreEvent) => {
    const paid = past.filter((h) => h.kind === 'recovered' && h.bought.chainId === chainId && h.at >= at);
    return Math.min(graceEndsAt ?? 0, ...paid.map((h) => h.at));
  };
  return past.some((happening) => {
    const { purchasedAt, expiresAt, transactionId, offer } = happening.bought;
    const until = Math.max(expiresAt ?? Infinity, graceEndOf(happening));
    return offer !== 'coins' && purchasedAt <= atMs && atMs < until && !isRefunded(transactionId);
  });
}

export async function checkAccess(simulation: Simulation, { events }: StoredData): Promise<string[]> {
  const findings: string[] = [];
  const { script, journal, tenants, client, timeline } = simulation;
  for (const tenant of TENANTS) {
    const { projectId, secretKey: key } = tenants[tenant];
    const users = new Map<string, number[]>();
    for (const [l, { appUserId }] of script.lifecycles[tenant].entries())
      if (appUserId !== null) users.set(appUserId, [...(users.get(appUserId) ?? []), l]);
    for (const [user, lifecycles] of users) {
      if (journal.erasures.some((e) => e.tenant === tenant && e.user === user)) continue;
      const storeEvents = lifecycles.flatMap((l) => ownedStoreEvents(simulation, tenant, l, user));
      const get = (path: string) => simulation.awaitInTime(client.sendUntilAnswered({ method: 'GET', path, key }));
      const subscriber = await get(`/v1/subscribers/${user}`);
      const atMs = timeline.now();
      const entitlement = subscriber?.body.subscriber?.entitlements?.pro;
      const isActive = entitlement?.isActive === true;
      const expected = hasPaidAccess(storeEvents, atMs) || isGranted(listGrants(events, projectId, user), atMs);
      if (isActive !== expected)
        findings.push(
          `${tenant} ${user} has ${isActive ? '' : 'no '}access at ${new Date(atMs).toISOString()}: ${JSON.stringify(entitlement)}; store events: ${storeEvents.map((h) => `${h.kind} ${h.bought.transactionId} ${new Date(h.at).toISOString()} until ${h.bought.expiresAt && new Date(h.bought.expiresAt).toISOString()}`).join(', ')}`,
        );
      const explanation = await get(`/v1/projects/${projectId}/customers/${user}/access`);
      if (explanation?.status === 200 && explanation.body.has !== isActive)
        findings.push(
          `${tenant} ${user}: the access explanation says ${explanation.body.has}, the subscriber ${isActive}`,
        );
    }
  }
  return findings;
}

/** Returns the store events of the chains whose receipt this user has presented. */
export function ownedStoreEvents(
  { journal }: Simulation,
  tenant: TenantName,
  lifecycle: number,
  user: string,
): readonly StoreEvent[] {
  const place = lifecycleKey(tenant, lifecycle);
  const all = journal.storeEvents.get(place) ?? [];
  return all.filter(({ bought }) => journal.receiptOwners.get(`${place} ${bought.chainId}`) === user);
}

type Grant = { readonly from: number; readonly until: number };

/** Returns the user's grants, including those of the anonymous IDs that were merged into this user. */
function listGrants(events: readonly RecordedEvent[], projectId: string, user: string): readonly Grant[] {
  const naming = events.filter(
    (e) =>
      (e.type === 'CustomerCreated' || e.type === 'CustomerMergedInto') &&
      e.meta.projectId === projectId &&
      (e.data as { appUserId?: string }).appUserId === user,
  );
  const streams = new Set(naming.map((e) => e.stream));
  const own = events.filter((e) => streams.has(e.stream));
  return own.flatMap((e) => {
    if (e.type !== 'EntitlementGranted') return [];
    const { grantId, startsAt, expiresAt } = e.data as { grantId: string; startsAt: string; expiresAt: string | null };
    const revoked = own.find(
      (r) => r.type === 'EntitlementRevoked' && (r.data as { grantId: string }).grantId === grantId,
    );
    return [
      {
        // Dated by the clock of the granting process, which may be ahead.
        from: Date.parse(startsAt) - MAX_SKEW_MS,
        until: revoked ? Date.parse(revoked.meta.at) : Date.parse(expiresAt ?? '9999-12-31'),
      },
    ];
  });
}

function isGranted(grants: readonly Grant[], atMs: number): boolean {
  return grants.some(({ from, until }) => from <= atMs && atMs < until);
}
