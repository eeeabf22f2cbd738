// Benchmark of the timeline and the access explanation over HTTP with very many customers: of new customers, and of customers with three
// years of renewals.
import { rmSync } from 'node:fs';
import { atMost, quantile, type BenchRow } from './bench.js';
import { serveService } from './processes.js';
import { RENEWALS, seed } from './seed.js';

const CALLERS = 4;
const RENEWED_INTERVAL = 100;
const MAX_MS = 50;

export async function benchPeople(short: boolean): Promise<BenchRow[]> {
  const subscribers = short ? 20_000 : 200_000;
  const requests = short ? 400 : 2000;
  const { dataDir, masterKey, apiKey, projectId } = await seed(subscribers, { renewedEvery: RENEWED_INTERVAL });
  try {
    const service = await serveService(dataDir, { MASTER_KEY: masterKey });
    const base = `${service.url}/v1/projects/${projectId}/customers`;
    const ask = async (path: string): Promise<number> => {
      const start = performance.now();
      const response = await fetch(`${base}/${path}`, { headers: { 'x-api-key': apiKey } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} returned ${response.status}`);
      return performance.now() - start;
    };
    const measure = async (pathOf: (i: number) => string): Promise<number[]> => {
      const times: number[] = [];
      let next = 0;
      const caller = async () => {
        for (let i = next++; i < requests; i = next++) times.push(await ask(pathOf(i)));
      };
      await Promise.all(Array.from({ length: CALLERS }, caller));
      return times;
    };
    /** Spreads the requests over all customers, so that no stream is read twice. */
    const some = (i: number) => `user-${((i * 7919) % (subscribers - 1)) + 1}`;
    const renewed = (i: number) => `user-${(i * RENEWED_INTERVAL) % subscribers}`;
    const paths = {
      'timeline of a new customer': (i: number) => `${some(i)}/timeline?limit=100`,
      [`timeline of ${RENEWALS} renewals`]: (i: number) => `${renewed(i)}/timeline?limit=100`,
      'access of a new customer explained': (i: number) => `${some(i)}/access`,
      [`access after ${RENEWALS} renewals explained`]: (i: number) => `${renewed(i)}/access`,
    };
    const rows: BenchRow[] = [];
    for (const [name, pathOf] of Object.entries(paths)) {
      await measure(pathOf);
      const times = await measure(pathOf);
      const at = `at ${subscribers.toLocaleString('en')} customers, ${CALLERS} callers`;
      rows.push(
        { name: `${name} ${at}, median`, value: quantile(times, 0.5), unit: 'ms' },
        atMost(`${name} ${at}, p99`, quantile(times, 0.99), MAX_MS, 'ms'),
      );
    }
    await service.stop();
    return rows;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
