// Every shell example of README and docs/ is run, one after another in one shell, against one service. One that cannot be says why
// behind its fence: "sh no-run: reason". Needs dist/.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { start, type Running } from '../e2e/process.js';
import { blocksOf, pages, root, type Block } from './markdown.js';

const SHELLS = /^(sh|bash|shell|console|zsh)\b/;
const RUN = /^sh$/;
const NOT_RUN = /^sh no-run: \S.*$/;

/** README first: it sets the variables that the others use. */
const examples = [...new Set(['README.md', ...pages().filter((page) => page.startsWith('docs/'))])]
  .flatMap(blocksOf)
  .filter(({ info }) => SHELLS.test(info));

/** A request that is refused ends the shell, as any other command that fails. */
const PREAMBLE = `set -euo pipefail
curl() { command curl --fail-with-body --max-time 20 "$@"; }
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
`;

function scriptOf(blocks: readonly Block[], url: string, port: number): string {
  const text = blocks.map((block) => `echo "### ${block.page}:${block.line}"\n${block.text}\n`).join('\n');
  return PREAMBLE + text.replaceAll('http://127.0.0.1:3000', url).replaceAll('port=4000', `port=${port}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

describe('the shell examples of the pages', function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-docs-'));
  const env = {
    DATA_DIR: join(directory, 'data'),
    PORT: '0',
    LOG_LEVEL: 'info',
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
    EGRESS_ALLOW_HTTP: 'true',
  };
  let service: Running;
  let shell: ChildProcess | null = null;
  before(async () => {
    service = await start(env);
  });
  after(async () => {
    shell?.kill();
    await service.kill();
    rmSync(directory, { recursive: true, force: true });
  });

  it('are run, or report why not', () => {
    const wrong = examples.filter(({ info }) => !RUN.test(info) && !NOT_RUN.test(info));
    expect(wrong.map(({ page, line, info }) => `${page}:${line}: ${info}`)).to.deep.equal([]);
  });

  it('work', async () => {
    const runnable = examples.filter(({ info }) => RUN.test(info));
    const script = scriptOf(runnable, service.url, await freePort());
    const scratch = { ...process.env, ...env, TMPDIR: directory };
    const running = spawn('bash', ['-c', script], { cwd: root, env: scratch });
    shell = running;
    let output = '';
    const add = (chunk: Buffer) => (output += chunk.toString());
    running.stdout.on('data', add);
    running.stderr.on('data', add);
    const [code] = (await once(running, 'close')) as [number | null];
    expect(code, output.slice(-3000)).to.equal(0);
    expect(output.split('\n'), output.slice(-3000)).to.not.include('undefined');
    expect(runnable).to.have.length.above(5);
  });
});
