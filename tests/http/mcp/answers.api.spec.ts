// Answers to assistants: a short list of tools, amounts of refunds, deliveries and months between two instants, and who changed something.
import { expect } from 'chai';
import { listText } from '../../../src/http/mcp/change.js';
import type { Json } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { connect, makeKey, playHistory, type Assistant, type History } from './setup.js';

const MAX_LIST_BYTES = 40_000;

describe('answers to assistants', () => {
  const { harness, slice, as } = setUpService({ MCP: 'true' });
  let history: History;
  let reader: Assistant;
  before(async () => {
    history = await playHistory(harness, slice);
    reader = await connect(harness, await makeKey(harness, slice, ['read', 'support']));
  });

  it('list the tools of a read key in less than 40 KB', async () => {
    const { client } = await connect(harness, await makeKey(harness, slice, ['read']));
    const { tools } = await client.listTools();
    expect(tools).to.have.length(19);
    expect(Buffer.byteLength(JSON.stringify(tools))).to.be.below(MAX_LIST_BYTES);
  });

  it('name the amounts of refunds', async () => {
    const { customers } = await reader.ask('find_problem_customers', { kind: 'refunded' });
    expect(customers).to.have.length(1);
    expect(customers[0]).to.include({ amount: '9.99', currency: 'USD', refundedUsd: '9.99' });
  });

  it('count the deliveries until an instant', async () => {
    const counted = async (input: object) => {
      const { webhooks } = await reader.ask('check_webhook', { webhook: history.webhookId, ...input });
      const { delivered, pending, failed, held } = webhooks[0].deliveries;
      return delivered + pending + failed + held;
    };
    const all = await counted({});
    expect(all).to.be.above(1);
    expect(await counted({ until: history.beforeRefund })).to.be.within(1, all - 1);
    const wrong = await reader.call('check_webhook', { since: '2026-02-01T00:00:00Z', until: '2026-01-01T00:00:00Z' });
    expect(wrong.isError).to.equal(true);
  });

  it('compare a month with a whole month, whatever their numbers of days', async () => {
    const months = {
      chart: 'revenue',
      interval: 'month',
      start: '2026-02-01',
      end: '2026-02-28',
      previous: 'period',
    };
    const { then, now } = await reader.ask('compare_chart', months);
    expect([then.startDate, then.endDate]).to.deep.equal(['2026-01-01', '2026-01-31']);
    expect([now.startDate, now.endDate]).to.deep.equal(['2026-02-01', '2026-02-28']);
    const days = await reader.ask('compare_chart', { ...months, interval: 'day' });
    expect(days.then.endDate).to.equal('2026-01-31');
  });

  it('name the client of 2025 in the timeline, by its User-Agent', async () => {
    const key = await makeKey(harness, slice, ['read', 'support']);
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      'user-agent': 'claude-code/2.0.14 (cli)',
    };
    const call = async (input: object): Promise<Json> => {
      const params = { name: 'set_attributes', arguments: { customer: history.customer, ...input } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const response = await fetch(`${harness.service().url}/mcp`, { method: 'POST', headers, body });
      const text = await response.text();
      return JSON.parse(text.replace(/^[^{]*data: /s, '')).result.structuredContent;
    };
    const change = { attributes: { colour: 'blue' } };
    const { confirm } = await call(change);
    expect((await call({ ...change, confirm })).applied).to.equal(true);
    await harness.service().idle();
    const path = `/v1/projects/${slice.projectId}/customers/${history.customerId}/timeline`;
    const { items } = (await harness.call('GET', path, undefined, as)).body;
    expect(items[0].actor.via).to.equal('mcp: claude-code');
  });

  it('report how many names are omitted', () => {
    expect(listText(['a', 'b'])).to.equal('a, b');
    const many = Array.from({ length: 300 }, (_, i) => `product.${i}`);
    expect(listText(many)).to.match(/^product\.0, .*product\.\d+ and \d+ more, 300 in all$/);
    expect(listText(many).length).to.be.below(500);
  });
});
