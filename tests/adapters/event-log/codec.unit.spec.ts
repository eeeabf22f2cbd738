// The rules between an event and its stored text: check, versions, sealed fields.
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { z } from 'zod';
import { createCodec } from '../../../src/adapters/event-log/codec.js';
import { addPosition } from '../../../src/adapters/event-log/placed-event.js';
import type { NewEvent, StreamName } from '../../../src/domain/envelope.js';
import { defineEvent, type EventType } from '../../../src/domain/events.js';
import {
  alice,
  bob,
  Described,
  memoryKeys,
  newEvent,
  Noted,
  noted,
  type MemoryKeys,
} from '../../contract/event-log-samples.js';

const priceV1 = defineEvent('Priced', { price: z.number() });
const priceV3 = defineEvent(
  'Priced',
  { amountMicros: z.number().int(), currency: z.string() },
  {
    version: 3,
    upcasts: {
      1: ({ price }) => ({ amountMicros: Number(price) * 1_000_000 }),
      2: (data) => ({ ...data, currency: 'USD' }),
    },
  },
);

describe('codec', () => {
  let keys: MemoryKeys;
  beforeEach(() => {
    keys = memoryKeys();
  });

  const codecOf = (...types: EventType[]) => createCodec(types, { keys, randomBytes });

  async function stored(stream: StreamName, event: NewEvent, ...types: EventType[]): Promise<string> {
    const [draft = ''] = await codecOf(...types).encode(stream, [event]);
    return addPosition(draft, 4, 17);
  }

  async function read(text: string, ...types: EventType[]) {
    const [event] = await codecOf(...types).decode([text]);
    return event;
  }

  it('returns what was encoded, with its position', async () => {
    const event = noted('a');
    expect(await read(await stored(alice, event, Noted), Noted)).to.deep.equal({
      ...event,
      v: 1,
      stream: alice,
      revision: 4,
      position: '00000000000000000017',
    });
  });

  it('does not wait where nothing is sealed', () => {
    const codec = codecOf(Noted, Described);
    const drafts = codec.encode(alice, [noted('a'), newEvent('Described', 'b', { email: null, note: 'n' })]);
    expect(drafts).to.be.an('array');
    expect(createCodec([Noted]).decode([])).to.be.an('array');
  });

  it('refuses a type that is not declared', () => {
    expect(() => codecOf().encode(alice, [noted('a')])).to.throw('Noted is not declared');
  });

  it('names type and path of data that does not fit, but not the value', () => {
    const wrong = noted('a', { text: 'a', secret: 'hidden' });
    expect(() => codecOf(Noted).encode(alice, [wrong])).to.throw(/^Noted does not fit.*secret/);
    expect(() => codecOf(Noted).encode(alice, [noted('a', { text: ['hidden'] })])).to.throw(/text: (?!.*hidden)/);
  });

  describe('versions', () => {
    it('climb the whole chain of upcasts', async () => {
      const event = await read(await stored(alice, newEvent('Priced', 'a', { price: 2 }), priceV1), priceV3);
      expect([event?.v, event?.data]).to.deep.equal([3, { amountMicros: 2_000_000, currency: 'USD' }]);
    });

    it('above the known one pass as they are', async () => {
      const data = { amountMicros: 1, currency: 'EUR' };
      const event = await read(await stored(alice, newEvent('Priced', 'a', data), priceV3), priceV1);
      expect([event?.v, event?.data]).to.deep.equal([3, data]);
    });

    it('of an unknown type pass as they are', async () => {
      const event = await read(await stored(alice, noted('a'), Noted));
      expect([event?.type, event?.v, event?.data]).to.deep.equal(['Noted', 1, { text: 'a' }]);
    });

    it('are not checked on a read', async () => {
      const stricter = defineEvent('Noted', { text: z.string().min(100) });
      expect((await read(await stored(alice, noted('a'), Noted), stricter))?.data).to.deep.equal({ text: 'a' });
    });

    it('need an upcast each', () => {
      const gap = defineEvent('Priced', {}, { version: 3, upcasts: { 1: (data) => data } });
      expect(() => codecOf(gap)).to.throw('Priced lacks the upcast from version 2');
    });

    it('are climbed after sealed fields were opened', async () => {
      const next = defineEvent(
        'Described',
        { email: z.string().nullable(), note: z.string(), domain: z.string() },
        {
          version: 2,
          sealed: ['email'],
          upcasts: { 1: (data) => ({ ...data, domain: String(data['email']).split('@')[1] }) },
        },
      );
      const event = await read(await stored(alice, described('a@example.com'), Described), next);
      expect(event?.data).to.deep.equal({ email: 'a@example.com', note: 'n', domain: 'example.com' });
    });
  });

  describe('sealed fields', () => {
    it('are not in the stored text, the others are', async () => {
      const text = await stored(alice, described('a@example.com'), Described);
      expect(text).to.not.contain('example.com');
      expect(text).to.contain('"email":{"$sealed":"').and.to.contain('"note":"n"');
    });

    it('look different each time', async () => {
      const texts = [0, 1].map(() => stored(alice, described('a@example.com'), Described));
      const [first, second] = await Promise.all(texts);
      expect(first).to.not.equal(second);
    });

    it('open again, whatever they hold', async () => {
      const Kept = defineEvent('Kept', { value: z.unknown() }, { sealed: ['value'] });
      for (const value of ['😀\u2028', 0, false, { $sealed: 'not really' }, [1, { a: null }]]) {
        const event = await read(await stored(alice, newEvent('Kept', 'a', { value }), Kept), Kept);
        expect(event?.data).to.deep.equal({ value });
      }
    });

    it('are null once the key is erased', async () => {
      const text = await stored(alice, described('a@example.com'), Described);
      keys.erase('cus_alice');
      expect((await read(text, Described))?.data).to.deep.equal({ email: null, note: 'n' });
    });

    it('are encrypted with the key of the customer in the data, if the type declares it', async () => {
      const shape = { email: z.string().nullable(), who: z.string() };
      const Invited = defineEvent('Invited', shape, { sealed: ['email'], sealedFor: ({ who }) => who as StreamName });
      const text = await stored(bob, newEvent('Invited', 'a', { email: 'a@example.com', who: 'user-a' }), Invited);
      keys.erase('cus_bob');
      expect((await read(text, Invited))?.data).to.deep.equal({ email: 'a@example.com', who: 'user-a' });
      keys.erase('user-a');
      expect((await read(text, Invited))?.data).to.deep.equal({ email: null, who: 'user-a' });
    });

    it('do not open for another customer, under another type or in another field', async () => {
      const text = await stored(alice, described('a@example.com'), Described);
      await keys.forSealing('cus_bob');
      const Renamed = defineEvent('Renamed', { email: z.string().nullable(), note: z.string() }, { sealed: ['email'] });
      const Moved = defineEvent('Described', { note: z.string(), phone: z.string() }, { sealed: ['phone'] });
      const toBob = await read(text.replace(alice, bob), Described);
      const toType = await read(text.replace('"Described"', '"Renamed"'), Renamed);
      const toField = await read(text.replace('"email"', '"phone"'), Moved);
      expect([toBob?.data, toType?.data, toField?.data]).to.deep.equal([
        { email: null, note: 'n' },
        { email: null, note: 'n' },
        { phone: null, note: 'n' },
      ]);
    });

    it('do not open when a byte was changed', async () => {
      const text = await stored(alice, described('a@example.com'), Described);
      const changed = text.replace(/"\$sealed":"(.)/, (_, first) => `"$sealed":"${first === 'A' ? 'B' : 'A'}`);
      expect((await read(changed, Described))?.data).to.deep.equal({ email: null, note: 'n' });
    });

    it('need data keys', () => {
      expect(() => createCodec([Described])).to.throw('Described has sealed fields');
    });
  });
});

function described(email: string): NewEvent {
  return newEvent('Described', 'described', { email, note: 'n' });
}
