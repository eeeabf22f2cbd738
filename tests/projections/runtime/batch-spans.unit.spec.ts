// The span of a folded batch: part of the one trace that its events follow from, else a trace of its own with links.
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { expect } from 'chai';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { traceBatch } from '../../../src/projections/runtime/runner.js';

const TRACES = ['1'.repeat(32), '2'.repeat(32)] as const;
const traceparent = (traceId: string, span: number) => `00-${traceId}-${span.toString(16).padStart(16, '0')}-01`;
const events = (...traceparents: (string | undefined)[]) =>
  traceparents.map((found) => ({ meta: found === undefined ? {} : { traceparent: found } }) as RecordedEvent);

describe('the span of a folded batch', () => {
  const exporter = new InMemorySpanExporter();
  before(() => {
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }));
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  after(() => {
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  const fold = async (...traceparents: (string | undefined)[]) => {
    const work = () => traceBatch('customers', events(...traceparents), () => Promise.resolve('folded'));
    // Other work that is in progress has no part in it.
    const result = await trace.getTracer('test').startActiveSpan('request', work);
    expect(result).to.equal('folded');
    const [span] = exporter.getFinishedSpans();
    const links = span?.links.map((link) => link.context.spanId.replace(/^0+/, ''));
    return { parent: span?.parentSpanContext?.spanId.replace(/^0+/, ''), links, attributes: span?.attributes };
  };

  it('is a child of the append, with links to further appends of the same trace', async () => {
    const [first] = TRACES;
    const found = await fold(undefined, traceparent(first, 1), traceparent(first, 1), traceparent(first, 2));
    expect(found).to.deep.include({ parent: '1', links: ['2'] });
    expect(found.attributes).to.deep.equal({ 'subledger.read_model': 'customers', 'subledger.events.count': 4 });
  });

  it('is a trace of its own with a link to each append when its events are of several traces', async () => {
    const found = await fold(traceparent(TRACES[0], 1), traceparent(TRACES[1], 2));
    expect(found).to.deep.include({ parent: undefined, links: ['1', '2'] });
  });

  it('has neither without a traced event, nor for an invalid traceparent', async () => {
    expect(await fold(undefined)).to.deep.include({ parent: undefined, links: [] });
    exporter.reset();
    expect(await fold('00-' + '0'.repeat(32) + '-1-01')).to.deep.include({ parent: undefined, links: [] });
  });

  it('has a limited number of links', async () => {
    const all = Array.from({ length: 100 }, (_, i) => traceparent(TRACES[i % 2] ?? '', i + 1));
    expect((await fold(...all)).links).to.have.length(32);
  });
});
