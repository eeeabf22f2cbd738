// The part of the document store contract about filling collections; only of stores that can.
import { expect } from 'chai';
import type { BulkRow, BulkWrites } from '../../src/adapters/documents/port.js';
import { CUSTOMERS, insert, type OpenedDocuments } from './opened-documents.js';

export function documentBulk(opened: () => OpenedDocuments): void {
  const store = () => opened().store;
  const row = (id: string, guard: string, doc: BulkRow['doc'] & object = {}): BulkRow => {
    return { c: 'customers', id, guard, doc: { status: 'active', dueAt: '', ...doc } };
  };

  describe('filling', () => {
    let bulk: BulkWrites;
    beforeEach(async function () {
      const found = store().bulk;
      if (!found) return this.skip();
      bulk = found;
      await store().drop('customers');
      await bulk.begin([CUSTOMERS]);
    });

    it('replaces whatever is there, and is found by id at once', async () => {
      await bulk.put([row('a', '1', { n: 1 }), row('b', '1')]);
      await bulk.put([row('a', '7', { n: 2 })]);
      const found = await store().get('customers', ['a', 'b', 'c']);
      expect(found.get('a')).to.deep.equal({ guard: '7', doc: { status: 'active', dueAt: '', n: 2 } });
      expect([...found.keys()].sort()).to.deep.equal(['a', 'b']);
    });

    it('ends in collections that scans read and guarded writes change', async () => {
      await bulk.put([row('b', '1'), row('a', '1'), row('c', '1', { status: 'gone' })]);
      await bulk.put([{ c: 'customers', id: 'b', guard: '2', doc: null }]);
      await bulk.finish([CUSTOMERS]);
      await store().ensure([CUSTOMERS]);
      const ids = async () => {
        const { rows } = await store().scan('customers', { index: 'byStatus', eq: ['active'], limit: 9 });
        return rows.map((r) => r.id);
      };
      expect(await ids()).to.deep.equal(['a']);
      expect(await store().write([[insert('b')]]), 'over a tombstone').to.equal('lost');
      expect(await store().write([[{ ...insert('b'), expect: '2', guard: '3' }, insert('d')]])).to.equal('ok');
      expect(await ids()).to.deep.equal(['a', 'b', 'd']);
    });

    it('continues after a restart', async () => {
      await bulk.put([row('a', '1')]);
      await opened().reopen();
      const again = store().bulk;
      await again?.begin([CUSTOMERS]);
      await again?.put([row('b', '1')]);
      await again?.finish([CUSTOMERS]);
      await store().ensure([CUSTOMERS]);
      const { rows } = await store().scan('customers', { index: 'id', eq: [], limit: 9 });
      expect(rows.map((r) => r.id)).to.deep.equal(['a', 'b']);
    });

    it('contains each ID once if each was put once, and continues with scans, guards and further builds', async () => {
      const putOnce = { ...CUSTOMERS, isPutOnce: true };
      await store().drop('customers');
      await bulk.begin([putOnce]);
      await bulk.put([row('b', '1', { n: 1 }), row('a', '1'), row('c', '1')]);
      await opened().reopen();
      const again = store().bulk;
      await again?.begin([putOnce]);
      await again?.put([row('b', '2', { n: 2 }), row('d', '2')]);
      await again?.finish([CUSTOMERS]);
      await store().ensure([CUSTOMERS]);
      const page = async (after?: string) =>
        store().scan('customers', { index: 'id', eq: [], limit: 3, ...(after === undefined ? {} : { after }) });
      const { rows, next } = await page();
      expect(rows.map((r) => [r.id, r.doc['n']])).to.deep.equal([
        ['a', undefined],
        ['b', 2],
        ['c', undefined],
      ]);
      expect((await page(next)).rows.map((r) => r.id)).to.deep.equal(['d']);
      expect(await store().write([[insert('b')]]), 'is there').to.equal('lost');
      expect(await store().write([[{ ...insert('b'), expect: '2', guard: '3' }, insert('e')]])).to.equal('ok');
      await again?.begin([putOnce]);
      await again?.put([row('e', '4', { n: 4 })]);
      expect((await store().get('customers', ['e'])).get('e')?.doc?.['n'], 'its ids are in order by now').to.equal(4);
    });

    it('leaves an interrupted build to the one that continues it, whoever else ensures the collection', async () => {
      const putOnce = { ...CUSTOMERS, isPutOnce: true };
      await store().drop('customers');
      await bulk.begin([putOnce]);
      await bulk.put([row('a', '1', { n: 1 })]);
      await opened().reopen();
      const scan = { index: 'id', eq: [], limit: 9 };
      await store().ensure([CUSTOMERS]);
      // A store may respond before the end or not.
      await store()
        .scan('customers', scan)
        .catch(() => undefined);
      const again = store().bulk;
      await again?.begin([putOnce]);
      await again?.put([row('a', '2', { n: 2 }), row('b', '2')]);
      await again?.finish([CUSTOMERS]);
      await store().ensure([CUSTOMERS]);
      const { rows } = await store().scan('customers', scan);
      expect(rows.map(({ id, guard }) => [id, guard])).to.deep.equal([
        ['a', '2'],
        ['b', '2'],
      ]);
      expect(await store().write([[{ ...insert('b'), expect: '2', guard: '3' }, insert('c')]])).to.equal('ok');
    });

    it('refuses a document without its index fields, and then stores none of the rows', async () => {
      const lacking = { c: 'customers', id: 'b', guard: '1', doc: { status: 'active' } };
      const outcome = await bulk.put([row('a', '1'), lacking]).catch((err: unknown) => String(err));
      expect(outcome).to.include('index field dueAt');
      expect((await store().get('customers', ['a'])).size).to.equal(0);
    });
  });
}
