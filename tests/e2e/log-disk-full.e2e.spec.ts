// A log that cannot be written, because its disk is full: the service goes on without it, and ends when it is told to.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { poll } from '../fixtures/poll.js';

const SCRIPT = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));

describe('a log on a full disk', function () {
  this.timeout(120_000);
  const dataDir = mkdtempSync(join(tmpdir(), 'subledger-log-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));

  const freePort = async (): Promise<string> => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, 'close');
    return String(port);
  };

  it('neither stops the service nor keeps it from ending', async function () {
    if (!existsSync('/dev/full')) this.skip();
    const PORT = await freePort();
    const env = { ...process.env, PORT, DATA_DIR: dataDir, LOG_LEVEL: 'info', DRAIN_SECONDS: '0' };
    const full = openSync('/dev/full', 'w');
    const child = spawn(process.execPath, [SCRIPT, 'serve'], { cwd: dataDir, env, stdio: ['ignore', full, 'ignore'] });
    const ended = once(child, 'exit');
    const isReady = async (): Promise<boolean> =>
      fetch(`http://127.0.0.1:${PORT}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    try {
      await poll(isReady, (ready) => {
        expect(child.exitCode).to.equal(null);
        return ready;
      });
      child.kill('SIGTERM');
      expect((await ended)[0]).to.equal(0);
    } finally {
      child.kill('SIGKILL');
    }
  });
});
