// The embedded log's cache equals the file after any appends, erasures and evictions.
import { expect } from 'chai';
import fc from 'fast-check';
import { freezeJson } from '../../../src/adapters/event-log/frozen-json.js';
import { createMemoryLog } from './memory.js';
import { createRecentEvents } from '../../../src/adapters/event-log/embedded/recent-events.js';
import type { Feed } from '../../../src/adapters/event-log/port.js';
import { logPosition, type NewEvent, type StreamName } from '../../../src/domain/envelope.js';
import { families, type Family } from '../../../src/domain/streams.js';
import {
  alice,
  all,
  bob,
  catalog,
  memoryKeys,
  newEvent,
  noted,
  sampleCodec,
} from '../../contract/event-log-samples.js';

const wide = { events: 1000, characters: 1_000_000, ends: 1000 };

function rigged(limits = wide) {
  const codec = sampleCodec(memoryKeys());
  const log = createMemoryLog({ codec });
  const recent = createRecentEvents(codec, 0, limits);
  const append = async (stream: StreamName, events: readonly NewEvent[]) => {
    const { revision, position } = await log.append(stream, 'any', events);
    recent.add(stream, await codec.encodeBoth(stream, events), revision, Number(position));
  };
  const fed = async (after: number, wanted: readonly Family[], max: number): Promise<Feed | undefined> => {
    for await (const feed of log.follow({
      after: logPosition(after),
      families: wanted,
      max,
      signal: AbortSignal.timeout(5000),
    }))
      return feed;
    return undefined;
  };
  return { log, recent, append, fed };
}

describe('recent events', () => {
  it('are those of the log, in its streams and in its order, as far as they are held', async () => {
    const step = fc.record({
      stream: fc.constantFrom(alice, bob, catalog),
      sealed: fc.array(fc.boolean(), { minLength: 1, maxLength: 3 }),
    });
    const limits = fc.record({
      events: fc.integer({ min: 1, max: 12 }),
      characters: fc.integer({ min: 1, max: 6000 }),
      ends: fc.integer({ min: 1, max: 3 }),
    });
    const asked = fc.record({ after: fc.nat(40), max: fc.integer({ min: 1, max: 10 }), one: fc.boolean() });
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), limits, asked, async (steps, bounds, { after, max, one }) => {
        const { log, recent, append, fed } = rigged(bounds);
        for (const [i, { stream, sealed }] of steps.entries()) {
          const named = (isSealed: boolean, j: number) =>
            isSealed
              ? newEvent('Described', `${i}.${j}`, { email: `${i}@example.com`, note: 'n' })
              : noted(`${i}.${j}`);
          await append(stream, sealed.map(named));
        }
        for (const stream of [alice, bob, catalog]) {
          const expected = await all(log.read(stream, after % 4));
          const found = await recent.read(stream, after % 4);
          if (found) expect(found).to.deep.equal(expected);
          if (found) hits++;
        }
        const wanted: readonly Family[] = one ? ['catalog'] : families;
        const end = recent.end();
        const found = await recent.feed(logPosition(Math.min(after, end)), new Set(wanted), max);
        if (!found) return;
        hits++;
        const expected = await fed(Math.min(after, end), wanted, max);
        expect(found.events).to.deep.equal(expected?.events);
        // The log in memory ends a full batch at once, without looking whether anything that was asked for is behind it.
        if (expected?.caughtUp) expect(found.caughtUp).to.equal(true);
        if (found.caughtUp) expect((await fed(Number(expected?.upTo), wanted, max))?.events).to.deep.equal([]);
      }),
      { numRuns: 300 },
    );
    expect(hits).to.be.greaterThan(100);
  });

  it('are read from the file when an earlier one was evicted', async () => {
    const { recent, append } = rigged({ ...wide, events: 2 });
    for (const name of ['1', '2', '3']) await append(alice, [noted(name)]);
    expect(recent.read(alice, -1)).to.equal(undefined);
    expect(recent.feed(logPosition(0), new Set(families), 10)).to.equal(undefined);
    expect(await recent.read(alice, 0)).to.have.length(2);
    expect((await recent.feed(logPosition(1), new Set(families), 10))?.events).to.have.length(2);
  });

  it('take a repeat for what it is', async () => {
    const { recent, append } = rigged();
    await append(alice, [noted('1')]);
    recent.add(alice, [], 0, 1);
    expect(await recent.read(alice, -1)).to.have.length(1);
    expect(recent.end()).to.equal(1);
  });

  it('know the end of a stream that was read from the file, also that it is empty', async () => {
    const { recent } = rigged();
    recent.recordEnd(alice, 4);
    recent.recordEnd(bob, -1);
    expect(recent.read(alice, 3)).to.equal(undefined);
    expect(recent.read(alice, 4)).to.deep.equal([]);
    expect(recent.read(bob, -1)).to.deep.equal([]);
  });

  it('are none after a new beginning', async () => {
    const { recent, append } = rigged();
    await append(alice, [noted('1')]);
    recent.reset(1);
    expect(recent.read(alice, -1)).to.equal(undefined);
    expect(recent.feed(logPosition(0), new Set(families), 10)).to.equal(undefined);
    expect((await recent.feed(logPosition(1), new Set(families), 10))?.caughtUp).to.equal(true);
  });
});

describe('a frozen copy', () => {
  it('is what JSON would give back', () => {
    fc.assert(
      fc.property(fc.object({ values: [fc.jsonValue(), fc.double(), fc.constant(undefined), fc.date()] }), (value) => {
        expect(freezeJson(value)).to.deep.equal(JSON.parse(JSON.stringify(value)));
        expect(JSON.stringify(freezeJson(value))).to.equal(JSON.stringify(value));
      }),
    );
  });

  it('cannot be changed, at any depth', () => {
    const copy = freezeJson({ list: [{ text: 'a' }] });
    expect(Reflect.set(copy.list, 0, 'b')).to.equal(false);
    expect(Reflect.set(copy.list[0] ?? {}, 'text', 'b')).to.equal(false);
    expect(copy).to.deep.equal({ list: [{ text: 'a' }] });
  });
});
