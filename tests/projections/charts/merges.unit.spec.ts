// Customers that become one after another the same customer count once, at every instant.
import { expect } from 'chai';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import { customerHistories } from '../../../src/projections/charts/customer-histories.js';
import { readChart } from '../../../src/projections/charts/query-chart.js';
import { eventsOf } from '../../commands/support/memory-deps.js';
import { queryOf } from '../../domain/charts/run-query.js';
import type { NormalEvent } from '../../domain/charts/normal-form.js';
import { feedsOf, firstBuild, open, runAll } from '../support/builds.js';
import { PROJECT } from '../support/spec.js';
import { openReading } from './reading.js';
import { emptyLog, record } from './recorded-log.js';

const day = (n: number) => `2026-01-0${n}T00:00:00.000Z`;
const created = (customerId: string, n: number): NormalEvent => ({ type: 'CustomerCreated', customerId, at: day(n) });
const merged = (mergedCustomerId: string, customerId: string, n: number): NormalEvent => {
  return { type: 'CustomerMerged', customerId, mergedCustomerId, at: day(n) };
};

describe('charts of customers merged one into the next', () => {
  it('count each person once before, between and after the merges', async () => {
    const past = [
      ...[created('phone', 1), created('tablet', 2), merged('phone', 'tablet', 3)],
      ...[created('user', 4), merged('tablet', 'user', 5)],
    ];
    const log = emptyLog();
    const docs = createMemoryDocuments();
    await record(log, past, past);
    const runner = await open(log, docs, firstBuild(customerHistories));
    await runAll(
      runner,
      feedsOf(await eventsOf(log), () => 2),
    );
    const { sources } = await openReading(docs);
    const customersAsOf = async (asOf: string) => {
      const o = { start: day(1), end: day(9), interval: 'month', asOf } as const;
      const read = await readChart(sources, PROJECT, queryOf('customers_new', o), false);
      const [bucket] = 'result' in read && read.result.kind === 'series' ? read.result.buckets : [];
      return bucket?.values['new_customers'];
    };
    const counted = await Promise.all([day(3), day(4), day(5), day(6)].map(customersAsOf));
    expect(counted).to.deep.equal([2, 1, 2, 1]);
  });
});
