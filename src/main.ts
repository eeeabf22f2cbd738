// The composition root: engine, commands, read models, workers and HTTP are put together here and nowhere else.
import type { Logger } from 'pino';
import type { Config } from './adapters/configuration/config.js';
import { dataDirectoryFault } from './adapters/configuration/data-directory.js';
import { measureAppends, traceAppends } from './adapters/event-log/observed-appends.js';
import { createPrometheus } from './adapters/metrics/prometheus.js';
import { openEngine, type Engine } from './adapters/engine/engine.js';
import type { Passwords } from './adapters/passwords/port.js';
import { createPasswords } from './adapters/passwords/worker.js';
import type { Runtime } from './adapters/runtime.js';
import { openMasterKeys } from './adapters/keys/secrets.js';
import type { Live } from './http/live/live-feeds.js';
import type { Listener } from './http/server/listener.js';
import type { Services } from './http/dispatch/services.js';
import { startOnceServersRespond } from './main/await-servers.js';
import { createDemo, type RunningDemo } from './main/demo/demo.js';
import { openListeners, sdkUrlOf, type Listeners } from './main/listeners.js';
import { listenForMetrics } from './main/metrics.js';
import { createApps } from './main/open-app.js';
import { openServices } from './main/open-services.js';
import { openExternalServices, type OpenExternalServices } from './main/external-services.js';
import { sealEngine } from './main/personal-fields.js';
import { startRoles } from './main/roles.js';
import { projections } from './projections/rebuild/registry.js';
import { reportHealth } from './workers/coordination/health.js';
import type { Reaction } from './workers/reactions/reaction.js';

export type Service = {
  readonly services: Services;
  /** Plays demos of a plan; needs embedded storage and all roles. */
  readonly demo: Pick<RunningDemo, 'play' | 'stop'>;
  /** `http://host:port`; null without the `http` role. */
  readonly url: string | null;
  /** Address of the dashboard; null where none is served. */
  readonly dashboardUrl: string | null;
  /** Address of the compatibility API; null without `COMPAT_PORT`. */
  readonly compatUrl: string | null;
  /** `http://host:port` of the second listener; null without `METRICS_PORT`. */
  readonly metricsUrl: string | null;
  /** Resolves once the read models have reached the head of the log; until then only stores and log-ins are served. */
  readonly ready: Promise<void>;
  /** Resolves when failed log-ins are recorded, workers and read models have handled every event, and what is due has been tried, but for deliveries of webhooks. */
  idle(): Promise<void>;
  /** Resolves when the workers have handled every event appended so far; the read models may not show them yet. */
  waitForReactions(): Promise<void>;
  /** Passes the deadlines that are due by the clock as it stands, as the deadlines worker does each second. */
  passDeadlines(): Promise<void>;
  /** Reports not ready, accepts requests for another `drainMs`, finishes work in progress, saves checkpoints, closes the files. */
  stop(o?: StopOptions): Promise<void>;
};

export type StopOptions = {
  /** Time that a balancer needs to notice; default 0. */
  readonly drainMs?: number;
  /** Ends that wait. */
  readonly hurry?: AbortSignal;
};

export type StartOptions = {
  /** Replaces hashing at the default cost; closed when the service stops. */
  readonly passwords?: Passwords;
  /** Replaces ending the process when work is stuck. */
  readonly onStuck?: (name: string) => void;
};

/** Starts the roles of the configuration, once its servers respond. Throws `DirectoryInUse`, `CannotOpen`, `UnusableRootCertificates`, or why it cannot listen. */
export async function startService(
  config: Config,
  runtime: Runtime,
  logger: Logger,
  o: StartOptions = {},
): Promise<Service> {
  const open = () => openEngine(config, (isUsed) => openMasterKeys(config, isUsed, runtime, logger), runtime);
  const start = (engine: Engine, settled: Config) =>
    startOn(engine, openExternalServices, settled, runtime, logger, o).catch((err: unknown) => {
      throw dataDirectoryFault(config.DATA_DIR, err);
    });
  return startOnceServersRespond({ config, runtime, logger }, open, start);
}

/** Starts on an open engine, and closes it with the service. */
export async function startOn(
  opened: Engine,
  outsideOf: OpenExternalServices,
  config: Config,
  machine: Runtime,
  logger: Logger,
  { passwords = createPasswords(), onStuck }: StartOptions,
): Promise<Service> {
  const engine = sealEngine(opened, machine);
  const { docs } = engine;
  const stage = { url: () => listeners.url ?? '', services: () => services, roles: () => roles };
  const demo = createDemo(machine, logger, stage);
  const runtime = { ...machine, now: () => demo.now() ?? machine.now() };
  const metrics = createPrometheus({ watchesProcess: config.METRICS_PORT !== undefined });
  const log = traceAppends(measureAppends(engine.log, metrics, runtime));
  const processId = runtime.newId('proc');
  const outside = outsideOf({ config, runtime, docs, trustSimulated: demo.trustSimulated });
  let publicUrl = config.PUBLIC_URL?.replace(/\/$/, '') ?? '';
  const addresses = { publicUrl: () => publicUrl, sdkUrl: () => sdkUrlOf(config, listeners, publicUrl) };
  const system = { engine, opened, log, machine, runtime, logger, metrics, outside, demo, processId, passwords };
  const { services, ...work } = await openServices(config, { ...system, addresses });
  const { auth, live, progress, readModels, books, reportFiles } = services;
  const health = { hasCaughtUp: false, isDraining: false };
  const listeners = await openListeners(config, await createApps(config, services, health), runtime);
  publicUrl ||= listeners.url ?? '';
  let reactions: readonly Reaction[] = [];
  let stalled = (): readonly string[] => [];
  const stats = () => work.webhooks.sender.stats();
  const ofEngine = { log, docs, diskFree: engine.diskFree, processId: engine.isShared ? processId : null };
  const healthSources = { ...ofEngine, runtime, progress, serving: work.serving, projections };
  const reportNow = () => reportHealth({ ...healthSources, reactions, stalled: stalled(), sending: stats() });
  const metricsParts = { page: metrics, health: reportNow, sending: stats, logger };
  const metricsListener = await listenForMetrics(config, metricsParts, runtime);

  const onCaughtUp = () => (health.hasCaughtUp = true);
  const roles = startRoles({
    ...work,
    config,
    engine,
    operator: outside.operator,
    runtime,
    logger,
    readModels,
    progress,
    books,
    reportFiles,
    live,
    processId,
    health: reportNow,
    loadStoreRecords: services.storeRecords.preload,
    onCaughtUp,
    around: demo.around,
    isPlayingPast: demo.isPlayingAny,
    onStuck,
  });
  ({ reactions, stalled } = roles);

  return {
    services,
    demo,
    url: listeners.url,
    dashboardUrl: listeners.dashboardUrl,
    compatUrl: listeners.compatUrl,
    metricsUrl: metricsListener?.url ?? null,
    ready: roles.ready,
    idle: () => auth.idle().then(roles.idle),
    waitForReactions: roles.waitForReactions,
    passDeadlines: roles.passDeadlines,
    stop: async (options = {}) => {
      health.isDraining = true;
      await demo.stop();
      await drainRequests({ listeners, metricsListener, live, runtime }, options);
      await roles.stop();
      await Promise.all([auth.idle(), services.keyUses.idle(), services.sdkCalls.flush()]);
      await Promise.all([passwords.close(), work.chartLedger.close()]);
      await outside.close();
      await engine.close();
    },
  };
}

type RequestSources = {
  readonly listeners: Listeners;
  readonly metricsListener: Listener | null;
  readonly live: Live;
  readonly runtime: Runtime;
};

/** Accepts requests for another `drainMs`, then finishes those in progress. */
async function drainRequests(
  { listeners, metricsListener, live, runtime }: RequestSources,
  { drainMs = 0, hurry }: StopOptions,
): Promise<void> {
  listeners.beginDrain();
  if (listeners.url !== null && drainMs > 0) await runtime.sleep(drainMs, hurry);
  live.close();
  await listeners.drain();
  await metricsListener?.drain();
}
