// Exit of a command that fails: a line on stderr and the exit code of the kind of error.
import { CannotOpen, Unavailable } from '../../domain/errors.js';
import { UnusableRootCertificates } from '../../adapters/ios-store/root-certificates.js';
import { DamagedFile } from '../../adapters/sqlite/database.js';
import { DirectoryInUse } from '../../adapters/sqlite/lock.js';
import {
  EXIT_WRONG_CONFIGURATION,
  fileFault,
  WrongConfiguration,
} from '../../adapters/configuration/wrong-configuration.js';
import { IncompleteData } from '../../adapters/engine/data-completeness.js';

export const EXIT_FAILED = 1;
export const EXIT_WRONG_USE = 2;

/** Error whose message is printed without a stack, for example for an unknown ID. */
export class Failure extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Failure';
  }
}

/** Invalid arguments or combinations of arguments. */
export class WrongUse extends Failure {}

/** Errors that a restart cannot solve: an operator must change or restore something first. */
const mendable = [WrongConfiguration, UnusableRootCertificates, IncompleteData, DamagedFile];

/** Prints one line for errors that an operator can fix; any other error is a bug and shows its stack. */
export function fail(err: unknown): never {
  if (err instanceof CannotOpen) {
    end(`MASTER_KEY does not open the records of this installation: ${err.message}`, EXIT_WRONG_CONFIGURATION);
  }
  if (mendable.some((kind) => err instanceof kind)) end((err as Error).message, EXIT_WRONG_CONFIGURATION);
  if (err instanceof WrongUse) end(err.message, EXIT_WRONG_USE);
  const isExpected = err instanceof Failure || err instanceof DirectoryInUse || err instanceof Unavailable;
  if (isExpected) end(err.message, EXIT_FAILED);
  if (isOfSystem(err)) end('path' in err ? `${String(err.path)} ${fileFault(err)}` : err.message, EXIT_FAILED);
  throw err;
}

/** Returns true for a system error: a file, a port or a database file is not accessible. */
function isOfSystem(err: unknown): err is Error {
  return err instanceof Error && ('syscall' in err || ('code' in err && err.code === 'ERR_SQLITE_ERROR'));
}

function end(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}
