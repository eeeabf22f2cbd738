// Given events, then documents: how every fold is stated. Each case runs four ways by itself: once; every batch twice, by two runners;
// cut at some write and resumed with other batches; rebuilt from the start. All four must end in the same documents and guards.
import { systemRuntime } from '../../../src/adapters/runtime.js';
import { expect } from 'chai';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { createMemoryLog } from '../../adapters/event-log/memory.js';
import type { EventLog } from '../../../src/adapters/event-log/port.js';
import { createMemoryDocuments } from '../../adapters/documents/memory.js';
import type { DomainEvent, RecordedEvent, StreamName } from '../../../src/domain/envelope.js';
import { familyOf } from '../../../src/domain/streams.js';
import { vocabulary } from '../../../src/domain/vocabulary.js';
import type { Projection } from '../../../src/projections/runtime/projection.js';
import { buildFromStart } from '../../../src/projections/rebuild/rebuild.js';
import { BEGIN, eventsOf } from '../../commands/support/memory-deps.js';
import { countingBytes, memoryKeys } from '../../contract/event-log-samples.js';
import { runAll, documentsOf, feedsOf, firstBuild, guardedOf, hash, never, open, type Documents } from './builds.js';
import { chance, withSeed, type Chance } from './seeded-random.js';

export type Past = { readonly stream: StreamName; readonly event: DomainEvent; readonly at: string };

export const PROJECT = 'proj_1';

/** An event of the test's project; `at` sets when it took effect. */
export function past(stream: StreamName, event: DomainEvent, at: string = event.at ?? BEGIN): Past {
  return { stream, event, at };
}

export function given(projection: Projection, ...all: readonly Past[]) {
  return {
    /** Calls `check` once, with what all four ways agree on. */
    then: (check: (documents: Documents) => void): Promise<void> => runFourWays(projection, all, check),
  };
}

export async function logOf(all: readonly Past[]): Promise<EventLog> {
  const codec = createCodec(vocabulary, { keys: memoryKeys(), randomBytes: countingBytes() });
  const log = createMemoryLog({ codec });
  for (const [i, { stream, event, at }] of all.entries()) {
    const id = `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
    const actor = { kind: 'system' as const, id: 'tests' };
    const meta = { at, recordedAt: at, actor, commandId: id, causationId: id, correlationId: id, projectId: PROJECT };
    await log.append(stream, 'any', [{ id, type: event.type, data: event.data, meta }]);
  }
  return log;
}

async function runFourWays(projection: Projection, all: readonly Past[], check: (d: Documents) => void) {
  const random = chance();
  const log = await logOf(all);
  const events = await eventsOf(log);
  const wanted = new Set<string>(projection.families);
  if (!events.every((e) => wanted.has(familyOf(e.stream)))) throw new Error('an event of a family that was not given');
  await withSeed(random, async () => {
    const once = await run(projection, log, events);
    expect(await twice(projection, log, events, random), 'every batch twice').to.deep.equal(once);
    expect(await cut(projection, log, events, random), 'cut and resumed').to.deep.equal(once);
    // A build makes each document once, from its last state: what follows from it carries the position of that.
    expect(documentsOf(await rebuilt(projection, log)), 'rebuilt').to.deep.equal(documentsOf(once));
    check(documentsOf(once));
  });
}

async function run(projection: Projection, log: EventLog, events: readonly RecordedEvent[]) {
  const docs = createMemoryDocuments();
  const build = firstBuild(projection);
  await runAll(
    await open(log, docs, build),
    feedsOf(events, () => events.length),
  );
  return guardedOf(docs, build);
}

async function twice(projection: Projection, log: EventLog, events: readonly RecordedEvent[], random: Chance) {
  const docs = createMemoryDocuments();
  const build = firstBuild(projection);
  const runners = [await open(log, docs, build), await open(log, docs, build)];
  for (const feed of feedsOf(events, () => 1 + random.below(3))) for (const r of runners) await r.apply(feed);
  return guardedOf(docs, build);
}

async function cut(projection: Projection, log: EventLog, events: readonly RecordedEvent[], random: Chance) {
  let writesLeft = random.below(2 * events.length + 2);
  const docs = createMemoryDocuments({
    onWrite: () => {
      if (writesLeft-- === 0) throw new Error('cut');
    },
  });
  const build = firstBuild(projection);
  const before = feedsOf(events, () => 1 + random.below(4));
  await runAll(await open(log, docs, build), before).catch((err: unknown) => expect(String(err)).to.include('cut'));
  await runAll(
    await open(log, docs, build),
    feedsOf(events, () => 1 + random.below(4)),
  );
  return guardedOf(docs, build);
}

async function rebuilt(projection: Projection, log: EventLog) {
  const docs = createMemoryDocuments();
  const build = { projection, generation: 2 };
  await buildFromStart({ log, docs, hash, runtime: systemRuntime() }, [build], { signal: never });
  return guardedOf(docs, build);
}
