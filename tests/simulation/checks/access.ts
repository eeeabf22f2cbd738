// Checks the access that the service reports for each customer against the store events and the grants in the log. The reference is written
// from the stores' rules and shares no code with the service.
import type { StoreHappening } from '../../../simulator/happenings.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { placeOf } from '../world/journal.js';
import { MAX_SKEW_MS } from '../world/faults.js';
import type { Played } from '../world/played.js';
import { TENANTS, type TenantName } from '../world/tenant.js';
import type { Reader } from './reader.js';

/** Returns true if the purchases of one customer give access at an instant (UTC ms). */
export function opens(happenings: readonly StoreHappening[], atMs: number): boolean {
  const known = happenings.filter((h) => h.at <= atMs);
  const isBack = (transactionId: string) => {
    const about = known.filter(
      (h) => h.bought.transactionId === transactionId && (h.kind === 'refunded' || h.kind === 'refundReversed'),
    );
    return about.sort((a, b) => a.at - b.at).at(-1)?.kind === 'refunded';
  };
  /** A grace period ends early when its unpaid renewal is paid. */
  const graceOf = ({ at, bought: { chainId }, graceEndsAt }: StoreHappening) => {
    const paid = known.filter((h) => h.kind === 'recovered' && h.bought.chainId === chainId && h.at >= at);
    return Math.min(graceEndsAt ?? 0, ...paid.map((h) => h.at));
  };
  return known.some((happening) => {
    const { purchasedAt, expiresAt, transactionId, offer } = happening.bought;
    const until = Math.max(expiresAt ?? Infinity, graceOf(happening));
    return offer !== 'coins' && purchasedAt <= atMs && atMs < until && !isBack(transactionId);
  });
}

export async function checkAccess(played: Played, { events }: Reader): Promise<string[]> {
  const found: string[] = [];
  const { script, journal, tenants, client, timeline } = played;
  for (const by of TENANTS) {
    const { projectId, secretKey: key } = tenants[by];
    const users = new Map<string, number[]>();
    for (const [l, { appUserId }] of script.lifecycles[by].entries())
      if (appUserId !== null) users.set(appUserId, [...(users.get(appUserId) ?? []), l]);
    for (const [user, lifecycles] of users) {
      if (journal.erased.some((e) => e.tenant === by && e.user === user)) continue;
      const happened = lifecycles.flatMap((l) => ownedOf(played, by, l, user));
      const get = (path: string) => played.inTime(client.insist({ method: 'GET', path, key }));
      const shown = await get(`/v1/subscribers/${user}`);
      const atMs = timeline.now();
      const said = shown?.body.subscriber?.entitlements?.pro;
      const isActive = said?.isActive === true;
      const expected = opens(happened, atMs) || isGranted(grantsOf(events, projectId, user), atMs);
      if (isActive !== expected)
        found.push(
          `${by} ${user} has ${isActive ? '' : 'no '}access at ${new Date(atMs).toISOString()}: ${JSON.stringify(said)}; store events: ${happened.map((h) => `${h.kind} ${h.bought.transactionId} ${new Date(h.at).toISOString()} until ${h.bought.expiresAt && new Date(h.bought.expiresAt).toISOString()}`).join(', ')}`,
        );
      const explained = await get(`/v1/projects/${projectId}/customers/${user}/access`);
      if (explained?.status === 200 && explained.body.has !== isActive)
        found.push(`${by} ${user}: the access explanation says ${explained.body.has}, the subscriber ${isActive}`);
    }
  }
  return found;
}

/** Returns the store events of the chains whose receipt this user has presented. */
export function ownedOf(
  { journal }: Played,
  by: TenantName,
  lifecycle: number,
  user: string,
): readonly StoreHappening[] {
  const place = placeOf(by, lifecycle);
  const all = journal.happened.get(place) ?? [];
  return all.filter(({ bought }) => journal.presented.get(`${place} ${bought.chainId}`) === user);
}

type Grant = { readonly from: number; readonly until: number };

/** Returns the user's grants, including those of the anonymous IDs that were merged into this user. */
function grantsOf(events: readonly RecordedEvent[], projectId: string, user: string): readonly Grant[] {
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
