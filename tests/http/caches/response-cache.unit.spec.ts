// Conditions for returning a cached response.
import { expect } from 'chai';
import type { ChangeListener } from '../../../src/adapters/documents/port.js';
import type { Caller } from '../../../src/http/dispatch/caller.js';
import { createResponseCache, viewOf, type CachedResponse } from '../../../src/http/caches/response-cache.js';

const ann = { name: 'proj_1|ann', view: 'all' };
const [T0, T1, T2] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z'];
const response = { value: 'body', from: T0, until: T2, guard: '1' };
const common = [{ name: 'unlocks' }, { name: 'projects' }];

type Options = { readonly isShared?: boolean; readonly maxBytes?: number };

function open({ isShared = false, maxBytes = 1_000_000 }: Options = {}) {
  let listener: ChangeListener = () => undefined;
  let nowMs = 0;
  const docs = {
    local: isShared
      ? null
      : { onWritten: (given: ChangeListener) => void (listener = given), probe: () => Promise.resolve() },
  };
  const o = { common, maxBytes, sizeOf: (text: string) => text.length };
  const cache = createResponseCache<string>(docs, { elapsed: () => nowMs }, o);
  const store = (key = ann, tag: string | null = 'cus_1', more: Partial<CachedResponse<string>> = {}) =>
    cache.render(key, tag, async (store) => store({ ...response, ...more }));
  const written = (c: string, ids: readonly string[] | null) => listener(c, ids);
  return { cache, store, written, wait: (ms: number) => (nowMs += ms) };
}

describe('the response cache', () => {
  it('returns what was stored, and what was rendered', async () => {
    const { cache } = open();
    expect(cache.find(ann, T1)).to.equal(undefined);
    const rendered = await cache.render(ann, 'cus_1', async (store) => {
      store(response);
      return 42;
    });
    expect(rendered).to.equal(42);
    expect(cache.find(ann, T1)).to.equal('body');
  });

  it('returns a response until time changes it, and not before it was rendered', async () => {
    const { cache, store } = open();
    await store();
    expect(cache.find(ann, '2026-11-20T11:59:59.999Z')).to.equal('body');
    expect(cache.find(ann, T2)).to.equal(undefined);
    expect(cache.find(ann, '2026-11-20T09:59:59.999Z')).to.equal(undefined);
  });

  it('returns a response that time never changes', async () => {
    const { cache, store } = open();
    await store(ann, null, { until: null });
    expect(cache.find(ann, '2099-01-01T00:00:00.000Z')).to.equal('body');
  });

  it('does not store a response that is over when it is rendered', async () => {
    const { cache, store } = open();
    await store(ann, 'cus_1', { until: T0 });
    expect(cache.find(ann, T0)).to.equal(undefined);
  });

  it('does not return a response for another view or another name', async () => {
    const { cache, store } = open();
    await store();
    expect(cache.find({ ...ann, view: 'less' }, T1)).to.equal(undefined);
    expect(cache.find({ ...ann, name: 'proj_2|ann' }, T1)).to.equal(undefined);
  });

  it('drops a response once its document is written', async () => {
    const { cache, store, written } = open();
    await store();
    written('customers_v1_g1', ['cus_2']);
    expect(cache.find(ann, T1)).to.equal('body');
    written('customers_v1_g1', ['cus_1']);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  for (const tag of ['cus_1', null])
    for (const c of ['unlocks_v3_g1', 'projects_v2_g7', 'serving'])
      it(`drops a response ${tag ? 'of a document' : 'of common documents only'} once ${c} is written`, async () => {
        const { cache, store, written } = open();
        await store(ann, tag);
        written(c, ['anything']);
        expect(cache.find(ann, T1)).to.equal(undefined);
      });

  it('keeps a response of common documents when others are written', async () => {
    const { cache, store, written } = open();
    await store(ann, null);
    written('customers_v8_g1', ['cus_1']);
    written('unlocksmiths_v1_g1', ['x']);
    expect(cache.find(ann, T1)).to.equal('body');
  });

  it('drops all responses when a collection was dropped', async () => {
    const { cache, store, written } = open();
    await store();
    written('customers_v1_g1', null);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  for (const [c, ids, tag] of [
    ['customers_v1_g1', ['cus_0', 'cus_1'], 'cus_1'],
    ['unlocks_v3_g1', ['x'], 'cus_1'],
    ['serving', ['x'], 'cus_1'],
    ['customers_v1_g1', null, 'cus_1'],
    ['unlocks_v3_g1', ['x'], null],
  ] as const)
    it(`does not store what was read before ${c} was written (${ids ? ids.join() : 'all'}, tag ${tag})`, async () => {
      const { cache, written } = open();
      const render = () =>
        cache.render(ann, tag, async (store) => {
          await Promise.resolve();
          store(response);
        });
      const begun = [render(), render()];
      written(c, ids);
      await Promise.all(begun);
      expect(cache.find(ann, T1)).to.equal(undefined);
      await render();
      expect(cache.find(ann, T1)).to.equal('body');
    });

  it('stores what was read while another document was written', async () => {
    const { cache, written } = open();
    await cache.render(ann, 'cus_1', async (store) => {
      written('customers_v1_g1', ['cus_2']);
      store(response);
    });
    expect(cache.find(ann, T1)).to.equal('body');
  });

  it('does not store what comes after the rendering, or after it failed', async () => {
    const { cache } = open();
    let late: (given: CachedResponse<string>) => void = () => undefined;
    await cache.render(ann, 'cus_1', async (store) => void (late = store));
    late(response);
    expect(cache.find(ann, T1)).to.equal(undefined);
    const failure = await cache
      .render(ann, 'cus_1', async (store) => {
        late = store;
        throw new Error('unreadable');
      })
      .catch((err: unknown) => err);
    expect(failure).to.be.instanceOf(Error);
    late(response);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  it('holds one response for each view, and drops them together', async () => {
    const { cache, store, written } = open();
    const views = ['all', 'less', 'least'];
    const found = () => views.map((view) => cache.find({ ...ann, view }, T1));
    for (const view of views) await store({ ...ann, view }, 'cus_1', { value: view });
    await store({ ...ann, view: 'less' }, 'cus_1', { value: 'less, again' });
    expect(found()).to.deep.equal(['all', 'less, again', 'least']);
    written('customers_v1_g1', ['cus_1']);
    expect(found()).to.deep.equal([undefined, undefined, undefined]);
  });

  it('makes room for others within its bytes, and still drops what remains', async () => {
    const { cache, store, written } = open({ maxBytes: 2000 });
    await store();
    for (const i of [2, 3, 4, 5]) await store({ ...ann, name: `proj_1|user-${i}` }, `cus_${i}`);
    expect(cache.find(ann, T1)).to.equal(undefined);
    expect(cache.find({ ...ann, name: 'proj_1|user-5' }, T1)).to.equal('body');
    written('customers_v1_g1', ['cus_5']);
    expect(cache.find({ ...ann, name: 'proj_1|user-5' }, T1)).to.equal(undefined);
  });

  it('holds nothing without room', async () => {
    const { cache, store } = open({ maxBytes: 0 });
    await store();
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  describe('where other processes write too', () => {
    it('returns a response for the same guard only', async () => {
      const { cache, store } = open({ isShared: true });
      await store();
      expect(cache.find(ann, T1, '1')).to.equal('body');
      expect(cache.find(ann, T1, '2')).to.equal(undefined);
      expect(cache.find(ann, T1)).to.equal(undefined);
    });

    it('returns a response for a second after its rendering began, since the catalogue may have changed', async () => {
      const { cache, wait } = open({ isShared: true });
      await cache.render(ann, 'cus_1', async (store) => {
        wait(400);
        store(response);
      });
      wait(599);
      expect(cache.find(ann, T1, '1')).to.equal('body');
      wait(1);
      expect(cache.find(ann, T1, '1')).to.equal(undefined);
    });

    it('stores nothing without a guard', async () => {
      const { cache, store } = open({ isShared: true });
      await store(ann, null, { guard: null });
      expect(cache.find(ann, T1)).to.equal(undefined);
    });

    it('drops all, also what is being rendered, when this process changed the catalogue', async () => {
      const { cache, store } = open({ isShared: true });
      await store();
      cache.invalidate([{ name: 'customers' }]);
      expect(cache.find(ann, T1, '1')).to.equal('body');
      cache.invalidate([{ name: 'unlocks' }]);
      expect(cache.find(ann, T1, '1')).to.equal(undefined);
      await cache.render(ann, 'cus_1', async (store) => {
        cache.invalidate([{ name: 'unlocks' }]);
        store(response);
      });
      expect(cache.find(ann, T1, '1')).to.equal(undefined);
    });
  });
});

describe('the view of a caller', () => {
  it('is another for each kind of key and each set of visible fields', () => {
    const key = { kind: 'key', keyId: 'key_1', projectId: 'proj_1', appId: null, scopes: [] } as const;
    const callers = [
      { ...key, keyKind: 'public' },
      { ...key, keyKind: 'secret' },
    ] as unknown as readonly Caller[];
    const bools = [true, false];
    const views = callers.flatMap((caller) =>
      bools.flatMap((money) =>
        bools.flatMap((personal) => bools.map((secret) => viewOf(caller, { money, personal, secret }))),
      ),
    );
    expect(new Set(views).size).to.equal(16);
  });
});
