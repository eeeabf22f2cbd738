// Pins processes that are compared with each other to a core of their own (Linux; elsewhere all share all cores).
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Returns a command with arguments that runs Node on the core. The process ID is that of the command. */
export function nodeOn(core: number | undefined, args: readonly string[]): readonly [string, readonly string[]] {
  if (core === undefined || !canPin) return [process.execPath, args];
  return ['taskset', ['--cpu-list', String(core), process.execPath, ...args]];
}

/** Label of rows that are measured on one core. */
export const oneCore = canPin ? 'one core' : `${availableParallelism()} shared cores`;
