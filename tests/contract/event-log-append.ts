// The part of the event log contract about expected revisions, repeats and erased streams.
import { expect } from 'chai';
import type { NewEvent, StreamName } from '../../src/domain/envelope.js';
import { START, type EventLog, type ExpectedRevision } from '../../src/adapters/event-log/port.js';
import { WrongRevision } from '../../src/domain/errors.js';
import { alice, all, bob, noted, notedMany, textsOf } from './event-log-samples.js';

export function appendContract(log: () => EventLog): void {
  const [a, b, c, x] = [noted('a'), noted('b'), noted('c'), noted('x')];
  const append = (stream: StreamName, expected: ExpectedRevision, ...events: NewEvent[]) =>
    log().append(stream, expected, events);
  const stored = async (stream: StreamName) => textsOf(await all(log().read(stream)));

  async function refused(appended: Promise<unknown>, actual: number | 'none'): Promise<void> {
    const err: unknown = await appended.then(
      () => 'was accepted',
      (reason: unknown) => reason,
    );
    expect(err).to.be.instanceOf(WrongRevision);
    expect((err as WrongRevision).actual).to.equal(actual);
  }

  describe('expected revision', () => {
    it('none is accepted for a stream that is missing', async () => {
      expect((await append(alice, 'none', a)).revision).to.equal(0);
    });

    it('none is refused for a stream that exists', async () => {
      await append(alice, 'none', a, b);
      await refused(append(alice, 'none', x), 1);
      expect(await stored(alice)).to.deep.equal(['a', 'b']);
    });

    it('a number is accepted at exactly that revision', async () => {
      await append(alice, 'none', a, b);
      expect((await append(alice, 1, c)).revision).to.equal(2);
    });

    it('a revision after the end of the stream is rejected', async () => {
      await append(alice, 'none', a, b);
      await refused(append(alice, 0, x), 1);
    });

    it('a number ahead of the stream is refused: no gap', async () => {
      await append(alice, 'none', a);
      await refused(append(alice, 1, b), 0);
      await refused(append(alice, 7, b), 0);
      expect(await stored(alice)).to.deep.equal(['a']);
    });

    it('a number is refused for a stream that is missing', () => refused(append(alice, 0, a), 'none'));

    it('any is accepted for a missing stream and for an existing one', async () => {
      expect((await append(alice, 'any', a)).revision).to.equal(0);
      expect((await append(alice, 'any', b, c)).revision).to.equal(2);
    });

    it('an accepted append does not look at ids', async () => {
      await append(alice, 'none', a);
      expect((await append(alice, 0, a)).revision).to.equal(1);
    });

    it('the same id may be in two streams', async () => {
      await append(alice, 'none', a);
      await append(bob, 'none', a);
      expect(await stored(bob)).to.deep.equal(['a']);
    });

    it('of two appends at once, one wins', async () => {
      const outcomes = await Promise.allSettled([append(alice, 'none', a), append(alice, 'none', b)]);
      expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected']);
      expect(await stored(alice)).to.have.length(1);
    });

    it('a conflict of one caller harms none of the others', async () => {
      await append(alice, 'none', a);
      const outcomes = await Promise.allSettled([
        append(bob, 'none', b),
        append(alice, 'none', x),
        append(alice, 0, c),
        append(bob, 0, c),
      ]);
      expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled', 'fulfilled']);
      expect(await stored(alice)).to.deep.equal(['a', 'c']);
      expect(await stored(bob)).to.deep.equal(['b', 'c']);
    });

    it('of 64 callers that read the same revision, one wins', async () => {
      await append(alice, 'none', a);
      const tries = notedMany(64, 'try').map((event) => append(alice, 0, event));
      const outcomes = await Promise.allSettled(tries);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    });
  });

  describe('a repeated append', () => {
    it('is answered like the first time, and stores nothing', async () => {
      const first = await append(alice, 'none', a, b);
      expect(await append(alice, 'none', a, b)).to.deep.equal(first);
      expect(await stored(alice)).to.deep.equal(['a', 'b']);
    });

    it('is answered like the first time also after others appended', async () => {
      await append(alice, 'none', a);
      const first = await append(alice, 0, b);
      await append(bob, 'none', x);
      await append(alice, 1, c);
      expect(await append(alice, 0, b)).to.deep.equal(first);
      expect(await stored(alice)).to.deep.equal(['a', 'b', 'c']);
    });

    it('is known by its ids, not by its content', async () => {
      const first = await append(alice, 'none', a);
      expect(await append(alice, 'none', noted('a', { text: 'decided again' }))).to.deep.equal(first);
    });

    it('is accepted when it is the beginning of what is stored', async () => {
      await append(alice, 'none', a, b, c);
      expect((await append(alice, 'none', a, b)).revision).to.equal(1);
    });

    it('is refused when only its beginning is stored', async () => {
      await append(alice, 'none', a, b);
      await refused(append(alice, 'none', a, b, c), 1);
      await refused(append(alice, 'none', a, x), 1);
      expect(await stored(alice)).to.deep.equal(['a', 'b']);
    });

    it('is refused when the ids are stored at another place', async () => {
      await append(alice, 'none', a, b, c);
      await refused(append(alice, 0, c), 2);
    });

    it('at the same time as the first stores the event once', async () => {
      const [first, second] = await Promise.all([append(alice, 'none', a), append(alice, 'none', a)]);
      expect(second).to.deep.equal(first);
      expect(await stored(alice)).to.deep.equal(['a']);
    });
  });

  describe('the size of an append', () => {
    it('of no events writes nothing and answers with where the stream is', async () => {
      expect(await append(alice, 'none')).to.deep.equal({ revision: -1, position: START });
      const last = await append(alice, 'none', a, b);
      expect(await append(alice, 1)).to.deep.equal(last);
      expect(await log().head()).to.equal(last.position);
    });

    it('of 500 events is taken whole, in order', async () => {
      const { revision, position } = await log().append(alice, 'none', notedMany(500, 'n'));
      const events = await all(log().read(alice));
      expect(revision).to.equal(499);
      expect(textsOf(events)).to.deep.equal(Array.from({ length: 500 }, (_, i) => `n${i}`));
      expect(events.at(-1)?.position).to.equal(position);
    });
  });

  describe('an erased stream', () => {
    it('is empty, accepts `none` again, and the numbering continues', async () => {
      await append(alice, 'none', a, b);
      await log().erase(alice);
      expect(await stored(alice)).to.deep.equal([]);
      expect((await append(alice, 'none', c)).revision).to.equal(2);
      expect(await stored(alice)).to.deep.equal(['c']);
    });

    it('refuses none once it has events again, except as a repeat', async () => {
      await append(alice, 'none', a, b);
      await log().erase(alice);
      const first = await append(alice, 'none', c);
      await refused(append(alice, 'none', x), 2);
      expect(await append(alice, 'none', c)).to.deep.equal(first);
    });

    it('accepts its last revision, and rejects those before and after', async () => {
      await append(alice, 'none', a, b);
      await log().erase(alice);
      await refused(append(alice, 0, x), 'none');
      await refused(append(alice, 2, x), 'none');
      expect((await append(alice, 1, c)).revision).to.equal(2);
    });

    it('may be erased again, and a missing one too', async () => {
      await log().erase(bob);
      await append(alice, 'none', a);
      await log().erase(alice);
      await log().erase(alice);
      await append(alice, 'none', b);
      await log().erase(alice);
      expect((await append(alice, 'any', c)).revision).to.equal(2);
      expect((await append(bob, 'none', x)).revision).to.equal(0);
    });

    it('gives no position a second time, even when it held the newest events', async () => {
      const { position } = await append(alice, 'none', a, b);
      await log().erase(alice);
      expect(await log().head()).to.equal(position);
      expect((await append(bob, 'none', c)).position > position).to.equal(true);
    });

    it('leaves other streams alone', async () => {
      await append(alice, 'none', a);
      await append(bob, 'none', b);
      await log().erase(alice);
      expect(await stored(bob)).to.deep.equal(['b']);
    });
  });
}
