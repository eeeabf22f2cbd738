// A process whose servers are not there yet: it waits, answers that it is not ready, and ends when it is told to or cannot be helped.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { run } from './process.js';

const script = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));
const secrets = {
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  JWT_SECRET: 'a secret that only the tests know of',
  PORT: '0',
};

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resolves with the first line that has such a message. The output stays open, as that of a service does. */
function line(child: ChildProcess, message: RegExp): Promise<Record<string, unknown>> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk) => {
      text += String(chunk);
      for (const whole of text.split('\n').slice(0, -1)) {
        const parsed = JSON.parse(whole) as Record<string, unknown>;
        if (message.test(String(parsed['msg']))) resolve(parsed);
      }
    });
    child.once('exit', () => reject(new Error(`ended without ${message}: ${text}`)));
  });
}

describe('a process whose servers are not there yet', function () {
  this.timeout(120_000);

  it('is alive and not ready, refuses everything else, and ends on SIGTERM', async () => {
    const servers = {
      EVENTSTORE_URL: `esdb://admin:hidden@127.0.0.1:${await closedPort()}?tls=false`,
      MONGODB_URL: `mongodb://user:hidden@127.0.0.1:${await closedPort()}/db`,
    };
    const child = spawn(process.execPath, [script, 'serve'], { env: { ...process.env, ...secrets, ...servers } });
    try {
      const { url } = await line(child, /returning 503 on \/readyz/);
      const ask = async (path: string) => {
        const response = await fetch(`${String(url)}${path}`);
        return {
          status: response.status,
          retryAfter: response.headers.get('retry-after'),
          body: await response.json(),
        };
      };
      expect(await ask('/livez')).to.deep.equal({ status: 200, retryAfter: null, body: { status: 'ok' } });
      const readiness = { status: 'not ready', waitingFor: ['MongoDB'] };
      expect(await ask('/readyz')).to.deep.equal({ status: 503, retryAfter: '5', body: readiness });
      const message = 'the service is starting; retry in 5 seconds';
      const body = { statusCode: 503, message, error: 'Service Unavailable' };
      expect(await ask('/v1/projects')).to.deep.equal({ status: 503, retryAfter: '5', body });
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      expect(await ended).to.deep.equal([0, null]);
    } finally {
      child.kill('SIGKILL');
    }
  });

  for (const [what, variable, url] of [
    ['a port of the log server that is no number', 'EVENTSTORE_URL', 'esdb://user:hidden@127.0.0.1:port'],
    ['a port of MongoDB that is no number', 'MONGODB_URL', 'mongodb://user:hidden@127.0.0.1:port/db'],
    ['an option that MongoDB does not have', 'MONGODB_URL', 'mongodb://user:hidden@127.0.0.1:1/db?color=blue'],
  ] as const)
    it(`ends with 78 and names the variable for ${what}, without the password`, async () => {
      const port = await closedPort();
      const servers = { EVENTSTORE_URL: `esdb://127.0.0.1:${port}`, MONGODB_URL: `mongodb://127.0.0.1:${port}/db` };
      const { code, output } = await run(['serve'], { ...secrets, ...servers, [variable]: url });
      expect(output).to.contain(`${variable}: is not a connection string that the driver can read`);
      expect(output).not.to.contain('hidden');
      expect(code).to.equal(78);
    });
});
