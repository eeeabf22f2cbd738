// Event logs that count, time and trace their appends.
import { familyOf } from '../../domain/streams.js';
import type { NewEvent } from '../../domain/envelope.js';
import { WrongRevision } from '../../domain/errors.js';
import type { Metrics } from '../metrics/port.js';
import type { Runtime } from '../runtime.js';
import { inSpan } from '../tracing/spans.js';
import type { EventLog } from './port.js';

/** Counts and times the appends. */
export function measureAppends(log: EventLog, metrics: Metrics, { now }: Pick<Runtime, 'now'>): EventLog {
  return {
    ...log,
    append: async (stream, expected, events) => {
      const startedAt = now();
      try {
        const appended = await log.append(stream, expected, events);
        if (events.length > 0) metrics.append('appended', now() - startedAt);
        return appended;
      } catch (err) {
        metrics.append(err instanceof WrongRevision ? 'conflict' : 'failed', now() - startedAt);
        throw err;
      }
    },
  };
}

/**
 * Traces the appends. Appended events carry the `traceparent` of the append in their metadata, so that what follows from them later, in this
 * or another process, continues the trace. Events of appends that are not traced have none.
 */
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
