// When a body may be given again, and when not.
import { expect } from 'chai';
import type { OnWritten } from '../../../src/adapters/documents/port.js';
import { createRenderedSubscribers } from '../../../src/http/subscribers/rendered-subscribers.js';

const ann = { projectId: 'proj_1', appUserId: 'ann', view: 'all' };
const [T0, T1, T2] = ['2026-11-20T10:00:00.000Z', '2026-11-20T11:00:00.000Z', '2026-11-20T12:00:00.000Z'];
const textAt = (date: string, name = 'ann') => `{"requestDate":"${date}","subscriber":{"appUserId":"${name}"}}`;
const rendered = { text: textAt(T0), from: T0, until: T2, guard: '1' };

function open(o: { readonly isShared?: boolean; readonly most?: number } = {}) {
  let listener: OnWritten = () => undefined;
  let nowMs = 0;
  const docs = o.isShared ? {} : { onWritten: (given: OnWritten) => void (listener = given) };
  const cache = createRenderedSubscribers(docs, { elapsed: () => nowMs }, o.most);
  const keep = (viewed = ann, id = 'cus_1') => cache.keep(cache.begin(viewed, id), rendered);
  const written = (c: string, ids: readonly string[] | null) => listener(c, ids);
  return { cache, keep, written, wait: (ms: number) => (nowMs += ms) };
}

describe('a rendered subscriber', () => {
  it('is given again with the date of the request', () => {
    const { cache, keep } = open();
    keep();
    expect(cache.find(ann, T1)).to.equal(textAt(T1));
  });

  it('is given until time changes it, and not before it was made', () => {
    const { cache, keep } = open();
    keep();
    expect(cache.find(ann, '2026-11-20T11:59:59.999Z')).to.be.a('string');
    expect(cache.find(ann, T2)).to.equal(undefined);
    expect(cache.find(ann, '2026-11-20T09:59:59.999Z')).to.equal(undefined);
  });

  it('is not given to who sees more or less, nor in another project', () => {
    const { cache, keep } = open();
    keep();
    expect(cache.find({ ...ann, view: 'less' }, T1)).to.equal(undefined);
    expect(cache.find({ ...ann, projectId: 'proj_2' }, T1)).to.equal(undefined);
  });

  it('is void once a document of the customer is written', () => {
    const { cache, keep, written } = open();
    keep();
    written('customers_v1_g1', ['cus_2']);
    expect(cache.find(ann, T1)).to.be.a('string');
    written('customers_v1_g1', ['cus_1']);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  for (const c of ['unlocks_v3_g1', 'entitlements_v2_g1', 'apps_v2_g1', 'projects_v2_g7', 'serving'])
    it(`is void once ${c} changes`, () => {
      const { cache, keep, written } = open();
      keep();
      written(c, ['anything']);
      expect(cache.find(ann, T1)).to.equal(undefined);
    });

  it('is void when a collection was dropped', () => {
    const { cache, keep, written } = open();
    keep();
    written('customers_v1_g1', null);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  it('is not kept when something was written while it was made', () => {
    for (const [c, id] of [
      ['customers_v1_g1', 'cus_1'],
      ['unlocks_v3_g1', 'x'],
    ] as const) {
      const { cache, written } = open();
      const [first, second] = [cache.begin(ann, 'cus_1'), cache.begin(ann, 'cus_1')];
      written(c, [id]);
      cache.keep(first, rendered);
      cache.keep(second, rendered);
      expect(cache.find(ann, T1)).to.equal(undefined);
    }
  });

  it('is not kept when it has ended', () => {
    const { cache } = open();
    const rendering = cache.begin(ann, 'cus_1');
    cache.end(rendering);
    cache.keep(rendering, rendered);
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  it('is not kept when the text begins with another date', () => {
    const { cache } = open();
    cache.keep(cache.begin(ann, 'cus_1'), { ...rendered, text: textAt(T1) });
    expect(cache.find(ann, T1)).to.equal(undefined);
  });

  it('is kept apart for each who sees another part of it', () => {
    const { cache, written } = open();
    const keep = (view: string, name: string) =>
      cache.keep(cache.begin({ ...ann, view }, 'cus_1'), { ...rendered, text: textAt(T0, name) });
    const found = (view: string) => cache.find({ ...ann, view }, T1);
    for (const view of ['all', 'less', 'least']) keep(view, view);
    keep('less', 'less, anew');
    expect(['all', 'less', 'least'].map(found)).to.deep.equal([
      textAt(T1, 'all'),
      textAt(T1, 'less, anew'),
      textAt(T1, 'least'),
    ]);
    written('customers_v1_g1', ['cus_1']);
    expect(['all', 'less', 'least'].map(found)).to.deep.equal([undefined, undefined, undefined]);
  });

  it('makes room for others', () => {
    const { cache, keep } = open({ most: 2000 });
    keep();
    for (const i of [2, 3, 4, 5]) keep({ ...ann, appUserId: `user-${i}` }, `cus_${i}`);
    expect(cache.find(ann, T1)).to.equal(undefined);
    expect(cache.find({ ...ann, appUserId: 'user-5' }, T1)).to.be.a('string');
  });

  describe('where other processes write', () => {
    it('is given under the same guard only', () => {
      const { cache, keep } = open({ isShared: true });
      keep();
      expect(cache.find(ann, T1, '1')).to.equal(textAt(T1));
      expect(cache.find(ann, T1, '2')).to.equal(undefined);
      expect(cache.find(ann, T1)).to.equal(undefined);
    });

    it('is made anew after a second, since the catalogue may have changed', () => {
      const { cache, keep, wait } = open({ isShared: true });
      keep();
      wait(999);
      expect(cache.find(ann, T1, '1')).to.be.a('string');
      wait(1);
      expect(cache.find(ann, T1, '1')).to.equal(undefined);
    });

    it('is void when this process changed the catalogue', () => {
      const { cache, keep } = open({ isShared: true });
      keep();
      cache.forget([{ name: 'unlocks' }]);
      expect(cache.find(ann, T1, '1')).to.equal(undefined);
    });
  });
});
