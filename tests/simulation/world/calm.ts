// The end of a world: nothing fails any more, and time goes on until nothing is left to do.
import type { Row } from '../../../src/adapters/documents/port.js';
import { deliveryCollection } from '../../../src/commands/webhooks/deliveries.js';
import { readHealth } from '../../../src/commands/webhooks/endpoint-health.js';
import { LAPSES_MS } from '../../../src/workers/coordination/lease.js';
import type { Crew } from './crew.js';
import type { Played } from './played.js';

const QUIET_MS = 2500;
const DAY_MS = 86_400_000;
const MAX_ROUNDS = 150;

/** Nothing fails any more, and time goes on until nothing is left to do. */
export async function calm(played: Played, crew: Crew, isAllAsked: () => boolean): Promise<void> {
  const { timeline, weather, receivers, script, analyst } = played;
  weather.clear();
  receivers.manners.clear();
  const hosts = Array.from({ length: script.processes }, (_, n) => crew.host(n));
  for (const host of hosts) host.skewMs = 0;
  timeline.note('calm');
  // What a paused process was at goes on only when its pause is over: until then a world that rests has not ended.
  await timeline.pass(Math.max(0, ...hosts.map(({ pausedUntil }) => pausedUntil - timeline.elapsed())));
  await timeline.until(() => crew.allReady(), 300_000, 'all processes are ready');
  await timeline.until(isAllAsked, 900_000, 'all requests are answered');
  await timeline.until(() => !analyst.isLooking(), 900_000, 'the analyst is answered');
  analyst.rest();
  // What a process that died had begun is another's once its leases have lapsed.
  if (script.processes > 1) await timeline.pass(LAPSES_MS + QUIET_MS);
  for (let rounds = 0; rounds < MAX_ROUNDS; rounds++) {
    const before = timeline.deeds();
    await timeline.pass(QUIET_MS * script.pace);
    if (timeline.deeds() !== before) continue;
    const next = await nextDue(played);
    if (next === null) return;
    timeline.jump(Math.max(0, next - timeline.now()));
  }
  throw new Error('the world does not come to rest');
}

/** When a delivery is to be tried, a deadline passes, or a task of a store is due: within a day. Null: nothing is. */
async function nextDue({ docs, timeline }: Played): Promise<number | null> {
  const now = timeline.now();
  const { rows } = await docs.scan(deliveryCollection.name, { index: 'id', eq: [], limit: 100_000 });
  const pending = rows.filter(({ doc }) => doc['gate'] !== 'done');
  const health = await readHealth({ docs } as never, [...new Set(pending.map(({ doc }) => String(doc['endpointId'])))]);
  // What is due long ago waits for the endpoint that is left alone, which is probed only then.
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
