// The questions of the guide as an assistant asks them, over stdio, about the project that `subledger demo` plays: the right sequence of
// tools gives the figures of the REST API.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from 'chai';
import { assistantOf, type Assistant } from '../http/mcp/setup.js';
import type { Json } from '../http/support/harness.js';
import { startSubledger, type Running } from './command-line.js';

const SCRIPT = fileURLToPath(new URL('../../dist/cli/subledger.js', import.meta.url));
const PLAYED = ['demo', '--customers', '60', '--months', '6'];
const MAX_BYTES = 32 * 1024;

describe('an assistant on the demo', function () {
  this.timeout(180_000);
  const directory = mkdtempSync(join(tmpdir(), 'subledger-'));
  const env = { DATA_DIR: join(directory, 'data'), PORT: '0', TMPDIR: directory };
  let demo: Running;
  let printed: string;
  let assistant: Assistant;
  const value = (name: string) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
  const url = () => /The service keeps running at (\S+)\. /.exec(printed)?.[1] ?? '';

  before(async () => {
    demo = startSubledger(PLAYED, env);
    printed = await demo.shows('Press Ctrl-C');
    const client = new Client({ name: 'demo-assistant', version: '1' }, { versionNegotiation: { mode: 'auto' } });
    const own = { PATH: process.env['PATH'] ?? '', SUBLEDGER_URL: url(), SUBLEDGER_API_KEY: value('secret key') };
    const command = { command: process.execPath, args: [SCRIPT, 'mcp', '--allow', 'read'], env: own };
    await client.connect(new StdioClientTransport(command));
    assistant = assistantOf(client);
    await assistant.names();
  });
  after(async () => {
    await assistant.client.close();
    demo.interrupt();
    await demo.ended;
    rmSync(directory, { recursive: true });
  });

  const get = async (path: string): Promise<Json> => {
    const headers = { 'x-api-key': value('secret key') };
    const response = await fetch(`${url()}/v1/projects/${value('project')}${path}`, { headers });
    expect(response.status, path).to.equal(200);
    return response.json();
  };
  const ask = async (tool: string, input: object): Promise<Json> => {
    const answer = await assistant.ask(tool, input);
    expect(Buffer.byteLength(JSON.stringify(answer)), tool).to.be.below(MAX_BYTES);
    return answer;
  };

  it('learns why a customer has no access', async () => {
    const { items } = await get('/customers?status=expired&limit=1');
    const { customers } = await ask('find_customer', { query: items[0].appUserId });
    const answer = await ask('explain_access', { customer: customers[0].id, entitlement: 'pro' });
    const http = await get(`/customers/${items[0].id}/access?entitlement=pro`);
    expect(answer.has).to.equal(false);
    expect([answer.sentence, answer.since]).to.deep.equal([http.sentence, http.since]);
    expect(answer.because.map((e: Json) => e.id)).to.deep.equal(http.because.map((e: Json) => e.id));
  });

  it('learns what happened to a transaction', async () => {
    const { items } = await get('/transactions?kind=refund&limit=1');
    const answer = await ask('trace_transaction', { transactionId: items[0].id });
    const http = await get(`/transactions/${items[0].id}`);
    for (const field of ['amount', 'refundedUsd']) expect(answer[field], field).to.equal(String(http[field]));
    for (const field of ['currency', 'refundedAt']) expect(answer[field], field).to.equal(http[field]);
    expect(Number(answer.refundedUsd)).to.be.above(0);
    expect(answer.events.map((e: Json) => e.id)).to.deep.equal(http.events.map((e: Json) => e.id));
    expect(answer.events.at(-1).cause).to.match(/^notification .*: (REFUND|VOIDED_PURCHASE)/);
  });

  it('learns whose payment fails', async () => {
    for (const [kind, status] of [
      ['grace', 'grace_period'],
      ['billing_issue', 'billing_retry'],
    ] as const) {
      const answer = await ask('find_problem_customers', { kind, limit: 50 });
      const { items } = await get(`/customers?status=${status}&limit=50`);
      expect(answer.customers.map((c: Json) => c.customerId)).to.deep.equal(items.map((c: Json) => c.id));
      for (const { reason } of answer.customers)
        expect(reason).to.match(/^payment for com\.example\S+ \((ios|android)-store\) fails/);
    }
  });

  it('learns how MRR has developed', async () => {
    const answer = await ask('get_chart', { chart: 'mrr', period: 'last_90_days', interval: 'month' });
    const http = await get('/metrics/charts/mrr?period=last_90_days&interval=month');
    const figures = ({ buckets }: Json) => buckets.map((b: Json) => [b.start, String(b.values.mrr)]);
    expect(figures(answer)).to.deep.equal(figures(http));
    expect(answer.buckets.at(-1).values.mrr).to.match(/^[1-9]\d*(\.\d+)?$/);
  });

  it('learns why revenue is not what it was', async () => {
    const thenAsOf = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const answer = await ask('compare_chart', {
      chart: 'revenue',
      period: 'last_90_days',
      interval: 'month',
      thenAsOf,
    });
    const http = await get(`/metrics/charts/revenue/compare?period=last_90_days&interval=month&thenAsOf=${thenAsOf}`);
    const changed = answer.buckets.filter((b: Json) => b.values.revenue.reasons);
    expect(changed).to.have.length.above(0);
    for (const { start, values } of changed) {
      const same = http.buckets.find((b: Json) => b.start === start);
      expect(values.revenue.difference).to.equal(String(same.values.revenue.difference));
      const sum = values.revenue.reasons.reduce((all: number, reason: Json) => all + Number(reason.amount), 0);
      expect(sum).to.be.closeTo(Number(values.revenue.difference), 0.005);
    }
  });
});
