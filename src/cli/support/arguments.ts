// Arguments of commands: instants, files and directories. Errors name the argument and the remedy.
import { closeSync, existsSync, fstatSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { DateTime } from 'luxon';
import { createFolder } from '../../adapters/configuration/data-directory.js';
import { fileFault, systemCodeOf } from '../../adapters/configuration/wrong-configuration.js';
import { isoFromMs } from '../../domain/time.js';
import { WrongUse, Failure } from './outcome.js';

/** Parses a day, or an instant with or without an offset (default: UTC). Returns null for invalid input, such as February 30. */
export function readInstant(text: string): string | null {
  const read = /^\d{4}-\d{2}-\d{2}/.test(text) ? DateTime.fromISO(text, { zone: 'utc' }) : null;
  return read?.isValid ? isoFromMs(read.toMillis()) : null;
}

/** Parses the instant of an option. Throws {@link WrongUse}. */
export function requireInstant(option: string, text: string): string {
  const instant = readInstant(text);
  if (instant !== null) return instant;
  throw new WrongUse(`${option} ${text}: give an instant such as 2026-04-13T00:00:00Z`);
}

/** `cure`: remedy in the error message, such as `give the path of a new file`. */
export type PathArgument = { readonly name: 'FILE' | 'DIR' | '--to'; readonly path: string; readonly cure: string };

/** Runs before all other work. Throws {@link Failure} for anything but a readable file. */
export function expectReadableFile(argument: PathArgument): void {
  at(argument, () => {
    const file = openSync(argument.path, 'r');
    try {
      if (fstatSync(file).isDirectory()) throw fault(argument, 'is a directory');
    } finally {
      closeSync(file);
    }
  });
}

/** Runs before the work that fills the file. Throws {@link Failure} if no file of this name can be created. */
export function expectPlaceForFile(argument: PathArgument): void {
  const folder = dirname(argument.path);
  at(argument, () => {
    const state = statSync(folder, { throwIfNoEntry: false });
    if (!state) throw fault(argument, `cannot be written, since ${folder} does not exist`);
    if (!state.isDirectory()) throw fault(argument, `cannot be written, since ${folder} is a file`);
    if (statSync(argument.path, { throwIfNoEntry: false })?.isDirectory()) throw fault(argument, 'is a directory');
  });
}

/** Throws {@link Failure} also for a file that exists: it could be a file of `DATA_DIR`, or the only copy of the data. */
export function expectNewFile(argument: PathArgument): void {
  expectPlaceForFile(argument);
  if (existsSync(argument.path)) throw fault(argument, 'exists already');
}

/** Creates the directory if it does not exist, and returns the names in it. Throws {@link Failure} if it cannot be created. */
export function expectFolder(argument: PathArgument): readonly string[] {
  return at(argument, () => {
    try {
      createFolder(argument.path);
    } catch (err) {
      if (systemCodeOf(err) === 'ENOENT') throw fault(argument, 'cannot be created there');
      throw err;
    }
    return readdirSync(argument.path);
  });
}

/** Runs the work; throws {@link Failure} for an error of this path, or of its disk. */
export async function writingTo<T>(argument: PathArgument, work: () => Promise<T>): Promise<T> {
  return work().catch((err: unknown) => {
    throw faultOf(argument, err);
  });
}

function at<T>(argument: PathArgument, look: () => T): T {
  try {
    return look();
  } catch (err) {
    throw faultOf(argument, err);
  }
}

function faultOf(argument: PathArgument, err: unknown): unknown {
  const code = systemCodeOf(err);
  if (code === undefined || !(err instanceof Error)) return err;
  if (!('path' in err)) return code === 'ENOSPC' ? fault(argument, fileFault(err)) : err;
  // The path is the target of a rename, its temporary file, a file in the directory, or a directory above it.
  const path = 'dest' in err ? String(err.dest) : String(err.path);
  const [faulty, own] = [resolve(path), resolve(argument.path)];
  const isWithinOrAbove = faulty.startsWith(`${own}${sep}`) || own.startsWith(`${faulty}${sep}`);
  if (isWithinOrAbove) return fault({ ...argument, path }, fileFault(err));
  return faulty.startsWith(own) ? fault(argument, fileFault(err)) : err;
}

function fault({ name, path, cure }: PathArgument, what: string): Failure {
  return new Failure(`${name} ${path} ${what}; ${cure}`);
}
