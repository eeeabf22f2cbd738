// Codec between events and their stored text: strict validation and sealing when writing, upcasts and opening when reading. A stored event
// is one JSON text with all its data, so that a reader fetches one column and parses once.
import type { z } from 'zod';
import type { LogPosition, NewEvent, RecordedEvent, Revision, StreamName } from '../../domain/envelope.js';
import type { EventType } from '../../domain/events.js';
import { sealSubjectOf } from '../../domain/streams.js';
import { freezeJson } from './frozen-json.js';
import { isSealed, openValue, sealValue, type DataKeys } from './sealing.js';

/** Text of an event without its place in the log; see `placed-event.ts`. */
type Draft = string;

/** Encoded event. `decoded` is what a read will return, frozen and without its place; null for an event with sealed fields. */
export type EncodedEvent = { readonly text: Draft; readonly decoded: UnplacedEvent | null };
export type UnplacedEvent = Omit<RecordedEvent, 'revision' | 'position'>;

export type Codec = {
  /**
   * Encodes events. Everything that the caller could change later is read before this returns; only the key of sealed fields is awaited.
   */
  encode(stream: StreamName, events: readonly NewEvent[]): Draft[] | Promise<Draft[]>;
  /** Encodes to frozen objects, for a log that stores the fields separately. */
  encodeObjects(stream: StreamName, events: readonly NewEvent[]): UnplacedEvent[] | Promise<UnplacedEvent[]>;
  /** Encodes to text and decoded form, for a log that also caches events. */
  encodeBoth(stream: StreamName, events: readonly NewEvent[]): EncodedEvent[] | Promise<EncodedEvent[]>;
  /**
   * Decodes stored texts. Unknown types and versions above the known one are returned as stored: readers skip or reject them. A sealed
   * field whose key was erased is null.
   */
  decode(texts: readonly string[]): RecordedEvent[] | Promise<RecordedEvent[]>;
  /** Decodes stored events that are already parsed; they are changed in place. */
  restore(events: RecordedEvent[]): RecordedEvent[] | Promise<RecordedEvent[]>;
};

type Sealing = { readonly keys: DataKeys; readonly randomBytes: (size: number) => Buffer };

type Data = Record<string, unknown>;
type StoredEvent = {
  id: string;
  type: string;
  v: number;
  data: Data;
  meta: NewEvent['meta'];
  stream: StreamName;
  revision: Revision;
  position: LogPosition;
};
type DraftEvent = Omit<StoredEvent, 'revision' | 'position'>;

/** Creates the codec. `sealing` is required as soon as one of the types has sealed fields. */
export function createCodec(eventTypes: readonly EventType[], sealing?: Sealing): Codec {
  const types = new Map(eventTypes.flatMap((type) => [type.name, ...type.formerNames].map((name) => [name, type])));
  for (const type of eventTypes) checkType(type, sealing !== undefined);

  return {
    encode: (stream, events) => textsOf(stream, draftsOf(stream, events)),
    encodeObjects(stream, events) {
      const drafts = draftsOf(stream, events);
      return sealedOf(stream, drafts) ?? drafts.map(freezeJson);
    },
    encodeBoth(stream, events) {
      const drafts = draftsOf(stream, events);
      const decoded = drafts.map((draft) => (sealedFieldsOf(draft.type).length > 0 ? null : freezeJson(draft)));
      const both = (texts: readonly Draft[]): EncodedEvent[] =>
        texts.map((text, i) => ({ text, decoded: decoded[i] ?? null }));
      const texts = textsOf(stream, drafts);
      return texts instanceof Promise ? texts.then(both) : both(texts);
    },
    decode: (texts) => restore(texts.map((text) => JSON.parse(text))),
    restore: (events) => restore(events),
  };

  function draftsOf(stream: StreamName, events: readonly NewEvent[]): DraftEvent[] {
    return events.map((event) => toDraft(stream, event, types));
  }

  function textsOf(stream: StreamName, drafts: readonly DraftEvent[]): Draft[] | Promise<Draft[]> {
    const textOf = (draft: DraftEvent): Draft => JSON.stringify(draft);
    return sealedOf(stream, drafts)?.then((sealed) => sealed.map(textOf)) ?? drafts.map(textOf);
  }

  /** Returns the sealed drafts; null when there is nothing to seal and the drafts are stored as they are. */
  function sealedOf(stream: StreamName, drafts: readonly DraftEvent[]): Promise<DraftEvent[]> | null {
    return sealing && drafts.some(isToSeal) ? sealAll(stream, drafts, sealing) : null;
  }

  function restore(events: StoredEvent[]): RecordedEvent[] | Promise<RecordedEvent[]> {
    let sealed: StoredEvent[] | undefined;
    for (const event of events) {
      const type = types.get(event.type);
      if (type === undefined || event.v > type.version) continue;
      event.type = type.name;
      if (type.sealed.length > 0) (sealed ??= []).push(event);
      else if (event.v < type.version) upcast(event, type);
    }
    return sealed && sealing ? openAll(events, sealed, sealing.keys) : asRecorded(events);
  }

  function isToSeal({ type, data }: DraftEvent): boolean {
    return sealedFieldsOf(type).some((field) => data[field] != null);
  }

  function sealedFieldsOf(type: string): readonly string[] {
    return types.get(type)?.sealed ?? [];
  }

  function subjectOf({ type, stream, data }: Pick<StoredEvent, 'type' | 'stream' | 'data'>): string {
    return types.get(type)?.sealedFor?.(data) ?? sealSubjectOf(stream);
  }

  /** Seals copies made at once, so that changes by the caller while the key is fetched have no effect. */
  async function sealAll(stream: StreamName, drafts: readonly DraftEvent[], { keys, randomBytes }: Sealing) {
    const copies: DraftEvent[] = drafts.map((draft) => JSON.parse(JSON.stringify(draft)));
    for (const { type, data } of copies) {
      if (sealedFieldsOf(type).length === 0) continue;
      const subject = subjectOf({ type, stream, data });
      const key = await keys.forSealing(subject);
      for (const field of sealedFieldsOf(type)) {
        if (data[field] == null) continue;
        data[field] = sealValue(data[field], key, { subject, type, field }, randomBytes);
      }
    }
    return copies;
  }

  async function openAll(events: StoredEvent[], sealed: readonly StoredEvent[], keys: DataKeys) {
    const fields = sealed.flatMap((event) => {
      const subject = subjectOf(event);
      return sealedFieldsOf(event.type).flatMap((field) => {
        const value = event.data[field];
        return isSealed(value) ? [{ event, value, place: { subject, type: event.type, field } }] : [];
      });
    });
    // Fields that the cached keys do not open may be sealed with a key that another process has created since.
    const closed = fields.length > 0 ? await openFields(fields, keys, false) : [];
    const left = closed.length > 0 ? await openFields(closed, keys, true) : [];
    for (const { event, place } of left) event.data[place.field] = null;
    for (const event of sealed) {
      const type = types.get(event.type);
      if (type) upcast(event, type);
    }
    return asRecorded(events);
  }
}

type SealedField = {
  readonly event: StoredEvent;
  readonly value: Parameters<typeof openValue>[0];
  readonly place: Parameters<typeof openValue>[2];
};

/** Opens fields in their events; returns those that no key opens. */
async function openFields(
  fields: readonly SealedField[],
  keys: DataKeys,
  isFresh: boolean,
): Promise<readonly SealedField[]> {
  const found = await keys.forOpening([...new Set(fields.map(({ place }) => place.subject))], { isFresh });
  return fields.filter(({ event, value, place }) => {
    const opened = openValue(value, found.get(place.subject) ?? [], place);
    if (opened !== undefined) event.data[place.field] = opened;
    return opened === undefined;
  });
}

function toDraft(stream: StreamName, event: NewEvent, types: ReadonlyMap<string, EventType>): DraftEvent {
  const { id, type: name, meta } = event;
  const type = types.get(name);
  if (!type) throw new Error(`event type ${name} is not declared`);
  const checked = type.schema.safeParse(event.data);
  if (!checked.success) throw new Error(`${name} does not fit its schema: ${issuesOf(checked.error)}`);
  return { id, type: name, v: type.version, data: checked.data as Data, meta, stream };
}

/** Returns paths and rules only: values may be personal data, and errors are logged. */
function issuesOf(error: z.ZodError): string {
  return error.issues.map((issue) => `${issue.path.join('.') || 'data'}: ${issue.message}`).join('; ');
}

function upcast(event: StoredEvent, type: EventType): void {
  for (; event.v < type.version; event.v++) event.data = type.upcasts[event.v]?.(event.data) ?? event.data;
}

function checkType({ name, version, upcasts, sealed }: EventType, canSeal: boolean): void {
  for (let v = 1; v < version; v++) if (!upcasts[v]) throw new Error(`${name} lacks the upcast from version ${v}`);
  if (sealed.length > 0 && !canSeal) throw new Error(`${name} has sealed fields; the codec needs data keys`);
}

function asRecorded(events: StoredEvent[]): RecordedEvent[] {
  return events;
}

/** Passes stored events unchanged: sealed fields stay sealed, old versions stay old. For moving a log, not for reading it. */
export const rawCodec: Codec = {
  encode: (stream, events) => events.map((event) => textOf(stream, event)),
  encodeObjects: (stream, events) => events.map((event) => freezeJson(fieldsOf(stream, event))),
  encodeBoth: (stream, events) => events.map((event) => ({ text: textOf(stream, event), decoded: null })),
  decode: (texts) => texts.map((text): RecordedEvent => JSON.parse(text)),
  restore: (events) => events,
};

function textOf(stream: StreamName, event: NewEvent): string {
  return JSON.stringify(fieldsOf(stream, event));
}

function fieldsOf(stream: StreamName, event: NewEvent): UnplacedEvent {
  const { id, type, v, data, meta } = event as NewEvent & Pick<RecordedEvent, 'v'>;
  return { id, type, v, data, meta, stream };
}
