// `subledger mcp` as an assistant starts it: the compiled program over stdio, against a service over HTTP.
import { fileURLToPath } from 'node:url';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { assistantOf, eras, makeKey, playHistory, type History } from '../http/mcp/setup.js';
import { setUpService } from '../http/support/setup.js';
import { subledger } from './command-line.js';

const SCRIPT = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));

describe('subledger mcp', function () {
  this.timeout(120_000);
  const { harness, slice } = setUpService();
  let history: History;
  let key: string;
  let folder: string;
  before(async () => {
    history = await playHistory(harness, slice);
    key = await makeKey(harness, slice, ['read', 'support']);
    folder = mkdtempSync(join(tmpdir(), 'subledger-mcp-'));
    writeFileSync(join(folder, 'key'), `${key}\n`);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const environment = () => ({ PATH: process.env['PATH'] ?? '', SUBLEDGER_URL: harness.service().url ?? '' });
  const start = async (era: (typeof eras)[number], args: readonly string[], env: Record<string, string>) => {
    const options = era === '2026' ? { versionNegotiation: { mode: 'auto' as const } } : {};
    const client = new Client({ name: 'stdio-assistant', version: '1' }, options);
    const command = { command: process.execPath, args: [SCRIPT, 'mcp', ...args], cwd: folder };
    await client.connect(new StdioClientTransport({ ...command, env: { ...environment(), ...env } }));
    return assistantOf(client);
  };

  for (const era of eras) {
    it(`answers a client of ${era} as POST /mcp does, with a key from a file`, async () => {
      const { client, ask, names } = await start(era, [], { SUBLEDGER_API_KEY_FILE: join(folder, 'key') });
      try {
        expect(await names()).to.include.members(['explain_access', 'grant_access']);
        const answer = await ask('explain_access', { customer: history.customer });
        const path = `/v1/projects/${slice.projectId}/customers/${history.customerId}/access`;
        const http = await harness.call('GET', path, undefined, { key });
        expect(answer.sentence).to.equal(http.body.sentence);
        const grant = { customer: history.customer, entitlement: 'pro', duration: 'daily' };
        const { confirm } = await ask('grant_access', grant);
        expect((await ask('grant_access', { ...grant, confirm })).applied).to.equal(true);
        const { entries } = await ask('get_timeline', { customer: history.customer, limit: 1 });
        expect(entries[0].actor.via).to.equal('mcp: stdio-assistant');
      } finally {
        await client.close();
      }
    });
  }

  it('offers only the scopes of --allow', async () => {
    const { client, names } = await start('2026', ['--allow', 'read'], { SUBLEDGER_API_KEY: key });
    const found = await names();
    await client.close();
    expect(found).to.include('explain_access').and.not.include('grant_access');
  });

  it('names on stderr what is missing, and writes nothing to stdout', async () => {
    const url = { SUBLEDGER_URL: harness.service().url ?? '' };
    const cases: readonly (readonly [string[], Record<string, string>, number, RegExp])[] = [
      [['mcp'], url, 78, /SUBLEDGER_API_KEY: set it/],
      [['mcp'], { ...url, SUBLEDGER_API_KEY: 'sk_wrong' }, 1, /unknown, deleted or expired/],
      [['mcp'], { ...url, SUBLEDGER_API_KEY: slice.publicKey }, 1, /public key/],
      [['mcp', '--allow', 'all'], { ...url, SUBLEDGER_API_KEY: key }, 2, /all is not a scope/],
      [['mcp', '--allow', 'config'], { ...url, SUBLEDGER_API_KEY: key }, 2, /none of these scopes/],
    ];
    for (const [args, env, code, message] of cases) {
      const result = await subledger(args, env);
      expect(result.stderr).to.match(message);
      expect([result.code, result.stdout]).to.deep.equal([code, '']);
    }
  });
});
