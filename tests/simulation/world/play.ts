// Runs a script from its first step until no work is left.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { deliveryCollection, type Delivery } from '../../../src/commands/webhooks/deliveries.js';
import { createAnalyst } from '../engine/analyst.js';
import { configOf, type Installation, type Wrap } from '../engine/process.js';
import { createDefects } from '../engine/defects.js';
import { createOperator } from '../engine/operator.js';
import { createReceivers } from '../engine/receivers.js';
import { createShops, storesOfTenants } from '../engine/shops.js';
import { createTimeline } from '../engine/timeline.js';
import { createViewer } from '../engine/viewer.js';
import { createWeather } from '../engine/weather.js';
import { perform, type Held } from './act.js';
import { calm } from './calm.js';
import { createClient } from './client.js';
import { createCrew, type Crew } from './crew.js';
import { emptyJournal } from './journal.js';
import type { Script } from './script.js';
import type { Played } from './played.js';
import type { Tenant } from './tenant.js';
import { nothingPlanted, seedlingOf } from './seedling.js';
import { repair, strike } from './strike.js';

/** Throws if the service does not become idle. `onBegun` gets the run before its first step. */
export async function play(
  script: Script,
  wrap: Wrap = nothingPlanted,
  onBegun: (played: Played) => void = () => undefined,
): Promise<Played> {
  const isShared = script.processes > 1;
  const { tenants, copy } = await seedlingOf(isShared);
  const collections = new Set<string>();
  const copied = await copy((name) => collections.add(name));
  const { log } = copied;
  const deliveries = new Map<string, Delivery>();
  const removed = new Set<string>();
  const undone = new Set<string>();
  const docs: DocStore = {
    ...copied.docs,
    write: async (stages) => {
      const outcome = await copied.docs.write(stages);
      for (const { c, id, doc } of outcome === 'ok' ? stages.flat() : []) {
        if (c !== deliveryCollection.name) continue;
        if (doc?.['state'] === 'pending' && deliveries.get(id)?.state === 'delivered') undone.add(id);
        if (doc) deliveries.set(id, doc as unknown as Delivery);
        if (doc) removed.delete(id);
        else removed.add(id);
      }
      return outcome;
    },
  };
  const timeline = createTimeline(`play ${script.seed}`, script.startMs);
  const weather = createWeather(timeline);
  const receivers = createReceivers(timeline);
  const shops = { acme: createShops(timeline, 'acme'), bert: createShops(timeline, 'bert') };
  const operator = createOperator(timeline);
  const viewerOf = ({ projectId, secretKey }: Tenant) =>
    createViewer(timeline, `/v1/projects/${projectId}/live`, secretKey);
  const viewers = { acme: viewerOf(tenants.acme), bert: viewerOf(tenants.bert) };
  const lines: string[] = [];
  const world: Installation = {
    timeline,
    weather,
    pace: script.pace,
    log,
    docs,
    isShared,
    operator,
    lines,
    storesOf: (host) => storesOfTenants(shops, tenants, host, weather),
    outboundOf: (host) => receivers.outboundOf(host, weather),
    wrap,
  };
  const analyst = createAnalyst(world, script.seed);
  const defects = createDefects();
  const crew = createCrew(world, configOf(world), script.processes);
  const client = createClient(world, crew.serving);
  const journal = emptyJournal();
  let crashes = 0;
  const inTime = async <T>(work: Promise<T>, limitMs = 600_000): Promise<T> => {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    await timeline.until(() => isOver, limitMs, 'a response');
    return work;
  };
  const allDocuments = async () => {
    const texts: [string, string, string][] = [];
    for (const c of collections) {
      const { rows } = await docs.scan(c, { index: 'id', eq: [], limit: 100_000 }).catch(() => ({ rows: [] }));
      for (const { id, doc } of rows) texts.push([c, id, JSON.stringify(doc)]);
    }
    return texts;
  };
  const played: Played = {
    script,
    timeline,
    weather,
    log,
    docs,
    isShared,
    journal,
    receivers,
    client,
    analyst,
    viewers,
    tenants,
    lines,
    deliveries,
    removed,
    undone,
    crashes: () => crashes,
    serving: crew.serving,
    restart: async () => {
      crew.restart();
      await timeline.pass(1);
      await timeline.until(crew.allReady, 300_000, 'readiness of all processes');
    },
    end: () => {
      defects.mend();
      crew.end();
    },
    allDocuments,
    inTime,
  };
  onBegun(played);
  const held: Held[] = [];
  const stage = { timeline, script, client, journal, tenants, shops, held, viewers, operator, serving: crew.serving };
  const open = new Set<Promise<void>>();
  const begin = (asking: Promise<void>) => {
    const work: Promise<void> = asking.finally(() => open.delete(work));
    open.add(work);
  };
  const letGo = async (untilMs: number) => {
    held.sort((a, b) => a.atMs - b.atMs);
    while (held[0] && held[0].atMs <= untilMs) {
      const [{ atMs, send }] = held.splice(0, 1) as [Held];
      await reach(played, crew, atMs);
      begin(send());
    }
  };
  for (const [n, step] of script.steps.entries()) {
    await letGo(step.atMs);
    await reach(played, crew, step.atMs);
    if (step.by === 'faults') {
      timeline.note(`fault ${JSON.stringify(step.fault)}`);
      if (step.fault.kind === 'crash') crashes++;
      strike(step.fault, { timeline, weather, receivers, crew, defects });
      continue;
    }
    timeline.note(`${step.by} ${JSON.stringify(step.act)}`);
    analyst.look(tenants[step.by].projectId);
    begin(perform(stage, step.by, step.act, n));
  }
  await timeline.pass(1);
  await letGo(Infinity);
  repair(defects, crew);
  await calm(played, crew, () => open.size === 0);
  return played;
}

const MAX_PLAYED_MS = 2500;
const LONG_MS = 20_000;

/**
 * Advances to the time of a step. Long waits are shortened by clock jumps, while no request is in progress and the fan-out is not days
 * late.
 */
async function reach({ timeline, client, log, deliveries, removed }: Played, crew: Crew, atMs: number): Promise<void> {
  const { random } = timeline;
  const left = () => atMs - timeline.now();
  if (left() <= 0) return;
  if (left() < MAX_PLAYED_MS) return timeline.pass(left());
  await timeline.pass(random.chance(0.03) ? random.whole(0, Math.min(LONG_MS, left())) : random.whole(0, 500));
  // Many short jumps must not make a request last for days.
  if (atMs - client.underWaySince() > MAX_REQUEST_MS)
    await timeline.until(() => client.underWay() === 0, SETTLED_MS, 'work in progress');
  while (left() > LONG_JUMP_MS) {
    const head = await log.raw.head();
    const isLate = ({ dueAt }: Delivery) => Date.parse(dueAt) < timeline.now() - OVERDUE_MS;
    const hasFannedOut = () =>
      crew.serving().some(({ service }) => (service.services.progress.at('fanout') ?? '') >= head);
    const isSettled = () => client.underWay() === 0 && hasFannedOut() && !headsOf(deliveries, removed).some(isLate);
    await timeline.until(isSettled, SETTLED_MS, 'work in progress');
    timeline.jump(Math.max(0, Math.min(left(), MAX_JUMP_MS)));
    if (left() > 0) await timeline.pass(Math.min(left(), SHORT_MS));
  }
  timeline.jump(Math.max(0, left()));
}

const LONG_JUMP_MS = 12 * 3_600_000;
const MAX_REQUEST_MS = 86_400_000;
/** Jumps in steps, so that deliveries are attempted in between: in a running service none waits for a month. */
const MAX_JUMP_MS = 5 * 86_400_000;
const OVERDUE_MS = 2 * 86_400_000;
const SHORT_MS = 300;
/** Longer than the circuit of a failed endpoint stays open. */
const SETTLED_MS = 900_000;

/** Returns the oldest pending delivery of each queue. */
function headsOf(deliveries: ReadonlyMap<string, Delivery>, removed: ReadonlySet<string>): readonly Delivery[] {
  const heads = new Map<string, Delivery>();
  for (const [id, one] of deliveries) {
    const known = heads.get(one.lane);
    if (one.state === 'pending' && !removed.has(id) && (!known || one.place < known.place)) heads.set(one.lane, one);
  }
  return [...heads.values()];
}
