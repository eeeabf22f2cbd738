// Checks the log: streams have no gaps, and each acknowledged write is in the log exactly once.
import type { Simulation } from '../scenario/simulation.js';
import type { StoredData } from './stored-data.js';

/** Lifetime of an idempotency key (a day), minus the greatest difference of two clocks. */
const KEY_LIFETIME_MS = 86_400_000 - 600_000;

export function checkLog({ journal, tenants }: Simulation, { events }: StoredData): string[] {
  const findings: string[] = [];
  const revisions = new Map<string, number>();
  const ids = new Set<string>();
  for (const { stream, revision, id } of events) {
    const expected = (revisions.get(stream) ?? -1) + 1;
    if (revision !== expected) findings.push(`${stream} goes from revision ${expected - 1} to ${revision}`);
    revisions.set(stream, revision);
    if (ids.has(id)) findings.push(`event ${id} is in the log twice`);
    ids.add(id);
  }
  const count = <K>(keys: readonly K[], key: K) => keys.filter((k) => k === key).length;
  const grantIds = events.flatMap((e) =>
    e.type === 'EntitlementGranted' ? [(e.data as { grantId: string }).grantId] : [],
  );
  for (const { grantId } of journal.grants) {
    if (count(grantIds, grantId) !== 1)
      findings.push(`grant ${grantId} was acknowledged and is in the log ${count(grantIds, grantId)} times`);
  }
  for (const { tenant, user, name, firstSentAtMs, isAcked } of journal.customEvents) {
    if (journal.erasures.some((e) => e.tenant === tenant && e.user === user)) continue;
    const { projectId } = tenants[tenant];
    const times = events
      .filter(
        ({ type, meta, data }) =>
          type === 'CustomEventRecorded' && meta.projectId === projectId && (data as { name?: string }).name === name,
      )
      .map(({ meta }) => Date.parse(meta.recordedAt));
    // An idempotency key expires a day after its first request, which a pause may delay. A later repeat is a new request.
    const keyCreatedAt = (i: number) => (i === 0 ? firstSentAtMs : (times[i] ?? 0));
    const isDuplicate = times.some((ms, i) => i > 0 && ms - keyCreatedAt(i - 1) < KEY_LIFETIME_MS);
    if (isDuplicate || (isAcked && times.length === 0))
      findings.push(
        `event ${name} of ${tenant} was ${isAcked ? '' : 'not '}acknowledged; times in the log: ${times.map((ms) => new Date(ms).toISOString()).join(', ')}`,
      );
  }
  const inbox = events.filter((e) => e.stream.startsWith('inbox-'));
  const inboxEvents = (type: string) => inbox.filter((e) => e.type === type);
  const times = new Map<string, number>();
  for (const { stream } of inboxEvents('StoreNotificationReceived')) times.set(stream, (times.get(stream) ?? 0) + 1);
  for (const [stream, n] of times) if (n !== 1) findings.push(`${stream} was received ${n} times`);
  const perTenant = (name: string) =>
    new Set(journal.notifications.filter((n) => n.tenant === name).map(({ key }) => key)).size;
  for (const tenant of Object.values(tenants)) {
    const stored = inboxEvents('StoreNotificationReceived').filter((e) => e.meta.projectId === tenant.projectId).length;
    const accepted = perTenant(tenant.name);
    if (stored !== accepted)
      findings.push(`${accepted} notifications of ${tenant.name} were accepted, ${stored} are in the log`);
  }
  const processed = new Map<string, number>();
  for (const { stream } of inboxEvents('StoreNotificationProcessed'))
    processed.set(stream, (processed.get(stream) ?? 0) + 1);
  for (const stream of times.keys())
    if (processed.get(stream) !== 1) findings.push(`${stream} was processed ${processed.get(stream) ?? 0} times`);
  return findings;
}
