// Event types, streams and ready-made events for the specs of the event log.
import { v5 as uuidV5 } from 'uuid';
import { z } from 'zod';
import { createCodec, type Codec } from '../../src/adapters/event-log/codec.js';
import type { DataKeys } from '../../src/adapters/event-log/sealing.js';
import type { EventData, NewEvent, RecordedEvent } from '../../src/domain/envelope.js';
import { defineEvent } from '../../src/domain/events.js';
import { streams } from '../../src/domain/streams.js';

export const Noted = defineEvent('Noted', { text: z.string(), extra: z.string().optional() });
export const Described = defineEvent(
  'Described',
  { email: z.string().nullable(), note: z.string() },
  { sealed: ['email'] },
);

export const alice = streams.subscriber('proj_1', 'cus_alice');
export const bob = streams.subscriber('proj_1', 'cus_bob');
export const catalog = streams.catalog('proj_1');

const NAMESPACE = '0b0f6c0e-8d3c-4c5e-9a51-0a2f4f6f7c22';

/** The same name is the same event id, so that a repeat can be written down. */
export function noted(name: string, data: EventData = { text: name }): NewEvent {
  return newEvent('Noted', name, data);
}

export function newEvent(type: string, name: string, data: EventData): NewEvent {
  return {
    id: uuidV5(name, NAMESPACE),
    type,
    data,
    meta: {
      at: '2026-11-20T10:00:00.000Z',
      recordedAt: '2026-11-20T10:00:01.000Z',
      actor: { kind: 'system', id: 'tests' },
      commandId: name,
      causationId: name,
      correlationId: 'req_1',
      projectId: 'proj_1',
    },
  };
}

export function notedMany(count: number, prefix: string): NewEvent[] {
  return Array.from({ length: count }, (_, i) => noted(`${prefix}${i}`));
}

export type MemoryKeys = DataKeys & { erase(subject: string): void };

/** Data keys in memory, each derived from its subject. */
export function memoryKeys(): MemoryKeys {
  const keys = new Map<string, Buffer>();
  return {
    forSealing: async (subject) => {
      const key = keys.get(subject) ?? Buffer.from(subject.padEnd(32, '.').slice(0, 32));
      keys.set(subject, key);
      return key;
    },
    forOpening: async (subjects) =>
      new Map([...keys].flatMap(([subject, key]) => (subjects.includes(subject) ? [[subject, [key]] as const] : []))),
    erase: (subject) => void keys.delete(subject),
  };
}

export function sampleCodec(keys: DataKeys): Codec {
  return createCodec([Noted, Described], { keys, randomBytes: countingBytes() });
}

/** Never twice the same bytes, and always the same ones in the same run. */
export function countingBytes(): (size: number) => Buffer {
  let count = 0;
  return (size) => Buffer.from(String(++count).padStart(size, '0'));
}

export function textsOf(events: readonly RecordedEvent[]): string[] {
  return events.map((event) => (event.data as { text: string }).text);
}

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
