// Spans of requests, named by the template of their route: the path itself contains IDs of customers and tokens.
import { inSpan, type OpenSpan } from '../../adapters/tracing/spans.js';
import type { Dispatch } from './dispatch.js';
import { headerOf, type Exchange } from './exchange.js';
import type { Route } from './route.js';

/** Returns the same handling in a span, which continues the trace of the caller's `traceparent`. */
export function traceRequests({ path }: Route, handle: Dispatch): Dispatch {
  return (exchange) => {
    const { method = '' } = exchange.req;
    const attributes = { 'http.request.method': method, 'http.route': path };
    const remoteParent = headerOf(exchange, 'traceparent');
    return inSpan<void>(`${method} ${path}`, { kind: 'server', attributes, remoteParent }, (span) => {
      const handling = handle(exchange);
      return handling instanceof Promise ? handling.then(() => noteStatus(span, exchange)) : noteStatus(span, exchange);
    });
  };
}

function noteStatus(span: OpenSpan, { res: { statusCode } }: Exchange): void {
  span.set({ 'http.response.status_code': statusCode });
  if (statusCode >= 500) span.fail(String(statusCode));
}
