// The form in which events travel: what a decider produces, what is appended, what is read back.

/** Who caused an event; `system` acts for the clock (`deadlines`) or for the service itself. */
export type Actor = { readonly kind: 'user' | 'api_key' | 'store' | 'system'; readonly id: string };

/**
 * `at`: when the event took effect (the store's time). `recordedAt`: when it was learned; never goes back within a stream.
 * Both are ISO 8601 UTC with milliseconds. `inferred` marks events found by comparing a snapshot with what was known.
 */
export type EventMeta = {
  readonly at: string;
  readonly recordedAt: string;
  readonly actor: Actor;
  readonly commandId: string;
  readonly causationId: string;
  readonly correlationId: string;
  readonly projectId?: string;
  readonly inferred?: true;
  readonly late?: Late;
  readonly update?: RetainedUpdate;
};

/**
 * Marks an event that belongs before others that are recorded already; the state that it leads to stands in the
 * `PurchaseHistoryRevised` before it. Webhooks pass over what is `announced` already, by an event that this one takes the place of, and
 * what was `overcome` by another event before it arrived.
 */
export type Late = 'new' | 'announced' | 'overcome';

/**
 * A store update, kept with the first event that it led to, so that it can be decided again when an older update arrives later.
 * `saidAt`: its place in the order of updates (ISO 8601 UTC). `commands`: JSON text, parsed only then.
 */
export type RetainedUpdate = { readonly saidAt: string; readonly commands: string };

/** What `decide` returns: an event without its envelope. `at` is given where it differs from the command's own time. */
export type DomainEvent<N extends string = string, D = unknown> = {
  readonly type: N;
  readonly data: D;
  readonly at?: string;
  readonly inferred?: true;
  readonly late?: Late;
  readonly update?: RetainedUpdate;
};

export type StreamName = string & { readonly __brand: 'StreamName' };

/** Place in a stream, ascending; opaque: after an erase the numbering goes on, so it is never a count. */
export type Revision = number;

/** Place in the whole log: 20 digits, zero padded, so that string order is log order. */
export type LogPosition = string & { readonly __brand: 'LogPosition' };

export type NewEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: unknown;
  readonly meta: EventMeta;
};

type Envelope = {
  readonly id: string;
  readonly v: number;
  readonly meta: EventMeta;
  readonly stream: StreamName;
  readonly revision: Revision;
  readonly position: LogPosition;
};

/** A stored event; over a union of domain events it is a union too, so that `type` narrows `data`. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent
  ? Envelope & { readonly type: E['type']; readonly data: E['data'] }
  : never;

/** The later of two places in the log. */
export function latestOf(a: LogPosition | null, b: LogPosition | null): LogPosition | null {
  return a === null || (b !== null && b > a) ? b : a;
}
