// Reads of one stream, typed by the family in its name.
import type { Revision, StreamName } from '../../domain/envelope.js';
import type { Family } from '../../domain/streams.js';
import type { EventOfFamily } from '../../domain/vocabulary.js';
import type { EventLog } from './port.js';

/** Like `read` of the log: events after a revision (exclusive), oldest first. A stream contains events of its family only. */
export function readStream<F extends Family>(
  log: Pick<EventLog, 'read'>,
  stream: StreamName<F>,
  after?: Revision,
): AsyncIterable<EventOfFamily<F>> {
  return log.read(stream, after) as AsyncIterable<EventOfFamily<F>>;
}
