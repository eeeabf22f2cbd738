// The part of the document store contract about guards, stages, and making and dropping a collection.
import { expect } from 'chai';
import { CUSTOMERS, insert, type OpenedDocuments } from './opened-documents.js';

export function documentWrites(opened: () => OpenedDocuments): void {
  const store = () => opened().store;
  const get = async (id: string) => (await store().get('customers', [id])).get(id);
  const put = (id: string, expected: string | null, guard: string, doc: { n: number } | null) =>
    store().write([[{ ...insert(id), expect: expected, guard, doc: doc && { status: 'active', dueAt: '', ...doc } }]]);

  describe('guarded writes', () => {
    it('get leaves out what is missing', async () => {
      await store().write([[insert('a')]]);
      expect([...(await store().get('customers', ['a', 'b'])).keys()]).to.deep.equal(['a']);
      expect((await store().get('customers', [])).size).to.equal(0);
    });
    it('stores a document that nothing was stored for', async () => {
      expect(await put('a', null, '7', { n: 1 })).to.equal('ok');
      expect(await get('a')).to.deep.equal({ guard: '7', doc: { status: 'active', dueAt: '', n: 1 } });
    });
    it('reports possible changes before the write resolves, also when it was lost', async function () {
      const { local } = store();
      if (!local) return this.skip();
      const changed: unknown[] = [];
      local.onWritten((c, ids) => void changed.push([c, ids]));
      const seen = async (writing: Promise<unknown>) => writing.then(() => changed.splice(0));
      expect(await seen(put('a', null, '1', { n: 1 }))).to.deep.equal([['customers', ['a']]]);
      expect(await seen(put('a', '7', '8', { n: 2 }))).to.deep.equal([['customers', ['a']]]);
      expect(await seen(store().drop('customers'))).to.deep.equal([['customers', null]]);
    });
    it('refuses to insert over a document', async () => {
      await put('a', null, '1', { n: 1 });
      expect(await put('a', null, '2', { n: 2 })).to.equal('lost');
      expect(await get('a')).to.deep.include({ guard: '1' });
    });
    it('updates when the guard is the expected one', async () => {
      await put('a', null, '1', { n: 1 });
      expect(await put('a', '1', '2', { n: 2 })).to.equal('ok');
      expect((await get('a'))?.doc).to.include({ n: 2 });
      expect(await put('a', '2', '3', { n: 3 })).to.equal('ok');
      expect(await get('a')).to.deep.include({ guard: '3' });
    });
    it('refuses to update under another guard', async () => {
      await put('a', null, '2', { n: 1 });
      expect(await put('a', '1', '3', { n: 2 })).to.equal('lost');
      expect((await get('a'))?.doc).to.include({ n: 1 });
    });
    it('refuses to update what is not stored', async () => {
      expect(await put('a', '1', '2', { n: 1 })).to.equal('lost');
      expect(await get('a')).to.equal(undefined);
    });
    it('moves the guard when the document stays the same', async () => {
      await put('a', null, '1', { n: 1 });
      expect(await put('a', '1', '2', { n: 1 })).to.equal('ok');
      expect(await get('a')).to.deep.include({ guard: '2' });
    });
    it('keeps the guard of a tombstone', async () => {
      await put('a', null, '1', { n: 1 });
      expect(await put('a', '1', '2', null)).to.equal('ok');
      expect(await get('a')).to.deep.equal({ guard: '2', doc: null });
      expect(await put('a', null, '3', { n: 3 })).to.equal('lost');
      expect(await put('a', '1', '3', { n: 3 })).to.equal('lost');
    });
    it('revives a tombstone under its guard', async () => {
      await put('a', null, '1', null);
      expect(await put('a', '1', '2', { n: 2 })).to.equal('ok');
      expect((await get('a'))?.doc).to.include({ n: 2 });
      expect((await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 })).rows).to.have.length(1);
    });
    it('takes nothing to write as done', async () => {
      expect(await store().write([])).to.equal('ok');
      expect(await store().write([[], []])).to.equal('ok');
    });
    it('lets one of two concurrent writers win', async () => {
      await put('a', null, '1', { n: 0 });
      const results = await Promise.all([
        put('a', '1', '2', { n: 1 }),
        put('b', null, '1', { n: 5 }),
        put('a', '1', '3', { n: 2 }),
      ]);
      expect([results[0], results[2]].sort()).to.deep.equal(['lost', 'ok']);
      expect(results[1], 'a bystander').to.equal('ok');
      expect((await get('a'))?.guard).to.equal(results[0] === 'ok' ? '2' : '3');
    });
    it('lets one of two concurrent inserts win', async () => {
      const results = await Promise.all([put('a', null, '1', { n: 1 }), put('a', null, '2', { n: 2 })]);
      expect(results.sort()).to.deep.equal(['lost', 'ok']);
    });
  });

  describe('stages', () => {
    it('apply in order', async () => {
      const second = { ...insert('a', { n: 2 }), expect: '1', guard: '2' };
      expect(await store().write([[insert('a', { n: 1 })], [second]])).to.equal('ok');
      expect(await get('a')).to.deep.include({ guard: '2' });
    });
    it('are not started after a lost guard', async () => {
      const first = Array.from({ length: 50 }, (_, i) => insert(`first-${i}`));
      await store().write([[insert('first-25')]]);
      expect(await store().write([first, [insert('later')]])).to.equal('lost');
      expect(await get('later')).to.equal(undefined);
    });
    it('span collections', async () => {
      await store().ensure([{ name: 'checkpoints', indexes: [] }]);
      const checkpoint = { c: 'checkpoints', id: 'p', expect: null, guard: '1', doc: { position: '9' } };
      expect(await store().write([[insert('a')], [checkpoint]])).to.equal('ok');
      expect((await store().get('checkpoints', ['p'])).get('p')).to.deep.equal({ guard: '1', doc: { position: '9' } });
      expect(await store().write([[insert('a')], [{ ...checkpoint, expect: '1', guard: '2' }]])).to.equal('lost');
      expect((await store().get('checkpoints', ['p'])).get('p')?.guard).to.equal('1');
    });
    it('are refused as a whole when a document lacks an index field', async () => {
      for (const doc of [{ status: 'active' }, { status: 'active', dueAt: null }, { status: ['a'], dueAt: '' }]) {
        const error = await store()
          .write([[insert('a')], [{ ...insert('b'), doc }]])
          .catch((err: unknown) => err);
        expect(error).to.be.instanceOf(Error);
        expect(await get('a')).to.equal(undefined);
      }
    });
  });

  describe('collections', () => {
    it('may be ensured again', async () => {
      await store().write([[insert('a')]]);
      await store().ensure([CUSTOMERS]);
      expect((await get('a'))?.guard).to.equal('1');
    });
    it('find old documents by a new index', async () => {
      const docs = [insert('a', { plan: 'x' }), insert('b', { plan: 'y' }), insert('c', { plan: 'x' }), insert('d')];
      await store().write([docs, [{ ...insert('d'), expect: '1', guard: '2', doc: null }]]);
      await store().ensure([
        { name: 'customers', indexes: [...CUSTOMERS.indexes, { name: 'byPlan', fields: ['plan'] }] },
      ]);
      const { rows } = await store().scan('customers', { index: 'byPlan', eq: ['x'], limit: 9 });
      expect(rows.map(({ id }) => id)).to.deep.equal(['a', 'c']);
      const error = await store()
        .write([[insert('e')]])
        .catch((err: unknown) => err);
      expect(error, 'without the new field').to.be.instanceOf(Error);
      expect(await store().write([[insert('e', { plan: 'x' })]])).to.equal('ok');
    });
    it('are empty when ensured again after a drop', async () => {
      await store().write([[insert('a')]]);
      await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 });
      await store().drop('customers');
      await store().ensure([CUSTOMERS]);
      expect(await get('a')).to.equal(undefined);
      expect(await store().write([[insert('a')]])).to.equal('ok');
      const { rows } = await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 });
      expect(rows.map(({ id }) => id)).to.deep.equal(['a']);
    });
    it('may be dropped when they are missing', () => store().drop('never_made'));
    it('keep everything over a restart', async () => {
      await store().write([
        [insert('a', { n: 1 }), insert('b')],
        [{ ...insert('b'), expect: '1', guard: '2', doc: null }],
      ]);
      await opened().reopen();
      await store().ensure([CUSTOMERS]);
      const found = await store().get('customers', ['a', 'b']);
      expect(found.get('a')?.doc).to.include({ n: 1 });
      expect(found.get('b')).to.deep.equal({ guard: '2', doc: null });
      const { rows } = await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 });
      expect(rows.map(({ id }) => id)).to.deep.equal(['a']);
    });
  });
}
