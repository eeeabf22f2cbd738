// A start that cannot succeed ends at once with 78 and a sentence: the variable, what is wrong with it, and what to do.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { subledger } from './command-line.js';

describe('a start with a wrong configuration', function () {
  this.timeout(120_000);
  const scratch = mkdtempSync(join(tmpdir(), 'subledger-wrong-'));
  const file = join(scratch, 'file');
  let server: Server;
  let usedPort = '';
  before(async () => {
    writeFileSync(file, '');
    server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    usedPort = String((server.address() as AddressInfo).port);
  });
  after(() => {
    server.close();
    rmSync(scratch, { recursive: true });
  });

  const CURE = 'set DATA_DIR to a directory that this user may write to';
  const serving = async (env: Record<string, string>) => {
    const data = { DATA_DIR: join(scratch, 'data'), PORT: '0', LOG_LEVEL: 'silent' };
    const { code, stderr } = await subledger(['serve'], { ...data, ...env });
    expect(code, stderr).to.equal(78);
    return stderr;
  };
  const problem = (text: string) => `wrong configuration:\n  ${text}\n`;

  it('names DATA_DIR when it is a file', async () => {
    expect(await serving({ DATA_DIR: file })).to.equal(problem(`DATA_DIR: ${file} is a file; ${CURE}`));
  });

  it('names DATA_DIR when a part of its path is a file', async () => {
    expect(await serving({ DATA_DIR: join(file, 'data') })).to.equal(problem(`DATA_DIR: ${file} is a file; ${CURE}`));
  });

  it('ends for a DATA_DIR below /proc, where nothing can be created', async function () {
    if (!existsSync('/proc/self')) this.skip();
    const text = `DATA_DIR: /proc/subledger cannot be created there; ${CURE}`;
    expect(await serving({ DATA_DIR: '/proc/subledger/data' })).to.equal(problem(text));
  });

  for (const name of ['PORT', 'METRICS_PORT', 'DASHBOARD_HOST']) {
    it(`names ${name} when the port is in use`, async () => {
      const text = `${name}: ${usedPort} on 127.0.0.1 is in use by another process; stop that process, or set another port (0 picks a free one)`;
      const value = name === 'DASHBOARD_HOST' ? `127.0.0.1:${usedPort}` : usedPort;
      expect(await serving({ [name]: value })).to.equal(problem(text));
    });
  }

  it('names HOST when it is the address of another machine', async () => {
    const text = 'HOST: 192.0.2.1 is not an address of this machine; 0.0.0.0 listens on all of its addresses';
    expect(await serving({ HOST: '192.0.2.1' })).to.equal(problem(text));
  });

  it('lists every file that cannot be read, each with its variable', async () => {
    const missing = join(scratch, 'missing');
    const stderr = await serving({
      MASTER_KEY_FILE: missing,
      JWT_SECRET_FILE: scratch,
      IOS_STORE_ROOT_CERTIFICATES: `${missing}.pem`,
    });
    expect(stderr.split('\n').slice(1, -1)).to.deep.equal([
      `  MASTER_KEY_FILE: ${missing} does not exist; give the path of a file that contains MASTER_KEY`,
      `  JWT_SECRET_FILE: ${scratch} is a directory; give the path of a file that contains JWT_SECRET`,
      `  IOS_STORE_ROOT_CERTIFICATES names ${missing}.pem, which does not exist. Give paths of PEM files, separated by commas.`,
    ]);
  });

  it('prints the same error for a DATA_DIR that is a file in commands that read or write', async () => {
    for (const args of [['timeline', 'proj', 'ada'], ['erase', 'proj', 'ada'], ['verify'], ['doctor']]) {
      const { code, stderr } = await subledger(args, { DATA_DIR: file });
      const text = `DATA_DIR: ${file} is a file; set it to the data directory of the service`;
      expect([code, stderr], args.join(' ')).to.deep.equal([78, problem(text)]);
    }
  });
});

describe('.env of the working directory', function () {
  this.timeout(120_000);
  const scratch = mkdtempSync(join(tmpdir(), 'subledger-env-'));
  after(() => rmSync(scratch, { recursive: true }));
  const folderWith = (name: string, env: string) => {
    const folder = join(scratch, name);
    mkdirSync(folder);
    writeFileSync(join(folder, '.env'), env);
    return folder;
  };

  it('is read by every command', async () => {
    const folder = folderWith('named', 'DATA_DIR=/nowhere/of-the-file\n');
    for (const args of [
      ['timeline', 'proj', 'ada'],
      ['erase', 'proj', 'ada'],
      ['parked'],
      ['user', 'reset-password', 'a@b.c'],
    ]) {
      const { code, stderr } = await subledger(args, {}, folder);
      const text = 'DATA_DIR /nowhere/of-the-file does not exist; set it to the data directory of the service\n';
      expect([code, stderr], args.join(' ')).to.deep.equal([1, text]);
    }
  });

  it('is checked for names that nearly are settings', async () => {
    const { stderr } = await subledger(['vacuum'], { DATA_DIR: join(scratch, 'data'), DATA_DIRR: 'elsewhere' });
    expect(stderr).to.match(/^the variable DATA_DIRR is no setting; did you mean DATA_DIR\?\n/);
  });

  it('gives way to the environment', async () => {
    const folder = folderWith('overridden', 'DATA_DIR=/nowhere/of-the-file\n');
    const { stderr } = await subledger(['parked'], { DATA_DIR: '/nowhere/of-the-environment' }, folder);
    expect(stderr).to.match(/^DATA_DIR \/nowhere\/of-the-environment does not exist/);
  });

  it('keeps erase and export away from an old ./data when it names servers', async () => {
    const servers = 'EVENTSTORE_URL=esdb://127.0.0.1:9?tls=false\nMONGODB_URL=mongodb://127.0.0.1:9\n';
    const secrets = `MASTER_KEY=${Buffer.alloc(32, 1).toString('base64')}\nJWT_SECRET=${'s'.repeat(40)}\n`;
    const folder = folderWith('servers', servers + secrets);
    mkdirSync(join(folder, 'data'));
    for (const args of [
      ['erase', 'proj', 'ada'],
      ['export', join(scratch, 'dump.gz')],
    ]) {
      const { code, stderr } = await subledger(args, {}, folder);
      expect(code, args.join(' ')).to.equal(1);
      expect(stderr, args.join(' ')).to.match(/^(EventStoreDB|MongoDB) cannot be reached/);
    }
  });

  it('ends every command with 78 when it cannot be read', async () => {
    const folder = join(scratch, 'unreadable');
    mkdirSync(join(folder, '.env'), { recursive: true });
    const { code, stderr } = await subledger(['parked'], {}, folder);
    const text = `.env in ${folder} is a directory; make it a file that this user may read, or remove it`;
    expect([code, stderr]).to.deep.equal([78, `wrong configuration:\n  ${text}\n`]);
  });
});
