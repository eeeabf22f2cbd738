// Outcome of a command: its result on stdout, or a line on stderr and the exit code of the kind of error.
import {
  EXIT_WRONG_CONFIGURATION,
  fileFault,
  systemCodeOf,
  WrongConfiguration,
} from '../../adapters/configuration/wrong-configuration.js';
import { IncompleteData } from '../../adapters/engine/data-completeness.js';
import { UnusableRootCertificates } from '../../adapters/ios-store/root-certificates.js';
import { DamagedFile } from '../../adapters/sqlite/database.js';
import { DirectoryInUse } from '../../adapters/sqlite/lock.js';
import { CannotOpen, Rejection, Unavailable } from '../../domain/errors.js';

const EXIT_FAILED = 1;
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
const fixableErrors = [WrongConfiguration, UnusableRootCertificates, IncompleteData, DamagedFile];

/** Errors whose message says what to do. */
const expectedErrors = [Failure, Rejection, DirectoryInUse, Unavailable];

/** Prints one line for errors that an operator can fix; any other error is a bug and shows its stack. */
export function fail(err: unknown): never {
  if (err instanceof CannotOpen) {
    exitWith(`MASTER_KEY does not open the records of this installation: ${err.message}`, EXIT_WRONG_CONFIGURATION);
  }
  if (isOneOf(err, fixableErrors)) exitWith(err.message, EXIT_WRONG_CONFIGURATION);
  if (err instanceof WrongUse) exitWith(err.message, EXIT_WRONG_USE);
  if (isOneOf(err, expectedErrors)) exitWith(err.message, EXIT_FAILED);
  if (isSystemError(err)) exitWith('path' in err ? `${String(err.path)} ${fileFault(err)}` : err.message, EXIT_FAILED);
  throw err;
}

/** Returns true for a system error: a file, a port or a database file is not accessible. */
function isOneOf(err: unknown, kinds: readonly (abstract new (...args: never) => Error)[]): err is Error {
  return kinds.some((kind) => err instanceof kind);
}

function isSystemError(err: unknown): err is Error {
  return err instanceof Error && ('syscall' in err || ('code' in err && err.code === 'ERR_SQLITE_ERROR'));
}

function exitWith(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

/** Prints the result to stdout: as JSON with `--json`, otherwise the lines of text. */
export function printResult(o: { readonly json?: true }, result: unknown, lines: readonly string[]): void {
  process.stdout.write(`${o.json ? JSON.stringify(result, null, 2) : lines.join('\n')}\n`);
}

/**
 * Lets a command finish its work when its output cannot be written. A reader that has seen enough, such as `head`, is no failure; with
 * output that is lost for another reason, such as a full disk, the command ends with 1.
 */
export function handleOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (err) => {
      if (systemCodeOf(err) === 'EPIPE' || process.exitCode === EXIT_FAILED) return;
      process.exitCode = EXIT_FAILED;
      process.stderr.write(`the output ${fileFault(err)}, and is incomplete\n`);
    });
  }
}
