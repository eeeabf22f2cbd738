// Checks the log: streams have no gaps, and each acknowledged write is in the log exactly once.
import type { Played } from '../world/played.js';
import type { Reader } from './reader.js';

/** Lifetime of an idempotency key (a day), minus the greatest difference of two clocks. */
const KEY_KNOWN_MS = 86_400_000 - 600_000;

export function checkFacts({ journal, tenants }: Played, { events }: Reader): string[] {
  const found: string[] = [];
  const revisions = new Map<string, number>();
  const ids = new Set<string>();
  for (const { stream, revision, id } of events) {
    const expected = (revisions.get(stream) ?? -1) + 1;
    if (revision !== expected) found.push(`${stream} goes from revision ${expected - 1} to ${revision}`);
    revisions.set(stream, revision);
    if (ids.has(id)) found.push(`event ${id} is in the log twice`);
    ids.add(id);
  }
  const count = <K>(keys: readonly K[], key: K) => keys.filter((k) => k === key).length;
  const granted = events.flatMap((e) =>
    e.type === 'EntitlementGranted' ? [(e.data as { grantId: string }).grantId] : [],
  );
  for (const { grantId } of journal.grants) {
    if (count(granted, grantId) !== 1)
      found.push(`grant ${grantId} was acknowledged and is in the log ${count(granted, grantId)} times`);
  }
  for (const { tenant, user, name, askedAtMs, isAcked } of journal.recorded) {
    if (journal.erased.some((e) => e.tenant === tenant && e.user === user)) continue;
    const { projectId } = tenants[tenant];
    const times = events
      .filter(
        ({ type, meta, data }) =>
          type === 'CustomEventRecorded' && meta.projectId === projectId && (data as { name?: string }).name === name,
      )
      .map(({ meta }) => Date.parse(meta.recordedAt));
    // An idempotency key expires a day after its first request, which a pause may delay. A later repeat is a new request.
    const knownSince = (i: number) => (i === 0 ? askedAtMs : (times[i] ?? 0));
    const isTwice = times.some((ms, i) => i > 0 && ms - knownSince(i - 1) < KEY_KNOWN_MS);
    if (isTwice || (isAcked && times.length === 0))
      found.push(
        `event ${name} of ${tenant} was ${isAcked ? '' : 'not '}acknowledged; times in the log: ${times.map((ms) => new Date(ms).toISOString()).join(', ')}`,
      );
  }
  const inbox = events.filter((e) => e.stream.startsWith('inbox-'));
  const received = (type: string) => inbox.filter((e) => e.type === type);
  const times = new Map<string, number>();
  for (const { stream } of received('StoreNotificationReceived')) times.set(stream, (times.get(stream) ?? 0) + 1);
  for (const [stream, n] of times) if (n !== 1) found.push(`${stream} was received ${n} times`);
  const perTenant = (name: string) =>
    new Set(journal.notified.filter((n) => n.tenant === name).map(({ key }) => key)).size;
  for (const tenant of Object.values(tenants)) {
    const kept = received('StoreNotificationReceived').filter((e) => e.meta.projectId === tenant.projectId).length;
    const taken = perTenant(tenant.name);
    if (kept !== taken) found.push(`${taken} notifications of ${tenant.name} were accepted, ${kept} are in the log`);
  }
  const processed = new Map<string, number>();
  for (const { stream } of received('StoreNotificationProcessed'))
    processed.set(stream, (processed.get(stream) ?? 0) + 1);
  for (const stream of times.keys())
    if (processed.get(stream) !== 1) found.push(`${stream} was processed ${processed.get(stream) ?? 0} times`);
  return found;
}
