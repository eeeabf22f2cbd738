// Spans, through the API of OpenTelemetry: no other module knows tracing. The API does nothing until an operator loads an SDK. Attributes
// never contain personal data, secrets, paths with values, or query strings, and of an error only its class is recorded: messages may
// contain data.
import {
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';

const TRACER = 'subledger';
const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

export type SpanOptions = {
  /** Default: internal. */
  readonly kind?: keyof typeof kinds;
  readonly attributes?: Attributes;
  /** `traceparent` that a caller sent. Ignored within a span: an instrumentation of the operator has read it then. */
  readonly remoteParent?: string | undefined;
  /** `traceparent` of each span that this one is related to, without being its child. */
  readonly links?: readonly string[];
};

export type OpenSpan = {
  /** Value of the W3C header `traceparent` by which others continue the trace; null if nothing is traced. */
  readonly traceparent: string | null;
  set(attributes: Attributes): void;
  /** Marks the span as failed. `type`: error class or status code. */
  fail(type: string): void;
};

/** Runs work in a span, which ends with the work. An error of the work marks it as failed and is thrown on. */
export function inSpan<T>(name: string, o: SpanOptions, work: (span: OpenSpan) => Promise<T>): Promise<T>;
export function inSpan<T>(name: string, o: SpanOptions, work: (span: OpenSpan) => Promise<T> | T): Promise<T> | T;
export function inSpan<T>(name: string, o: SpanOptions, work: (span: OpenSpan) => Promise<T> | T): Promise<T> | T {
  const { kind = 'internal', attributes = {}, remoteParent, links = [] } = o;
  const active = context.active();
  const parent = remoteParent === undefined || trace.getSpan(active) ? active : contextOf(remoteParent);
  const options = { kind: kinds[kind], attributes, links: links.flatMap(linkTo) };
  const span = trace.getTracer(TRACER).startSpan(name, options, parent);
  const open = openSpan(span);
  const endFailed = (err: unknown): never => {
    open.fail(err instanceof Error ? err.name : 'unknown');
    span.end();
    throw err;
  };
  try {
    const result = context.with(trace.setSpan(parent, span), work, undefined, open);
    if (result instanceof Promise) return result.then((value) => (span.end(), value), endFailed);
    span.end();
    return result;
  } catch (err) {
    return endFailed(err);
  }
}

/** Runs work as part of the trace of a `traceparent`; outside of any trace if there is none. */
export function continueTrace<T>(traceparent: string | undefined, work: () => T): T {
  return context.with(traceparent === undefined ? ROOT_CONTEXT : contextOf(traceparent), work);
}

/** Returns the `traceparent` of the span in progress; undefined outside of a trace. */
export function currentTraceparent(): string | undefined {
  const found = trace.getSpanContext(context.active());
  return found && isSpanContextValid(found) ? textOf(found) : undefined;
}

/** Returns the `traceparent` stored in a record or in the metadata of an event. */
export function storedTraceparent(stored: object): string | undefined {
  return 'traceparent' in stored && typeof stored.traceparent === 'string' ? stored.traceparent : undefined;
}

/** Returns the trace's ID of a `traceparent`. */
export function traceIdOf(traceparent: string): string {
  return traceparent.slice(3, 35);
}

/** Returns fields of a log line by which it is found from a trace; none outside of a trace. */
export function traceFields(): object {
  const found = trace.getSpanContext(context.active());
  return found && isSpanContextValid(found) ? { traceId: found.traceId, spanId: found.spanId } : {};
}

function openSpan(span: Span): OpenSpan {
  const own = span.spanContext();
  return {
    traceparent: isSpanContextValid(own) ? textOf(own) : null,
    set: (attributes) => void span.setAttributes(attributes),
    fail: (type) => {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

function textOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Later versions may append fields, which are ignored (W3C Trace Context, 4.3). */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:$|-)/;

/** Returns null for a text that is not a valid `traceparent`. */
function parse(traceparent: string): SpanContext | null {
  const [, traceId = '', spanId = '', flags = ''] = TRACEPARENT.exec(traceparent) ?? [];
  const found = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  return isSpanContextValid(found) ? found : null;
}

function contextOf(traceparent: string): Context {
  const found = parse(traceparent);
  return found ? trace.setSpanContext(ROOT_CONTEXT, found) : ROOT_CONTEXT;
}

function linkTo(traceparent: string): { readonly context: SpanContext }[] {
  const found = parse(traceparent);
  return found ? [{ context: found }] : [];
}
