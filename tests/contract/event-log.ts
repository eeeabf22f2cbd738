// Contract of event log adapters, as one suite. `reopen` closes the log and opens it again.
import { expect } from 'chai';
import type { EventLog } from '../../src/adapters/event-log/port.js';
import { appendContract } from './event-log-append.js';
import { followContract } from './event-log-follow.js';
import {
  alice,
  all,
  bob,
  memoryKeys,
  newEvent,
  noted,
  notedMany,
  textsOf,
  type MemoryKeys,
} from './event-log-samples.js';

export type OpenedLog = { log: EventLog; reopen(): Promise<EventLog>; close(): Promise<void> };
export type OpenLog = (keys: MemoryKeys) => Promise<OpenedLog>;

/** Registers the suite; `open` makes an empty log whose codec is `sampleCodec(keys)`. */
export function eventLogContract(name: string, open: OpenLog): void {
  describe(`event log contract: ${name}`, () => {
    let keys: MemoryKeys;
    let opened: OpenedLog;
    const log = () => opened.log;

    beforeEach(async () => {
      keys = memoryKeys();
      opened = await open(keys);
    });
    afterEach(() => opened.close());

    appendContract(log);
    followContract(log);

    describe('reading a stream', () => {
      it('finds nothing in a stream that is missing', async () => {
        expect(await all(log().read(alice))).to.deep.equal([]);
      });

      it('returns the whole envelope', async () => {
        const event = noted('a');
        const { position } = await log().append(alice, 'none', [event]);
        const [read] = await all(log().read(alice));
        expect(read).to.deep.equal({ ...event, v: 1, stream: alice, revision: 0, position });
      });

      it('starts after the given revision', async () => {
        await log().append(alice, 'none', notedMany(5, 'a'));
        expect(textsOf(await all(log().read(alice, 2)))).to.deep.equal(['a3', 'a4']);
        expect(await all(log().read(alice, 4))).to.deep.equal([]);
      });

      it('keeps streams apart', async () => {
        await log().append(alice, 'none', [noted('a')]);
        await log().append(bob, 'none', [noted('b')]);
        expect(textsOf(await all(log().read(alice)))).to.deep.equal(['a']);
      });

      it('reads a stream longer than a page in order', async () => {
        await log().append(alice, 'none', notedMany(1203, 'a'));
        const read = await all(log().read(alice));
        expect(read.map((event) => event.revision)).to.deep.equal(Array.from({ length: 1203 }, (_, i) => i));
      });
    });

    describe('what is stored', () => {
      it('keeps emoji, line separators, control characters and 64-bit integers as strings byte for byte', async () => {
        const text = 'a😀\u2028\u2029\u0000"\\\n9223372036854775807 é\ud83d';
        await log().append(alice, 'none', [noted('a', { text })]);
        expect(textsOf(await all(log().read(alice)))).to.deep.equal([text]);
      });

      it('drops undefined fields', async () => {
        await log().append(alice, 'none', [noted('a', { text: 'a', extra: undefined })]);
        const [read] = await all(log().read(alice));
        expect(Object.keys(read?.data as object)).to.deep.equal(['text']);
      });

      it('is what the caller gave at the call, whatever the caller changes afterwards', async () => {
        const plain = { text: 'before' };
        const sealed = { email: 'before', note: 'before' };
        const events = [noted('a', plain), newEvent('Described', 'b', sealed)];
        const appended = log().append(alice, 'none', events);
        plain.text = 'after';
        Object.assign(sealed, { email: 'after', note: 'after' });
        events.length = 0;
        await appended;
        const read = await all(log().read(alice));
        expect(read.map((event) => event.data)).to.deep.equal([
          { text: 'before' },
          { email: 'before', note: 'before' },
        ]);
      });

      it('is not changed by a reader that tries to change what it read', async () => {
        await log().append(alice, 'none', [noted('a')]);
        for (const event of await all(log().read(alice))) Reflect.set(event.data as object, 'text', 'changed');
        expect(textsOf(await all(log().read(alice)))).to.deep.equal(['a']);
      });

      it('refuses data that does not fit the type, and stores nothing', async () => {
        const failed = await log()
          .append(alice, 'none', [noted('a'), noted('b', { text: 1 })])
          .catch((err: Error) => err.message);
        expect(failed).to.match(/Noted.*text/);
        expect(await all(log().read(alice))).to.deep.equal([]);
      });

      it('opens sealed fields, and reads them as null once the key is gone', async () => {
        await log().append(alice, 'none', [newEvent('Described', 'a', { email: 'a@example.com', note: 'n' })]);
        await log().append(bob, 'none', [newEvent('Described', 'b', { email: 'b@example.com', note: 'n' })]);
        keys.erase('cus_alice');
        const [mine] = await all(log().read(alice));
        const [other] = await all(log().read(bob));
        expect(mine?.data).to.deep.equal({ email: null, note: 'n' });
        expect(other?.data).to.deep.equal({ email: 'b@example.com', note: 'n' });
      });
    });

    describe('opening again', () => {
      it('keeps everything: events, numbering, erased streams and the identity', async () => {
        const identity = await log().identity();
        await log().append(alice, 'none', notedMany(3, 'a'));
        await log().append(bob, 'none', notedMany(2, 'b'));
        await log().erase(bob);
        const head = await log().head();
        const again = await opened.reopen();
        expect(await again.identity()).to.equal(identity);
        expect(await again.head()).to.equal(head);
        expect(textsOf(await all(again.read(alice)))).to.deep.equal(['a0', 'a1', 'a2']);
        const next = await again.append(bob, 'none', [noted('b2')]);
        expect(next.revision).to.equal(2);
        expect(next.position > head).to.equal(true);
      });
    });
  });
}
