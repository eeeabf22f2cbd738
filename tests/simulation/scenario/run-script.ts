// Runs a script from its first step until no work is left.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { deliveryCollection, type Delivery } from '../../../src/commands/webhooks/deliveries.js';
import { createChartClient } from '../engine/chart-client.js';
import { createConfig, type Installation, type Interceptors } from '../engine/process.js';
import { createProjectionDefects } from '../engine/projection-defects.js';
import { createOperatorRequests } from '../engine/operator-requests.js';
import { createReceivers } from '../engine/receivers.js';
import { createSimulatedStores, connectStores } from '../engine/simulated-stores.js';
import { createTimeline } from '../engine/timeline.js';
import { createLiveFeedClient } from '../engine/live-feed-client.js';
import { createFaultInjector } from '../engine/fault-injector.js';
import { performAction, type DelayedNotification } from './actions.js';
import { quiesce } from './quiesce.js';
import { createClient } from './client.js';
import { createProcessSupervisor, type ProcessSupervisor } from './process-supervisor.js';
import { createJournal } from './journal.js';
import type { Script } from './script.js';
import type { Simulation } from './simulation.js';
import type { Tenant } from './tenant.js';
import { noInterceptors, getBaseFixture } from './base-fixture.js';
import { deployRepair, injectFault } from './inject-fault.js';

/** Throws if the service does not become idle. `onBegun` gets the run before its first step. */
export async function runScript(
  script: Script,
  interceptors: Interceptors = noInterceptors,
  onStart: (simulation: Simulation) => void = () => undefined,
): Promise<Simulation> {
  const isShared = script.processes > 1;
  const { tenants, copy } = await getBaseFixture(isShared);
  const collections = new Set<string>();
  const storage = await copy((name) => collections.add(name));
  const { log } = storage;
  const deliveries = new Map<string, Delivery>();
  const deletedDeliveries = new Set<string>();
  const revertedDeliveries = new Set<string>();
  const docs: DocStore = {
    ...storage.docs,
    write: async (stages) => {
      const outcome = await storage.docs.write(stages);
      for (const { c, id, doc } of outcome === 'ok' ? stages.flat() : []) {
        if (c !== deliveryCollection.name) continue;
        if (doc?.['state'] === 'pending' && deliveries.get(id)?.state === 'delivered') revertedDeliveries.add(id);
        if (doc) deliveries.set(id, doc as unknown as Delivery);
        if (doc) deletedDeliveries.delete(id);
        else deletedDeliveries.add(id);
      }
      return outcome;
    },
  };
  const timeline = createTimeline(`play ${script.seed}`, script.startMs);
  const faults = createFaultInjector(timeline);
  const receivers = createReceivers(timeline);
  const stores = { acme: createSimulatedStores(timeline, 'acme'), bert: createSimulatedStores(timeline, 'bert') };
  const operator = createOperatorRequests(timeline);
  const createFeedClient = ({ projectId, secretKey }: Tenant) =>
    createLiveFeedClient(timeline, `/v1/projects/${projectId}/live`, secretKey);
  const liveFeedClients = { acme: createFeedClient(tenants.acme), bert: createFeedClient(tenants.bert) };
  const logLines: string[] = [];
  const installation: Installation = {
    timeline,
    faults,
    pace: script.pace,
    log,
    docs,
    isShared,
    operator,
    logLines,
    storesOf: (host) => connectStores(stores, tenants, host, faults),
    outboundOf: (host) => receivers.connect(host, faults),
    interceptors,
  };
  const chartClient = createChartClient(installation, script.seed);
  const defects = createProjectionDefects();
  const supervisor = createProcessSupervisor(installation, createConfig(installation), script.processes);
  const client = createClient(installation, supervisor.running);
  const journal = createJournal();
  let crashes = 0;
  const inTime = async <T>(work: Promise<T>, limitMs = 600_000): Promise<T> => {
    let isOver = false;
    const end = () => void (isOver = true);
    work.then(end, end);
    await timeline.runUntil(() => isOver, limitMs, 'a response');
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
  const simulation: Simulation = {
    script,
    timeline,
    faults,
    log,
    docs,
    isShared,
    journal,
    receivers,
    client,
    chartClient,
    liveFeedClients,
    tenants,
    logLines,
    deliveries,
    deletedDeliveries,
    revertedDeliveries,
    crashCount: () => crashes,
    running: supervisor.running,
    restart: async () => {
      supervisor.restart();
      await timeline.advance(1);
      await timeline.runUntil(supervisor.areAllReady, 300_000, 'readiness of all processes');
    },
    end: () => {
      defects.repair();
      supervisor.stopAll();
    },
    allDocuments,
    awaitInTime: inTime,
  };
  onStart(simulation);
  const delayed: DelayedNotification[] = [];
  const context = {
    timeline,
    script,
    client,
    journal,
    tenants,
    stores,
    delayed,
    liveFeedClients,
    operator,
    running: supervisor.running,
  };
  const inProgress = new Set<Promise<void>>();
  const start = (asking: Promise<void>) => {
    const work: Promise<void> = asking.finally(() => inProgress.delete(work));
    inProgress.add(work);
  };
  const sendDelayed = async (untilMs: number) => {
    delayed.sort((a, b) => a.atMs - b.atMs);
    while (delayed[0] && delayed[0].atMs <= untilMs) {
      const [{ atMs, send }] = delayed.splice(0, 1) as [DelayedNotification];
      await advanceTo(simulation, supervisor, atMs);
      start(send());
    }
  };
  for (const [n, step] of script.steps.entries()) {
    await sendDelayed(step.atMs);
    await advanceTo(simulation, supervisor, step.atMs);
    if (step.by === 'faults') {
      timeline.record(`fault ${JSON.stringify(step.fault)}`);
      if (step.fault.kind === 'crash') crashes++;
      injectFault(step.fault, { timeline, faults, receivers, supervisor, defects });
      continue;
    }
    timeline.record(`${step.by} ${JSON.stringify(step.act)}`);
    chartClient.queryOccasionally(tenants[step.by].projectId);
    start(performAction(context, step.by, step.act, n));
  }
  await timeline.advance(1);
  await sendDelayed(Infinity);
  deployRepair(defects, supervisor);
  await quiesce(simulation, supervisor, () => inProgress.size === 0);
  return simulation;
}

const MAX_SIMULATED_WAIT_MS = 2500;
const MAX_SHORTENED_WAIT_MS = 20_000;

/**
 * Advances to the time of a step. Long waits are shortened by clock jumps, while no request is in progress and the fan-out is not days
 * late.
 */
async function advanceTo(
  { timeline, client, log, deliveries, deletedDeliveries }: Simulation,
  supervisor: ProcessSupervisor,
  atMs: number,
): Promise<void> {
  const { random } = timeline;
  const remaining = () => atMs - timeline.now();
  if (remaining() <= 0) return;
  if (remaining() < MAX_SIMULATED_WAIT_MS) return timeline.advance(remaining());
  await timeline.advance(
    random.chance(0.03) ? random.whole(0, Math.min(MAX_SHORTENED_WAIT_MS, remaining())) : random.whole(0, 500),
  );
  // Many short jumps must not make a request last for days.
  if (atMs - client.inProgressSince() > MAX_REQUEST_MS)
    await timeline.runUntil(() => client.inProgress() === 0, WORK_TIMEOUT_MS, 'work in progress');
  while (remaining() > MIN_CHECKED_JUMP_MS) {
    const head = await log.raw.head();
    const isLate = ({ dueAt }: Delivery) => Date.parse(dueAt) < timeline.now() - OVERDUE_MS;
    const hasFannedOut = () =>
      supervisor.running().some(({ service }) => (service.services.progress.at('fanout') ?? '') >= head);
    const isWorkDone = () =>
      client.inProgress() === 0 && hasFannedOut() && !listQueueHeads(deliveries, deletedDeliveries).some(isLate);
    await timeline.runUntil(isWorkDone, WORK_TIMEOUT_MS, 'work in progress');
    timeline.jumpClocks(Math.max(0, Math.min(remaining(), MAX_JUMP_MS)));
    if (remaining() > 0) await timeline.advance(Math.min(remaining(), PAUSE_BETWEEN_JUMPS_MS));
  }
  timeline.jumpClocks(Math.max(0, remaining()));
}

const MIN_CHECKED_JUMP_MS = 12 * 3_600_000;
const MAX_REQUEST_MS = 86_400_000;
/** Jumps in steps, so that deliveries are attempted in between: in a running service none waits for a month. */
const MAX_JUMP_MS = 5 * 86_400_000;
const OVERDUE_MS = 2 * 86_400_000;
const PAUSE_BETWEEN_JUMPS_MS = 300;
/** Longer than the circuit of a failed endpoint stays open. */
const WORK_TIMEOUT_MS = 900_000;

/** Returns the oldest pending delivery of each queue. */
function listQueueHeads(deliveries: ReadonlyMap<string, Delivery>, removed: ReadonlySet<string>): readonly Delivery[] {
  const heads = new Map<string, Delivery>();
  for (const [id, one] of deliveries) {
    const known = heads.get(one.lane);
    if (one.state === 'pending' && !removed.has(id) && (!known || one.place < known.place)) heads.set(one.lane, one);
  }
  return [...heads.values()];
}
