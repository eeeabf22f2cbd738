// Output of a command that cannot be written: its reader has ended, or its disk is full.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { setUpProject, startHarness } from '../http/support/harness.js';
import { subledger } from './command-line.js';

const SCRIPT = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));

describe('the output of a command', function () {
  this.timeout(120_000);
  let env: Record<string, string>;
  before(async () => {
    const harness = await startHarness();
    await setUpProject(harness);
    await harness.service().stop();
    env = { DATA_DIR: harness.dataDir };
  });

  const inShell = (line: string) =>
    spawnSync('bash', ['--norc', '-c', line, process.execPath, SCRIPT], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'] ?? '', ...env },
    });

  it('may be cut by its reader without an error', () => {
    const { stdout, stderr } = inShell('"$0" "$1" doctor | head -c 0; echo ${PIPESTATUS[0]}');
    expect([stdout, stderr]).to.deep.equal(['0\n', '']);
  });

  it('that a full disk loses ends the command with 1', function () {
    if (!existsSync('/dev/full')) this.skip();
    const { status, stderr } = inShell('"$0" "$1" doctor > /dev/full');
    expect([status, stderr]).to.deep.equal([1, 'the output is on a disk without free space, and is incomplete\n']);
  });

  it('names the version', async () => {
    expect(await subledger(['--version'])).to.deep.include({ code: 0, stderr: '' });
    expect((await subledger(['--version'])).stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });
});
