// The second listener: what it counts, how it shows what waits for an operator, and that neither shows an id.
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { createPrometheus } from '../../../src/adapters/metrics/prometheus.js';
import { refusalReasons } from '../../../src/adapters/metrics/port.js';
import { START } from '../../../src/adapters/event-log/port.js';
import { parkedEventCollection } from '../../../src/commands/handling/parked-events.js';
import { storeKinds } from '../../../src/domain/store-kinds.js';
import { notification, startHarness } from '../support/harness.js';
import { setUpService } from '../support/setup.js';

describe('metrics and health', () => {
  const { harness, slice } = setUpService({ METRICS_PORT: '0' });

  const ask = async (path: string, method = 'GET') => {
    const response = await fetch(`${harness.service().metricsUrl}${path}`, { method });
    return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
  };
  /** Values by name and labels, as the text has them. */
  const figures = async () => {
    const { text } = await ask('/metrics');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    return new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]));
  };
  const health = async () => JSON.parse((await ask('/healthz')).text);

  it('answer that the process is alive, for processes without the role http', async () => {
    expect(await ask('/livez')).to.include({ status: 200, text: '{"status":"ok"}' });
    expect((await ask('/livez', 'POST')).status).to.equal(405);
  });

  it('count requests by the template of their path, method and status', async () => {
    const name = 'http_request_seconds_count{route="/v1/projects/:id/apps",method="GET",status="200"}';
    const before = (await figures()).get(name) ?? 0;
    for (let n = 0; n < 3; n++) {
      await harness.call('GET', `/v1/projects/${slice.projectId}/apps`, undefined, { token: slice.token });
    }
    expect((await figures()).get(name)).to.equal(before + 3);
    expect((await ask('/metrics')).text)
      .not.to.contain(slice.projectId)
      .and.not.to.contain('user-');
  });

  it('count notifications by store and outcome, refused ones by their reason', async () => {
    const sample = (outcome: string, reason: string) =>
      `store_notifications_total{store="ios-store",outcome="${outcome}",reason="${reason}"}`;
    const signed = notification({ notificationType: 'TEST', signedDate: Date.now() });
    const other = notification({ notificationType: 'TEST', signedDate: Date.now(), bundleId: 'com.example.other' });
    const post = async (path: string, signedPayload: string) =>
      (await harness.call('POST', path, { signedPayload })).status;
    const statuses = [
      await post(slice.notificationPath, signed.signedPayload),
      await post(slice.notificationPath, other.signedPayload),
      await post(slice.notificationPath, 'no signature'),
      await post('/v1/store/ios-store/nobody', signed.signedPayload),
    ];
    expect(statuses).to.deep.equal([200, 401, 400, 401]);
    const counted = await figures();
    const seen = [
      counted.get(sample('received', '')),
      counted.get(sample('refused', 'other-app')),
      counted.get(sample('refused', 'unreadable')),
      counted.get(sample('refused', 'unknown-token')),
    ];
    expect(seen).to.deep.equal([1, 1, 1, 1]);
  });

  it('count appends, and describe the process', async () => {
    const counted = await figures();
    expect(counted.get('es_append_seconds_count{outcome="appended"}')).to.be.above(5);
    expect(counted.get('webhook_attempts_total{outcome="delivered"}')).to.equal(0);
    expect(counted.has('nodejs_eventloop_lag_p99_seconds')).to.equal(true);
  });

  it('show no lag when all is done', async () => {
    await harness.service().idle();
    const report = await health();
    expect(report).to.deep.include({ status: 'ok', dependencies: { log: 'up', documents: 'up' } });
    expect(report.lagSeconds.projections).to.include({ customers: 0, projects: 0 });
    expect(report.lagSeconds.reactions).to.include({ inbox: 0, fanout: 0 });
    expect((await figures()).get('reaction_lag_seconds{name="inbox"}')).to.equal(0);
    expect((await figures()).get('dependency_up{dependency="log"}')).to.equal(1);
  });

  it('show parked events, halted projections and deliveries that are due', async () => {
    const { deps, progress } = harness.service().services;
    const parked = {
      reaction: 'inbox',
      position: START,
      eventId: 'e',
      stream: 'inbox-a-b',
      error: 'broken',
      askedAt: '',
    };
    const write = { c: parkedEventCollection.name, id: 'inbox|e', expect: null, guard: '1', doc: parked };
    expect(await deps.docs.write([[write]])).to.equal('ok');
    progress.reportHalted('charts', '2026-01-01T00:00:00.000Z');
    const report = await health();
    expect(report).to.deep.include({ status: 'attention', parkedEvents: { inbox: 1 }, haltedProjections: ['charts'] });
    const counted = await figures();
    expect(counted.get('reaction_parked_events{name="inbox"}')).to.equal(1);
    expect(counted.get('projection_halted{name="charts"}')).to.equal(1);
    await deps.docs.write([[{ ...write, expect: '1', guard: '2', doc: null }]]);
    progress.reportPosition('charts', await deps.log.head());
    expect((await figures()).has('reaction_parked_events{name="inbox"}')).to.equal(false);
    expect((await health()).status).to.equal('ok');
  });

  it('include all that alerts.yml uses', async () => {
    const { text } = await ask('/metrics');
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    const rules = readFileSync(new URL('../../../alerts.yml', import.meta.url), 'utf8');
    const asked = [
      ...rules.matchAll(/\b(\w+_(?:seconds|total|count|up|halted|streams|events|held|breakers|bytes))\b/g),
    ];
    expect(asked).to.have.length.above(8);
    for (const [, name = ''] of asked) expect(known.has(name.replace(/_count$/, '')), name).to.equal(true);
    const runbook = readFileSync(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
    const sections = [...rules.matchAll(/runbook: '(.+)'/g)];
    for (const [, title] of sections) expect(runbook, title).to.contain(`\n## ${title}\n`);
  });

  it('show every series of notifications and appends from the start, so that silence and a first failure can be seen', async () => {
    const fresh = createPrometheus({ watchesProcess: false });
    const text = await fresh.text([], { webhook_attempts_total: { delivered: 0, failed: 0 } });
    for (const store of storeKinds) {
      expect(text).to.include(`store_notifications_total{store="${store}",outcome="received",reason=""} 0\n`);
      for (const reason of refusalReasons)
        expect(text).to.include(`store_notifications_total{store="${store}",outcome="refused",reason="${reason}"} 0\n`);
    }
    expect(text).to.include('es_append_seconds_count{outcome="failed"} 0\n');
    expect(text).to.include('webhook_attempts_total{outcome="failed"} 0\n');
  });

  it('answer nothing else', async () => {
    expect((await ask('/')).status).to.equal(404);
    expect((await ask('/v1/projects')).status).to.equal(404);
    expect((await ask('/metrics', 'POST')).status).to.equal(405);
    expect((await ask('/metrics')).type).to.match(/^text\/plain/);
  });

  it('are off unless a port is given', async () => {
    const plain = await startHarness();
    expect(plain.service().metricsUrl).to.equal(null);
    await plain.stop();
  });
});
