// The command that a dry run prints, pasted into a shell as it is: it imports what was checked, with every option and any name of a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { setUpService } from '../http/support/setup.js';
import { MONTHLY } from '../commands/support/store-data.js';
import { SCRIPT, type CommandResult } from './command-line.js';

const COLUMNS =
  'rc_original_app_user_id,store,product_identifier,start_time,end_time,is_auto_renewable,is_sandbox,purchased_currency,' +
  'purchase_price_in_purchased_currency,purchase_price_in_usd,store_transaction_id,entitlement_identifiers,updated_at';
const FOLDER = 'ex"port\'s of $HOME & co';
const FILE = "trans'act ions.csv";

describe('the printed command of a dry run', function () {
  this.timeout(240_000);
  const { harness, slice, asMember } = setUpService();
  const folder = mkdtempSync(join(tmpdir(), 'import-command-'));
  const place = join(folder, FOLDER);
  let other = '';
  after(() => rmSync(folder, { recursive: true }));

  /** Runs a line of a shell beside the files, where `subledger` is on the path. */
  const shell = async (line: string): Promise<CommandResult> => {
    const env = { PATH: `${folder}:${process.env['PATH']}`, HOME: folder, DATA_DIR: harness.dataDir };
    const child = spawn('/bin/sh', ['-c', line], { cwd: place, env });
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
    const [code] = await once(child, 'close');
    return { code, ...output };
  };
  const printedBy = ({ stdout, stderr }: CommandResult): string => {
    const [, command] = /To import:\n {2}(.+)\n$/s.exec(stdout) ?? [];
    if (command === undefined) throw new Error(`no command in: ${stdout}${stderr}`);
    return command;
  };
  const fileOf = (name: string, ...lines: readonly string[]) =>
    writeFileSync(join(place, name), `${lines.join('\n')}\n`);

  before(async () => {
    const script = join(folder, 'subledger');
    writeFileSync(script, `#!/bin/sh\nexec '${process.execPath}' '${SCRIPT}' "$@"\n`);
    chmodSync(script, 0o755);
    mkdirSync(place);
    const app = { name: 'Other', platform: 'ios', bundleId: 'com.example.other' };
    other = (await harness.call('POST', `/v1/projects/${slice.projectId}/apps`, app, asMember)).body.id;
    const times = '2026-01-01 10:00:00,2126-01-01 10:00:00';
    const price = 'EUR,9.99,11.5';
    fileOf(
      FILE,
      COLUMNS,
      `ann,app_store,${MONTHLY},${times},true,true,${price},990001,{},2026-02-01 10:00:00`,
      `bob,stripe,pro,${times},true,false,${price},990002,{pro},2026-02-01 10:00:00`,
    );
    fileOf('-customers.csv', 'app_user_id;first_seen_at', 'cat;1767261600000');
  });

  const quoted = `'${FILE.replaceAll("'", `'\\''`)}'`;
  const options = () => `--project ${slice.projectId} --other-stores grant --usd ours --sandbox keep --app ${other}`;

  it('runs what was checked: the files, the stores, the dollars, the sandbox and the app', async () => {
    const dry = await shell(`subledger import revenuecat ${options()} -- ${quoted} -customers.csv`);
    const command = printedBy(dry);
    for (const option of ['--other-stores grant', '--usd ours', '--sandbox keep', `--app ${other}`])
      expect(command).to.include(option);

    const wrong = await shell(command.replace('--usd ours', '--usd keep'));
    expect([wrong.code, wrong.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code === 1 && /differ from those/.test(text),
    );
    fileOf('other.csv', 'app_user_id;first_seen_at', 'dan;1767261600000');
    const others = await shell(command.replace('./-customers.csv', 'other.csv'));
    expect([others.code, others.stderr.includes('differ from those')], others.stderr).to.deep.equal([1, true]);

    const right = await shell(command);
    expect([right.code, right.stdout.includes('\nImported. ')], right.stderr).to.deep.equal([0, true]);
    await harness.service().idle();
    const customers = await harness.call(
      'GET',
      `/v1/projects/${slice.projectId}/customers?limit=10`,
      undefined,
      asMember,
    );
    expect(customers.body.items).to.have.length(3);
    const again = await shell(command);
    expect([again.code, /\n0 events recorded/.test(again.stdout)], again.stderr).to.deep.equal([0, true]);
  });

  it('names the file of the API, and imports without a service from another folder', async () => {
    const absolute = `'${join(place, 'more.ndjson').replaceAll("'", `'\\''`)}'`;
    fileOf('more.ndjson', '{"type":"customer","appUserId":"eve"}');
    await harness.restart(async () => {
      const command = printedBy(await shell(`cd / && subledger import facts ${absolute} --project ${slice.projectId}`));
      expect(command).to.include(absolute);
      const { code, stdout, stderr } = await shell(`cd / && ${command}`);
      expect([code, stdout.includes('\nImported. ')], stderr).to.deep.equal([0, true]);
    });
  });
});
