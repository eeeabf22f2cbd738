// Starts a TypeScript file as a process of its own, for specs about what happens between processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const REPORTS = 3;

export type Child = {
  readonly pid: number;
  /** The next line it reported; undefined when it ended. */
  line(): Promise<string | undefined>;
  /** Ends it with SIGKILL. Resolves once it is gone; what it had reported can still be read. */
  kill(): Promise<void>;
};

/**
 * In the child: one line for the one who started it, outside this process before the call returns. A pipe of its own, because Node makes
 * stdout non-blocking: a write to it fails with EAGAIN where nobody reads for a while.
 */
export function report(line: string): void {
  writeSync(REPORTS, `${line}\n`);
}

/** `script` is relative to this folder. Texts are arguments, an object adds to the environment. */
export function startChild(script: string, ...given: readonly (string | Readonly<Record<string, string>>)[]): Child {
  const args = given.filter((one) => typeof one === 'string');
  const env = Object.assign({}, process.env, ...given.filter((one) => typeof one === 'object')) as NodeJS.ProcessEnv;
  const file = fileURLToPath(new URL(script, import.meta.url));
  const stdio = ['pipe', 'inherit', 'inherit', 'pipe'] as const;
  const child = spawn(process.execPath, ['--import=tsx', file, ...args], { stdio: [...stdio], env });
  const lines = createInterface({ input: child.stdio[REPORTS] as Readable })[Symbol.asyncIterator]();
  return {
    pid: child.pid ?? 0,
    line: async () => (await lines.next()).value,
    kill: () => killed(child),
  };
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}
