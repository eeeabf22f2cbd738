// The compiled service as a process of its own, to be killed, stopped and asked from outside.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));

export type Running = { readonly url: string; readonly child: ChildProcess; kill(): Promise<void>; output(): string };
export type ExitResult = { readonly code: number | null; readonly output: string };

/** Resolves once it says that it is ready; rejects with what it printed when it ends before. */
export function start(env: Record<string, string>): Promise<Running> {
  return startScript(script, ['serve'], env);
}

/** Starts another copy of the command line; resolves as `start` does. */
export async function startScript(
  path: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<Running> {
  const { child, output } = launch(path, args, env);
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (output().includes('"msg":"ready"')) resolve();
    };
    child.stdout?.on('data', look);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output()}`)));
  });
  const url = /listening on (http:\/\/[\d.]+:\d+)/.exec(output())?.[1] ?? '';
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  };
  return { url, child, kill, output };
}

/** Runs to its end. */
export async function run(args: readonly string[], env: Record<string, string>): Promise<ExitResult> {
  const { child, output } = launch(script, args, env);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
}

function launch(path: string, args: readonly string[], env: Record<string, string>) {
  let text = '';
  const child = spawn(process.execPath, [path, ...args], { cwd: tmpdir(), env: { ...process.env, ...env } });
  const add = (chunk: Buffer) => (text += chunk.toString());
  child.stdout.on('data', add);
  child.stderr.on('data', add);
  return { child, output: () => text };
}
