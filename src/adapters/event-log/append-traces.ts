// Event log that traces its appends. Appended events carry the `traceparent` of the append in their metadata, so that what follows from
// them later, in this or another process, continues the trace. Events of appends that are not traced have none.
import { familyOf } from '../../domain/streams.js';
import type { NewEvent } from '../../domain/envelope.js';
import { inSpan } from '../tracing/spans.js';
import type { EventLog } from './port.js';

export function traceAppends(log: EventLog): EventLog {
  return {
    ...log,
    append: (stream, expected, events) => {
      const family = familyOf(stream);
      const attributes = { 'subledger.stream.family': family, 'subledger.events': events.map(({ type }) => type) };
      return inSpan(`append ${family}`, { attributes }, ({ traceparent }) =>
        log.append(stream, expected, traceparent === null ? events : events.map((e) => withTrace(e, traceparent))),
      );
    },
  };
}

function withTrace(event: NewEvent, traceparent: string): NewEvent {
  const meta = { ...event.meta, traceparent };
  return { ...event, meta };
}
