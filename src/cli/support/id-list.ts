// Lists of app user IDs that a user gives to a command.
import { readFileSync } from 'node:fs';
import { expectReadableFile } from './arguments.js';
import { Failure } from './outcome.js';

/** Reads one app user ID per line; empty lines and repeats are ignored. Throws {@link Failure}. */
export function readIds(path: string): readonly string[] {
  const remedy = 'give a text file with one app user id per line';
  expectReadableFile({ name: 'FILE', path, cure: remedy });
  const lines = readFileSync(path, 'utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
  const ids = [...new Set(lines.map((line) => line.trim()).filter((line) => line !== ''))];
  if (ids.length === 0) throw new Failure(`FILE ${path} is empty; ${remedy}`);
  return ids;
}
