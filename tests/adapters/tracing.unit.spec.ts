// Without an SDK, nothing is traced: work runs unchanged, and neither events nor records get anything of a trace.
import { trace } from '@opentelemetry/api';
import { expect } from 'chai';
import { traceAppends } from '../../src/adapters/event-log/observed-appends.js';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import {
  continueTrace,
  currentTraceparent,
  inSpan,
  storedTraceparent,
  traceFields,
} from '../../src/adapters/tracing/spans.js';
import type { NewEvent, StreamName } from '../../src/domain/envelope.js';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('tracing without an SDK', () => {
  before(() => trace.disable());

  it('runs work and returns its result, synchronously if it is', async () => {
    expect(inSpan('a', {}, () => 1)).to.equal(1);
    expect(await inSpan('a', {}, () => Promise.resolve(2))).to.equal(2);
    expect(() => inSpan('a', {}, (): number => fail())).to.throw(RangeError, 'thrown on');
    const rejected = await inSpan('a', {}, () => Promise.reject(new RangeError('thrown on'))).catch(String);
    expect(rejected).to.equal('RangeError: thrown on');
  });

  it('passes on no trace of a caller', () => {
    const seen = continueTrace(TRACEPARENT, () =>
      inSpan('a', { remoteParent: TRACEPARENT }, () => [currentTraceparent(), traceFields()]),
    );
    expect(seen).to.deep.equal([undefined, {}]);
  });

  it('appends events unchanged', async () => {
    const appended: (readonly NewEvent[])[] = [];
    const log = {
      append: (_stream: StreamName, _expected: unknown, events: readonly NewEvent[]) =>
        Promise.resolve(appended.push(events)),
    } as unknown as EventLog;
    const events = [{ id: '1', type: 'CustomerCreated', data: {}, meta: {} }] as unknown as readonly NewEvent[];
    await traceAppends(log).append('subscriber-a_b' as StreamName, 'none', events);
    expect(appended[0]).to.equal(events);
  });

  it('reads a traceparent of a record only if it is a text', () => {
    expect(storedTraceparent({ traceparent: TRACEPARENT })).to.equal(TRACEPARENT);
    expect(storedTraceparent({ traceparent: 1 })).to.equal(undefined);
    expect(storedTraceparent({})).to.equal(undefined);
  });
});

function fail(): never {
  throw new RangeError('thrown on');
}
