// The trace of one signed notification, from the request of the store to the receivers of its webhook and of its copy, by an exporter in
// memory. Each case states what an operator sees: names, kinds, parents, and that nothing about a person is among it.
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import { aboutSubscription, pushBody, subscriptionResource } from '../../../simulator/android-store/payloads.js';
import { startAndroidStore, type SimulatedAndroidStore } from '../../../simulator/android-store/server.js';
import { startReceiver } from '../../adapters/outbound/receiver.js';
import { setUpProject, startHarness, type Credentials, type Harness, type Json } from '../support/harness.js';

const PACKAGE = 'com.example.stargazer';
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };
const TOKEN = 'purchase-token-of-alice';
const ORDER = 'GPA.3345-1234-5678-90123';
const HOUR_MS = 3_600_000;

const NO_PROCESSOR = {
  onStart: () => undefined,
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

describe('the trace of a notification', () => {
  const exporter = new InMemorySpanExporter();
  let onEnd = () => {};
  const deliveries = () => exporter.getFinishedSpans().filter(({ name }) => name === 'deliver webhook');
  /** Resolves when this many deliveries were attempted, and all other work is done. */
  const attempted = async (count: number) => {
    while (deliveries().length < count) await new Promise<void>((resolve) => (onEnd = resolve));
    await harness.service().idle();
    return exporter.getFinishedSpans();
  };
  let androidStore: SimulatedAndroidStore;
  let receiver: Awaited<ReturnType<typeof startReceiver>>;
  let harness: Harness;
  let secrets: readonly string[];
  let spans: readonly ReadableSpan[];
  let notify: (messageId: string, type: 'PURCHASED' | 'RENEWED') => Promise<void>;

  before(async () => {
    const spanProcessors = [new SimpleSpanProcessor(exporter), { ...NO_PROCESSOR, onEnd: () => onEnd() }];
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    androidStore = await startAndroidStore(PACKAGE);
    receiver = await startReceiver((res) => void res.writeHead(200).end());
    harness = await startHarness({
      ...androidStore.settings,
      EGRESS_ALLOW_CIDRS: '127.0.0.1/32',
      EGRESS_ALLOW_HTTP: 'true',
    });
    const { projectId, secretKey, token } = await setUpProject(harness);
    const base = `/v1/projects/${projectId}`;
    const call = async (method: string, path: string, body?: object, as: Credentials = { token }): Promise<Json> => {
      const response = await harness.call(method, path, body, as);
      expect(response.status, `${path} ${JSON.stringify(response.body)}`).to.be.below(300);
      return response.body;
    };
    const fields = { name: 'Stargazer', platform: 'android', packageName: PACKAGE };
    const app = await call('POST', `${base}/apps`, fields);
    const account = { serviceAccountJson: androidStore.identity.keyFile() };
    await call('POST', `${base}/apps/${app.id}/credentials/android-store`, account);
    await call('PATCH', `${base}/apps/${app.id}`, { notificationForwardingUrl: `${receiver.url}/copies` });
    await call('POST', `${base}/webhooks`, { url: `${receiver.url}/hooks/secret-path?key=secret-query` });
    await harness.service().idle();
    const now = Date.now();
    const times = { startMs: now - HOUR_MS, expiryMs: now + 24 * HOUR_MS };
    androidStore.subscriptions.set(
      TOKEN,
      subscriptionResource({ productId: 'pro_month', basePlanId: 'p1m', orderId: ORDER, ...times }),
    );
    exporter.reset();
    const path = new URL(app.notificationUrl).pathname;
    secrets = [path.split('/').at(-1) ?? '', TOKEN, ORDER, secretKey, 'secret-path', 'secret-query', '?', '@'];
    notify = async (messageId, type) => {
      const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;
      const kind = aboutSubscription(type, TOKEN);
      await call('POST', path, pushBody({ packageName: PACKAGE, atMs: now, messageId, kind }), {
        headers: { traceparent },
      });
    };
    await notify('m-1', 'PURCHASED');
    spans = await attempted(2);
  });
  after(async () => {
    await harness.stop();
    await receiver.stop();
    await androidStore.close();
    trace.disable();
    context.disable();
  });

  const all = (name: string) => spans.filter((span) => span.name === name);
  const one = (name: string, where: object = {}): ReadableSpan => {
    const found = all(name).filter(({ attributes }) =>
      Object.entries(where).every(([key, value]) => [attributes[key]].flat().includes(value)),
    );
    expect(found, `${name} ${JSON.stringify(where)} of ${spans.map((s) => s.name).join(', ')}`).to.have.length(1);
    return found[0] as ReadableSpan;
  };
  const expectChild = (child: ReadableSpan, parent: ReadableSpan) =>
    expect(child.parentSpanContext?.spanId, `parent of ${child.name}`).to.equal(parent.spanContext().spanId);

  const request = () => one('POST /v1/store/android-store/:token');
  const receipt = () => one('append inbox', { 'subledger.events': 'StoreNotificationReceived' });
  const purchase = () => one('append subscriber', { 'subledger.events': 'SubscriptionStarted' });

  it('continues that of the caller, and is one trace', () => {
    expect(request().parentSpanContext).to.include({ ...CALLER, isRemote: true });
    expect(request().kind).to.equal(SpanKind.SERVER);
    expect(request().attributes).to.deep.equal({
      'http.request.method': 'POST',
      'http.route': '/v1/store/android-store/:token',
      'http.response.status_code': 200,
    });
    expect(new Set(spans.map((span) => span.spanContext().traceId))).to.deep.equal(new Set([CALLER.traceId]));
  });

  it('has the command of the request and its append', () => {
    const command = one('command inbox', { 'subledger.commands': 'receive' });
    expectChild(command, request());
    expectChild(receipt(), command);
  });

  it('has what the worker does later: the store call, the command and its append', () => {
    const call = one('GET /purchases/subscriptionsv2');
    expectChild(call, receipt());
    expect(call.kind).to.equal(SpanKind.CLIENT);
    expect(call.attributes).to.include({ 'server.address': '127.0.0.1', 'http.response.status_code': 200 });
    const command = one('command subscriber', { 'subledger.events': 'SubscriptionStarted' });
    expectChild(command, receipt());
    expectChild(purchase(), command);
    expectChild(one('command inbox', { 'subledger.commands': 'finish' }), receipt());
  });

  it('has the batches that read models fold', () => {
    const appends = spans.filter(({ name }) => name.startsWith('append ')).map((span) => span.spanContext().spanId);
    for (const name of ['fold customers', 'fold transactions', 'fold notifications']) {
      expect(all(name), name).not.to.deep.equal([]);
      for (const batch of all(name)) expect(appends, name).to.include(batch.parentSpanContext?.spanId);
    }
  });

  it('has each delivery, and its receiver sees the traceparent of that attempt', () => {
    const purchaseSent = one('deliver webhook', { 'subledger.delivery.type': 'INITIAL_PURCHASE' });
    const copy = one('deliver webhook', { 'subledger.delivery.type': 'RAW' });
    expectChild(purchaseSent, purchase());
    expectChild(copy, receipt());
    for (const delivery of [purchaseSent, copy]) {
      const { traceId, spanId } = delivery.spanContext();
      expect(delivery.kind).to.equal(SpanKind.CLIENT);
      expect(delivery.attributes).to.include({ 'http.response.status_code': 200, 'server.address': '127.0.0.1' });
      const seen = receiver.seen.filter(({ headers }) => headers['traceparent'] === `00-${traceId}-${spanId}-01`);
      expect(seen.map(({ path }) => path.split('?')[0])).to.deep.equal([
        delivery === copy ? '/copies' : '/hooks/secret-path',
      ]);
    }
  });

  it('contains no token, query string or path of a receiver, and no fault', () => {
    const texts = spans.map(({ name, attributes, events }) => JSON.stringify([name, attributes, events]));
    expect(texts).to.have.length.above(10);
    for (const secret of secrets)
      expect(
        texts.filter((text) => text.includes(secret)),
        secret,
      ).to.deep.equal([]);
    expect(spans.filter(({ status }) => status.code === SpanStatusCode.ERROR).map(({ name }) => name)).to.deep.equal(
      [],
    );
  });

  it('is marked where a call failed, by the status alone, and has no webhook then', async () => {
    exporter.reset();
    androidStore.setFailure(503);
    await notify('m-2', 'RENEWED');
    spans = await attempted(1);
    const call = one('GET /purchases/subscriptionsv2');
    expect(call.status).to.deep.equal({ code: SpanStatusCode.ERROR });
    expect(call.attributes).to.include({ 'http.response.status_code': 503 });
    expect(call.events).to.deep.equal([]);
    expect(all('deliver webhook').map(({ attributes }) => attributes['subledger.delivery.type'])).to.deep.equal([
      'RAW',
    ]);
  });
});
