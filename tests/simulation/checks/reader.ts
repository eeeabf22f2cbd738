// Reads everything that a run has stored, without fault injection and with all keys.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import type { Runtime } from '../../../src/adapters/runtime.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createDataKeys, type MasterKeys } from '../../../src/adapters/keys/vault.js';
import { namingKey } from '../../../src/adapters/engine/hash-key.js';
import type { Engine } from '../../../src/adapters/engine/engine.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { keyedHash, type KeyedHash } from '../../../src/domain/ids.js';
import { families } from '../../../src/domain/streams.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import { sealPersonal } from '../../../src/main/personal-fields.js';
import { ownCopy } from '../engine/log.js';
import { runtimeOf } from '../engine/process.js';
import { createTimeline } from '../engine/timeline.js';
import { createWeather, type Host } from '../engine/weather.js';
import type { Played } from '../world/played.js';

const MASTERS: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];

export type Reader = {
  /** Documents with decrypted personal fields. */
  readonly docs: DocStore;
  /** Decrypted log, with lookup by position. */
  readonly log: EventLog;
  /** Decrypted events in log order. */
  readonly events: readonly RecordedEvent[];
  /** Events as stored, personal fields encrypted. */
  readonly sealed: readonly RecordedEvent[];
  readonly hash: KeyedHash;
  readonly runtime: Runtime;
};

/** Uses a timeline of its own, so that reading changes nothing in the run. */
export async function readWorld({ docs, log: { raw }, timeline }: Played): Promise<Reader> {
  const host: Host = { name: 'reader', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const aside = createTimeline('reader', timeline.now());
  const runtime = runtimeOf({ timeline: aside, weather: createWeather(aside), pace: 1 }, host);
  const dataKeys = createDataKeys(docs, MASTERS, runtime);
  const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: (size) => runtime.randomBytes(size) });
  const opened = async (events: readonly RecordedEvent[]) => codec.restore(events.map(ownCopy));
  const { signal } = new AbortController();
  let sealed: readonly RecordedEvent[] = [];
  for await (const feed of raw.follow({ after: 'start', families, max: 1_000_000, signal })) {
    sealed = feed.events;
    break;
  }
  const events = await opened(sealed);
  const byPosition = new Map(events.map((event) => [event.position, event]));
  const log: EventLog = {
    identity: () => raw.identity(),
    head: () => raw.head(),
    append: () => Promise.reject(new Error('the reader cannot append')),
    erase: () => Promise.reject(new Error('the reader cannot erase')),
    async *read(stream, after = -1) {
      for (const event of events) if (event.stream === stream && event.revision > after) yield event;
    },
    async *follow({ after, families: wanted, signal: ended }) {
      const from = after === 'start' ? '' : after;
      const found = events.filter(
        (e) => e.position > from && wanted.some((family) => e.stream.startsWith(`${family}-`)),
      );
      if (!ended.aborted) yield { events: found, upTo: await raw.head(), caughtUp: true };
    },
    local: {
      at: (positions) => Promise.resolve(positions.flatMap((position) => byPosition.get(position) ?? [])),
      probe: () => Promise.resolve(),
    },
  };
  const hash = keyedHash(await namingKey({ docs, dataKeys } as Pick<Engine, 'docs' | 'dataKeys'> as Engine));
  return { docs: sealPersonal(docs, dataKeys, runtime), log, events, sealed, hash, runtime };
}
