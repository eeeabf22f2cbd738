// The part of the event log contract about the feed: order, places to resume from, filters, the live end.
import { expect } from 'chai';
import { START, type EventLog, type Feed, type FollowOptions } from '../../src/adapters/event-log/port.js';
import type { RecordedEvent } from '../../src/domain/envelope.js';
import { families } from '../../src/domain/streams.js';
import { alice, bob, catalog, noted, notedMany, textsOf } from './event-log-samples.js';

export function followContract(log: () => EventLog): void {
  type Options = Partial<Omit<FollowOptions, 'signal'>>;

  function follow(options: Options, signal: AbortSignal): AsyncIterable<Feed> {
    return log().follow({ after: 'start', families, max: 100, ...options, signal });
  }

  /** All batches up to the first that says it is caught up. */
  async function catchUp(options: Options = {}): Promise<Feed[]> {
    const feeds: Feed[] = [];
    for await (const feed of follow(options, new AbortController().signal)) {
      feeds.push(feed);
      if (feed.caughtUp) break;
    }
    return feeds;
  }

  async function caughtUp(options: Options = {}): Promise<RecordedEvent[]> {
    return (await catchUp(options)).flatMap((feed) => feed.events);
  }

  /** The pull side of a live feed; `stop` ends it. */
  function live(options: Options = {}) {
    const stop = new AbortController();
    const feeds = follow(options, stop.signal)[Symbol.asyncIterator]();
    const next = async (): Promise<Feed> => {
      const { value, done } = await feeds.next();
      if (done) throw new Error('the feed ended');
      return value;
    };
    return { next, stop: () => stop.abort(), ended: async () => (await feeds.next()).done === true };
  }

  async function threeStreams(): Promise<void> {
    await log().append(alice, 'none', [noted('1'), noted('2')]);
    await log().append(catalog, 'none', [noted('3')]);
    await log().append(bob, 'none', [noted('4')]);
    await log().append(alice, 1, [noted('5')]);
  }

  describe('following', () => {
    it('gives all streams in the order of their appends, at rising positions', async () => {
      await threeStreams();
      const events = await caughtUp();
      expect(textsOf(events)).to.deep.equal(['1', '2', '3', '4', '5']);
      const positions = events.map((event) => event.position);
      expect(positions).to.deep.equal([...new Set(positions)].sort());
      expect(positions.at(-1)).to.equal(await log().head());
    });

    it('finds events by their positions, where the log can', async function () {
      await threeStreams();
      const events = await caughtUp();
      const wanted = events.filter((_, i) => i % 2 === 0);
      const { local } = log();
      if (!local) return this.skip();
      const found = await local.at(wanted.map((event) => event.position));
      expect(found).to.deep.equal(wanted);
      await log().erase(bob);
      expect(await local.at(events.slice(3).map((event) => event.position))).to.deep.equal(events.slice(4));
    });

    it('cuts batches at max', async () => {
      await threeStreams();
      const feeds = await catchUp({ max: 2 });
      expect(feeds.map((feed) => textsOf(feed.events))).to.deep.equal([['1', '2'], ['3', '4'], ['5']]);
      expect(feeds.map((feed) => feed.caughtUp)).to.deep.equal([false, false, true]);
      for (const feed of feeds) expect(feed.upTo).to.equal(feed.events.at(-1)?.position);
    });

    it('is caught up with a full batch that ends at the head', async () => {
      await log().append(alice, 'none', notedMany(4, 'a'));
      const feeds = await catchUp({ max: 2 });
      expect(feeds.map((feed) => [feed.events.length, feed.caughtUp])).to.deep.equal([
        [2, false],
        [2, true],
      ]);
    });

    it('resumes after each event without losing or repeating one', async () => {
      await threeStreams();
      const events = await caughtUp();
      for (const [i, event] of events.entries()) {
        const rest = await caughtUp({ after: event.position, max: 2 });
        expect(rest).to.deep.equal(events.slice(i + 1));
      }
    });

    it('resumes after each batch of a filtered feed', async () => {
      await threeStreams();
      const only: Options = { families: ['subscriber'], max: 1 };
      const seen: string[] = [];
      for (const feed of await catchUp(only)) {
        seen.push(...textsOf(feed.events));
        const rest = await caughtUp({ ...only, after: feed.upTo });
        expect([...seen, ...textsOf(rest)]).to.deep.equal(['1', '2', '4', '5']);
      }
    });

    it('moves upTo over families that were not requested', async () => {
      await threeStreams();
      const feeds = await catchUp({ families: ['catalog'] });
      expect(textsOf(feeds.flatMap((feed) => feed.events))).to.deep.equal(['3']);
      expect(feeds.at(-1)?.upTo).to.equal(await log().head());
      const none = await catchUp({ families: ['rates'] });
      expect(none.at(-1)).to.deep.equal({ events: [], upTo: await log().head(), caughtUp: true });
    });

    it('reports at once that it is caught up, on an empty log and at the head', async () => {
      expect(await catchUp()).to.deep.equal([{ events: [], upTo: START, caughtUp: true }]);
      await threeStreams();
      const after = await log().head();
      expect(await catchUp({ after })).to.deep.equal([{ events: [], upTo: after, caughtUp: true }]);
    });

    it('continues live, and an append wakes a waiting consumer', async () => {
      const feed = live();
      expect((await feed.next()).caughtUp).to.equal(true);
      const waiting = feed.next();
      const { position } = await log().append(alice, 'none', [noted('a')]);
      const woken = await waiting;
      expect([textsOf(woken.events), woken.upTo, woken.caughtUp]).to.deep.equal([['a'], position, true]);
      feed.stop();
    });

    it('misses nothing that was appended while the consumer worked', async () => {
      const feed = live();
      await feed.next();
      await log().append(alice, 'none', [noted('a')]);
      await log().append(bob, 'none', [noted('b')]);
      const seen: RecordedEvent[] = [];
      while (seen.length < 2) seen.push(...(await feed.next()).events);
      expect(textsOf(seen)).to.deep.equal(['a', 'b']);
      feed.stop();
    });

    it('delivers every event once, in order, to a consumer with many concurrent writers', async () => {
      const feed = live({ max: 7 });
      const writers = Array.from({ length: 20 }, (_, w) => writeFive(w));
      const seen: RecordedEvent[] = [];
      while (seen.length < 100) seen.push(...(await feed.next()).events);
      await Promise.all(writers);
      expect(seen).to.deep.equal(await caughtUp());
      feed.stop();
    });

    it('leaves out what was erased, and still reaches the head', async () => {
      await threeStreams();
      await log().erase(alice);
      const feeds = await catchUp();
      expect(textsOf(feeds.flatMap((feed) => feed.events))).to.deep.equal(['3', '4']);
      expect(feeds.at(-1)?.upTo).to.equal(await log().head());
    });

    it('ends when its signal aborts while it waits', async () => {
      const feed = live();
      await feed.next();
      const ended = feed.ended();
      feed.stop();
      expect(await ended).to.equal(true);
    });

    it('ends when its signal aborts between batches', async () => {
      await threeStreams();
      const feed = live({ max: 1 });
      await feed.next();
      feed.stop();
      expect(await feed.ended()).to.equal(true);
    });

    it('does not begin when its signal is aborted already', async () => {
      const feed = live();
      feed.stop();
      expect(await feed.ended()).to.equal(true);
    });
  });

  async function writeFive(writer: number): Promise<void> {
    const stream = writer % 2 ? alice : bob;
    for (let i = 0; i < 5; i++) await log().append(stream, 'any', [noted(`${writer}.${i}`)]);
  }
}
