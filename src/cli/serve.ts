// `subledger serve`: runs the roles of the configuration until it receives a signal to stop.
import type { Logger } from 'pino';
import { readConfig, settingNames } from '../adapters/configuration/config.js';
import { describeMisspeltName, findMisspeltNames } from '../adapters/configuration/misspelt-names.js';
import { systemRuntime } from '../adapters/runtime.js';
import { startService, type Service } from '../main.js';
import { registrationOf } from '../main/registration.js';
import { openLogOutput } from './support/log-output.js';

/** Time limit of a shutdown; the process is safe to kill at any moment. */
const HARD_STOP_MS = 20_000;
const TEXTS = {
  open: 'open to everyone who can reach this service',
  first_user_only: 'open for the first user only; all others need an invitation',
  closed: 'closed; only invited users can register',
} as const;

export async function serve(): Promise<void> {
  const config = readConfig(process.env);
  const { logger, flush, writeFatal, close } = openLogOutput(config.LOG_LEVEL);
  for (const misspelt of findMisspeltNames(Object.keys(process.env), settingNames))
    logger.warn(misspelt, describeMisspeltName(misspelt));
  const crash = (err: unknown) => {
    writeFatal(err);
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  // While the service waits for its servers, no work is in progress.
  let onStop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    flush();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => onStop(signal));
  process.on('SIGINT', (signal) => onStop(signal));
  const service = await startService(config, systemRuntime(), logger);
  if (service.url !== null) logger.info({ url: service.url }, `listening on ${service.url}`);
  if (service.compatUrl !== null)
    logger.info({ url: service.compatUrl }, `SDK compatibility API: ${service.compatUrl}`);
  if (service.dashboardUrl !== null) logger.info({ url: service.dashboardUrl }, `dashboard at ${service.dashboardUrl}`);
  if (service.url !== null)
    logger.info(registrationOf(config), `registration is ${TEXTS[registrationOf(config).registration]}`);
  const hardStop = new AbortController();
  let isStopping = false;
  /** Drains for the load balancer, except on a terminal (SIGINT) or after a second signal. */
  onStop = (signal) => {
    if (signal === 'SIGINT' || isStopping) hardStop.abort();
    if (isStopping) return;
    isStopping = true;
    const drainMs = hardStop.signal.aborted ? 0 : config.DRAIN_SECONDS * 1000;
    logger.info({ signal, drainMs }, 'stopping');
    setTimeout(() => process.exit(1), drainMs + HARD_STOP_MS).unref();
    service
      .stop({ drainMs, hurry: hardStop.signal })
      .then(close)
      .then(() => process.exit(0), crash);
  };
  await service.ready;
  logger.info({ roles: config.ROLES, dataDir: config.DATA_DIR }, 'ready');
  if (config.ROLES.includes('http')) await warmUp(service.services, logger);
}

/** Warms up resources that the first requests would otherwise wait for. */
async function warmUp({ chartLedger, storeRecords, prepareStore }: Service['services'], logger: Logger): Promise<void> {
  chartLedger.warm();
  try {
    for (const kind of await storeRecords.kinds()) prepareStore(kind);
  } catch (err) {
    // The first message of a store loads its library on demand.
    logger.warn({ err: String(err) }, 'store libraries not loaded');
  }
}
