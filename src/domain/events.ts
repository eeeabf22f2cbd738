// The declaration of an event type: its name, version, schema, upcasts, sealed fields and the concerns that it touches. Each
// concern has a few readers, which process the events that touch it and no others.
import { z } from 'zod';
import type { DomainEvent, StreamName } from './envelope.js';

type Upcast = (data: Record<string, unknown>) => Record<string, unknown>;

export type EventType<N extends string = string, D = unknown> = {
  readonly name: N;
  /** Names that earlier versions stored for this type. */
  readonly formerNames: readonly string[];
  readonly version: number;
  /** Schema that is checked before an append, never on a read: an old event must not stop a replay. */
  readonly schema: z.ZodType<D>;
  /** `upcasts[n]` turns the data of version n into that of version n + 1. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
  /** Top-level fields encrypted at rest with the data key of the stream's person; null once that key is gone. */
  readonly sealed: readonly string[];
  /** Returns the stream whose data key seals the fields, where it is not the event's own stream. */
  readonly sealedFor: ((data: Readonly<Record<string, unknown>>) => StreamName) | null;
  /** Concerns of the event. Null in families with few readers, whose switches name every type. */
  readonly touches: readonly Concern[] | null;
  of(data: D, more?: { readonly at?: string; readonly inferred?: boolean }): DomainEvent<N, D>;
};

type Options<Data> = {
  readonly formerNames?: readonly string[];
  readonly version?: number;
  readonly upcasts?: Record<number, Upcast>;
  readonly sealed?: readonly string[];
  readonly sealedFor?: (data: Data) => StreamName;
};

/** Declares an event type. Unknown fields are refused on append. */
export function defineEvent<const N extends string, S extends z.ZodRawShape>(
  name: N,
  shape: S,
  options: Options<z.output<z.ZodObject<S, z.core.$strict>>> = {},
) {
  const schema = z.strictObject(shape);
  type Data = z.output<typeof schema>;
  const type: EventType<N, Data> & { readonly touches: null } = {
    name,
    formerNames: options.formerNames ?? [],
    version: options.version ?? 1,
    schema: schema,
    upcasts: options.upcasts ?? {},
    sealed: options.sealed ?? [],
    sealedFor: (options.sealedFor ?? null) as EventType['sealedFor'],
    touches: null,
    of: (data, more) => ({
      type: name,
      data,
      ...(more?.at !== undefined && { at: more.at }),
      ...(more?.inferred && { inferred: true as const }),
    }),
  };
  return { ...type, touching: <const C extends readonly Concern[]>(...touches: C) => ({ ...type, touches }) };
}

/** A table in which an event type does not compile until it states which of the concerns `C` it touches. */
export type EventTable<C extends Concern = Concern> = Readonly<
  Record<string, EventType & { readonly touches: readonly C[] }>
>;

type Table = Readonly<Record<string, Pick<EventType, 'touches'>>>;

/** The names of a table's event types that touch a concern, or one of several. */
export type TypesTouching<T extends Table, C extends Concern> = {
  [K in keyof T & string]: Extract<NonNullable<T[K]['touches']>[number], C> extends never ? never : K;
}[keyof T & string];

/**
 * Returns true for an event that touches the concern, and narrows it, so that the compiler checks the reader's switch over those types.
 * Returns false for a type that only newer code defines.
 */
export function touches<T extends Table, C extends Concern, E extends { readonly type: string }>(
  table: T,
  event: E,
  concern: C,
): event is Extract<E, { readonly type: TypesTouching<T, C> }> {
  return Object.hasOwn(table, event.type) && (table[event.type]?.touches?.includes(concern) ?? false);
}

/** Returns true for an event whose type is in the table, and narrows it. */
export function isIn<T extends Table, E extends { readonly type: string }>(
  table: T,
  event: E,
): event is Extract<E, { readonly type: keyof T }> {
  return Object.hasOwn(table, event.type);
}

/** The union of domain events of a table of event types: `EventOf<typeof projectEvents>`. */
export type EventOf<T extends Record<string, { of: (...args: never[]) => DomainEvent }>> = ReturnType<T[keyof T]['of']>;

/**
 * Follows the last case of a switch over event types. `Left` lists the types without a case of their own, so that a new type does not
 * compile until the reader has a case for it or lists it. It checks nothing at run time: a type that only newer code defines also
 * arrives here and is treated like the listed ones.
 */
export function remaining<Left extends string>(_event: { readonly type: Left }): void {}

/** Concerns of a customer's events. */
export const customerConcerns = {
  profile:
    'The identity and holdings of the customer: attributes, grants, experiments, one-time purchases, and purchases that move as a whole.',
  subscription: 'The state of one subscription: its period, renewal, grace, pause, price and end.',
  transactions: 'The record of each charge, with its refunds and corrections.',
  money: 'The total that the customer has paid.',
  notices: 'No state. The name of the event is stored, so that a repeat is not recorded again.',
  refundRequests: 'Questions of the stores about a refund, and their decisions.',
  charts: 'The measures of the charts.',
  webhooks:
    'Messages to webhooks for this event. `ENTITLEMENT_CHANGED` follows from access, whichever event changed it.',
} as const;

/** Concerns of a project's events. */
export const projectConcerns = {
  project: 'The settings and the members of the project.',
  apps: 'The apps, and the addresses to which their notifications are forwarded.',
  credentials: "The credentials for an app's store.",
  reportSources: 'Where the financial reports of an account are fetched.',
  keys: 'The API keys.',
  annotations: 'The notes of members on a day of the charts.',
  figures: 'The charts whose figure is watched, and the days on which it left its usual band.',
  cleanup: 'Records to delete after an app or the project is deleted.',
} as const;

export type CustomerConcern = keyof typeof customerConcerns;
export type ProjectConcern = keyof typeof projectConcerns;
type Concern = CustomerConcern | ProjectConcern;
