// `subledger serve`: runs the roles of the configuration until it is told to stop.
import { pino } from 'pino';
import { EXIT_WRONG_CONFIGURATION, readConfig, WrongConfiguration, type Config } from '../adapters/config.js';
import { UnusableRootCertificates } from '../adapters/ios-store/root-certificates.js';
import { systemRuntime } from '../adapters/runtime.js';
import { DirectoryInUse } from '../adapters/sqlite/lock.js';
import { CannotOpen } from '../adapters/vault.js';
import { startService } from '../main.js';

/** A stop that takes longer is cut: the process is safe to kill at any moment. */
const HARD_STOP_MS = 25_000;

export async function serve(): Promise<void> {
  const config = configOrExit();
  const output = pino.destination({ sync: false });
  const logger = pino({ level: config.LOG_LEVEL }, output);
  const crash = (err: unknown) => {
    logger.fatal({ stack: err instanceof Error ? err.stack : String(err) }, 'unexpected error, the process ends');
    output.flushSync();
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);
  const service = await startService(config, systemRuntime(), logger).catch((err: unknown) => refuse(err));
  if (service.url !== null) logger.info({ url: service.url }, `listening on ${service.url}`);
  const stop = (signal: string) => {
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
    output.once('close', () => process.exit(0));
    service.stop().then(() => output.end(), crash);
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
  await service.ready;
  logger.info({ roles: config.ROLES, dataDir: config.DATA_DIR }, 'ready');
}

export function configOrExit(): Config {
  try {
    return readConfig(process.env);
  } catch (err) {
    if (!(err instanceof WrongConfiguration)) throw err;
    process.stderr.write(`${err.message}\n`);
    process.exit(EXIT_WRONG_CONFIGURATION);
  }
}

/** What an operator can put right is told in a line; anything else is a bug and shows its stack. */
function refuse(err: unknown): never {
  if (err instanceof CannotOpen) {
    process.stderr.write(`MASTER_KEY does not open the records of this installation: ${err.message}\n`);
    process.exit(EXIT_WRONG_CONFIGURATION);
  }
  if (err instanceof UnusableRootCertificates) {
    process.stderr.write(`${err.message}\n`);
    process.exit(EXIT_WRONG_CONFIGURATION);
  }
  if (err instanceof DirectoryInUse || (err instanceof Error && 'code' in err)) {
    process.stderr.write(`${err.message}\n`);
    process.exit(1);
  }
  throw err;
}
