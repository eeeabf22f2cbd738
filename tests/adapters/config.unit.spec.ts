// The environment is read once, strictly, and all its errors are reported together.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readConfig, settingNames } from '../../src/adapters/configuration/config.js';
import { WrongConfiguration } from '../../src/adapters/configuration/wrong-configuration.js';

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env);
  } catch (err) {
    if (err instanceof WrongConfiguration) return err.problems;
    throw err;
  }
  return [];
}

describe('the configuration', () => {
  it('has a default for everything', () => {
    const config = readConfig({});
    expect(config).to.include({ HOST: '127.0.0.1', PORT: 3000, DATA_DIR: './data', SETTLE_SLACK_SECONDS: 3600 });
    expect(config.ROLES).to.deep.equal(['http', 'projector', 'worker']);
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ PORT: '', MASTER_KEY: '' })).to.deep.equal(readConfig({}));
  });

  it('reports every problem at once', () => {
    const problems = problemsOf({ PORT: 'x', JWT_SECRET: 'short', ROLES: 'http,king', REGISTRATION: 'maybe' });
    expect(problems.map((p) => p.split(/[.:]/)[0])).to.have.members(['PORT', 'JWT_SECRET', 'ROLES', 'REGISTRATION']);
  });

  it('also reports what would fail later at run time', () => {
    const directory = mkdtempSync(join(tmpdir(), 'subledger-config-'));
    for (const name of ['jwt.secret', 'master.key']) writeFileSync(join(directory, name), '\n');
    const env = {
      DATA_DIR: directory,
      TRUST_PROXY: 'true',
      CORS_ORIGINS: '*',
      IOS_STORE_ROOT_CERTIFICATES: join(directory, 'none.pem'),
    };
    const problems = problemsOf(env);
    rmSync(directory, { recursive: true });
    expect(problems).to.have.length.at.least(5);
    for (const words of [
      /^TRUST_PROXY: must/,
      /^CORS_ORIGINS.*: must/,
      /^JWT_SECRET: .*jwt\.secret has less than 32/,
    ]) {
      expect(
        problems.some((p) => words.test(p)),
        `${words}`,
      ).to.equal(true);
    }
    expect(problems.some((p) => /^MASTER_KEY: .*master\.key does not contain 32/.test(p))).to.equal(true);
    expect(problemsOf({ ...env, TRUST_PROXY: '', CORS_ORIGINS: '' })[0]).to.match(
      /none\.pem, which does not exist\. Give paths/,
    );
  });

  it('accepts a number or addresses as proxies, and nothing that would trust every client', () => {
    for (const TRUST_PROXY of ['0', '2', 'loopback', '10.0.0.1', '10.0.0.0/8, loopback', '::1/128']) {
      expect(problemsOf({ TRUST_PROXY }), TRUST_PROXY).to.deep.equal([]);
    }
    for (const TRUST_PROXY of ['true', '-1', '1.5', '*', '0.0.0.0/0', '10.0.0.0/33', 'proxy', '10.0.0.1,,']) {
      expect(problemsOf({ TRUST_PROXY })[0], TRUST_PROXY).to.match(/^TRUST_PROXY: must be the number of proxies/);
    }
  });

  it('refuses values that are not what they look like, in one sentence each', () => {
    const values: readonly (readonly [name: string, value: string, problem: string])[] = [
      ['PORT', ' ', 'must be a port from 0 to 65535'],
      ['PORT', '0x50', 'must be a port from 0 to 65535'],
      ['METRICS_PORT', '1e3', 'must be a port from 0 to 65535'],
      ['ACCESS_TOKEN_TTL_SECONDS', '0', 'must be a whole number from 1 to 86400'],
      ['PUBLIC_URL', 'example.com', 'must be an address such as https://subledger.example.com'],
      ['PUBLIC_URL', 'https://example.com/path?x=1', 'must be an address without ? and #'],
      ['MCP', 'yes', 'must be true or false'],
      ['DASHBOARD', 'true', 'must be on or off'],
      ['ROLES', 'web,worker,api', 'must be http or projector or worker'],
      ['ROLES', ',', 'must name at least one of http, projector, worker'],
    ];
    for (const [name, value, problem] of values)
      expect(problemsOf({ [name]: value }), `${name}=${value}`).to.deep.equal([`${name}: ${problem}`]);
  });

  it('reads a ring of master keys, the current one first', () => {
    const [a, b] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
    const { MASTER_KEY } = readConfig({ MASTER_KEY: `k2:${b.toString('base64')},k1:${a.toString('base64')}` });
    expect(MASTER_KEY?.map((k) => [k.id, k.key.equals(k.id === 'k2' ? b : a)])).to.deep.equal([
      ['k2', true],
      ['k1', true],
    ]);
  });

  it('refuses a master key that is not 32 bytes', () => {
    expect(problemsOf({ MASTER_KEY: Buffer.alloc(31).toString('base64') })).to.have.length(1);
  });

  it('reads a secret from its file, and reports a file that cannot be read', () => {
    const directory = mkdtempSync(join(tmpdir(), 'subledger-config-'));
    const file = join(directory, 'secret');
    writeFileSync(file, `${'s'.repeat(40)}\n`);
    expect(readConfig({ JWT_SECRET_FILE: file }).JWT_SECRET).to.equal('s'.repeat(40));
    const url = join(directory, 'url');
    writeFileSync(url, 'kurrentdb://admin:secret@log.example.com:2113\n');
    const secrets = { JWT_SECRET_FILE: file, MASTER_KEY: Buffer.alloc(32, 1).toString('base64') };
    expect(readConfig({ ...secrets, EVENTSTORE_URL_FILE: url }).EVENTSTORE_URL).to.equal(
      'kurrentdb://admin:secret@log.example.com:2113',
    );
    rmSync(directory, { recursive: true });
    expect(problemsOf({ JWT_SECRET_FILE: file })[0]).to.equal(
      `JWT_SECRET_FILE: ${file} does not exist; give the path of a file that contains JWT_SECRET`,
    );
    expect(problemsOf({ MASTER_KEY_FILE: tmpdir() })[0]).to.match(/^MASTER_KEY_FILE: .* is a directory; give the path/);
  });

  it('wants both secrets as soon as a server is named: its processes must have the same', () => {
    const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
    const JWT_SECRET = 's'.repeat(32);
    const servers = { EVENTSTORE_URL: 'esdb://localhost:2113?tls=false', MONGODB_URL: 'mongodb://a:1,b:2/subledger' };
    expect(problemsOf(servers)).to.deep.equal([
      'MASTER_KEY: must be set together with EVENTSTORE_URL',
      'JWT_SECRET: must be set together with EVENTSTORE_URL',
    ]);
    expect(problemsOf({ MONGODB_URL: servers.MONGODB_URL, MASTER_KEY })).to.deep.equal([
      'JWT_SECRET: must be set together with MONGODB_URL',
    ]);
    expect(readConfig({ ...servers, MASTER_KEY, JWT_SECRET })).to.include(servers);
  });

  it('refuses addresses of servers that no driver takes', () => {
    expect(problemsOf({ EVENTSTORE_URL: 'http://localhost:2113' })[0]).to.match(/^EVENTSTORE_URL: must be kurrentdb:/);
    expect(problemsOf({ MONGODB_URL: 'localhost:27017' })[0]).to.match(/^MONGODB_URL: must be mongodb:/);
    expect(problemsOf({ EVENTSTORE_NAMESPACE: 'a-b' })[0]).to.match(/^EVENTSTORE_NAMESPACE: /);
  });

  it('is listed in full in .env.example', () => {
    const example = readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');
    const listed = [...example.matchAll(/^([A-Z_]+)=/gm)].map((m) => m[1]);
    expect(listed).to.have.members(settingNames);
  });
});
