// A report on health that takes too long: the probe of an operator gets a response all the same.
import { expect } from 'chai';
import { pino } from 'pino';
import { readConfig } from '../../src/adapters/configuration/config.js';
import { createPrometheus } from '../../src/adapters/metrics/prometheus.js';
import { systemRuntime } from '../../src/adapters/runtime.js';
import { listenForMetrics } from '../../src/main/metrics.js';

describe('/healthz while the servers are not read in time', () => {
  it('responds with 503 and the reason', async () => {
    const runtime = systemRuntime();
    const REPORT_TIMEOUT_MS = 10_000;
    const sleep = (ms: number, signal?: AbortSignal) =>
      ms === REPORT_TIMEOUT_MS ? Promise.resolve() : runtime.sleep(ms, signal);
    const listener = await listenForMetrics(
      readConfig({ METRICS_PORT: '0' }),
      {
        page: createPrometheus({ watchesProcess: false }),
        health: () => new Promise(() => undefined),
        sending: () => ({ delivered: 0, failed: 0, inFlight: 0, openBreakers: 0 }),
        logger: pino({ level: 'silent' }),
      },
      { ...runtime, sleep },
    );
    const response = await fetch(`${listener?.url}/healthz`);
    expect(response.status).to.equal(503);
    expect(await response.json()).to.have.property('status', 'away');
    await listener?.drain();
  });
});
