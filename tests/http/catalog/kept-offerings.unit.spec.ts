// Offerings that are kept as text: until a document they were made from is written, and never beyond.
import { expect } from 'chai';
import type { OnWritten } from '../../../src/adapters/documents/port.js';
import { createKeptOfferings } from '../../../src/http/catalog/kept-offerings.js';

describe('kept offerings', () => {
  let wrote: OnWritten;
  const opened = () => createKeptOfferings({ onWritten: (listener) => void (wrote = listener) });
  const body = (n: number) => async () => ({ n });

  it('are found as they were made, with the tag of their text', async () => {
    const kept = opened();
    expect(kept.find('a')).to.equal(undefined);
    const made = await kept.make('a', body(1));
    expect(kept.find('a')).to.equal(made);
    expect([made.text, made.body]).to.deep.equal(['{"n":1}', { n: 1 }]);
    expect((await kept.make('b', body(2))).etag)
      .to.match(/^"[\w-]{43}"$/)
      .and.not.equal(made.etag);
  });

  for (const [c, isForgotten] of [
    ['offerings_v1_g1', true],
    ['products_v3_g2', true],
    ['serving', true],
    ['customers_v8_g1', false],
    ['paywalls_v1_g1', false],
  ] as const) {
    it(`${isForgotten ? 'are forgotten' : 'stay'} when ${c} is written`, async () => {
      const kept = opened();
      await kept.make('a', body(1));
      wrote(c, ['x']);
      expect(kept.find('a') === undefined).to.equal(isForgotten);
    });
  }

  it('are not kept when something was written while they were made', async () => {
    const kept = opened();
    const made = await kept.make('a', async () => {
      wrote('offerings_v1_g1', ['x']);
      return { n: 1 };
    });
    expect(made.text).to.equal('{"n":1}');
    expect(kept.find('a')).to.equal(undefined);
  });

  it('are not kept where others write too', async () => {
    const kept = createKeptOfferings({});
    await kept.make('a', body(1));
    expect(kept.find('a')).to.equal(undefined);
  });
});
