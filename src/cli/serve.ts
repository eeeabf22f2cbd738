// `subledger serve`: runs the roles of the configuration until it receives a signal to stop.
import { pino } from 'pino';
import { readConfig, type Config } from '../adapters/config.js';
import { systemRuntime } from '../adapters/runtime.js';
import { startService } from '../main.js';
import { fail } from './support/failure.js';

/** What takes longer once nobody new is served is cut: the process is safe to kill at any moment. */
const HARD_STOP_MS = 20_000;
const LOG_WITHIN_MS = 100;

export async function serve(): Promise<void> {
  const config = configOrEnd();
  // Lines of a busy moment are written together.
  const output = pino.destination({ sync: false, minLength: 4096, periodicFlush: LOG_WITHIN_MS });
  const logger = pino({ level: config.LOG_LEVEL }, output);
  const crash = (err: unknown) => {
    logger.fatal({ stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error, the process ends');
    output.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  // While it waits for its servers nothing is under way.
  let onStop = (signal: string): void => {
    logger.info({ signal }, 'stopping');
    output.flushSync();
    process.exit(0);
  };
  process.on('SIGTERM', (signal) => onStop(signal));
  process.on('SIGINT', (signal) => onStop(signal));
  const service = await startService(config, systemRuntime(), logger).catch(fail);
  if (service.url !== null) logger.info({ url: service.url }, `listening on ${service.url}`);
  if (service.dashboardUrl !== null)
    logger.info({ url: service.dashboardUrl }, `the page is at ${service.dashboardUrl}`);
  const hurry = new AbortController();
  let isStopping = false;
  /** Who sits at a terminal has no balancer that must notice; nor has who asks a second time. */
  onStop = (signal) => {
    if (signal === 'SIGINT' || isStopping) hurry.abort();
    if (isStopping) return;
    isStopping = true;
    const drainMs = hurry.signal.aborted ? 0 : config.DRAIN_SECONDS * 1000;
    logger.info({ signal, drainMs }, 'stopping');
    setTimeout(() => process.exit(1), drainMs + HARD_STOP_MS).unref();
    output.once('close', () => process.exit(0));
    service.stop({ drainMs, hurry: hurry.signal }).then(() => output.end(), crash);
  };
  await service.ready;
  if (config.ROLES.includes('http')) service.services.chartLedger.warm();
  logger.info({ roles: config.ROLES, dataDir: config.DATA_DIR }, 'ready');
}

function configOrEnd(): Config {
  try {
    return readConfig(process.env);
  } catch (err) {
    return fail(err);
  }
}
