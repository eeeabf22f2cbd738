// Reads everything that a run has stored, without fault injection and with all keys.
import type { DocStore } from '../../../src/adapters/documents/port.js';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import type { Runtime } from '../../../src/adapters/runtime.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createDataKeys, type MasterKeys } from '../../../src/adapters/keys/vault.js';
import { ensureNamingKey } from '../../../src/adapters/engine/hash-key.js';
import type { Engine } from '../../../src/adapters/engine/engine.js';
import type { RecordedEvent } from '../../../src/domain/envelope.js';
import { keyedHash, type KeyedHash } from '../../../src/domain/ids.js';
import { families } from '../../../src/domain/streams.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import { sealPersonalFields } from '../../../src/main/personal-fields.js';
import { copyEvent } from '../engine/log.js';
import { createHostRuntime } from '../engine/process.js';
import { createTimeline } from '../engine/timeline.js';
import { createFaultInjector, type Host } from '../engine/fault-injector.js';
import type { Simulation } from '../scenario/simulation.js';

const MASTERS: MasterKeys = [{ id: 'k1', key: Buffer.alloc(32, 7) }];

export type StoredData = {
  /** Documents with decrypted personal fields. */
  readonly docs: DocStore;
  /** Decrypted log, with lookup by position. */
  readonly log: EventLog;
  /** Decrypted events in log order. */
  readonly events: readonly RecordedEvent[];
  /** Events as stored, personal fields encrypted. */
  readonly encrypted: readonly RecordedEvent[];
  readonly hash: KeyedHash;
  readonly runtime: Runtime;
};

/** Uses a timeline of its own, so that reading changes nothing in the run. */
export async function readStoredData({ docs, log: { raw }, timeline }: Simulation): Promise<StoredData> {
  const host: Host = { name: 'reader', isAlive: true, pausedUntil: 0, skewMs: 0 };
  const ownTimeline = createTimeline('reader', timeline.now());
  const runtime = createHostRuntime({ timeline: ownTimeline, faults: createFaultInjector(ownTimeline), pace: 1 }, host);
  const dataKeys = createDataKeys(docs, MASTERS, runtime);
  const codec = createCodec(vocabulary, { keys: dataKeys, randomBytes: (size) => runtime.randomBytes(size) });
  const decrypt = async (events: readonly RecordedEvent[]) => codec.restore(events.map(copyEvent));
  const { signal } = new AbortController();
  let sealed: readonly RecordedEvent[] = [];
  for await (const feed of raw.follow({ after: 'start', families, max: 1_000_000, signal })) {
    sealed = feed.events;
    break;
  }
  const events = await decrypt(sealed);
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
  const hash = keyedHash(await ensureNamingKey({ docs, dataKeys } as Pick<Engine, 'docs' | 'dataKeys'> as Engine));
  return { docs: sealPersonalFields(docs, dataKeys, runtime), log, events, encrypted: sealed, hash, runtime };
}
