// Amounts of money in the answers of tools: decimal texts with the digits of HTTP. Counts are numbers.
import { expect } from 'chai';
import { toFigure } from '../../../src/http/mcp/amounts.js';
import type { Json } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { connect, makeKey, playHistory, type Assistant, type History } from './setup.js';

const areAll = (type: string) => (values: readonly unknown[]) =>
  values.length > 0 && values.every((value) => value === null || typeof value === type);

describe('amounts in answers of tools', () => {
  const { harness, slice, as } = setUpService({ MCP: 'true' });
  let history: History;
  let reader: Assistant;
  before(async () => {
    history = await playHistory(harness, slice);
    reader = await connect(harness, await makeKey(harness, slice, ['read']));
    await harness.service().idle();
  });
  const get = async (path: string): Promise<Json> =>
    (await harness.call('GET', `/v1/projects/${slice.projectId}${path}`, undefined, as)).body;

  it('are texts on the overview and of a customer', async () => {
    const { metrics } = await reader.ask('get_overview');
    for (const { unit, value } of metrics) expect(value, unit).to.be.a(unit === 'usd' ? 'string' : 'number');
    const customer = await reader.ask('get_customer', { customer: history.customer });
    const http = await get(`/customers/${history.customer}`);
    expect(customer.totalSpentUsd).to.equal(String(http.totalSpentUsd));
    const [{ totalRevenueUsd }] = http.subscriptions;
    expect(customer.subscriptions[0].totalRevenueUsd).to.deep.equal(
      Object.fromEntries(Object.entries(totalRevenueUsd).map(([name, value]) => [name, String(value)])),
    );
  });

  it('are texts as the shares of customers in money, and numbers in counts', async () => {
    const chart = { chart: 'revenue', period: 'last_28_days', interval: 'week' };
    const { buckets } = await reader.ask('get_chart', chart);
    const { start: bucket } = buckets.find((b: Json) => b.values.refunds === '9.99');
    const share = async (measure: string) =>
      (await reader.ask('customers_behind', { ...chart, bucket, measure })).customers.map((c: Json) => c.value);
    expect(await share('refunds')).to.deep.equal(['9.99']);
    const active = { chart: 'actives_new', period: 'last_28_days', interval: 'month' };
    const found = await reader.ask('get_chart', active);
    const counts = found.buckets.flatMap((b: Json) => Object.values(b.values));
    expect(counts).to.satisfy(areAll('number'));
  });

  it('are texts in a cohort chart, unless it counts subscriptions', async () => {
    const cohorts = { chart: 'cohort_explorer', period: 'last_90_days', interval: 'month' };
    const values = async (cohortMeasure: string) => {
      const { rows } = await reader.ask('get_chart', { ...cohorts, selectors: { cohortMeasure } });
      return rows.flatMap((r: Json) => r.columns.map((c: Json) => c.value));
    };
    expect(await values('revenue')).to.satisfy(areAll('string'));
    expect(await values('retained_subscriptions')).to.satisfy(areAll('number'));
  });

  it('have no exponent', () => {
    expect(toFigure('usd', 0.000001)).to.equal('0.000001');
    expect(toFigure('eur', -0.0000001)).to.equal('-0.0000001');
    expect(toFigure('usd', 1e21)).to.equal('1000000000000000000000');
    expect(toFigure('count', 3)).to.equal(3);
    expect(toFigure('percent', 12.5)).to.equal(12.5);
    expect(toFigure('usd', null)).to.equal(null);
  });
});
