// Opens what requests use, and the worker of webhooks, which takes deliveries from requests.
import type { Logger } from 'pino';
import type { Config } from '../adapters/configuration/config.js';
import type { Engine } from '../adapters/engine/engine.js';
import type { EventLog } from '../adapters/event-log/port.js';
import type { Metrics } from '../adapters/metrics/port.js';
import type { Passwords } from '../adapters/passwords/port.js';
import type { Runtime } from '../adapters/runtime.js';
import { createLive } from '../http/live/live-feeds.js';
import type { Services } from '../http/dispatch/services.js';
import { createReadModels } from '../projections/queries/read-models.js';
import { createServing } from '../projections/rebuild/serving.js';
import { projections } from '../projections/rebuild/registry.js';
import { createProgress } from '../projections/runtime/progress.js';
import { openCharts } from './charts/open-charts.js';
import { checkLogIdentity } from './check-log-identity.js';
import { canPlayDemos, type RunningDemo } from './demo/demo.js';
import { egressOf, type ExternalServices } from './external-services.js';
import { openAuth } from './open-auth.js';
import { openBooks } from './open-books.js';
import { openDeps } from './open-deps.js';
import { openWebhooks } from './open-webhooks.js';
import { createRequestServices } from './request-services.js';

type ServiceParts = {
  /** The engine with sealed personal fields. */
  readonly engine: Engine;
  /** The engine as it was opened. */
  readonly opened: Engine;
  readonly log: EventLog;
  /** Runtime by the clock of the machine, also while a demo plays the past. */
  readonly machine: Runtime;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly outside: ExternalServices;
  readonly demo: RunningDemo;
  readonly processId: string;
  readonly passwords: Passwords;
  readonly addresses: Pick<Services, 'publicUrl' | 'sdkUrl'>;
};

/** Rejects when the documents belong to another log. */
export async function openServices(config: Config, parts: ServiceParts) {
  const { engine, opened, log, machine, runtime, logger, metrics, outside, demo, processId, passwords } = parts;
  const { docs } = engine;
  const serving = createServing(docs, runtime);
  const readModels = createReadModels(docs, serving);
  const openedDeps = await openDeps({ ...engine, log }, outside.stores, runtime, processId, readModels);
  const deps = { ...openedDeps, rates: demo.simulateRates(openedDeps.rates) };
  await checkLogIdentity({ log, docs, serving }, projections);
  const progress = createProgress();
  const chartLedger = openCharts(config, { readModels, runtime });
  const { auth, accessTokens, onPasswordReset } = openAuth(config, { deps, machine, logger, passwords });
  const live = createLive({ log, runtime, logger });
  const sending = { deps, live, outbound: outside.outbound, logger, processId, isShared: engine.isShared };
  const { webhooks, attempts } = await openWebhooks(config, sending);
  const services: Services = {
    deps,
    runtime,
    log: logger,
    readModels,
    ...(await createRequestServices(config, deps, readModels, opened)),
    progress,
    auth,
    accessTokens,
    egress: egressOf(config),
    outbound: outside.outbound,
    ...openBooks({ log, docs, readModels, progress, runtime, logger }, deps),
    maxProjectsPerUser: config.MAX_PROJECTS_PER_USER,
    offerDeliveries: config.ROLES.includes('worker') ? webhooks.sender.offer : () => undefined,
    prepareStore: (kind) => outside.prepareStore(kind, logger),
    metrics,
    live,
    demo: canPlayDemos(config, engine) ? demo : null,
    ...parts.addresses,
    chartLedger,
  };
  return { services, deps, serving, webhooks, attempts, onPasswordReset, chartLedger };
}
