// A core of their own for processes that are measured against each other (Linux; elsewhere all share all cores).
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** A command and its arguments to run Node with these on that core; the process has the id of the command. */
export function nodeOn(core: number | undefined, args: readonly string[]): readonly [string, readonly string[]] {
  if (core === undefined || !canPin) return [process.execPath, args];
  return ['taskset', ['--cpu-list', String(core), process.execPath, ...args]];
}

/** How rows name what runs on one core. */
export const oneCore = canPin ? 'one core' : `${availableParallelism()} shared cores`;
