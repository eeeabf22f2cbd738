// Codec that passes stored events unchanged: sealed fields stay sealed, old versions stay old. For moving a log, not for reading it.
import type { NewEvent, RecordedEvent, StreamName } from '../../domain/envelope.js';
import type { Codec, UnplacedEvent } from './codec.js';
import { freezeJson } from './frozen-json.js';

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
