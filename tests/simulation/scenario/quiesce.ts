// Quiesces a run: ends all faults, and advances time until no work is left.
import type { Row } from '../../../src/adapters/documents/port.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { readHealth } from '../../../src/commands/webhooks/endpoint-health.js';
import { EXPIRY_MS } from '../../../src/workers/coordination/lease.js';
import type { ProcessSupervisor } from './process-supervisor.js';
import type { Simulation } from './simulation.js';

const IDLE_MS = 2500;
const DAY_MS = 86_400_000;
const MAX_ROUNDS = 150;

/** Throws if the service does not become idle. */
export async function quiesce(
  simulation: Simulation,
  supervisor: ProcessSupervisor,
  hasAllResponses: () => boolean,
): Promise<void> {
  const { timeline, faults, receivers, script, chartClient } = simulation;
  faults.clear();
  receivers.behaviours.clear();
  const hosts = Array.from({ length: script.processes }, (_, n) => supervisor.host(n));
  for (const host of hosts) host.skewMs = 0;
  timeline.record('all faults end');
  // Work of a paused process continues only after the pause, so an idle service may not be finished yet.
  await timeline.advance(Math.max(0, ...hosts.map(({ pausedUntil }) => pausedUntil - timeline.elapsed())));
  await timeline.runUntil(() => supervisor.areAllReady(), 300_000, 'readiness of all processes');
  await timeline.runUntil(hasAllResponses, 900_000, 'responses to all requests');
  await timeline.runUntil(() => !chartClient.isBusy(), 900_000, 'the result of the chart query');
  chartClient.disableFaults();
  // Another process takes over the work of a crashed one only when its leases have expired.
  if (script.processes > 1) await timeline.advance(EXPIRY_MS + IDLE_MS);
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const before = timeline.activityCount();
    await timeline.advance(IDLE_MS * script.pace);
    if (timeline.activityCount() !== before) continue;
    const next = await findNextDue(simulation);
    if (next === null) return;
    timeline.jumpClocks(Math.max(0, next - timeline.now()));
  }
  throw new Error('the service does not become idle');
}

/** Returns the time of the next delivery attempt or store task within three days; null if there is none. */
async function findNextDue({ docs, timeline }: Simulation): Promise<number | null> {
  const now = timeline.now();
  const { rows } = await docs.scan(deliveryCollection.name, { index: 'id', eq: [], limit: 100_000 });
  const pending = rows.filter(({ doc }) => doc['gate'] !== 'done');
  const health = await readHealth({ docs }, [...new Set(pending.map(({ doc }) => String(doc['endpointId'])))]);
  // A delivery to an endpoint with an open circuit waits for the next probe.
  const attemptAt = ({ doc }: Row) => {
    const openUntil = health.get(String(doc['endpointId']))?.openUntil ?? '';
    return [openUntil, String(doc['dueAt'])].sort().at(-1) as string;
  };
  const tasks = (await docs.scan('store_tasks', { index: 'id', eq: [], limit: 10_000 })).rows;
  const polled = tasks.filter(
    ({ doc }) =>
      !['sweep', 'orders', 'catch-up'].includes(String((doc['work'] as { kind?: string } | undefined)?.kind)),
  );
  const due = [...pending.map(attemptAt), ...polled.map(({ doc }) => String(doc['dueAt']))];
  const times = due.map((iso) => Date.parse(iso)).filter((ms) => ms < now + 3 * DAY_MS);
  return times.length === 0 ? null : Math.max(now + 1, Math.min(...times));
}
