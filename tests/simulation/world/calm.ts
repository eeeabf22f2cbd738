// Quiesces a run: ends all faults, and advances time until no work is left.
import type { Row } from '../../../src/adapters/documents/port.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { readHealth } from '../../../src/commands/webhooks/endpoint-health.js';
import { LAPSES_MS } from '../../../src/workers/coordination/lease.js';
import type { Crew } from './crew.js';
import type { Played } from './played.js';

const QUIET_MS = 2500;
const DAY_MS = 86_400_000;
const MAX_ROUNDS = 150;

/** Throws if the service does not become idle. */
export async function calm(played: Played, crew: Crew, isAllAsked: () => boolean): Promise<void> {
  const { timeline, weather, receivers, script, analyst } = played;
  weather.clear();
  receivers.manners.clear();
  const hosts = Array.from({ length: script.processes }, (_, n) => crew.host(n));
  for (const host of hosts) host.skewMs = 0;
  timeline.note('all faults end');
  // Work of a paused process continues only after the pause, so an idle service may not be finished yet.
  await timeline.pass(Math.max(0, ...hosts.map(({ pausedUntil }) => pausedUntil - timeline.elapsed())));
  await timeline.until(() => crew.allReady(), 300_000, 'readiness of all processes');
  await timeline.until(isAllAsked, 900_000, 'responses to all requests');
  await timeline.until(() => !analyst.isLooking(), 900_000, 'the result of the chart query');
  analyst.rest();
  // Another process takes over the work of a crashed one only when its leases have expired.
  if (script.processes > 1) await timeline.pass(LAPSES_MS + QUIET_MS);
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const before = timeline.deeds();
    await timeline.pass(QUIET_MS * script.pace);
    if (timeline.deeds() !== before) continue;
    const next = await nextDue(played);
    if (next === null) return;
    timeline.jump(Math.max(0, next - timeline.now()));
  }
  throw new Error('the service does not become idle');
}

/** Returns the time of the next delivery attempt or store task within three days; null if there is none. */
async function nextDue({ docs, timeline }: Played): Promise<number | null> {
  const now = timeline.now();
  const { rows } = await docs.scan(deliveryCollection.name, { index: 'id', eq: [], limit: 100_000 });
  const pending = rows.filter(({ doc }) => doc['gate'] !== 'done');
  const health = await readHealth({ docs } as never, [...new Set(pending.map(({ doc }) => String(doc['endpointId'])))]);
  // A delivery to an endpoint with an open circuit waits for the next probe.
  const triedAt = ({ doc }: Row) => {
    const openUntil = health.get(String(doc['endpointId']))?.openUntil ?? '';
    return [openUntil, String(doc['dueAt'])].sort().at(-1) as string;
  };
  const tasks = (await docs.scan('store_tasks', { index: 'id', eq: [], limit: 10_000 })).rows;
  const short = tasks.filter(
    ({ doc }) => !['sweep', 'catch-up'].includes(String((doc['work'] as { kind?: string } | undefined)?.kind)),
  );
  const due = [...pending.map(triedAt), ...short.map(({ doc }) => String(doc['dueAt']))];
  const times = due.map((iso) => Date.parse(iso)).filter((ms) => ms < now + 3 * DAY_MS);
  return times.length === 0 ? null : Math.max(now + 1, Math.min(...times));
}
