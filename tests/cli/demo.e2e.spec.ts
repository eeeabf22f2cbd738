// The demo and the timeline from a terminal: what they print, beside each other and one after the other, and how they end.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startSubledger, subledger, type Running } from './command-line.js';

const IN_DOLLARS = 12;
const IN_OTHER_CURRENCIES = 2;
const PLAYED = IN_DOLLARS + IN_OTHER_CURRENCIES;
const SMALL = ['demo', '--customers', String(IN_DOLLARS), '--months', '3'];

describe('subledger demo and timeline', function () {
  this.timeout(120_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-'));
  const env = { DATA_DIR: join(directory, 'data'), PORT: '0', TMPDIR: directory };
  let demo: Running;
  let printed: string;
  const value = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
  const timelineOf = (text: string) => text.slice(text.search(/^user-\d+ \(cus_/m)).trim();
  const whoseTimeline = () => /^(user-\d+) \((cus_\w+)\)$/m.exec(printed)?.slice(1) ?? [];

  before(async () => {
    demo = startSubledger(SMALL, env);
    printed = await demo.shows('Press Ctrl-C');
  });
  after(async () => {
    demo.interrupt();
    await demo.ended;
    rmSync(directory, { recursive: true });
  });

  const get = async (url: string) => {
    const response = await fetch(url, { headers: { 'x-api-key': value('secret key') } });
    expect(response.status, url).to.equal(200);
    return (await response.json()) as { items: { summary: string }[]; id: string };
  };

  it('prints the figures, a login, keys and lines to paste that work', async () => {
    expect(printed).to.match(/^Simulated 14 customers over 3 months: \d+ store notifications sent,$/m);
    expect(printed).to.match(/^[\d,]+ events recorded in [\d.]+ s \([\d,]+ events\/s\)\.$/m);
    expect(value('public key')).to.match(/^pk_/);
    const pasted = [...printed.matchAll(/^ {2}curl -s -H 'X-API-Key: (\S+)' '(\S+)'$/gm)];
    expect(pasted.map(([, key]) => key)).to.deep.equal([1, 2, 3, 4].map(() => value('secret key')));
    const [charts, list, one, why] = await Promise.all(pasted.map(([, , url]) => get(url ?? '')));
    expect(charts?.items).to.have.length(21);
    expect(printed).to.match(/^\d{4}-\d\d █+ +[\d,.]+ +[\d,.]+$/m);
    expect(list?.items).to.have.length(10);
    expect(one?.id).to.equal(whoseTimeline()[1]);
    const text = timelineOf(printed).replaceAll(/\n +/g, ' ');
    for (const { summary } of why?.items ?? []) expect(text).to.contain(summary);
    expect(why?.items).not.to.have.length(0);
    const login = { email: value('email'), password: value('password') };
    const { origin } = new URL(pasted[0]?.[2] ?? '');
    const headers = { 'content-type': 'application/json' };
    const loggedIn = await fetch(`${origin}/auth/login`, { method: 'POST', headers, body: JSON.stringify(login) });
    expect(loggedIn.status).to.equal(200);
  });

  it('sends everything to the service at its own time, so that charts can be queried as of any day', async () => {
    const [appUserId = ''] = whoseTimeline();
    const url = /'(\S+)\/customers\?limit=10'/.exec(printed)?.[1] ?? '';
    const timeline = (await get(`${url}/customers/${appUserId}/timeline?order=oldest&limit=100`)).items as unknown as {
      at: string;
      recordedAt: string;
    }[];
    const hours = timeline.map(({ at, recordedAt }) => (Date.parse(recordedAt) - Date.parse(at)) / 3_600_000);
    expect(hours.filter((late) => late > 2)).to.deep.equal([]);
    const month = 30 * 86_400_000;
    const asOf = new Date(Date.now() - month).toISOString();
    const revenue = async (rest: string) => {
      const chart = await get(`${url}/metrics/charts/revenue?period=last_12_months&interval=year${rest}`);
      return (chart as unknown as { summary: { gross_revenue: { total: number } } }).summary.gross_revenue.total;
    };
    const [then, now, euros] = [await revenue(`&asOf=${asOf}`), await revenue(''), await revenue('&currency=EUR')];
    expect(then).to.be.greaterThan(0).and.lessThan(now);
    expect(euros / now).to.be.within(0.6, 1.2);
  });

  it('serves as many customers as it played', async () => {
    const url = /'(\S+\/customers)\?limit=10'/.exec(printed)?.[1];
    expect((await get(`${url}?limit=100`)).items).to.have.length(PLAYED);
  });

  it('prints the same timeline with the service running and stopped, by either ID', async () => {
    const [appUserId = '', customerId = ''] = whoseTimeline();
    const project = value('project');
    const beside = await Promise.all([
      subledger(['timeline', project, appUserId], env),
      subledger(['timeline', project, customerId, '--json'], env),
    ]);
    expect(beside[0]).to.include({ code: 0, stderr: '' });
    expect(timelineOf(printed)).to.contain(beside[0].stdout.trim());
    const json = JSON.parse(beside[1].stdout);
    expect(json).to.include({ appUserId, customerId, projectId: project });
    expect(json.items[0]).to.include.keys('at', 'type', 'summary', 'actor', 'cause', 'access');

    demo.interrupt();
    expect((await demo.ended).code).to.equal(0);
    expect((await subledger(['timeline', project, appUserId], env)).stdout).to.equal(beside[0].stdout);
    expect(readdirSync(directory).filter((name) => name.startsWith('subledger-demo'))).to.deep.equal([]);
  });

  it('plays a second time on the same data, and ends with --exit', async () => {
    const again = await subledger([...SMALL, '--exit'], env);
    expect(again.code, again.stderr).to.equal(0);
    expect(again.stdout).to.contain('Simulated 14 customers').and.not.to.contain(value('project'));
    expect(again.stdout).not.to.contain('Press Ctrl-C');
    expect(again.stderr).not.to.contain('Warning');
  });

  it('refuses a directory with a real project, whose amounts its rates would convert', async () => {
    const ofProject = { ...env, DATA_DIR: join(directory, 'real') };
    const service = startSubledger(['serve'], ofProject);
    const [, url] = /listening on (http:\/\/[\d.]+:\d+)/.exec(await service.shows('listening on http')) ?? [];
    const post = async (path: string, body: object, authorization?: string) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(response.status, path).to.equal(201);
      return (await response.json()) as { accessToken: string };
    };
    const login = { email: 'owner@example.com', password: 'correct horse battery' };
    const { accessToken } = await post('/auth/register', login);
    await post('/v1/projects', { name: 'Stargazer' }, `Bearer ${accessToken}`);
    service.interrupt();
    await service.ended;
    const refused = await subledger([...SMALL, '--exit'], ofProject);
    expect(refused).to.include({ code: 1, stdout: '' });
    expect(refused.stderr).to.contain('without real projects; start a separate instance');
  });

  it('leaves the servers of an installation alone', async () => {
    const servers = { EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false', MONGODB_URL: 'mongodb://127.0.0.1:1/subledger' };
    const played = await subledger(['demo', '--customers', '2', '--months', '1', '--exit'], { ...servers, PORT: '0' });
    expect(played.code, played.stderr).to.equal(0);
  });

  it('ends with the exit code of the failure and prints its reason', async () => {
    const project = 'proj_00000000000000000000000000';
    const [wrongNumber, missing, unknown, noData, config] = await Promise.all([
      subledger(['demo', '--customers', 'many']),
      subledger(['timeline', project]),
      subledger(['timeline', project, 'nobody'], env),
      subledger(['timeline', project, 'nobody'], { DATA_DIR: join(directory, 'none') }),
      subledger(['timeline', project, 'nobody'], { ...env, PORT: 'none' }),
    ]);
    expect(wrongNumber).to.include({ code: 2, stdout: '' });
    expect(wrongNumber.stderr).to.contain('whole number from 1');
    expect(missing.code).to.equal(2);
    expect(unknown).to.include({ code: 1, stderr: `project ${project} not found in this DATA_DIR\n` });
    expect(noData.code).to.equal(1);
    expect(noData.stderr).to.contain('does not exist');
    expect(config.code).to.equal(78);
    expect(config.stderr).to.contain('PORT');
  });
});
