// A confirmed call that an assistant sends again, such as after a lost answer: nothing happens twice.
import { expect } from 'chai';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import type { Json } from '../support/harness.js';
import { setUpService } from '../support/setup.js';
import { connect, type Assistant } from './setup.js';
import { poll } from '../../fixtures/poll.js';

const CUSTOMER = 'ben';

describe('a confirmed change that is sent twice', () => {
  const { harness, slice, as } = setUpService({
    ...{ MCP: 'true', EGRESS_ALLOW_CIDRS: '127.0.0.1/32', EGRESS_ALLOW_HTTP: 'true' },
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0',
  });
  let assistant: Assistant;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let status = 200;
  let webhook: string;
  before(async () => {
    assistant = await connect(harness, as.key);
    receiver = await startReceiver((res) => res.writeHead(status).end());
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}`, {}, as);
  });
  after(() => receiver.stop());
  beforeEach(async () => {
    status = 200;
    receiver.seen.splice(0);
    const hook = await harness.call('POST', base(), { url: `${receiver.url}/in`, eventTypes: ['TEST'] }, as);
    webhook = hook.body.id;
  });

  const base = () => `/v1/projects/${slice.projectId}/webhooks`;
  const deliveries = async (): Promise<readonly Json[]> =>
    (await harness.call('GET', `${base()}/${webhook}/deliveries`, undefined, as)).body.items;
  /** Polls until every delivery has ended with this number of attempts, or until the test times out. */
  const ended = async (attempts: number): Promise<readonly Json[]> => {
    const isOver = (d: Json) => d.state !== 'pending' && d.attempts.length === attempts;
    return poll(deliveries, (items) => items.length > 0 && items.every(isOver));
  };
  const confirmed = async (tool: string, input: object): Promise<Json> => {
    const { confirm } = await assistant.ask(tool, input);
    return { ...input, confirm };
  };

  it('sends each test event once', async () => {
    const call = await confirmed('verify_webhook_handler', { webhook, kinds: ['TEST', 'RENEWAL', 'TEST'] });
    const first = await assistant.ask('verify_webhook_handler', call);
    expect(new Set(first.deliveries)).to.have.property('size', 3);
    const before = await ended(1);
    const second = await assistant.ask('verify_webhook_handler', call);
    expect(second.deliveries).to.deep.equal(first.deliveries);
    expect(await deliveries()).to.deep.equal(before);
    expect(receiver.seen).to.have.length(3);
  });

  it('redelivers once', async () => {
    const test = await confirmed('verify_webhook_handler', { webhook });
    const [delivery] = (await assistant.ask('verify_webhook_handler', test)).deliveries;
    await ended(1);
    const call = await confirmed('redeliver', { webhook, delivery });
    expect((await assistant.ask('redeliver', call)).deliveries).to.deep.equal([delivery]);
    const before = await ended(2);
    expect((await assistant.ask('redeliver', call)).deliveries).to.deep.equal([delivery]);
    // Another redelivery would make it pending at once, or have been sent already.
    expect(await deliveries()).to.deep.equal(before);
    expect(receiver.seen).to.have.length(2);
  });

  it('redelivers the failed ones once, also if they fail again', async () => {
    status = 500;
    const test = await confirmed('verify_webhook_handler', { webhook });
    await assistant.ask('verify_webhook_handler', test);
    await ended(1);
    const call = await confirmed('redeliver', { webhook, since: '2020-01-01T00:00:00Z' });
    await assistant.ask('redeliver', call);
    const before = await ended(2);
    expect(before.map((d) => d.state)).to.deep.equal(['failed']);
    await assistant.ask('redeliver', call);
    expect(await deliveries()).to.deep.equal(before);
    expect(receiver.seen).to.have.length(2);
  });

  it('sets attributes once: a value that was changed since is not overwritten', async () => {
    const call = await confirmed('set_attributes', { customer: CUSTOMER, attributes: { colour: 'red' } });
    await assistant.ask('set_attributes', call);
    await harness.call('POST', `/v1/subscribers/${CUSTOMER}/attributes`, { attributes: { colour: 'blue' } }, as);
    await harness.service().idle();
    const { log } = harness.service().services.deps;
    const head = await log.head();
    const { isError, content } = await assistant.call('set_attributes', call);
    expect(isError).to.equal(true);
    expect(content[0].text).to.match(/something has changed since/);
    expect(await log.head()).to.equal(head);
  });

  it('sets attributes once for two calls at the same time', async () => {
    const call = await confirmed('set_attributes', { customer: CUSTOMER, attributes: { size: 'L' } });
    const results = await Promise.all([assistant.call('set_attributes', call), assistant.call('set_attributes', call)]);
    expect(results.some(({ isError }) => isError !== true)).to.equal(true);
    const { entries } = await assistant.ask('get_timeline', {
      customer: CUSTOMER,
      types: ['CustomerAttributesUpdated'],
    });
    expect(entries.filter((e: Json) => /size/.test(e.summary))).to.have.length(1);
  });
});
