// Runs the compiled `subledger` as a process of its own, as somebody at a terminal would.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

/** The compiled program. */
export const SCRIPT = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));

export type CommandResult = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
export type Running = {
  /** Resolves with all that stdout had until it showed the text; rejects when the process ends without it. */
  shows(text: string): Promise<string>;
  interrupt(): void;
  /** Kills the process with a signal that it cannot handle; resolves when it has ended. */
  kill(): Promise<CommandResult>;
  readonly ended: Promise<CommandResult>;
};

/** `env` replaces what tests inherit of the service's configuration; `cwd` is a directory with an `.env` of its own, if any. */
export function startSubledger(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = tmpdir(),
): Running {
  const { PATH = '', HOME = '', TMPDIR, NODE_COMPILE_CACHE } = process.env;
  const inherited = { PATH, HOME, ...(TMPDIR && { TMPDIR }), ...(NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE }) };
  const child = spawn(process.execPath, [SCRIPT, ...args], { cwd, env: { ...inherited, ...env } });
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const ended = once(child, 'close').then(([code]): CommandResult => ({ code, ...output }));
  const kill = () => {
    child.kill('SIGKILL');
    return ended;
  };
  return { ended, interrupt: () => child.kill('SIGINT'), kill, shows: (text) => untilShown(child, output, text) };
}

export function subledger(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd?: string,
): Promise<CommandResult> {
  return startSubledger(args, env, cwd).ended;
}

function untilShown(
  child: ChildProcessWithoutNullStreams,
  output: { readonly stdout: string; readonly stderr: string },
  text: string,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (output.stdout.includes(text)) resolve(output.stdout);
    };
    child.stdout.on('data', look);
    child.once('close', () => reject(new Error(`ended without "${text}": ${output.stderr}`)));
    look();
  });
}
