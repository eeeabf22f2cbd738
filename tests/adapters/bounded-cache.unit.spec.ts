// Caches hold so many entries and no more, and for so long and no longer.
import { expect } from 'chai';
import fc from 'fast-check';
import { createBoundedCache, createExpiringCache, createWeightedCache } from '../../src/adapters/bounded-cache.js';

describe('a bounded cache', () => {
  const filled = () => {
    const cache = createBoundedCache<string, number>(3);
    for (const [i, key] of ['a', 'b', 'c'].entries()) cache.set(key, i);
    return cache;
  };
  const left = (cache: { get(key: string): number | undefined }) =>
    ['a', 'b', 'c', 'd'].filter((key) => cache.get(key) !== undefined).join('');

  it('lets go of what was set longest ago', () => {
    const cache = filled();
    expect(left(cache)).to.equal('abc');
    cache.set('d', 3);
    expect(left(cache)).to.equal('bcd');
  });
  it('keeps what is set again, with the new value', () => {
    const cache = filled();
    cache.set('a', 9);
    cache.set('d', 3);
    expect(left(cache)).to.equal('acd');
    expect(cache.get('a')).to.equal(9);
  });
  it('has room again for what was deleted', () => {
    const cache = filled();
    cache.delete('b');
    cache.set('d', 3);
    expect(left(cache)).to.equal('acd');
    cache.clear();
    expect(left(cache)).to.equal('');
  });
});

describe('an expiring cache', () => {
  const open = () => {
    const clock = { at: 50 };
    return { clock, cache: createExpiringCache<string, number>(2, { elapsed: () => clock.at }) };
  };

  it('ends an entry at its age', () => {
    const { clock, cache } = open();
    cache.set('a', 1, 10);
    clock.at = 59;
    expect(cache.get('a')).to.equal(1);
    clock.at = 60;
    expect(cache.get('a')).to.equal(undefined);
  });
  it('restarts the age when the entry is set again', () => {
    const { clock, cache } = open();
    cache.set('a', 1, 10);
    clock.at = 55;
    cache.set('a', 2, 10);
    clock.at = 64;
    expect(cache.get('a')).to.equal(2);
  });
  it('keeps an entry without an end', () => {
    const { clock, cache } = open();
    cache.set('a', 1, Infinity);
    clock.at = 1e15;
    expect(cache.get('a')).to.equal(1);
  });
  it('holds so many entries however young they are', () => {
    const { cache } = open();
    for (const key of ['a', 'b', 'c']) cache.set(key, 1, 1000);
    expect(['a', 'b', 'c'].map((key) => cache.get(key))).to.deep.equal([undefined, 1, 1]);
  });
});

describe('a cache by weight', () => {
  const open = () => {
    const gone: string[] = [];
    const cache = createWeightedCache<string, string>(10, {
      weightOf: (text) => text.length,
      onEvict: (key) => void gone.push(key),
    });
    return { cache, gone };
  };

  it('lets go of what was used longest ago until the rest is light enough', () => {
    const { cache, gone } = open();
    for (const key of ['a', 'b', 'c']) cache.set(key, '123');
    cache.get('a');
    cache.set('d', '12345');
    expect(gone).to.deep.equal(['b', 'c']);
    expect([cache.get('a'), cache.get('d')]).to.deep.equal(['123', '12345']);
  });
  it('caches nothing that alone exceeds the limit, and keeps the others', () => {
    const { cache, gone } = open();
    expect([cache.set('a', '123'), cache.set('b', '123')]).to.deep.equal([true, true]);
    expect(cache.set('a', '12345678901')).to.equal(false);
    expect([cache.get('a'), cache.get('b'), gone]).to.deep.equal([undefined, '123', ['a']]);
  });
  it('keeps nothing at all where there is no room', () => {
    const cache = createWeightedCache<string, string>(0, { weightOf: (text) => text.length, onEvict: () => undefined });
    expect([cache.set('a', '1'), cache.get('a')]).to.deep.equal([false, undefined]);
  });
  it('updates the weight when entries are set again, deleted or cleared', () => {
    const { cache, gone } = open();
    cache.set('a', '1234567890');
    cache.set('a', '12345');
    cache.set('b', '12345');
    expect(cache.get('a')).to.equal('12345');
    cache.delete('a');
    cache.clear();
    expect(gone).to.deep.equal(['a', 'a', 'b']);
    cache.set('c', '1234567890');
    expect(cache.get('c')).to.equal('1234567890');
  });
});

describe('caches, whatever is set, used, deleted and cleared,', () => {
  const key = fc.integer({ min: 0, max: 9 });
  const step = fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({ do: fc.constant('set' as const), key, value: fc.integer({ min: 1, max: 6 }) }),
    },
    { weight: 6, arbitrary: fc.record({ do: fc.constant('get' as const), key }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), key }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('clear' as const) }) },
  );
  /** Reference implementation of a cache: a list, the oldest first. */
  const model = (o: { weightOf: (value: number) => number; most: number; isMovedByUse: boolean }) => {
    let list: { key: number; value: number }[] = [];
    const weight = () => list.reduce((sum, { value }) => sum + o.weightOf(value), 0);
    const without = (key: number) => list.filter((entry) => entry.key !== key);
    return {
      get: (key: number) => {
        const found = list.find((entry) => entry.key === key);
        if (found && o.isMovedByUse) list = [...without(key), found];
        return found?.value;
      },
      set: (key: number, value: number) => {
        list = without(key);
        if (o.weightOf(value) > o.most) return;
        list = [...list, { key, value }];
        while (weight() > o.most) list = list.slice(1);
      },
      delete: (key: number): void => {
        list = without(key);
      },
      clear: (): void => {
        list = [];
      },
    };
  };
  type Cache = ReturnType<typeof model>;
  const behaveAlike = (cache: (most: number) => Cache, expected: (most: number) => Cache) =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 12 }), fc.array(step, { maxLength: 120 }), (most, steps) => {
        const [a, b] = [cache(most), expected(most)];
        for (const one of steps) {
          if (one.do === 'set') [a, b].forEach((c) => c.set(one.key, one.value));
          else if (one.do === 'get') expect(a.get(one.key)).to.equal(b.get(one.key));
          else if (one.do === 'delete') [a, b].forEach((c) => c.delete(one.key));
          else [a, b].forEach((c) => c.clear());
        }
        for (let k = 0; k < 10; k++) expect(a.get(k)).to.equal(b.get(k));
      }),
      { numRuns: 500 },
    );

  it('hold so many of those that were set last', () =>
    behaveAlike(
      (most) => createBoundedCache<number, number>(most),
      (most) => model({ weightOf: () => 1, most, isMovedByUse: false }),
    ));

  it('hold what weighs so much of those that were used last', () =>
    behaveAlike(
      (most) => {
        const cache = createWeightedCache<number, number>(most, {
          weightOf: (value) => value,
          onEvict: () => undefined,
        });
        return { ...cache, set: (key: number, value: number) => void cache.set(key, value) };
      },
      (most) => model({ weightOf: (value) => value, most, isMovedByUse: true }),
    ));
});
