// The forms of an event: as a decider produces it, as it is appended, and as it is read from the log.

/** `system` stands for the clock (`deadlines`) and for the service itself; `import` for an import of files, with its ID. */
export const actorKinds = ['user', 'api_key', 'store', 'system', 'import'] as const;

/** The cause of an event. `via`: the tool through which the request came, by its own name, such as `mcp: claude-code`. */
export type Actor = {
  readonly kind: (typeof actorKinds)[number];
  readonly id: string;
  readonly via?: string;
};

/** Row of an imported file, from 1, that contains a fact. `file`: name without folders. */
export type ImportedRow = { readonly file: string; readonly row: number };

/**
 * `at`: time at which the event took effect (the store's time). `recordedAt`: time of the append; never decreases within a stream.
 * Both are ISO 8601 UTC with milliseconds. `inferred` marks events derived by comparing a snapshot with the recorded state.
 */
type EventMeta = {
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
  /** The row that the event follows from. Events with a row send no webhooks. */
  readonly importedFrom?: ImportedRow;
};

/**
 * Marks an event whose place in the history is before events that are recorded already; the state that it leads to is in the
 * `PurchaseHistoryRevised` before it. Webhooks skip an event that is `announced` already, by an event that this one replaces, and
 * one that another event had `overcome` before it arrived.
 */
export type Late = 'new' | 'announced' | 'overcome';

/**
 * A store update, retained with the first event that it led to, so that it can be decided again when an older update arrives later.
 * `saidAt`: the stored name of `orderedAt`, its place in the order of updates (ISO 8601 UTC). It is in logs without a version of its own, so
 * that another name would be unknown to the version before. `commands`: JSON text, parsed only when it is decided again.
 */
export type RetainedUpdate = {
  readonly saidAt: string;
  readonly commands: string;
  readonly importedFrom?: ImportedRow;
};

/** Fields of an event of any type. */
export type EventData = Readonly<Record<string, unknown>>;

/** An event without its envelope, as `decide` returns it. `at` is present where it differs from the time of the command. */
export type DomainEvent<N extends string = string, D = EventData> = {
  readonly type: N;
  readonly data: D;
  readonly at?: string;
  readonly inferred?: true;
  readonly late?: Late;
  readonly update?: RetainedUpdate;
  readonly importedFrom?: ImportedRow;
};

/** Name of a stream; `F` is the family of its events. */
export type StreamName<F extends string = string> = string & { readonly __brand: 'StreamName'; readonly __family: F };

/** Position in a stream, ascending. It is not a count: after an erase the numbering continues. */
export type Revision = number;

/** Position in the whole log: 20 digits, zero padded, so that string order is log order. */
export type LogPosition = string & { readonly __brand: 'LogPosition' };

/** Returns a position as text. Embedded logs count events, EventStoreDB counts bytes; with 20 digits, string order is log order. */
export function logPosition(position: number | bigint | string): LogPosition {
  return String(position).padStart(20, '0') as LogPosition;
}

export function isLogPosition(text: unknown): text is LogPosition {
  return typeof text === 'string' && /^\d{20}$/.test(text);
}

export type NewEvent = {
  readonly id: string;
  readonly type: string;
  readonly data: EventData;
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

/** A stored event. For a union of domain events it is a union too, so that `type` narrows `data`. */
export type RecordedEvent<E extends DomainEvent = DomainEvent> = E extends DomainEvent
  ? Envelope & { readonly type: E['type']; readonly data: E['data'] }
  : never;

/** Returns the later of two positions in the log. */
export function latestOf(a: LogPosition | null, b: LogPosition | null): LogPosition | null {
  return a === null || (b !== null && b > a) ? b : a;
}
