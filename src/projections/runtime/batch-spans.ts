// Span of a batch that a read model folds. A batch whose events all follow from one trace is part of it; one of several traces is a trace of
// its own with a link to each append.
import { continueTrace, inSpan, storedTraceparent, traceIdOf } from '../../adapters/tracing/spans.js';
import type { RecordedEvent } from '../../domain/envelope.js';

/** Limit of links: a batch while catching up has thousands of events. */
const MAX_LINKS = 32;

/** Runs the folding of a batch in its span. */
export function traceBatch<T>(name: string, events: readonly RecordedEvent[], fold: () => Promise<T>): Promise<T> {
  const appends = tracesOf(events);
  const isOneTrace = new Set(appends.map(traceIdOf)).size === 1;
  const [parent, links] = isOneTrace ? [appends[0], appends.slice(1)] : [undefined, appends];
  const attributes = { 'subledger.read_model': name, 'subledger.events.count': events.length };
  return continueTrace(parent, () => inSpan(`fold ${name}`, { attributes, links: links.slice(0, MAX_LINKS) }, fold));
}

/** Returns the appends of the events that are traced, each once. */
function tracesOf(events: readonly RecordedEvent[]): readonly string[] {
  return [...new Set(events.map(({ meta }) => storedTraceparent(meta)).filter((found) => found !== undefined))];
}
