// The rules of alerts.yml in Prometheus' own test tool, where it is installed (`apt-get install prometheus`, or PROMTOOL names it).
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../', import.meta.url));
const promtool = process.env['PROMTOOL'] || 'promtool';
const TESTS = 'tests/deploy/alerts.promtool.yml';

describe('the alerts', () => {
  it('fire and stay silent as their tests say', function () {
    this.timeout(120_000);
    const { error, status, stdout, stderr } = spawnSync(promtool, ['test', 'rules', TESTS], {
      cwd: root,
      encoding: 'utf8',
    });
    if (error && 'code' in error && error.code === 'ENOENT') this.skip();
    expect(status, `${stdout}${stderr}`).to.equal(0);
  });

  it('that are tested exist', () => {
    const names = [...readFileSync(`${root}alerts.yml`, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    const { tests } = parse(readFileSync(root + TESTS, 'utf8')) as {
      tests: readonly { readonly alert_rule_test: readonly { readonly alertname: string }[] }[];
    };
    const tested = tests.flatMap((test) => test.alert_rule_test.map(({ alertname }) => alertname));
    expect(tested.length).to.be.above(6);
    expect(tested.filter((name) => !names.includes(name))).to.deep.equal([]);
  });
});
