// How an event type is declared: one value holds its name, version, schema, upcasts, sealed fields and the concerns that it touches.
import { z } from 'zod';
import type { Concern } from './concerns.js';
import type { DomainEvent, StreamName } from './envelope.js';

type Upcast = (data: Record<string, unknown>) => Record<string, unknown>;

export type EventType<N extends string = string, D = unknown> = {
  readonly name: N;
  /** Names under which earlier versions stored this type. */
  readonly formerNames: readonly string[];
  readonly version: number;
  /** Checked before an append, never on a read: an old event must not stop a replay. */
  readonly schema: z.ZodType<D>;
  /** `upcasts[n]` turns the data of version n into that of version n + 1. */
  readonly upcasts: Readonly<Record<number, Upcast>>;
  /** Top-level fields encrypted at rest with the data key of the stream's person; null once that key is gone. */
  readonly sealed: readonly string[];
  /** Whose key that is where it is not that of the stream's person. */
  readonly sealedFor: ((data: Readonly<Record<string, unknown>>) => StreamName) | null;
  /** Null in families with few readers, whose switches name every type. */
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
    schema: schema as unknown as z.ZodType<Data>,
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
 * True for an event that touches the concern. The switch of a reader over the types that are left is checked by the compiler. False for a
 * type that only newer code knows.
 */
export function touches<T extends Table, C extends Concern, E extends { readonly type: string }>(
  table: T,
  event: E,
  concern: C,
): event is Extract<E, { readonly type: TypesTouching<T, C> }> {
  return Object.hasOwn(table, event.type) && (table[event.type]?.touches?.includes(concern) ?? false);
}

/** The union of domain events of a table of event types: `EventOf<typeof projectEvents>`. */
export type EventOf<T extends Record<string, { of: (...args: never[]) => DomainEvent }>> = ReturnType<T[keyof T]['of']>;

/**
 * Stands behind the last case of a switch over event types. `Left` names the types that have no case of their own, so that a new type
 * does not compile until this reader has a case for it or names it there. It checks nothing at run time: a type that only newer code
 * knows ends here too and is treated like the named ones.
 */
export function remaining<Left extends string>(_event: { readonly type: Left }): void {}
