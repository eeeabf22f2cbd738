// Starts child processes for benchmarks: the service, and servers to compare it with.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { nodeOn } from './cores.js';

export type ServerProcess = { readonly url: string; readonly pid: number; stop(): Promise<void> };

const root = new URL('../', import.meta.url);

/** Starts the compiled service on a data directory, with the options of `npm start`; resolves when it is ready. */
export function serveService(dataDir: string, env: Record<string, string> = {}, core?: number): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('dist/cli/subledger.js', root));
  return start(
    ['--max-semi-space-size=64', script, 'serve'],
    { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', RATE_LIMITS: 'off', ...env },
    '"msg":"ready"',
    core,
  );
}

/** Starts Express with one handler that sends `body` as JSON. */
export function serveBare(body: string): Promise<ServerProcess> {
  const code = `
    import express from 'express';
    const app = express();
    const body = process.env.BODY;
    app.get('/v1/subscribers/:appUserId', (req, res) => { res.type('json').send(body); });
    const server = app.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' ready'));
  `;
  return start(['--input-type=module', '-e', code], { BODY: body }, 'ready');
}

/** Starts Express that verifies ios-store notifications at `/` and stores nothing. */
export function serveBareReceiver(rootFile: string, core?: number): Promise<ServerProcess> {
  const script = fileURLToPath(new URL('./bare-receiver.ts', import.meta.url));
  return start(['--max-semi-space-size=64', '--import=tsx', script, rootFile], {}, 'ready', core);
}

/**
 * Starts a webhook receiver that responds 200 after so many ms, or never to paths that begin with `/hang`. `/received` returns the number
 * of requests.
 */
export function serveReceiver(ms: number): Promise<ServerProcess> {
  const code = `
    import { createServer } from 'node:http';
    let received = 0;
    const server = createServer((req, res) => {
      if (req.url === '/received') return res.end(String(received));
      received++;
      req.resume();
      if (!req.url.startsWith('/hang')) req.on('end', () => setTimeout(() => res.end(), ${ms}));
    });
    server.listen(0, '127.0.0.1', () => console.log('listening on http://127.0.0.1:' + server.address().port + ' ready'));
  `;
  return start(['--input-type=module', '-e', code], {}, 'ready');
}

async function start(
  args: readonly string[],
  env: Record<string, string>,
  readyText: string,
  core?: number,
): Promise<ServerProcess> {
  const child = spawn(...nodeOn(core, args), {
    cwd: fileURLToPath(root),
    env: { ...process.env, NODE_ENV: 'production', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = await readUntil(child, readyText);
  const url = /listening on (http:\/\/[\d.]+:\d+)/.exec(output)?.[1];
  if (url === undefined || child.pid === undefined) throw new Error(`no URL in the output: ${output}`);
  child.stdout?.resume();
  const stop = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill('SIGTERM');
    });
  return { url, pid: child.pid, stop };
}

function readUntil(child: ChildProcess, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    const onData = (chunk: Buffer) => {
      output += chunk.toString();
      if (!output.includes(text)) return;
      child.stdout?.off('data', onData);
      resolve(output);
    };
    child.stdout?.on('data', onData);
    child.once('exit', (code) => reject(new Error(`ended with ${code} before it was ready: ${output}`)));
  });
}

/** Returns the rate of responses with 200 at 50 connections. Throws on any other response. */
export async function requestsPerSecond(o: {
  readonly url: string;
  readonly seconds: number;
  readonly requests: autocannon.Request[];
}): Promise<number> {
  const result = await autocannon({ url: o.url, connections: 50, duration: o.seconds, requests: o.requests });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${result.non2xx} responses were not 2xx, ${result.errors} requests failed`);
  }
  return result['2xx'] / result.duration;
}
