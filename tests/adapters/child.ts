// Starts a TypeScript file as a process of its own, for specs about what happens between processes.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Child = {
  /** The next line it printed; undefined when it ended. */
  line(): Promise<string | undefined>;
  /** Ends it with SIGKILL. Resolves once it is gone; what it had printed can still be read. */
  kill(): Promise<void>;
};

/** `script` is relative to this folder. */
export function startChild(script: string, ...args: string[]): Child {
  const file = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, ['--import=tsx', file, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
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
